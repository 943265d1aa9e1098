import CloudInterface
import Foundation
import RecordModel

/// The stored form of an engine's state, as JSON.
///
/// It has names of pending changes, not records, so its size does not depend on the records.
struct EngineSnapshot: Codable, Sendable {
  /// A zone by its names.
  struct Zone: Codable, Sendable, Hashable {
    var name: String
    var owner: String

    init(_ zoneID: ZoneID) {
      name = zoneID.zoneName
      owner = zoneID.ownerName
    }

    var zoneID: ZoneID { ZoneID(zoneName: name, ownerName: owner) }
  }

  /// Changes of records of one zone that follow each other.
  struct Run: Codable, Sendable {
    var zone: Zone
    /// The names of the records, each behind `+` for a save or `-` for a deletion.
    var changes: [String]
  }

  struct ZoneChange: Codable, Sendable {
    var zone: Zone
    var isDeletion: Bool
  }

  struct ZoneToken: Codable, Sendable {
    var zone: Zone
    var token: Data
  }

  /// The version of this form.
  var version = 1
  /// The engine's database; nil in a state of an earlier version.
  var database: DatabaseScope?
  /// The record name of the user who was signed in; nil for none.
  var user: String?
  var records: [Run] = []
  var zones: [ZoneChange] = []
  var databaseToken: Data?
  var zoneTokens: [ZoneToken] = []
  var unfetchedZones: [Zone] = []
  var hasPendingUntrackedChanges = false
  var subscriptionID: String?

  static func runs(of changes: [PendingRecordZoneChange]) -> [Run] {
    var runs: [Run] = []
    var zoneID: ZoneID?
    for change in changes {
      if change.recordID.zoneID != zoneID {
        zoneID = change.recordID.zoneID
        runs.append(Run(zone: Zone(change.recordID.zoneID), changes: []))
      }
      let sign = if case .saveRecord = change { "+" } else { "-" }
      runs[runs.count - 1].changes.append(sign + change.recordID.recordName)
    }
    return runs
  }

  static func changes(of runs: [Run]) -> [PendingRecordZoneChange] {
    runs.flatMap { run in
      let zoneID = run.zone.zoneID
      return run.changes.compactMap { text -> PendingRecordZoneChange? in
        // A combining scalar at the start of the name is part of the sign's `Character`.
        let scalars = text.unicodeScalars
        let recordID = RecordID(recordName: String(scalars.dropFirst()), zoneID: zoneID)
        switch scalars.first {
        case "+": return .saveRecord(recordID)
        case "-": return .deleteRecord(recordID)
        default: return nil
        }
      }
    }
  }
}

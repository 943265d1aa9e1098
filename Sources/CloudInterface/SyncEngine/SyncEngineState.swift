import RecordModel

import struct Foundation.Data

/// The changes that are still to be sent, and what an engine knows about the server
/// (`CKSyncEngine.State`).
///
/// The state has the names of pending changes, not their records. Each change of the state leads to
/// an event ``SyncEngineEvent/stateUpdate(_:)``; the app stores its serialization.
public protocol SyncEngineState: AnyObject, Sendable {
  /// The records to save and delete, in the order in which they were added.
  var pendingRecordZoneChanges: [PendingRecordZoneChange] { get }
  /// The zones to save and delete, in the order in which they were added.
  var pendingDatabaseChanges: [PendingDatabaseChange] { get }
  /// Whether the app has changes that this state does not list. The engine then asks the delegate
  /// for batches, too. The app sets and resets it.
  var hasPendingUntrackedChanges: Bool { get set }
  /// The zones with changes on the server that the engine has not fetched yet.
  var zoneIDsWithUnfetchedServerChanges: [ZoneID] { get }

  /// Adds records to save or delete. A change replaces an earlier one of the same record.
  func add(pendingRecordZoneChanges: [PendingRecordZoneChange])
  /// Removes records from those to save or delete.
  func remove(pendingRecordZoneChanges: [PendingRecordZoneChange])
  /// Adds zones to save or delete. A change replaces an earlier one of the same zone.
  func add(pendingDatabaseChanges: [PendingDatabaseChange])
  /// Removes zones from those to save or delete.
  func remove(pendingDatabaseChanges: [PendingDatabaseChange])
}

extension SyncEngineState {
  /// A state in the form that an app stores.
  public typealias Serialization = SyncEngineStateSerialization
}

/// A state of an engine in the form that an app stores (`CKSyncEngine.State.Serialization`).
///
/// Only the kind of engine that made it can read it. An event of an engine has one; decoding one that
/// was stored is the only other way to get one.
public struct SyncEngineStateSerialization: Sendable, Codable {
  private let content: @Sendable () throws -> Data

  private enum CodingKeys: String, CodingKey {
    case data
  }

  /// Creates a serialization whose content is made when it is stored.
  package init(_ content: @escaping @Sendable () throws -> Data) { self.content = content }

  /// The bytes that the engine has made.
  package var data: Data { get throws { try content() } }

  /// Reads a stored serialization. The engine reads its content.
  public init(from decoder: any Decoder) throws {
    let data = try decoder.container(keyedBy: CodingKeys.self).decode(Data.self, forKey: .data)
    content = { data }
  }

  /// Writes the serialization for storage.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(try data, forKey: .data)
  }
}

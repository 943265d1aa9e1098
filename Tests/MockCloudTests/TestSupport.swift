import CloudInterface
import Foundation
import MockCloud
import RecordModel
import Synchronization
import Testing

// Every file of these tests uses them.
@_exported import RecordStore
@_exported import TestSupport

let testDate = Date(timeIntervalSinceReferenceDate: 785_000_000.125)
let notes = ZoneID(zoneName: "Notes")

/// A database of a container in memory, with a zone "Notes" in the private database.
func makeDatabase(
  _ scope: DatabaseScope = .private, rules: ServerRules = .native, user: String? = nil,
  now: @escaping @Sendable () -> Date = { testDate }
) async throws -> MockDatabase {
  let container = try MockContainer.inMemory(
    info: ContainerInfo(currentUserRecordName: user), rules: rules, now: now)
  try await container.privateCloudDatabase.save(RecordZone(zoneID: notes))
  return container.database(with: scope)
}

func id(_ name: String, in zoneID: ZoneID = notes) -> RecordID {
  RecordID(recordName: name, zoneID: zoneID)
}

func note(_ name: String, in zoneID: ZoneID = notes, _ text: String = "text") -> DraftRecord {
  var draft = DraftRecord(recordType: "Note", recordID: id(name, in: zoneID))
  draft["text"] = text
  return draft
}

/// A note below another one.
func note(_ name: String, below parent: String, in zoneID: ZoneID = notes) -> DraftRecord {
  var draft = note(name, in: zoneID)
  draft.parent = Reference(recordID: id(parent, in: zoneID))
  return draft
}

/// A note that is deleted with another one.
func note(_ name: String, ownedBy owner: String, in zoneID: ZoneID = notes) -> DraftRecord {
  var draft = note(name, in: zoneID)
  draft["owner"] = Reference(recordID: id(owner, in: zoneID), action: .deleteSelf)
  return draft
}

extension Result where Failure == any Error {
  /// The error of CloudKit, if the item failed with one.
  var cloudError: CloudError? {
    guard case .failure(let error) = self else { return nil }
    return error as? CloudError
  }

  var isSuccess: Bool { if case .success = self { true } else { false } }
}

/// Returns the error that a call throws.
func cloudError<T>(
  _ isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> T
) async -> CloudError? {
  do {
    _ = try await body()
    return nil
  } catch {
    return error as? CloudError
  }
}

extension MockDatabase {
  /// The names of all records, in all zones.
  func names() throws -> [String] {
    try container.store.snapshot { snapshot in
      var names: [String] = []
      try snapshot.forEachRecord(in: databaseScope) { names.append($0.recordID.recordName) }
      return names
    }
  }

  /// The deletions of records in all zones.
  func tombstones() throws -> [DeletedRecord] {
    try container.store.snapshot { snapshot in
      var tombstones: [DeletedRecord] = []
      try snapshot.forEachTombstone(in: databaseScope) { tombstones.append($0) }
      return tombstones
    }
  }

  func tag(_ name: String) async throws -> String? {
    try await record(for: id(name)).recordChangeTag
  }
}

/// Everything that lies in a container, to compare its states.
func contents(of container: MockContainer) throws -> [String] {
  try container.store.snapshot { snapshot in
    var lines: [String] = []
    for scope in DatabaseScope.allCases {
      lines.append("\(scope) \(try snapshot.lastChange(in: scope))")
      for zone in try snapshot.zones(in: scope) { lines.append("\(scope) zone \(zone.zoneID)") }
      try snapshot.forEachRecord(in: scope) { record in
        let fields = record.fields.map { "\($0)" }.joined(separator: ", ")
        lines.append("\(scope) \(record) \(record.systemFields) \(fields)")
      }
      try snapshot.forEachTombstone(in: scope) { lines.append("\(scope) gone \($0)") }
    }
    try snapshot.forEachAsset { lines.append("asset \($0)") }
    return lines
  }
}

/// A clock that advances by an eighth of a second with each reading.
final class TestClock: Sendable {
  private let readings = Mutex(0.0)

  func now() -> Date {
    readings.withLock { readings in
      readings += 1
      return testDate.addingTimeInterval(readings.truncatingRemainder(dividingBy: 8) / 8)
    }
  }
}

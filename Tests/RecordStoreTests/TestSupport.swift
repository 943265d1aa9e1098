import Foundation
import RecordStore
import RecordCoding
import RecordModel

// Every file of these tests uses them.
@_exported import StoreTestSupport
@_exported import TestSupport

let testDate = Date(timeIntervalSinceReferenceDate: 785_000_000.125)
let notes = ZoneID(zoneName: "Notes")

extension ContainerStore {
  /// Creates a container in memory with a zone "Notes" in the private database.
  static func test() throws -> ContainerStore {
    let container = try ContainerStore.inMemory(now: { testDate })
    try container.database(.private).save([RecordZone(zoneID: notes)])
    return container
  }

  static func create(_ path: String) throws -> ContainerStore {
    try ContainerStore.open(path: path, mode: .create, now: { testDate })
  }
}

func note(
  _ name: String, in zoneID: ZoneID = notes, type: String = "Note", _ text: String = "text"
) -> DraftRecord {
  var draft = DraftRecord(
    recordType: type, recordID: RecordID(recordName: name, zoneID: zoneID))
  draft["text"] = text
  return draft
}

/// Returns a record as a server would return it.
func serverRecord(
  _ name: String, in zoneID: ZoneID = notes, type: String = "Note", tag: String = "a",
  text: String = "text"
) -> ResultRecord {
  ResultRecord(
    systemFields: SystemFields(
      recordID: RecordID(recordName: name, zoneID: zoneID), recordType: type,
      recordChangeTag: tag, modified: RecordStamp(date: testDate)),
    fields: [Field(name: "text", value: .string(text))])
}

func recordNames(
  _ database: TestDatabase, _ filter: RecordFilter = .all
) throws -> [String] {
  var names: [String] = []
  try database.forEachRecord(filter) { names.append($0.recordID.recordName) }
  return names
}

extension QueryPage {
  /// The damaged records among the results.
  var damaged: [RecordID] { results.filter { (try? $0.result.get()) == nil }.map(\.recordID) }
}

/// Returns the whole content of a container as text, to compare containers.
func contents(of container: ContainerStore) throws -> String {
  try container.snapshot { snapshot in
    var lines: [String] = []
    for scope in DatabaseScope.allCases {
      for zone in try snapshot.zones(in: scope) { lines.append("\(scope) zone \(zone.zoneID)") }
      for item in try snapshot.subscriptions(in: scope) { lines.append("\(scope) \(item)") }
      try snapshot.forEachRecordBytes(in: scope) { bytes, _ in
        lines.append("\(scope) " + String(decoding: bytes, as: UTF8.self))
      }
      try snapshot.forEachTombstone(in: scope) { lines.append("\(scope) gone \($0.recordID)") }
      for zone in try snapshot.zoneTombstones(in: scope) {
        lines.append("\(scope) no \(zone.zoneID) \(zone.reason)")
      }
    }
    try snapshot.forEachAsset { lines.append("asset \($0.sha256) \($0.size ?? -1)") }
    return lines.joined(separator: "\n")
  }
}

/// Runs the `sqlite3` command; returns nil if it is not installed.
func sqlite3(_ path: String, _ sql: String) async throws -> String? {
  let run = try await Command("sqlite3", path, sql, mergesErrors: false)
  return run.code == 127 ? nil : run.output.trimmingCharacters(in: .whitespacesAndNewlines)
}

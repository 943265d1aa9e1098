import Foundation
import MockCloud
import RecordCoding
import RecordModel

/// A directory that is deleted after the test.
final class TemporaryDirectory {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory
      .appendingPathComponent("MockCloudTests-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  func path(_ name: String) -> String { url.appendingPathComponent(name).path }

  var names: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []).sorted()
  }
}

/// A random number generator with the same numbers on every machine (splitmix64).
struct SeededGenerator: RandomNumberGenerator {
  var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}

let testDate = Date(timeIntervalSinceReferenceDate: 785_000_000.125)
let notes = ZoneID(zoneName: "Notes")

extension MockContainer {
  /// Creates a container in memory with a zone "Notes" in the private database.
  static func test() throws -> MockContainer {
    let container = try MockContainer.inMemory(now: { testDate })
    try container.database(.private).save([RecordZone(zoneID: notes)])
    return container
  }

  static func create(_ path: String) throws -> MockContainer {
    try MockContainer.open(path: path, mode: .create, now: { testDate })
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
  _ database: MockDatabase, _ filter: RecordFilter = .all
) throws -> [String] {
  var names: [String] = []
  try database.forEachRecord(filter) { names.append($0.recordID.recordName) }
  return names
}

/// Returns the whole content of a container as text, to compare containers.
func contents(of container: MockContainer) throws -> String {
  try container.snapshot { snapshot in
    var lines: [String] = []
    for scope in DatabaseScope.allCases {
      for zone in try snapshot.zones(in: scope) { lines.append("\(scope) zone \(zone.zoneID)") }
      for item in try snapshot.subscriptions(in: scope) { lines.append("\(scope) \(item)") }
      try snapshot.forEachRecordBytes(in: scope) { bytes, _ in
        lines.append("\(scope) " + String(decoding: bytes, as: UTF8.self))
      }
      try snapshot.forEachTombstone(in: scope) { lines.append("\(scope) gone \($0.recordID)") }
      for zone in try snapshot.zoneTombstones(in: scope) { lines.append("\(scope) no \(zone)") }
    }
    try snapshot.forEachAsset { lines.append("asset \($0.sha256) \($0.size ?? -1)") }
    return lines.joined(separator: "\n")
  }
}

/// Runs the `sqlite3` command; returns nil if it is not installed.
func sqlite3(_ path: String, _ sql: String) throws -> String? {
  let process = Process()
  process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
  process.arguments = ["sqlite3", path, sql]
  let output = Pipe()
  process.standardOutput = output
  process.standardError = FileHandle.nullDevice
  try process.run()
  let data = output.fileHandleForReading.readDataToEndOfFile()
  process.waitUntilExit()
  if process.terminationStatus == 127 { return nil }
  return String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
}

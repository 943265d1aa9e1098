import Foundation
import MockCloud
import RecordModel
import RecordPack
import Testing

@Suite("calls of a recording")
struct LogToolTests {
  /// Writes `calls.recording`: saves, with a conflict and an encrypted field, and a failed call.
  private func record(in folder: String) async throws {
    let mock = try MockContainer.inMemory(info: ContainerInfo(identifier: "iCloud.log"))
    let faulty = FaultInjectingContainer(mock)
    let container = try RecordingContainer(faulty, path: folder + "/calls.recording")
    let database = container.privateCloudDatabase
    _ = try await container.accountStatus()
    let notes = ZoneID(zoneName: "Notes")
    _ = try await database.save(RecordZone(zoneID: notes))
    var draft = DraftRecord(
      recordType: "Note", recordID: RecordID(recordName: "n", zoneID: notes))
    draft["text"] = "plain text"
    draft.encryptedValues["secret"] = "the secret"
    _ = try await database.save(draft)
    _ = try await database.modifyRecords(
      saving: [draft, DraftRecord(recordType: "Note", zoneID: notes)], deleting: [],
      atomically: false)
    faulty.faults.fail(.records, with: .networkUnavailable)
    _ = try? await database.record(for: RecordID(recordName: "n\u{1B}[31m", zoneID: notes))
    try container.finish()
  }

  private func withRecording(_ body: (String) async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory.path + "/" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try await record(in: folder)
    try await body(folder)
  }

  @Test("a line for each call, with the name of an error, and no values")
  func text() async throws {
    try await withRecording { folder in
      let result = try await ToolProcess.run("calls", "calls.recording", in: folder)
      #expect(result.code == 0, "\(result.errors)")
      let rows = result.output.split(separator: "\n").map {
        $0.split(separator: " ", omittingEmptySubsequences: true).map(String.init)
      }
      try #require(rows.count == 6)
      #expect(rows[0] == ["call", "operation", "database", "request", "result"])
      #expect(rows[1] == ["1", "accountStatus", "available"])
      #expect(
        rows[2] == ["2", "modifyRecordZones", "private", "save", "Notes", "1", "saved"])
      #expect(Array(rows[3].prefix(3)) == ["3", "modifyRecords", "private"])
      #expect(Array(rows[4].suffix(4)) == ["1", "saved,", "1", "serverRecordChanged"])
      #expect(rows[5].last == "networkUnavailable")
      for part in ["plain text", "the secret", "\u{1B}"] { #expect(!result.output.contains(part)) }
    }
  }

  @Test("errors are red where there are colours")
  func color() async throws {
    try await withRecording { folder in
      let result = try await ToolProcess.run(
        "calls", "calls.recording", "--color", "always", in: folder)
      #expect(result.output.contains("\u{1B}[31mnetworkUnavailable\u{1B}[0m"))
      #expect(result.output.contains("\u{1B}[31m1 saved, 1 serverRecordChanged\u{1B}[0m"))
      #expect(!result.output.contains("\u{1B}[31mavailable"))
    }
  }

  @Test("calls are chosen by operation, failure and number")
  func choice() async throws {
    try await withRecording { folder in
      func numbers(_ options: String...) async throws -> [String] {
        let result = try await ToolProcess.run(["calls", "calls.recording"] + options, in: folder)
        #expect(result.code == 0, "\(result.errors)")
        return result.output.split(separator: "\n").dropFirst()
          .compactMap { $0.split(separator: " ").first.map(String.init) }
      }
      #expect(try await numbers("--operation", "modifyRecords") == ["3", "4"])
      #expect(
        try await numbers("--operation", "records", "--operation", "accountStatus") == ["1", "5"])
      #expect(try await numbers("--failed") == ["4", "5"])
      #expect(try await numbers("--failed", "--limit", "1") == ["4"])
      let wrong = try await ToolProcess.run(
        "calls", "calls.recording", "--operation", "modify", in: folder)
      #expect(wrong.code == 2)
      #expect(wrong.errors.contains("modifyRecords"))
      #expect(
        try await ToolProcess.run("calls", "calls.recording", "--limit", "0", in: folder).code == 2)
    }
  }

  @Test("JSON is a versioned document, without encrypted values unless they are asked for")
  func json() async throws {
    try await withRecording { folder in
      let hidden = try await ToolProcess.run("calls", "calls.recording", "--json", in: folder)
      let object = try #require(
        JSONSerialization.jsonObject(with: Data(hidden.output.utf8)) as? [String: Any])
      #expect(object["format"] as? String == "recordpack.calls")
      #expect(object["version"] as? Int == 1)
      #expect(object["container"] as? String == "iCloud.log")
      let calls = try #require(object["calls"] as? [[String: Any]])
      #expect(calls.compactMap { $0["number"] as? Int } == [1, 2, 3, 4, 5])
      #expect(calls[4]["error"] != nil)
      #expect(hidden.output.contains("plain text"))
      #expect(!hidden.output.contains("the secret"))
      let shown = try await ToolProcess.run(
        "calls", "calls.recording", "--json", "--show-encrypted", in: folder)
      #expect(shown.output.contains("the secret"))
      let refused = try await ToolProcess.run(
        "calls", "calls.recording", "--show-encrypted", in: folder)
      #expect(refused.code == 2)
    }
  }

  @Test("a truncated recording is shown up to there, with exit code 1; anything else is refused")
  func damage() async throws {
    try await withRecording { folder in
      let data = try Samples.read("calls.recording", in: folder)
      try Samples.write(data.dropLast(30), "short", in: folder)
      let short = try await ToolProcess.run("calls", "short", in: folder)
      #expect(short.code == 1)
      #expect(short.output.split(separator: "\n").count == 5)
      #expect(short.errors.contains("line 6: the recording ends in the middle of this line"))
      let piped = try await ToolProcess.shell(
        "cat calls.recording | recordpack calls -", in: folder)
      #expect(piped.code == 0)
      try Samples.write(Data("no recording".utf8), "Bad", in: folder)
      for name in ["Bad", "nowhere"] {
        let result = try await ToolProcess.run("calls", name, in: folder)
        #expect(result.code == 2)
        #expect(result.output.isEmpty)
        #expect(result.errors.contains(name))
      }
    }
  }
}

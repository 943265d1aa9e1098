import Foundation
import RecordPack
import Testing

@Suite("recordpack changes")
struct ChangesToolTests {
  private func changes(
    _ line: String, in folder: String, code: Int32 = 0
  ) throws -> ToolProcess.Result {
    let result = try ToolProcess.shell("recordpack changes Tact.sqlite \(line)", in: folder)
    #expect(result.code == code, "\(line): \(result.errors)")
    return result
  }

  private struct Page: Decodable {
    struct Item: Decodable {
      var change: String
      var recordName: String?
      var recordType: String?
      var reason: String?
    }
    var version: Int
    var zones: [Item]?
    var records: [Item]?
    var changeToken: String
    var moreComing: Bool
  }

  private func page(_ line: String, in folder: String) throws -> Page {
    let result = try changes("\(line) --json", in: folder)
    return try JSONDecoder().decode(Page.self, from: Data(result.output.utf8))
  }

  @Test("Zones and records that have changed since a token are shown, as text and JSON")
  func changes() throws {
    try withFolder { folder in
      try Samples.makeContainer(in: folder)
      let zones = try page("", in: folder)
      #expect(zones.version == 1 && zones.zones?.map(\.change) == ["changed"])
      let first = try page("--zone Chats --limit 2", in: folder)
      #expect(first.records?.compactMap(\.recordName) == ["chat-1", "message-1"])
      #expect(first.moreComing)
      let rest = try changes("--zone Chats --since '\(first.changeToken)'", in: folder)
      #expect(rest.output.contains("+ Message message-2 "))
      #expect(!rest.output.contains("chat-1"))
      let all = try page("--zone Chats", in: folder)
      let next = rest.output.split(separator: "\n").last
      #expect(next.map(String.init) == "Next --since '\(all.changeToken)'")

      _ = try ToolProcess.shell("recordpack delete Tact.sqlite message-1 -q", in: folder)
      let deleted = try page("--zone Chats --since '\(all.changeToken)'", in: folder)
      #expect(deleted.records?.map(\.change) == ["deleted"])
      #expect(deleted.records?.first?.recordType == "Message")
      _ = try ToolProcess.shell(
        "recordpack delete Tact.sqlite --zone Chats --force -q", in: folder)
      let gone = try page("--since '\(zones.changeToken)'", in: folder)
      #expect(gone.zones?.map(\.reason) == ["deleted"])
      #expect(try changes("--since '\(gone.changeToken)'", in: folder).output.hasPrefix("Next"))
    }
  }

  @Test("What has no change feed is refused, and writes nothing")
  func refusals() throws {
    try withFolder { folder in
      try Samples.makeContainer(in: folder)
      for (line, words) in [
        ("--zone None", "zone 'None' is not in the private database"),
        ("--zone _defaultZone", "cannot get changes in default zone"),
        ("--database public", "cannot get changes in the public database"),
        ("--since x", "the change token is not one that this server made"),
        ("--since '1;private;zzzz;1;'", "client knowledge differs from server knowledge"),
        ("--limit 0", "--limit must be 1 or more"), ("--zone /x", "--zone must be a name"),
      ] {
        for format in ["", " --json"] {
          let result = try changes(line + format, in: folder, code: 2)
          #expect(result.errors.contains(words), "\(line): \(result.errors)")
          #expect(result.output.isEmpty, "\(line)")
        }
      }
      let bundle = try ToolProcess.shell(
        "recordpack export Tact.sqlite Tact.recordpack -q && recordpack changes Tact.recordpack",
        in: folder)
      #expect(bundle.code == 2 && bundle.errors.contains("is a bundle"))
    }
  }
}

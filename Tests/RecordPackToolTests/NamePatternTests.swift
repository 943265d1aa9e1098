import Foundation
import RecordModel
import Testing

@testable import RecordPackTool

@Suite("Patterns for names")
struct NamePatternTests {
  @Test("Signs of a pattern match as in a shell")
  func matches() {
    let facts: [(pattern: String, matching: [String], others: [String])] = [
      ("Mess*", ["Mess", "Message", "Mess*"], ["mess", "aMess", "Mes"]),
      ("*", ["", "a", "a/b", ".a"], []), ("*a*b*", ["ab", "xaxbx", "aab"], ["ba", "a"]),
      ("Chat?", ["Chats", "Chat東", "Chat🥾"], ["Chat", "Chatss"]), ("?*", ["a", "ab"], [""]),
      ("[a-cx]1", ["a1", "c1", "x1"], ["d1", "1", "ab1"]),
      ("[!a-c]", ["d", "é"], ["a", "c", "dd"]), ("[^a]", ["b"], ["a"]),
      ("[]a]", ["]", "a"], ["b"]), ("[a-]", ["a", "-"], ["b"]), ("[c-a]", [], ["a", "b"]),
      ("[ab", ["[ab"], ["a"]), ("a\\*", ["a*"], ["ab"]), ("[\\]]", ["]"], ["\\"]),
      ("e*", ["e\u{301}"], ["\u{E9}"]), ("a**b", ["ab", "acb"], ["a"]), ("", [""], ["a"]),
    ]
    for (text, matching, others) in facts {
      let pattern = NamePattern(text)
      for name in matching { #expect(pattern.matches(name), "\(text): \(name)") }
      for name in others { #expect(!pattern.matches(name), "\(text): \(name)") }
    }
  }

  @Test("A name without signs is no pattern")
  func literals() {
    for text in ["a", "", "[a", "a-b]", "東"] { #expect(!NamePattern(text).isPattern, "\(text)") }
    for text in ["*", "a?", "[a]", "a\\*"] { #expect(NamePattern(text).isPattern, "\(text)") }
  }

  @Test("A pattern with many stars takes no more than the product of the lengths")
  func time() {
    let pattern = NamePattern(String(repeating: "*a", count: 60) + "b")
    #expect(!pattern.matches(String(repeating: "a", count: 2000)))
  }

  @Test("Zones and types are selected by patterns and dates; a name that exists is literal")
  func selection() async throws {
    try await withFolder { folder in
      try await Samples.makeBundle(in: folder)
      let responses = ["a*", "ab", "b"].map { type in
        #"{"recordName":"r-\#(type)","recordType":"\#(type)","fields":{}}"#
      }
      try Samples.write(
        Data("{\"records\":[\(responses.joined(separator: ","))]}".utf8), "r.json", in: folder)
      _ = try await ToolProcess.run(
        "import", "--from", "web-services", "r.json", "r.sqlite", in: folder)
      for source in ["Tact.sqlite", "Tact.recordpack"] {
        for (options, count) in [
          ("--type 'Mess*'", 2), ("--type 'M*' --type Chat", 3), ("--zone 'Chat?'", 3),
          ("--zone 'C*/__def*'", 3), ("--zone _defaultZone", 0), ("--until 2025-10-09", 0),
          ("--until 2025-10-10", 3), ("--since 2025-10-09 --until 2025-10-10", 3),
          ("--until 2025-10-09T08:53:20.5Z", 0), ("--until 2025-10-09T08:53:20.501Z", 3),
        ] {
          let result = try await ToolProcess.shell(
            "recordpack query \(source) \(options) --json", in: folder)
          #expect(result.code == 0, "\(options): \(result.errors)")
          #expect(result.output.split(separator: "\n").count == count, "\(source) \(options)")
        }
        for (options, words) in [
          ("--type 'X*'", "there is no record type 'X*'; available: Chat, Message"),
          ("--zone 'X?'", "there is no zone 'X?'; available: Chats, _defaultZone"),
          ("--since 2025-10-10 --until 2025-10-10", "--since must be before --until"),
        ] {
          let result = try await ToolProcess.shell(
            "recordpack query \(source) \(options) --json", in: folder)
          #expect(result.code == 2 && result.errors.contains(words), "\(result.errors)")
        }
      }
      let literal = try await ToolProcess.list("r.sqlite", ["--type", "a*"], in: folder)
      #expect(literal.output.hasSuffix("\ta*\tr-a*\n"))
      let lines = literal.output.split(separator: "\n").count
      #expect(lines == 1, "\(literal.output)")
      let part = try await ToolProcess.shell(
        "recordpack export Tact.sqlite -o p.recordpack --type 'M*' --until 2025-10-10 -q && "
          + "recordpack diff Tact.sqlite p.recordpack --type 'Mess*'", in: folder)
      #expect(part.code == 0, "\(part.output)\(part.errors)")
    }
  }

  @Test("A further option only takes away records, whatever names look like patterns")
  func furtherOptions() async throws {
    try await withFolder { folder in
      let records = [
        ("A", "*", "Z1"), ("A", "a", "Z1"), ("B", "b", "Z1"), ("B", "*", "Z2"), ("C*", "c", "Z2"),
        ("Cx", "x", "Z1"), ("B", "d", "Z?"),
      ].map { type, name, zone in
        #"{"recordName":"\#(name)","recordType":"\#(type)","fields":{},"zoneID":{"zoneName":"\#(zone)"}}"#
      }
      try Samples.write(
        Data("{\"records\":[\(records.joined(separator: ","))]}".utf8), "r.json", in: folder)
      let imported = try await ToolProcess.run(
        "import", "--from", "web-services", "r.json", "r.sqlite", in: folder)
      try #require(imported.code == 0, "\(imported.errors)")
      func lines(_ options: [String]) async throws -> Set<String> {
        let result = try await ToolProcess.list("r.sqlite", options, in: folder)
        #expect(result.code < 2, "\(options): \(result.errors)")
        return Set(result.output.split(separator: "\n").map(String.init))
      }
      let options = [
        ["--name", "*"], ["--type", "A"], ["--type", "C*"], ["--zone", "Z2"], ["--zone", "Z?"],
        ["--database", "public"], ["--where", "recordName != 'a'"],
      ]
      var alone: [Set<String>] = []
      for option in options { alone.append(try await lines(option)) }
      #expect(alone.map(\.count) == [2, 2, 1, 2, 1, 0, 6])
      for (index, first) in options.enumerated() {
        // Two values of one option are alternatives.
        for (other, second) in options.enumerated().dropFirst(index + 1)
        where first[0] != second[0] {
          #expect(
            try await lines(first + second) == alone[index].intersection(alone[other]),
            "\(first) \(second)")
        }
      }
      let nothing = try await ToolProcess.list(
        "r.sqlite", ["--type", "A", "--zone", "Z2"], in: folder)
      #expect(nothing.code == 0 && nothing.output.isEmpty)
      #expect(nothing.errors.contains("there are no records of type 'A' in zone 'Z2'"))
      let elsewhere = try await ToolProcess.run(line: "show r.sqlite a --zone Z2", in: folder)
      #expect(elsewhere.code == 1, "\(elsewhere.errors)")
      #expect(elsewhere.errors.contains("there is one in zone 'Z1' of the private database"))
      let part = try await ToolProcess.shell(
        "recordpack export r.sqlite -o r.recordpack --type A --zone Z2 -q && recordpack query r.recordpack --json",
        in: folder)
      #expect(part.code == 0 && part.output.isEmpty, "\(part.errors)")
    }
  }

  @Test("A zone whose name has a slash is found by its name")
  func slash() throws {
    let argument = try #require(ZoneArgument(argument: "A/B"))
    #expect(argument.matches(ZoneID(zoneName: "A/B")))
    #expect(argument.matches(ZoneID(zoneName: "A", ownerName: "B")))
    #expect(!argument.matches(ZoneID(zoneName: "A")))
  }
}

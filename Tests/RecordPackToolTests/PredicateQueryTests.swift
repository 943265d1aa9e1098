import Foundation
import RecordModel
import Testing

@testable import RecordPackTool

@Suite("Queries with a condition")
struct ConditionQueryTests {
  /// The names of the records that a query writes.
  private func names(_ arguments: String, in folder: String) async throws -> [String] {
    let line = "recordpack query \(arguments) --format csv --fields recordName"
    let result = try await ToolProcess.shell(line, in: folder)
    #expect(result.code == 0, "\(arguments): \(result.errors)")
    return result.output.split(separator: "\r\n").dropFirst()
      .map { String($0.prefix { $0 != "," }) }
  }

  @Test("finds the same in a bundle and a container: values, references, words, system fields")
  func matches() async throws {
    try await withFolder { folder in
      try await Samples.makeBundle(in: folder)
      let both = ["message-1", "message-2"]
      for source in ["Tact.sqlite", "Tact.recordpack"] {
        let facts: [(String, [String])] = [
          ("--type Message", both), ("--type 'Mess*'", both),
          ("--type Message --where \"number > 1\"", ["message-2"]),
          ("--type Message --where \"number BETWEEN {1, 2}\" --sort -number", both.reversed()),
          ("--type Message --where \"chat = 'chat-1' AND number < 2\"", ["message-1"]),
          ("--type Message --where \"chat = 'chat-2'\"", []),
          ("--type Message --where \"self CONTAINS 'HELLO 2'\"", ["message-2"]),
          ("--type Message --where \"text BEGINSWITH 'Hello'\" --limit 1", ["message-1"]),
          ("--type Message --where \"recordName IN {'message-2', 'message-9'}\"", ["message-2"]),
          ("--type Message --where \"NOT (recordID = 'message-2')\"", ["message-1"]),
          ("--type Message --where \"modificationDate < '1999-01-01'\"", []),
          ("--type Message --where \"modificationDate >= '1999-01-01' AND text != 'x'\"", both),
          ("--type Message --where \"TRUEPREDICATE\" --zone Chats --database private", both),
          ("--where \"secret != 'x'\"", both),
          ("--where 'has secret OR has title'", ["chat-1"] + both),
          ("--where \"title = 'x' OR length(text) = 7 AND NOT number < 2\"", ["message-2"]),
          (
            "--where \"contains(text, '2') OR recordName BEGINSWITH 'chat'\"",
            ["chat-1", "message-2"]
          ),
        ]
        for (arguments, expected) in facts {
          let found = try await names("\(source) \(arguments)", in: folder)
          #expect(found == expected, "\(source) \(arguments)")
        }
      }
      let count = try await ToolProcess.shell(
        "recordpack query Tact.sqlite --where \"number > 1\" --count", in: folder)
      #expect(count.output == "1\n")
      let json = try await ToolProcess.shell(
        "recordpack query Tact.recordpack --where \"number > 1\" --json", in: folder)
      #expect(json.output.contains("message-2") && !json.output.contains("\"message-1\""))
    }
  }

  @Test("an error in the predicate has its column; a name that no record has is an error")
  func errors() async throws {
    try await withFolder { folder in
      try await Samples.makeBundle(in: folder)
      let facts: [(String, String)] = [
        ("--type Message --where \"number > \"", "--where, column 10: expected a field or a value"),
        (
          "--where 'number = nil'",
          "--where, column 10: CloudKit cannot compare with nil; write has"
        ),
        ("--where 'text IS NULL'", "--where, column 6: CloudKit has no 'IS'; write has FIELD, or"),
        (
          "--type Message --where \"nubmer > 1\"",
          "--where, column 1: no record of the selection has a field 'nubmer'"
        ),
        ("--type Massage", "Massage"), ("Message", "Message"),
        (
          "--type Message --where \"modificationDate > 'garbage'\"",
          "'garbage' is not one in ISO 8601"
        ),
        ("--type Message --where \"number = 'one'\"", "the condition's STRING cannot be compared"),
        ("--type Message --where \"recordID = 3\"", "'recordID' has the type REFERENCE"),
        ("--type Message --where \"number CONTAINS 1\"", "has the type INT64, and is not a list"),
        ("--where \"text CONTAINS 'a'\"", "contains(field, 'text') finds a part of a text"),
        (
          "--type Message --where \"number BEGINSWITH 1\"",
          "has the type INT64, and BEGINSWITH is for texts"
        ),
        ("--type Message --where \"chat < 'a'\"", "has the type REFERENCE, which has no order"),
        ("--type Message --where \"number BEGINSWITH '1'\"", "'number' has the type INT64"),
        ("--type Message --where \"text IN {1, 2}\"", "'text' has the type STRING"),
        ("--where 'number = 1 AND has nubmer'", "--where, column 20: no record of the selection"),
        ("--where '1 = nubmer'", "--where, column 5: no record of the selection has a field"),
        ("--where 'recordName = 5'", "column 1: 'recordName' has the type STRING, with which"),
        ("--where \"zoneName CONTAINS 'a'\"", "'zoneName' has the type STRING, and is not a list"),
        ("--where \"parent < 'a'\"", "'parent' has the type REFERENCE, which has no order"),
        ("--where \"recordName > parent\"", "'parent' has the type REFERENCE, which has no order"),
        ("--where \"NOT length(text) = 'a'\"", "column 5: 'length(text)' has the type INT64, with"),
        ("--where \"lower(text) CONTAINS 'a'\"", "'lower(text)' has the type STRING, and is not"),
        (
          "--where 'text = number'",
          "'text' has the type STRING, with which 'number', of the type INT64, cannot be compared"
        ),
        ("--where 'creationDate > number'", "'creationDate' has the type TIMESTAMP, with which"),
      ]
      for (arguments, message) in facts {
        let result = try await ToolProcess.shell(
          "recordpack query Tact.recordpack \(arguments)", in: folder)
        #expect(result.code != 0, "\(arguments)")
        #expect(result.errors.contains(message), "\(arguments): \(result.errors)")
      }
    }
  }
}

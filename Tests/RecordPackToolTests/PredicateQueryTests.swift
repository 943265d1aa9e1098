import Foundation
import RecordModel
import Testing

@testable import RecordPackTool

@Suite("Queries with a predicate")
struct PredicateQueryTests {
  /// The names of the records that a query writes.
  private func names(_ arguments: String, in folder: String) throws -> [String] {
    let line = "recordpack query \(arguments) --csv --fields recordName"
    let result = try ToolProcess.shell(line, in: folder)
    #expect(result.code == 0, "\(arguments): \(result.errors)")
    return result.output.split(separator: "\r\n").dropFirst()
      .map { String($0.prefix { $0 != "," }) }
  }

  @Test("finds the same in a bundle and a container: values, references, words, system fields")
  func matches() throws {
    try withFolder { folder in
      try Samples.makeBundle(in: folder)
      let both = ["message-1", "message-2"]
      for source in ["Tact.sqlite", "Tact.recordpack"] {
        let facts: [(String, [String])] = [
          ("Message", both), ("'Mess*'", both),
          ("Message \"number > 1\"", ["message-2"]),
          ("Message \"number BETWEEN {1, 2}\" --sort -number", both.reversed()),
          ("Message \"chat = 'chat-1' AND number < 2\"", ["message-1"]),
          ("Message \"chat = 'chat-2'\"", []),
          ("Message \"self CONTAINS 'HELLO 2'\"", ["message-2"]),
          ("Message \"text BEGINSWITH 'Hello'\" --limit 1", ["message-1"]),
          ("Message \"recordName IN {'message-2', 'message-9'}\"", ["message-2"]),
          ("Message \"NOT (recordID = 'message-2')\"", ["message-1"]),
          ("Message \"modificationDate < '1999-01-01'\"", []),
          ("Message \"modificationDate >= '1999-01-01' AND text != 'x'\"", both),
          ("Message \"TRUEPREDICATE\" --zone Chats --database private", both),
          ("Message \"secret != 'x'\"", []),
        ]
        for (arguments, expected) in facts {
          let found = try names("\(source) \(arguments)", in: folder)
          #expect(found == expected, "\(source) \(arguments)")
        }
      }
      let count = try ToolProcess.shell(
        "recordpack query Tact.sqlite Message \"number > 1\" --count", in: folder)
      #expect(count.output == "1\n")
      let json = try ToolProcess.shell(
        "recordpack query Tact.recordpack Message \"number > 1\" --json", in: folder)
      #expect(json.output.contains("message-2") && !json.output.contains("\"message-1\""))
    }
  }

  @Test("an error in the predicate has its column; a name that no record has is an error")
  func errors() throws {
    try withFolder { folder in
      try Samples.makeBundle(in: folder)
      let facts: [(String, String)] = [
        ("Message \"number > \"", "predicate, column 10: expected a field or a value"),
        ("Message \"a = 1 OR b = 2\"", "predicate, column 7: CloudKit has no OR"),
        ("Message \"nubmer > 1\"", "predicate: no record of the selection has a field 'nubmer'"),
        (
          "Message \"number > 1\" --where \"number > 1\"",
          "by a predicate or with --where, not both"
        ),
        ("Message --type Chat", "as an argument or with --type, not both"),
        ("Massage", "Massage"),
        ("Message \"modificationDate > 'garbage'\"", "'garbage' is not one in ISO 8601"),
        ("Message \"number = 'one'\"", "the predicate's STRING cannot be compared"),
        ("Message \"recordID = 3\"", "'recordID' has the type REFERENCE"),
        ("Message \"number CONTAINS 1\"", "has the type INT64, and is not a list"),
        ("Message \"number BEGINSWITH 1\"", "has the type INT64, and BEGINSWITH is for texts"),
        ("Message \"chat < 'a'\"", "has the type REFERENCE, which has no order"),
        ("Message \"number BEGINSWITH '1'\"", "'number' has the type INT64"),
        ("Message \"text IN {1, 2}\"", "'text' has the type STRING"),
      ]
      for (arguments, message) in facts {
        let result = try ToolProcess.shell(
          "recordpack query Tact.recordpack \(arguments)", in: folder)
        #expect(result.code != 0, "\(arguments)")
        #expect(result.errors.contains(message), "\(arguments): \(result.errors)")
      }
    }
  }
}

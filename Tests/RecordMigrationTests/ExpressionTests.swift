import Foundation
import RecordModel
import Testing

@testable import RecordMigration

@Suite("Expressions")
struct ExpressionTests {
  private let record = Sample.record(
    "Note", "n1", parent: Reference(recordID: RecordID(recordName: "p", zoneID: Sample.zone)),
    [
      "n": .int64(7), "x": .double(2.5), "s": .string("Hello, World"),
      "l": .stringList(["a", "b"]), "r": Sample.reference("target"),
      "d": .timestamp(Date(timeIntervalSince1970: 1_709_283_600)), "and_": .int64(1),
      "big": .int64(.max),
    ])

  private func value(_ source: String) throws -> ExpressionValue {
    try RecordExpression(source).value(for: record)
  }

  @Test(
    "have the value one would expect",
    arguments: [
      ("1 + 2 * 3", .value(.int64(7))), ("(1 + 2) * 3", .value(.int64(9))),
      ("-9223372036854775808", .value(.int64(.min))), ("-n + 1", .value(.int64(-6))),
      ("n / 2", .value(.int64(3))), ("n % 4", .value(.int64(3))),
      ("n / 2.0", .value(.double(3.5))), ("x * n", .value(.double(17.5))),
      ("n > 6 and x < 3", .bool(true)), ("not n == 7", .bool(false)),
      ("n => 7 AND #x =< 3 && NOT n <> 7", .bool(true)), ("!has(s) || n = 7", .bool(true)),
      ("missing = NULL OR false", .bool(true)), ("n = 7 or True", .bool(true)),
      ("n == 7.0", .bool(true)), ("missing", .null), ("missing + 1", .null),
      ("missing == null", .bool(true)), ("missing > 1", .bool(false)),
      ("has(s) and not has(missing)", .bool(true)),
      ("lower(s) + '!'", .value(.string("hello, world!"))), ("length(l)", .value(.int64(2))),
      ("length('雨が')", .value(.int64(2))), ("contains(l, 'b')", .bool(true)),
      ("part(s, ', ', 1)", .value(.string("World"))),
      ("part(s, ', ', -1)", .value(.string("World"))), ("part(s, ', ', 9)", .null),
      ("rest(s, ', ', 1)", .value(.string("World"))), ("rest(s, ', ', 9)", .null),
      ("rest('Ada King Lovelace', ' ', -1)", .value(.string("Ada King"))),
      ("rest('a:b:c', ':', 1)", .value(.string("b:c"))), ("rest('a', ':', -1)", .null),
      ("rest('a:b', ':', 0)", .value(.string("a:b"))),
      ("at(l, -1)", .value(.string("b"))), ("first(l)", .value(.string("a"))),
      ("name(r)", .value(.string("target"))), ("name(parent)", .value(.string("p"))),
      ("recordType + '/' + recordName", .value(.string("Note/n1"))),
      ("text(d)", .value(.string("2024-03-01T09:00:00Z"))),
      ("number(d)", .value(.double(1_709_283_600))),
      ("date('2024-03-01T11:00:00+02:00') == d", .bool(true)),
      ("d + 60 > d", .bool(true)), ("round(2.5)", .value(.int64(3))),
      ("integer(-2.7)", .value(.int64(-2))), ("number('1.5') + 1", .value(.double(2.5))),
      ("if(n > 5, 'big', 1 / 0)", .value(.string("big"))),
      ("coalesce(missing, null, 3)", .value(.int64(3))),
      ("[1, missing, 2]", .value(.int64List([1, 2]))),
      (
        "replace(s, 'l', 'L')",
        .value(.string("HeLLo, WorLd"))
      ), ("field('and_')", .value(.int64(1))),
      ("true or 1 / 0 == 1", .bool(true)), ("'a' < 'b'", .bool(true)),
      ("l + ['c']", .value(.stringList(["a", "b", "c"]))), ("trim('  x ')", .value(.string("x"))),
      ("'\u{301}e'", .value(.string("\u{301}e"))), ("'a\\'\u{301}'", .value(.string("a'\u{301}"))),
    ] as [(String, ExpressionValue)])
  func values(source: String, expected: ExpressionValue) throws {
    #expect(try value(source) == expected)
  }

  @Test(
    "read the dates and users of a record, under the names of CKRecord",
    arguments: [
      ("creationDate == date('2024-03-01T09:00:00Z')", .bool(true)),
      ("modificationDate - creationDate", .value(.double(60))),
      ("creatorUserRecordID + '/' + lastModifiedUserRecordID", .value(.string("_ana/_ben"))),
    ] as [(String, ExpressionValue)])
  func systemFields(source: String, expected: ExpressionValue) throws {
    var system = record.systemFields
    let date = Date(timeIntervalSince1970: 1_709_283_600)
    system.created = RecordStamp(date: date, userRecordName: "_ana")
    system.modified = RecordStamp(date: date + 60, userRecordName: "_ben")
    let stamped = ResultRecord(systemFields: system, fields: record.allFields)
    let expression = try RecordExpression(source)
    #expect(try expression.value(for: stamped) == expected)
    #expect(expression.fieldNames.isEmpty && !expression.readsIdentity)
  }

  @Test(
    "have no value for a date or user that the record does not have",
    arguments: [
      "creationDate", "modificationDate", "creatorUserRecordID", "lastModifiedUserRecordID",
    ])
  func missingStamp(name: String) throws {
    #expect(try value(name) == .null)
  }

  @Test("compare a date of the record with dates only, which the plan's check tells")
  func kinds() throws {
    let fields = KnownFields([])
    let dates = try RecordExpression("creationDate > date('2024-03-01')")
    #expect(try dates.root.kinds(fields) == .bool)
    let text = try RecordExpression("creationDate > '2024-03-01'")
    #expect(throws: MigrationError.self) { try text.root.kinds(fields) }
  }

  @Test(
    "fail on values that do not go together, and never crash",
    arguments: [
      "1 / 0", "n % 0", "big + 1", "-(-big - 2)", "big * 2", "s + 1", "s < 1", "l > 2", "lower(n)",
      "1e300 * 1e300", "number('x')", "date('yesterday')", "name(s)", "[1, 'a']",
      "round(1e300)", "not s", "s and true", "part(s, '', 0)", "rest(s, '', 1)",
      "replace(s, 'l', '\(String(repeating: "x", count: 300))')",
    ])
  func failures(source: String) throws {
    #expect(throws: MigrationError.self) { try value(source) }
  }

  @Test(
    "are refused with the column of what is wrong",
    arguments: [
      ("", 1, "instead of a value"), ("1 +", 4, "the end"), ("(1", 3, "')'"),
      ("a = ", 5, "the end"),
      ("a ~ b", 3, "unexpected"), ("lengt(a)", 1, "did you mean 'length'"),
      ("length()", 1, "1 argument"),
      ("'abc", 1, "closing"), ("99999999999999999999", 1, "64 bits"),
      ("9223372036854775808", 1, "64 bits"), ("1 - 9223372036854775808", 5, "64 bits"),
      ("a b", 3, "unexpected"),
      ("a # b", 3, "unexpected"), ("'\\q'", 2, "not an escape sequence"),
      ("field(a)", 1, "quoted name"), ("and", 1, "instead of a value"),
    ])
  func errors(source: String, column: Int, part: String) throws {
    let error = #expect(throws: MigrationError.self) { try RecordExpression(source) }
    #expect(try #require(error).column == column)
    #expect("\(try #require(error))".contains(part))
  }

  @Test("are bounded in length, depth and size")
  func bounds() {
    let deep = String(repeating: "(", count: 200) + "1" + String(repeating: ")", count: 200)
    let signs = String(repeating: "-", count: 2000) + "1"
    let nots = String(repeating: "not ", count: 900) + "true"
    let chain = (0..<1500).map { _ in "1" }.joined(separator: "+")
    let long = "'" + String(repeating: "x", count: 5000) + "'"
    for source in [deep, signs, nots, chain, long] {
      #expect(throws: MigrationError.self) { try RecordExpression(source) }
    }
  }

  @Test("made of any characters are read or refused", arguments: 0..<50)
  func hostile(seed: UInt64) {
    var random = SeededGenerator(seed)
    let words = [
      "a", "1", "'t'", "(", ")", "+", "-", "*", "/", "==", "<", "and", "or", "not", "if(", "list(",
      ",", "[", "]", "null", "1.5", "at(", " ", "\u{0}", "é", "\"",
    ]
    for _ in 0..<200 {
      let source = (0..<random.below(12)).map { _ in words[random.below(words.count)] }.joined(
        separator: " ")
      guard let expression = try? RecordExpression(source) else { continue }
      _ = try? expression.value(for: record)
    }
  }
}

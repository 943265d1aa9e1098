import Foundation
import RecordMigration
import RecordModel
import RecordText
import Testing

@Suite struct ConditionTests {
  private static let zone = ZoneID(zoneName: "Notes", ownerName: "_owner")

  private static var record: ResultRecord {
    var draft = DraftRecord(
      recordType: "Note", recordID: RecordID(recordName: "note-1", zoneID: zone))
    draft["title"] = "Hello, World"
    draft["number"] = 3
    draft["ratio"] = 2.5
    draft["tags"] = ["a", "b"]
    draft["sentAt"] = Date(timeIntervalSince1970: 1_750_000_000)  // 2025-06-15T15:06:40Z
    draft["editedAt"] = Date(timeIntervalSince1970: 1_750_000_001)
    draft["chat"] = Reference(recordID: RecordID(recordName: "chat-1", zoneID: zone))
    draft["place"] = Location(latitude: 60.17, longitude: 24.94)
    draft["has"] = 1
    draft["zoneName"] = "field"
    draft.encryptedValues["secret"] = "key"
    draft.parent = Reference(recordID: RecordID(recordName: "folder-1", zoneID: zone))
    return ResultRecord(systemFields: draft.systemFields, fields: draft.fields)
  }

  private func matches(
    _ condition: String, readsEncrypted: Bool = true, in database: DatabaseScope = .private
  ) throws -> Bool {
    try ConditionMatch(RecordCondition(condition), readsEncrypted: readsEncrypted)
      .matches(Self.record, in: database)
  }

  @Test(
    "a condition that is true of the record",
    arguments: [
      "number = 3", "number BETWEEN {1, 3} AND title BEGINSWITH 'Hello'", "tags CONTAINS 'a'",
      "number = 4 OR title = 'Hello, World'", "number = 3 OR missing = 1 AND number = 4",
      "NOT (number = 4 OR title = 'x')", "NOT number > 3", "NOT (number BETWEEN {4, 9})",
      "has title", "has secret AND NOT has photo", "has parent && !(has share)", "has(title)",
      "has = 1", "HAS title", "has #title", "has sentAt", "has creatorUserRecordID OR has number",
      "sentAt > '2025-06-01'", "sentAt = '2025-06-15T15:06:40Z'",
      "sentAt = '2025-06-15T17:06:40+02:00'", "sentAt IN {'2025-06-15T15:06:40Z'}",
      "recordName = lower(recordName)", "lower(recordName) = recordName", "recordName > title",
      "title < recordName", "NOT recordName != name(chat) OR recordName != name(chat)",
      "editedAt > sentAt", "sentAt < editedAt", "number > ratio", "title != chat",
      "length(title) = 12", "3 = number", "12 <= length(title)", "lower(title) BEGINSWITH 'hello'",
      "contains(title, 'World')", "NOT contains(title, 'world')", "ends(title, ')') OR number = 3",
      "integer(number % 2) = 1", "coalesce(missing, number) IN {3, 4}", "name(chat) = 'chat-1'",
      "date('2025-06-01') < sentAt", "chat = 'chat-1'", "parent = 'folder-1'",
      "recordName BEGINSWITH 'note-'", "recordName = 'note-1' AND recordName != 'note-2'",
      "recordName IN {'note-1', 'x'}", "recordID = 'note-1'", "recordType IN {'Note', 'Memo'}",
      "zoneName = 'Notes'", "field('zoneName') = 'field'", "ownerName = '_owner'",
      "database = 'private'", "TRUEPREDICATE", "NOT FALSEPREDICATE", "FALSEPREDICATE OR number = 3",
      "self CONTAINS 'world hello'", "secret = 'key'", "upper(secret) = 'KEY'",
      "distanceToLocation:fromLocation:(place, location(60.17, 24.95)) < 1000",
      "ANY tags BEGINSWITH 'b'", "'a' IN tags", "ALL {'a', 'b'} IN tags",
    ])
  func holds(condition: String) throws {
    #expect(try matches(condition), "\(condition)")
  }

  @Test(
    "a condition that is not true of the record",
    arguments: [
      "missing = 1", "missing != 1", "NOT (missing = 1)", "NOT (missing > 1 OR number = 4)",
      "NOT missing CONTAINS 'x'", "number > 3 OR title = 'x'", "title < 3", "NOT title < 3",
      "has missing", "NOT has title", "sentAt < '2025-06-01'", "editedAt < sentAt",
      "missing = number", "NOT (missing = number)", "length(missing) = 0", "database = 'public'",
      "contains(missing, 'x')", "NOT contains(missing, 'x')", "FALSEPREDICATE",
      "NOT (number = 3 AND has title)", "has share",
    ])
  func doesNotHold(condition: String) throws {
    #expect(try !matches(condition), "\(condition)")
  }

  @Test func `without permission, only has sees encrypted fields`() throws {
    let facts = [
      ("secret = 'key'", false), ("secret != 'x'", false), ("length(secret) = 3", false),
      ("NOT (secret = 'x')", false), ("has secret", true), ("number = 3 OR secret = 'x'", true),
      ("self CONTAINS 'key'", false),
    ]
    for (condition, expected) in facts {
      #expect(try matches(condition, readsEncrypted: false) == expected, "\(condition)")
    }
  }

  @Test(
    "an error has its place, the text found there, and a remedy",
    arguments: [
      ("photo != nil", 10, "write has FIELD, or NOT has FIELD"), ("number = 3 OR", 14, "the end"),
      ("number = 3 number", 12, "expected AND, OR or the end, found 'number'"),
      ("title ENDSWITH 'x'", 7, "ends(field, 'text')"), ("title LIKE 'x'", 7, "contains(field"),
      ("title =[c] 'x'", 9, "write lower(field) = 'text'"),
      ("number IN (1, 2)", 11, "a list is {1"),
      ("number = %@", 10, "write the value itself"), ("chat.title = 'x'", 5, "key paths"),
      ("has 3", 5, "has takes the name of a field"), ("has length(title)", 5, "has takes"),
      ("lenght(title) > 3", 1, "lenght"), ("number = 3 AND length(title, 2) > 1", 16, "length"),
      ("length(title", 7, "no closing )"), ("length(title + ) = 1", 16, "')'"),
      ("title CONTAINS number", 7, "a text has quotation marks"), ("1 = 1", 1, "a field with"),
      ("", 1, "found the end"), ("number = 'x", 10, "closing"),
      ("place = location(91, 0)", 9, "found location(91, 0), expected a latitude from -90 to 90"),
      ("self CONTAINS ' .'", 1, "a string with words, found ' .'"),
      ("ALL title = 1", 11, "CloudKit has no = after ALL, which takes {a, b} IN FIELD"),
    ])
  func errors(condition: String, column: Int, message: String) {
    let error = #expect(throws: QueryPredicateError.self) { try RecordCondition(condition) }
    #expect(error?.column == column, "\(condition): \(String(describing: error))")
    #expect(error?.message.contains(message) == true, "\(condition): \(String(describing: error))")
  }

  @Test func `a function without a value throws with the column in the condition`() throws {
    for (condition, column) in [
      ("number = 4 OR number(title) = 1", 15), ("number = 3 AND lower(title)", 16),
      ("number = 4 OR integer(1 / (number - 3)) = 1", 25),
    ] {
      let error = #expect(throws: MigrationError.self) { try matches(condition) }
      #expect(error?.column == column, "\(condition): \(String(describing: error))")
    }
    // The right side of OR is not read.
    #expect(try matches("number = 3 OR number(title) = 1"))
  }

  @Test func `the fields and the comparisons that a store can use are known`() throws {
    let condition = try RecordCondition(
      "a = 1 AND (b > 2 AND has c) AND (d = 1 OR length(e) > 1) AND zoneName = 'x'"
        + " AND creationDate > '2025-01-01' AND self CONTAINS 'w'")
    #expect(condition.fields.map(\.name) == ["a", "b", "c", "d", "e"])
    #expect(condition.fields.map(\.column) == [1, 12, 26, 34, 50])
    let others = try RecordCondition(
      "ANY a = 1 AND 2 < b AND (NOT has c OR d != e)"
        + " AND distanceToLocation:fromLocation:(f, location(1, 2)) < 3")
    #expect(others.fields.map(\.name) == ["a", "b", "c", "d", "e", "f"])
    #expect(others.fields.map(\.column) == [5, 19, 34, 39, 44, 84])
    #expect(others.comparisons.map(\.left.column) == [5, 19, 39, 84])
    #expect(others.comparisons.map(\.right?.column) == [nil, nil, 44, nil])
    #expect(
      condition.filters.map(\.fieldName) == ["a", "b", "___createTime", QueryFilter.allText])
    #expect(try RecordCondition("a = 1 OR b = 2").filters.isEmpty)
  }

  @Test func `deep and long conditions are refused or read without overflow`() throws {
    for part in ["(", "NOT ", "has ", "length(", "a = 1 OR NOT ("] {
      let deep = String(repeating: part, count: 1000)
      #expect(throws: QueryPredicateError.self) { try RecordCondition(deep) }
    }
    let long = Array(repeating: "number = 4", count: 2000).joined(separator: " OR ")
    #expect(try matches(long + " OR number = 3"))
  }
}

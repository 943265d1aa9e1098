import Foundation
import RecordModel
import TestSupport
import Testing

/// The source of what CloudKit supports is Apple's documentation of `CKQuery`.
@Suite struct PredicateTests {
  private static let day = Date(timeIntervalSince1970: 1_700_000_000)
  private static let place = Location(latitude: 60, longitude: 25)
  private static let chat = Reference(
    recordID: RecordID(recordName: "chat-1", zoneID: .default), action: .deleteSelf)

  private func filters(
    _ format: String, _ arguments: any RecordValueConvertible...
  ) throws -> [QueryFilter] {
    try RecordQuery(recordType: "Note", predicate: format, arguments: arguments).filters
  }

  @Test func `a comparison becomes the filter with the same meaning`() throws {
    let field = QueryField("number")
    #expect(try filters("number = 3") == [field == 3])
    #expect(try filters("number == %ld", 3) == [field == 3])
    #expect(try filters("%K != %@", "number", "x") == [field != "x"])
    #expect(
      try filters("tags = %@", ["a", "b"])
        == [QueryFilter("tags", .equals, .stringList(["a", "b"]))])
    #expect(try filters("number <> 1.5e3") == [field != 1500.0])
    #expect(try filters("number < -2") == [field < -2])
    #expect(try filters("number =< 2") == [field <= 2])
    #expect(try filters("number >= %@", Self.day) == [field >= Self.day])
    #expect(try filters("2 > number") == [field < 2])
    #expect(try filters("2 <= number") == [field >= 2])
    #expect(try filters("number = TRUE") == [field == true])
    #expect(try filters("number = no") == [field == false])
    #expect(try filters("number in {1, 2}") == [field.isIn([1, 2])])
    #expect(try filters("number in {2.5, 3}") == [field.isIn([2.5, 3.0])])
    #expect(try filters("number IN %@", ["a", "b"]) == [field.isIn(["a", "b"])])
    #expect(try filters("number BEGINSWITH 'a\\'b'") == [field.begins(with: "a'b")])
    #expect(try filters("number BETWEEN {1, 9}") == [field >= 1, field <= 9])
    #expect(try filters("number BETWEEN %@", [1, 9]) == [field >= 1, field <= 9])
    #expect(try filters("#in = 1") == [QueryField("in") == 1])
    #expect(try filters("TRUEPREDICATE").isEmpty)
  }

  @Test func `a comparison of a list becomes a filter of lists`() throws {
    let field = QueryField("tags")
    for format in ["tags CONTAINS 'a'", "'a' IN tags", "ANY tags = 'a'", "SOME tags == \"a\""] {
      #expect(try filters(format) == [field.contains("a")], "\(format)")
    }
    #expect(try filters("NONE tags = 'a'") == [field.doesNotContain("a")])
    #expect(try filters("NOT tags CONTAINS 'a'") == [field.doesNotContain("a")])
    #expect(try filters("ANY %@ IN tags", ["a"]) == [field.containsAny(of: ["a"])])
    #expect(try filters("ANY tags IN {'a', 'b'}") == [field.containsAny(of: ["a", "b"])])
    #expect(try filters("NONE %@ IN tags", ["a"]) == [field.containsNone(of: ["a"])])
    #expect(try filters("ALL %@ IN tags", ["a"]) == [field.containsAll(of: ["a"])])
    #expect(try filters("ANY tags BEGINSWITH 'a'") == [field.hasElement(beginningWith: "a")])
    let related = QueryField("relatedRecords")
    #expect(
      try filters("ANY %@ IN relatedRecords", [Self.chat]) == [related.containsAny(of: [Self.chat])]
    )
  }

  @Test func `AND, parentheses and NOT combine comparisons`() throws {
    let (a, b) = (QueryField("a"), QueryField("b"))
    #expect(try filters("a = 1 AND b = 2") == [a == 1, b == 2])
    #expect(try filters("(a = 1 && (b = 2)) and a != 3") == [a == 1, b == 2, a != 3])
    #expect(try filters("NOT a = 1") == [a != 1])
    #expect(try filters("NOT (NOT (a = 1))") == [a == 1])
    #expect(try filters("!(a IN {1})") == [a.isNotIn([1])])
    #expect(try filters("NOT a BEGINSWITH 'x'") == [a.doesNotBegin(with: "x")])
  }

  @Test func `system fields have the names of a record's properties`() throws {
    #expect(try filters("creationDate > %@", Self.day) == [QueryField.creationDate > Self.day])
    #expect(
      try filters("creatorUserRecordID = %@", Self.chat)
        == [QueryField.creatorUserRecordID == Self.chat])
    #expect(try filters("recordID = %@", Self.chat) == [QueryField.recordID == Self.chat])
  }

  @Test func `text searches and distances are functions`() throws {
    let search = QueryFilter.allText(contains: "two words")
    #expect(try filters("self CONTAINS %@", "two words") == [search])
    #expect(try filters("allTokens TOKENMATCHES[cdl] 'two words'") == [search])
    #expect(try filters("ALL tokenize(%@, 'Cdl') IN allTokens", "two words") == [search])
    let near = QueryField("place").isWithin(500, of: Self.place)
    #expect(
      try filters("distanceToLocation:fromLocation:(place, %@) < 500", Self.place) == [near])
    #expect(
      try filters(
        "distanceToLocation:fromLocation:(%K, %@) < %f", "place", Self.place, 500.0) == [near])
  }

  @Test(
    "what CloudKit does not support is refused at its column",
    arguments: [
      ("a = 1 OR b = 2", 7, "no OR"), ("a = 1 || b = 2", 7, "no OR"),
      ("chat.title = 'x'", 5, "key paths"), ("parent = 'x'", 1, "'parent'"),
      ("a = b", 3, "another field"), ("a = nil", 5, "nil"), ("a ENDSWITH 'x'", 3, "BEGINSWITH"),
      ("a LIKE 'x*'", 3, "BEGINSWITH"), ("a =[c] 'x'", 5, "exactly"),
      ("NOT (a = 1 AND b = 2)", 1, "one comparison"), ("NOT a < 1", 1, "one comparison"),
      ("FALSEPREDICATE", 1, "TRUEPREDICATE"), ("a BETWEEN {1}", 3, "two values"),
      ("a IN 3", 3, "a list"), ("a = {1, 2}", 3, "single value"), ("a IN {1, 'x'}", 3, "different"),
      ("'x' BEGINSWITH a", 5, "from a value"), ("1 = 1", 1, "a field with a value"),
      ("self CONTAINS 3", 1, "a string"), ("a = 'x", 5, "closing"), ("a ~ 1", 3, "unexpected"),
      ("a = 1 b", 7, "expected AND"), ("a", 2, "expected an operator"), ("", 1, "a field"),
      ("(a = 1", 7, "expected )"), ("a = %@", 5, "no argument"), ("a = %s", 5, "%@ stands"),
    ])
  func refused(format: String, column: Int, message: String) throws {
    let error = #expect(throws: QueryPredicateError.self) { try filters(format) }
    #expect(error?.column == column, "\(format): \(String(describing: error))")
    #expect(error?.message.contains(message) == true, "\(format): \(String(describing: error))")
  }

  @Test func `arguments that are left over or of the wrong kind are refused`() {
    #expect(throws: QueryPredicateError.self) { try filters("a = 1", 2) }
    #expect(throws: QueryPredicateError.self) { try filters("%K = 1", 2) }
    #expect(throws: QueryPredicateError.self) { try filters("a = %d", "x") }
  }

  @Test(arguments: [
    "(", "NOT ", "{", "a IN {", "distanceToLocation:fromLocation:(", "ALL tokenize(",
  ])
  func `a predicate that is nested deeply is refused`(part: String) {
    let deep = String(repeating: part, count: 20_000)
    #expect(throws: QueryPredicateError.self) { try filters(deep) }
    #expect(throws: QueryPredicateError.self) { try filters("a = " + deep) }
  }

  @Test(arguments: [
    "a = [", "a TOKENMATCHES[", "a CONTAINS [cd", "a = -", "a IN {1", "ALL tokenize(",
  ])
  func `a predicate that ends early is refused`(format: String) {
    #expect(throws: QueryPredicateError.self) { try filters(format) }
  }

  @Test func `any text ends in filters or an error`() {
    let parts = [
      "a", "NOT", "(", ")", "AND", "OR", "=", "<", "IN", "{", "}", ",", "1", "-", "'x'", "%@", "%K",
      "ANY", "ALL", "self", "CONTAINS", "BETWEEN", "distanceToLocation", ":", "fromLocation", "é",
      "\"", "#", "%", "[", "]", ".", "1e", "tokenize", "allTokens", "TRUEPREDICATE",
    ]
    var random = SeededGenerator(5)
    for _ in 0..<1000 {
      let count = Int.random(in: 0...9, using: &random)
      let format = (0..<count).map { _ in parts[Int.random(in: 0..<parts.count, using: &random)] }
        .joined(separator: Bool.random(using: &random) ? " " : "")
      do {
        let found = try filters(format, "x", "y")
        #expect(found.allSatisfy { !$0.fieldName.isEmpty }, "\(format)")
      } catch let error as QueryPredicateError {
        #expect(error.column >= 1 && error.column <= format.count + 1, "\(format)")
      } catch {
        Issue.record("\(format): \(error)")
      }
    }
  }
}

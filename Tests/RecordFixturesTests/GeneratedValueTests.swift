import Foundation
import RecordBundle
import RecordModel
import TestSupport
import Testing

@testable import RecordFixtures

@Suite("Generated values")
struct GeneratedValueTests {
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  private func records(
    _ fields: String, count: Int = 2000, schema: String, more: String = ""
  ) throws -> [ResultRecord] {
    let recipe = """
      recordpack-recipe: 1
      \(more)
      types: {T: {count: \(count), fields: {\(fields)}}}
      """
    let generation = try GenerationSamples.generation(
      recipe, schema: "DEFINE SCHEMA RECORD TYPE T (\(schema));")
    let (reader, _) = try GenerationSamples.bundle(generation, in: folder)
    return try GenerationSamples.records(reader)["T"] ?? []
  }

  @Test("are unique where this is wanted, also over zones")
  func unique() throws {
    let generation = try GenerationSamples.generation()
    let reader = try GenerationSamples.bundle(generation, in: folder).reader
    let all = try GenerationSamples.records(reader)
    let numbers: [Int64] = all["Message"]?.compactMap { $0["number"] } ?? []
    #expect(numbers.count > 200 && Set(numbers).count == numbers.count)
    #expect(numbers.allSatisfy { (1...100_000).contains($0) })
    let emails: [String] = all["Message"]?.compactMap { $0["email"] } ?? []
    #expect(emails.count > 100 && Set(emails).count == emails.count)
    let codes: [String] = all["Chat"]?.compactMap { $0["code"] } ?? []
    #expect(codes.count == 36 && Set(codes).count == 36)
    #expect(codes.allSatisfy { $0.wholeMatch(of: /C-[A-Z]{2}\d\d-\d+/) != nil })
    let whole = try records("n: {range: 1..2000, unique: true}", schema: "n INT64")
    #expect(Set(whole.compactMap { $0["n"] as Int64? }) == Set(1...2000))
  }

  @Test("are missing as often as the recipe says")
  func nulls() throws {
    let list = try records(
      "a: {words: 1, null-rate: 0.25}, b: {words: 1}, c: none",
      schema: "a STRING, b STRING, c STRING")
    let missing = list.count { $0["a"] == nil as String? }
    #expect((430...570).contains(missing))
    #expect(list.allSatisfy { ($0["b"] as String?) != nil && ($0["c"] as String?) == nil })
  }

  @Test("follow their distributions")
  func distributions() throws {
    let list = try records(
      """
      r: {range: -3..3}, w: {weights: {0: 1, 10..19: 3}},
      c: {choice: {a: 9, b: 1}}, l: {range: 0..1, list: 2..4}, s: {sequence: 5, step: 2}
      """,
      schema: "r INT64, w INT64, c STRING, l LIST<INT64>, s INT64")
    func numbers(_ name: String) -> [Int64] { list.compactMap { $0[name] } }
    #expect(Set(numbers("r")) == Set(-3...3))
    #expect((430...570).contains(numbers("w").count { $0 == 0 }))
    #expect(numbers("w").allSatisfy { $0 == 0 || (10...19).contains($0) })
    #expect((150...260).contains(list.count { $0["c"] == "b" as String? }))
    #expect(list.allSatisfy { (2...4).contains(($0["l"] as [Int64]?)?.count ?? 0) })
    let sequence: [Int64] = (0..<2000).map { 5 + 2 * Int64($0) }
    #expect(numbers("s").sorted() == sequence)
  }

  @Test("have the lengths that are asked for, in every language", arguments: WordLocale.allCases)
  func lengths(locale: WordLocale) throws {
    let list = try records(
      "c: {characters: 0..60, locale: \(locale.rawValue)}, w: {words: 3, locale: \(locale.rawValue)}",
      count: 300, schema: "c STRING, w STRING")
    let lengths = list.compactMap { ($0["c"] as String?)?.unicodeScalars.count }
    #expect(lengths.count == 300 && lengths.allSatisfy { (0...60).contains($0) })
    #expect(Set(lengths).count > 40)
  }

  @Test("of other fields stay when a field is added")
  func stability() throws {
    let one = try records("a: {words: 3}", count: 50, schema: "a STRING")
    let two = try records("a: {words: 3}", count: 50, schema: "a STRING, b INT64")
    #expect(one.map { $0["a"] as String? } == two.map { $0["a"] as String? })
  }

  @Test("of other types stay when a type is added, but for change tags")
  func newType() throws {
    func records(_ types: String) throws -> [ResultRecord] {
      let generation = try GenerationSamples.generation(
        "recordpack-recipe: 1\nusers: 2\ntypes: {\(types)}", schema: GenerationSamples.shortNames)
      let reader = try GenerationSamples.bundle(generation, in: folder).reader
      return try ["A", "B"].flatMap { try GenerationSamples.records(reader)[$0] ?? [] }
    }
    let known =
      "A: {count: 9, fields: {r: {reference: A}, lr: none}}, B: {parent: A, fields: {r: none, lr: none}}"
    let one = try records(known)
    for two in [try records("C: {}, \(known)"), try records("\(known), C: {parent: A}")] {
      #expect(one.map(\.recordID) == two.map(\.recordID))
      #expect(one.map { Array($0.fields) } == two.map { Array($0.fields) })
      #expect(one.map(\.creationDate) == two.map(\.creationDate))
    }
    let guessed = try records("A: {count: 9}")
    let others = try records("C: {}, A: {count: 9}")
    #expect(guessed.map { $0["r"] as Reference? } != others.map { $0["r"] as Reference? })
  }

  @Test("can be calculated from others")
  func expressions() throws {
    let list = try records(
      "a: {range: 1..9}, b: {expression: \"a * 2\"}, c: {expression: \"'n' + text(a)\"}", count: 20,
      schema: "a INT64, b DOUBLE, c ENCRYPTED STRING")
    for record in list {
      let number: Int64 = try #require(record["a"])
      #expect(record["b"] == Double(2 * number))
      #expect(record.encryptedValues["c"] == "n\(number)")
    }
  }

  @Test("at the edges are valid, and of many kinds")
  func edges() throws {
    let list = try records(
      "",
      schema:
        "text STRING, n INT64, d DOUBLE, t TIMESTAMP, l LIST<STRING>, p LOCATION, r REFERENCE",
      more: "edge-cases: true")
    let names = list.map(\.recordID.recordName.utf8.count)
    #expect(names.max() == 255)
    let texts: [String] = list.compactMap { $0["text"] }
    #expect(texts.contains("") && texts.contains { $0.utf8.count >= 2000 })
    #expect(texts.contains { $0.contains("שלום") })
    #expect(list.contains { $0["n"] == Int64.min as Int64? })
    #expect(list.contains { $0["t"] == Date.distantPast as Date? })
    #expect(list.contains { ($0["l"] as [String]?)?.isEmpty == true })
    let known = Set(list.map(\.recordID))
    let dangling = list.compactMap { $0["r"] as Reference? }.filter { !known.contains($0.recordID) }
    #expect(!dangling.isEmpty && dangling.allSatisfy { $0.action == .none })
  }

  @Test("of every kind are valid")
  func everyKind() throws {
    let generation = try GenerationSamples.generation(
      GenerationSamples.everyValue, schema: GenerationSamples.everyType)
    let (reader, report) = try GenerationSamples.bundle(generation, in: folder)
    #expect(report.records == 40)
    #expect(try reader.verify().isIntact)
    let record = try #require(try GenerationSamples.records(reader)["Thing"]?.first)
    #expect(record.fields.count >= 38)
    #expect(record.parent == nil)
    #expect(record["s7"] == "5")
  }

  @Test("suit the names of fields")
  func names() throws {
    let list = try records(
      "", count: 20,
      schema: """
        email STRING, latitude DOUBLE, longitude DOUBLE, isDone INT64, createdAt TIMESTAMP,
        dueDate TIMESTAMP, likeCount INT64, firstName STRING, homepageURL STRING
        """)
    for record in list {
      #expect((record["email"] as String?)?.hasSuffix("@example.com") == true)
      #expect((-90...90).contains(try #require(record["latitude"] as Double?)))
      #expect((0...1).contains(try #require(record["isDone"] as Int64?)))
      #expect(record["createdAt"] == record.creationDate)
      #expect(try #require(record["dueDate"] as Date?) > record.creationDate!)
      #expect((record["homepageURL"] as String?).flatMap { URL(string: $0) } != nil)
    }
  }
}

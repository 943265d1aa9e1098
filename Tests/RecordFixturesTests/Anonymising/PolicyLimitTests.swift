import Foundation
import RecordArchive
import RecordModel
import TestSupport
import Testing

@testable import RecordFixtures

@Suite("Rules at their limits")
struct PolicyLimitTests {
  private let maker: SourceMaker

  init() throws { maker = try SourceMaker() }

  private func one(_ rule: String, _ value: RecordValue) throws -> RecordValue? {
    let source = try maker.source([SourceMaker.record("a", ["v": value])])
    return try maker.run("types: {Note: {v: \(rule)}}", source).records[0].field(named: "v")?.value
  }

  // MARK: Lists of values

  @Test(
    "An empty list of values is an error, and keeps nothing", arguments: ["keep", "enumeration"])
  func emptyLists(_ rule: String) throws {
    let error = #expect(throws: FixtureError.self) {
      try SourceMaker.policy("types:\n  Note:\n    v: {\(rule): []}")
    }
    let expected = "policy.yml:4:\(rule.utf8.count + 11): error: '\(rule)' lists no value"
    #expect(error?.description.hasPrefix(expected) == true, "\(error?.description ?? "")")
    let source = try maker.source([SourceMaker.record("a", ["v": .string("HIV positive")])])
    let policy = AnonymisationPolicy(rules: ["Note": ["v": PolicyRule(.keep, .words([]))]])
    var values: [String?] = []
    _ = try Anonymisation(policy, key: PseudonymTests.key()).preview(source) { _, after, _ in
      values.append(after["v"])
    }
    #expect(values == ["redacted"])
  }

  @Test(
    "Values that a rule does not keep count as replaced",
    arguments: [
      ("{keep: [a]}", 2), ("{keep-if: 2}", 1), ("keep", 4), ("text", 0), ("drop", 0),
      ("{keep: [a, b, c]}", 4),
    ])
  func counts(_ rule: String, _ kept: Int) throws {
    var records = ["a", "b", "c"].enumerated().map {
      SourceMaker.record("\($0)", by: "_u\($0)", ["v": .string($1)])
    }
    records.append(SourceMaker.record("list", by: "_u3", ["v": .stringList(["a", "x"])]))
    records[1] = SourceMaker.record(
      "1", by: "_u1", ["v": .string(rule == "{keep-if: 2}" ? "a" : "b")])
    let report = try maker.run("types: {Note: {v: \(rule)}}", maker.source(records)).report
    let field = report.fields[.init(recordType: "Note", field: "v")]
    let expected = rule == "{keep-if: 2}" ? 2 : kept
    #expect(field?.kept == expected && field?.replaced == 4 - expected)
  }

  @Test(
    "A parameter that no value can have is an error with its line",
    arguments: [
      ("n: {decimal: 0..1e30}", "4:8", "the range 0..1e+30 is too wide"),
      ("s: {decimal: -1e308..1e308}", "4:8", "it must be within -10000000000000..10000000000000"),
      ("d: {decimal: -1e308..1e308}", "4:8", "is too wide"),
      ("n: {decimal: 0.2..0.8}", "4:8", "no whole number is in the range 0.2..0.8"),
      ("d: {enumeration: [nan]}", "4:8", "is not a value of DOUBLE"),
      ("d: {enumeration: [1, 1e999]}", "4:8", "is not a value of DOUBLE"),
      ("d: {keep: [inf]}", "4:8", "is not a value of DOUBLE"),
      ("n: {round: 2.5}", "4:8", "INT64 values have no multiples of 2.5"),
      ("ns: {decimal: 0.2..0.8}", "4:9", "no whole number"),
    ])
  func parameters(_ rule: String, _ place: String, _ expected: String) throws {
    let source = try maker.source([
      SourceMaker.record(
        "a", ["s": .string("x"), "n": .int64(1), "d": .double(1), "ns": .int64List([1])])
    ])
    let error = #expect(throws: AnonymisationError.self) {
      try maker.run("types:\n  Note:\n    \(rule)\ndefault: redact", source)
    }
    let text = error?.description ?? ""
    #expect(text.hasPrefix("policy.yml:\(place): error: ") && text.contains(expected), "\(text)")
  }

  // MARK: Numbers

  @Test(
    "A rounded number is the nearest multiple that fits",
    arguments: [
      ("10", .int64(.max), .int64(.max - 7)), ("10", .int64(.min), .int64(.min + 8)),
      ("10", .int64(1_234_567_890_123_456_789), .int64(1_234_567_890_123_456_790)),
      ("1.0e+19", .int64(.max), .int64(0)), ("1.0e+308", .double(1.7e308), .double(1e308)),
      ("1.0e+308", .double(-1.7e308), .double(-1e308)), ("0.001", .double(1e308), .double(1e308)),
    ] as [(String, RecordValue, RecordValue)])
  func rounding(_ step: String, _ old: RecordValue, _ new: RecordValue) throws {
    #expect(try one("{round: \(step)}", old) == new)
  }

  @Test("The largest numbers keep their order, too, and whole numbers below 2^60 stay different")
  func order() throws {
    let pseudonyms = Pseudonyms(try PseudonymTests.key())
    let starts: [Int64] = [
      0, 1 << 31, 1 << 43, 1_700_000_000_000_000, (1 << 53) - 50, (1 << 60) - 100,
    ]
    for start in starts {
      let numbers = (start..<(start + 100)).map { pseudonyms.ordered($0, "f") }
      #expect(zip(numbers, numbers.dropFirst()).allSatisfy { $0 < $1 }, "\(start)")
      let negative = (start..<(start + 100)).map { pseudonyms.ordered(-$0, "f") }
      #expect(zip(negative, negative.dropFirst()).allSatisfy { $0 > $1 }, "\(start)")
    }
    let large: [Int64] = [
      .min, -(1 << 62), -1, 0, 1, 1 << 42, 1 << 43, 1 << 44, 9_007_199_254_740_992, 1 << 59,
      1_700_000_000_000_000_000, 1_700_000_001_000_000_000, 1_800_000_000_000_000_000, 1 << 61,
      1 << 62, .max,
    ]
    let new = large.map { pseudonyms.ordered($0, "f") }
    #expect(zip(new, new.dropFirst()).allSatisfy { $0 < $1 }, "\(new)")
    let doubles: [Double] = [
      -1.7e308, 1e300, 1e302, 1e303, 1e305, 1e306, 1.7e308, 1.75e308,
    ]
    let found = doubles.map { pseudonyms.ordered($0, "f") }
    #expect(zip(found, found.dropFirst()).allSatisfy { $0 < $1 }, "\(found)")
    #expect(found.allSatisfy(\.isFinite) && found[6] != 1.7e308)
  }

  @Test("text-shape keeps punctuation outside ASCII")
  func shape() throws {
    guard case .string(let text)? = try one("text-shape", .string("“Mira’s” – 5…")) else { return }
    #expect(text.wholeMatch(of: /“[A-Z][a-z]{3}’[a-z]” – [0-9]…/) != nil, "\(text)")
  }

  // MARK: Orders

  @Test(
    "Orders with common fields hold together",
    arguments: [
      "[a <= b, b <= c]", "[b <= c, a <= b]", "[c <= d, a <= b, b <= c]",
      "[a <= c, b <= c, b <= d]",
    ])
  func chains(_ orders: String) throws {
    let source = try maker.source(
      (0..<12).map { number in
        SourceMaker.record(
          "\(number)", "T", ["a", "b", "c", "d"].reduce(into: [:]) { $0[$1] = .int64(1) })
      })
    let (_, records, _) = try maker.run(
      "types: {T: {a: integer, b: integer, c: integer, d: integer}}\norders: {T: \(orders)}", source
    )
    let pairs = orders.dropFirst().dropLast().split(separator: ", ").map {
      $0.components(separatedBy: " <= ")
    }
    for record in records {
      for pair in pairs {
        let (first, last) = (record[pair[0]] as Int64?, record[pair[1]] as Int64?)
        #expect(first ?? .max <= last ?? .min, "\(record.recordID): \(pair)")
      }
    }
  }

  @Test("Orders that contradict each other are an error")
  func contradictions() throws {
    let error = #expect(throws: FixtureError.self) {
      try SourceMaker.policy(
        "types: {T: {a: date, b: date, c: date}}\norders:\n  T: [a <= b, b <= c, c <= a]")
    }
    let expected = "policy.yml:4:23: error: the order 'c <= a' contradicts another one of T"
    #expect(error?.description.hasPrefix(expected) == true, "\(error?.description ?? "")")
  }

  @Test(
    "An order of fields of different types, or of lists, is an error",
    arguments: [
      ("c <= d", "d is DOUBLE"), ("d <= l", "l is INT64_LIST"), ("l <= m", "m is INT64_LIST"),
    ])
  func typesInOrders(_ order: String, _ expected: String) throws {
    let source = try maker.source([
      SourceMaker.record(
        "a", "T",
        [
          "c": .int64(1), "d": .double(1), "l": .int64List([1]), "m": .int64List([2]),
        ])
    ])
    let error = #expect(throws: AnonymisationError.self) {
      try maker.run(
        "types: {T: {c: integer, d: integer, l: integer, m: integer}}\norders: {T: [\(order)]}",
        source)
    }
    let text = error?.description ?? ""
    #expect(text.hasPrefix("policy.yml:3:14: error: "), "\(text)")
    #expect(text.contains(expected.split(separator: " ").last.map(String.init) ?? ""), "\(text)")
  }
}

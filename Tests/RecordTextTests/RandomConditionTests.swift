import Foundation
import RecordModel
import RecordText
import TestSupport
import Testing

/// Compares random conditions with an evaluator that knows nothing of filters, keys and parsers.
@Suite struct RandomConditionTests {
  /// A value of a record, in plain words.
  private enum Plain: Equatable {
    case int(Int64), double(Double), text(String), day(Int), texts([String]), reference(String)
  }

  private indirect enum Tree {
    case all(Tree, Tree), any(Tree, Tree), not(Tree), has(String)
    /// A field, an operator, and a literal or a field.
    case compare(String, String, Literal)
    case length(String, String, Int64)
    case contains(String, String)
  }

  private enum Literal {
    case value(Plain), field(String), list([Plain])
  }

  private static let names = ["n", "m", "x", "s", "t", "d", "e", "l", "r", "q"]
  private static let words = ["", "a", "ab", "b", "A", "é", "2025-01-02"]
  private static let start = Date(timeIntervalSince1970: 1_735_689_600)  // 2025-01-01

  private static func date(_ day: Int) -> Date { start.addingTimeInterval(Double(day) * 86_400) }

  private static func value(of name: String, _ random: inout SeededGenerator) -> Plain? {
    if random.chance(4) { return nil }
    switch name {
    case "n", "m": return .int(Int64(random.below(5)) - 2)
    case "x": return .double(Double(random.below(9)) / 2 - 2)
    case "s", "t": return .text(random.pick(words))
    case "d", "e": return .day(random.below(4))
    case "l": return .texts((0..<random.below(3)).map { _ in random.pick(words) })
    case "r": return .reference(random.pick(["a", "ab", "b"]))
    default: return nil
    }
  }

  private static func literal(_ random: inout SeededGenerator) -> Plain {
    switch random.below(4) {
    case 0: .int(Int64(random.below(5)) - 2)
    case 1: .double(Double(random.below(9)) / 2 - 2)
    case 2: .day(random.below(4))
    default: .text(random.pick(words))
    }
  }

  private static func tree(_ random: inout SeededGenerator, _ depth: Int) -> Tree {
    if depth > 0, !random.chance(4) {
      switch random.below(3) {
      case 0: return .all(tree(&random, depth - 1), tree(&random, depth - 1))
      case 1: return .any(tree(&random, depth - 1), tree(&random, depth - 1))
      default: return .not(tree(&random, depth - 1))
      }
    }
    let name = random.pick(names)
    switch random.below(8) {
    case 0: return .has(name)
    case 1:
      return .length(random.pick(["s", "t", "l"]), operators(&random), Int64(random.below(3)))
    case 2: return .contains(random.pick(["s", "t"]), random.pick(words))
    case 3: return .compare(name, "IN", .list([literal(&random)]))
    case 4: return .compare(name, "BEGINSWITH", .value(.text(random.pick(words))))
    case 5: return .compare("l", "CONTAINS", .value(.text(random.pick(words))))
    case 6: return .compare(name, operators(&random), .field(random.pick(names)))
    default: return .compare(name, operators(&random), .value(literal(&random)))
    }
  }

  private static func operators(_ random: inout SeededGenerator) -> String {
    random.pick(["=", "!=", "<", "<=", ">", ">="])
  }

  // MARK: Text

  private static func text(_ value: Plain) -> String {
    switch value {
    case .int(let number): "\(number)"
    case .double(let number): "\(number)"
    case .text(let text), .reference(let text): "'\(text)'"
    case .day(let day): "'2025-01-0\(day + 1)'"
    case .texts: ""
    }
  }

  private static func text(_ tree: Tree, _ random: inout SeededGenerator) -> String {
    switch tree {
    case .all(let a, let b):
      "(\(text(a, &random)) \(random.pick(["AND", "and", "&&"])) \(text(b, &random)))"
    case .any(let a, let b):
      "(\(text(a, &random)) \(random.pick(["OR", "or", "||"])) \(text(b, &random)))"
    case .not(let a): "\(random.pick(["NOT ", "!", "not "]))(\(text(a, &random)))"
    case .has(let name): "has \(name)"
    case .length(let name, let sign, let number): "length(\(name)) \(sign) \(number)"
    case .contains(let name, let part): "contains(\(name), '\(part)')"
    case .compare(let name, let sign, .value(let value)): "\(name) \(sign) \(text(value))"
    case .compare(let name, let sign, .field(let other)): "\(name) \(sign) \(other)"
    case .compare(let name, let sign, .list(let values)):
      "\(name) \(sign) {\(values.map(text).joined(separator: ", "))}"
    }
  }

  // MARK: Meaning

  private static func truth(_ tree: Tree, _ record: [String: Plain]) -> Bool? {
    switch tree {
    case .all(let a, let b):
      let (a, b) = (truth(a, record), truth(b, record))
      if a == false || b == false { return false }
      return a == nil || b == nil ? nil : true
    case .any(let a, let b):
      let (a, b) = (truth(a, record), truth(b, record))
      if a == true || b == true { return true }
      return a == nil || b == nil ? nil : false
    case .not(let a): return truth(a, record).map { !$0 }
    case .has(let name): return record[name] != nil
    case .length(let name, let sign, let number):
      let length: Int
      switch record[name] {
      case .text(let text): length = text.count
      case .texts(let texts): length = texts.count
      default: return nil
      }
      return compare(.int(Int64(length)), sign, .int(number))
    case .contains(let name, let part):
      guard case .text(let text) = record[name] else { return nil }
      return part.isEmpty || text.contains(part)
    case .compare(let name, let sign, let literal):
      guard let found = record[name] else { return nil }
      switch literal {
      case .value(let value): return compare(found, sign, typed(value, for: found))
      case .field(let other): return record[other].flatMap { compare(found, sign, $0) }
      case .list(let values):
        if case .texts = found { return false }
        return values.contains { compare(found, "=", typed($0, for: found)) == true }
      }
    }
  }

  /// A day is written as text, which stands for a day only beside days.
  private static func typed(_ literal: Plain, for found: Plain) -> Plain {
    guard case .day(let day) = literal else { return literal }
    if case .day = found { return literal }
    return .text("2025-01-0\(day + 1)")
  }

  private static func compare(_ a: Plain, _ sign: String, _ b: Plain) -> Bool? {
    switch sign {
    case "BEGINSWITH":
      guard case .text(let text) = a, case .text(let start) = b else { return false }
      return text.unicodeScalars.starts(with: start.unicodeScalars)
    case "CONTAINS":
      guard case .texts(let texts) = a, case .text(let text) = b else { return false }
      return texts.contains(text)
    case "=": return order(a, b) == 0
    case "!=": return order(a, b) != 0
    default:
      if case .texts = a { return nil }
      guard let order = order(a, b) else { return nil }
      return sign == "<"
        ? order < 0 : sign == "<=" ? order <= 0 : sign == ">" ? order > 0 : order >= 0
    }
  }

  /// Negative, zero or positive; nil for values that do not compare.
  private static func order(_ a: Plain, _ b: Plain) -> Int? {
    func of<T: Comparable>(_ a: T, _ b: T) -> Int { a < b ? -1 : a > b ? 1 : 0 }
    switch (a, b) {
    case (.int(let a), .int(let b)): return of(a, b)
    case (.int(let a), .double(let b)): return of(Double(a), b)
    case (.double(let a), .int(let b)): return of(a, Double(b))
    case (.double(let a), .double(let b)): return of(a, b)
    case (.day(let a), .day(let b)): return of(a, b)
    case (.day(let a), .text(let b)): return b == "2025-01-02" ? of(a, 1) : nil
    case (.text(let a), .day(let b)): return a == "2025-01-02" ? of(1, b) : nil
    case (.text, .reference): return order(b, a).map { -$0 }
    case (.text(let a), .text(let b)), (.reference(let a), .text(let b)),
      (.reference(let a), .reference(let b)):
      return bytes(a, b)
    case (.texts(let a), .texts(let b)): return a == b ? 0 : nil
    default: return nil
    }
  }

  private static func bytes(_ a: String, _ b: String) -> Int {
    a == b ? 0 : a.utf8.lexicographicallyPrecedes(b.utf8) ? -1 : 1
  }

  private static func record(_ values: [String: Plain]) -> ResultRecord {
    var draft = DraftRecord(recordType: "Note", recordID: RecordID(recordName: "n"))
    for (name, value) in values {
      switch value {
      case .int(let number): draft[name] = number
      case .double(let number): draft[name] = number
      case .text(let text): draft[name] = text
      case .day(let day): draft[name] = date(day)
      case .texts(let texts): draft[name] = texts
      case .reference(let target):
        draft[name] = Reference(recordID: RecordID(recordName: target))
      }
    }
    return ResultRecord(systemFields: draft.systemFields, fields: draft.fields)
  }

  @Test(arguments: SeededGenerator.seeds(8))
  func `a random condition holds as the plain evaluator says`(seed: UInt64) throws {
    var random = SeededGenerator(seed)
    for _ in 0..<100 {
      let tree = Self.tree(&random, 4)
      let text = Self.text(tree, &random)
      let match = ConditionMatch(try RecordCondition(text), readsEncrypted: false)
      for _ in 0..<4 {
        var values: [String: Plain] = [:]
        for name in Self.names { values[name] = Self.value(of: name, &random) }
        let expected = Self.truth(tree, values) ?? false
        #expect(
          try match.matches(Self.record(values), in: .private) == expected, "\(text): \(values)")
      }
    }
  }
}

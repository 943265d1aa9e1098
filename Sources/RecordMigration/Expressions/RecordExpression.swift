import Foundation
import RecordCoding
import RecordModel

/// An expression that calculates a value from a single record, for conditions and computed values
/// in migration plans.
///
/// ```
/// kind == 'photo' and length(caption) > 0
/// coalesce(nickname, first(names), 'nobody')
/// 'chat-' + lower(recordName)
/// ```
///
/// ```swift
/// let expression = try RecordExpression("coalesce(nickname, 'nobody')")
/// let value = try expression.value(for: record)
/// ```
///
/// There are no loops, no variables and no access to other records. So evaluation always
/// terminates, in time and memory bounded by the size of the expression and the record. Operators
/// by precedence from lowest: `or`, `and`, `not`, comparisons, `+ -`, `* / %`, sign. They have the
/// spellings of conditions, too: `AND`, `&&`, `=`, `<>`. A missing
/// field is `null`. Arithmetic with `null` gives `null`; `null` equals only `null`, and every other
/// comparison with it is false. Integers have 64 bits, and an overflow is an error. An integer and
/// a double give a double.
public struct RecordExpression: Sendable, Hashable, CustomStringConvertible {
  /// The maximum length of an expression, in bytes.
  package static let maxLength = 4096
  /// The maximum nesting depth of brackets, calls and signs.
  package static let maxDepth = 32
  /// The maximum number of operators and operands.
  package static let maxSize = 512

  /// The text of the expression.
  public let source: String
  private let tokens: [ConditionToken]
  let root: ExpressionNode

  /// Parses an expression.
  ///
  /// - Throws: ``MigrationError`` with the code `expression` and the column of the error.
  public init(_ source: String) throws {
    do {
      try self.init(source, try ConditionLexer.tokens(of: source))
    } catch let error as QueryPredicateError {
      throw MigrationError(.expression, error.column, error.message)
    }
  }

  /// Creates an expression of a part of a longer text, to which the columns of errors refer.
  ///
  /// - Parameter tokens: The tokens of the part, and the end.
  package init(_ source: String, _ tokens: [ConditionToken]) throws {
    guard source.utf8.count <= Self.maxLength else {
      throw MigrationError(
        .expression, tokens[0].column,
        "the expression is longer than \(Self.maxLength) bytes")
    }
    var parser = ExpressionParser(tokens)
    root = try parser.parse()
    (self.source, self.tokens) = (source, tokens)
  }

  init(root: ExpressionNode, source: String) {
    (self.root, self.source) = (root, source)
    tokens = (try? ConditionLexer.tokens(of: source)) ?? []
  }

  /// The names of the fields that the expression reads.
  package var fieldNames: Set<String> { root.fields }

  /// The types that the value has in any record, whatever the types of its fields; nil if these decide.
  /// A Boolean is an integer.
  package var resultTypes: Set<ValueType>? {
    guard let kinds = try? root.kinds(KnownFields([])) else { return nil }
    let types = Set(kinds.types + (kinds.contains(.bool) ? [.int64] : []))
    return types.isEmpty ? nil : types
  }

  /// Returns the value of the expression for a record.
  ///
  /// - Throws: ``MigrationError`` with the code `noValue` if values are incompatible, on overflow,
  ///   and on division by zero.
  public func value(
    for record: ResultRecord, in database: DatabaseScope = .private
  ) throws -> ExpressionValue {
    try value(for: EditableRecord(record, in: database))
  }

  /// Returns whether the expression holds for a record, as a condition: it must be a Boolean, an
  /// integer (false if 0), or `null`, which counts as false.
  ///
  /// - Throws: ``MigrationError`` with the code `noValue` if it is anything else, and like
  ///   ``value(for:in:)``.
  public func holds(
    for record: ResultRecord, in database: DatabaseScope = .private
  ) throws -> Bool {
    try root.holds(for: EditableRecord(record, in: database))
  }

  /// The column of the first character, from 1.
  package var column: Int { tokens.first?.column ?? 1 }

  /// The column in which a field is first named, from 1.
  package func column(ofField name: String) -> Int? {
    // A name before a bracket is a function.
    let field = zip(tokens, tokens.dropFirst()).first {
      $0.content == .word(name) && $1.content != .sign("(") || $0.content == .name(name)
    }
    return (field?.0 ?? tokens.first { $0.content == .string(name) })?.column
  }

  package func value(for record: EditableRecord) throws -> ExpressionValue {
    try root.value(for: record)
  }

  /// The text of the expression.
  public var description: String { source }
}

/// The maximum size of a computed value: the maximum size of a CloudKit record.
enum ExpressionLimits {
  /// The maximum number of bytes.
  static let maxSize = RecordLimits.cloudKit.recordSize

  static func check(_ size: Int, _ column: Int) throws {
    guard size <= maxSize else { throw MigrationError(.noValue, column, tooLarge) }
  }

  /// The message for a value that would be larger.
  static let tooLarge =
    "the result would have more than \(maxSize) bytes, the maximum size of a CloudKit record"
}

/// Finds a text within others by Unicode scalars, as `==` of expressions compares them: `é` in one
/// scalar and in two are different, and a mark does not hide the letter before it.
///
/// Takes time proportional to the lengths of both texts.
struct LiteralSearch {
  private let part: [UInt8]
  /// For each byte of the part, the length of the longest beginning that also ends there.
  private let borders: [Int]

  init(_ part: String) {
    let part = Array(part.utf8)
    var borders = part.map { _ in 0 }
    var length = 0
    for place in part.indices.dropFirst() {
      while length > 0, part[place] != part[length] { length = borders[length - 1] }
      if part[place] == part[length] { length += 1 }
      borders[place] = length
    }
    self.part = part
    self.borders = borders
  }

  /// Returns the UTF-8 offsets of the first occurrences, which do not overlap. An empty part does not
  /// occur.
  private func places(in text: String, upTo most: Int = .max) -> [Int] {
    var places: [Int] = []
    guard !part.isEmpty, text.utf8.count >= part.count else { return places }
    var length = 0
    for (place, byte) in text.utf8.enumerated() {
      while length > 0, byte != part[length] { length = borders[length - 1] }
      if byte == part[length] { length += 1 }
      guard length == part.count else { continue }
      places.append(place + 1 - length)
      if places.count == most { return places }
      length = 0
    }
    return places
  }

  /// Whether a text contains the part.
  func isIn(_ text: String) -> Bool { !places(in: text, upTo: 1).isEmpty }

  /// Returns the texts between the occurrences of the part.
  func separated(_ text: String) -> [String] {
    let (bytes, places) = (Array(text.utf8), places(in: text))
    var start = 0
    return (places + [bytes.count]).map { place in
      defer { start = place + part.count }
      return String(decoding: bytes[start..<place], as: UTF8.self)
    }
  }
}

extension String {
  /// The texts between the occurrences of another, which are found by Unicode scalars.
  func separated(by part: String) -> [String] { LiteralSearch(part).separated(self) }
}

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
/// There are no loops, no variables and no access to other records, so evaluation always
/// terminates, in time and memory bounded by the size of the expression and the record. Operators
/// by precedence from lowest: `or`, `and`, `not`, comparisons, `+ -`, `* / %`, sign. A missing
/// field is `null`. Arithmetic with `null` gives `null`; `null` equals only `null`, and every other
/// comparison with it is false. Integers have 64 bits, and an overflow is an error. An integer and
/// a double give a double.
public struct RecordExpression: Sendable, Hashable {
  /// The maximum length of an expression, in bytes.
  public static let maxLength = 4096
  /// The maximum nesting depth of brackets, calls and signs.
  public static let maxDepth = 32
  /// The maximum number of operators and operands.
  public static let maxSize = 512

  /// The text of the expression.
  public let source: String
  let root: ExpressionNode

  /// Parses an expression.
  ///
  /// - Throws: ``ExpressionError`` with the column of the error.
  public init(_ source: String) throws {
    var parser = try ExpressionParser(source)
    root = try parser.parse()
    self.source = source
  }

  init(root: ExpressionNode, source: String) {
    self.root = root
    self.source = source
  }

  /// The names of the fields that the expression reads.
  public var fieldNames: Set<String> { root.fields }

  /// Returns the value of the expression for a record.
  ///
  /// - Throws: ``ExpressionFailure`` if values are incompatible, on overflow, and on division by
  ///   zero.
  public func value(
    for record: ResultRecord, in database: DatabaseScope = .private
  ) throws -> ExpressionValue {
    try value(for: EditableRecord(record, in: database))
  }

  /// Returns whether the expression holds for a record, as a condition: it must be a Boolean, an
  /// integer (false if 0), or `null`, which counts as false.
  ///
  /// - Throws: ``ExpressionFailure`` if it is anything else, and as ``value(for:in:)`` does.
  public func holds(
    for record: ResultRecord, in database: DatabaseScope = .private
  ) throws -> Bool {
    try root.holds(for: EditableRecord(record, in: database))
  }

  /// The names of record properties that are not fields: `recordName`, `creationDate`, and so on.
  package static var systemNames: [String] { ExpressionNode.SystemName.allCases.map(\.rawValue) }

  /// The column in which a field is first named, from 1.
  package func column(ofField name: String) -> Int? {
    let tokens = (try? ExpressionLexer.tokens(of: source)) ?? []
    // A name before a bracket is a function.
    let field = zip(tokens, tokens.dropFirst()).first {
      $0.kind == .name(name) && $1.kind != .mark("(")
    }
    return (field?.0 ?? tokens.first { $0.kind == .string(name) })?.column
  }

  func value(for record: EditableRecord) throws -> ExpressionValue {
    try root.value(for: record)
  }
}

extension RecordExpression: CustomStringConvertible {
  /// The text of the expression.
  public var description: String { source }
}

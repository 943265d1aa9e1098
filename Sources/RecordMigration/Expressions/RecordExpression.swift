import RecordCoding
import RecordModel

/// A small expression over one record: what conditions and computed values of a plan are written in.
///
/// ```
/// kind == 'photo' and length(caption) > 0
/// coalesce(nickname, first(names), 'nobody')
/// 'chat-' + lower(recordName)
/// ```
///
/// There are no loops, no variables and no way to look beyond the record, so an expression always
/// ends, in time and memory bounded by its own size and the record's. Precedence, weakest first:
/// `or`, `and`, `not`, comparisons, `+ -`, `* / %`, sign. A field that is not there is `null`;
/// arithmetic with `null` is `null`, `null` equals only `null`, and every other comparison with it
/// is false. Integers are computed in 64 bits: an overflow is a failure, never a wrong number; an
/// integer and a double together make a double.
public struct RecordExpression: Sendable, Hashable {
  /// The longest text, in bytes.
  public static let maximumLength = 4096
  /// How deep brackets, calls and signs may be nested.
  public static let maximumDepth = 32
  /// The most operators and operands.
  public static let maximumSize = 512

  /// The text it was made of.
  public let source: String
  let root: ExpressionNode

  /// Reads an expression.
  ///
  /// - Throws: ``ExpressionError`` with the column of what is wrong.
  public init(_ source: String) throws {
    var parser = try ExpressionParser(source)
    root = try parser.parse()
    self.source = source
  }

  /// An expression that is always the same value.
  public init(constant: RecordValue) {
    root = .constant(.value(constant))
    source = constant.kindInWords
  }

  init(root: ExpressionNode, source: String) {
    self.root = root
    self.source = source
  }

  /// The names of the fields it reads.
  public var fieldNames: Set<String> {
    var names: Set<String> = []
    root.collectFields(&names)
    return names
  }

  /// The value for a record.
  ///
  /// - Throws: ``ExpressionFailure`` where values do not go together.
  public func value(
    for record: ResultRecord, in database: DatabaseScope = .private
  ) throws -> ExpressionValue {
    try value(for: EditableRecord(record, in: database))
  }

  func value(for record: EditableRecord) throws -> ExpressionValue {
    try root.value(for: record)
  }
}

extension RecordExpression: CustomStringConvertible {
  /// The text it was made of.
  public var description: String { source }
}

import RecordModel

/// A node of an expression's syntax tree.
indirect enum ExpressionNode: Sendable, Hashable {
  case constant(ExpressionValue)
  case field(String)
  case system(SystemName)
  case negate(ExpressionNode, column: Int)
  case not(ExpressionNode, column: Int)
  case binary(BinaryOperator, ExpressionNode, ExpressionNode, column: Int)
  case call(ExpressionFunction, [ExpressionNode], column: Int)

  /// The names of record properties that are not fields. A field with such a name is read with
  /// `field(…)`. The last four are properties of `CKRecord`, so that no field of an app has the name.
  enum SystemName: String, Sendable, CaseIterable {
    case recordName, recordType, zoneName, ownerName, database, parent
    case creationDate, creatorUserRecordID, modificationDate, lastModifiedUserRecordID
  }

  enum BinaryOperator: String, Sendable {
    case or, and
    case equal = "=="
    case unequal = "!="
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
    case plus = "+"
    case minus = "-"
    case times = "*"
    case divide = "/"
    case remainder = "%"
  }

  /// The operands.
  private var children: [ExpressionNode] {
    switch self {
    case .constant, .field, .system: []
    case .negate(let operand, _), .not(let operand, _): [operand]
    case .binary(_, let left, let right, _): [left, right]
    case .call(_, let operands, _): operands
    }
  }

  /// Returns whether the node or one of its descendants satisfies a predicate.
  func contains(where predicate: (ExpressionNode) -> Bool) -> Bool {
    predicate(self) || children.contains { $0.contains(where: predicate) }
  }

  /// The fields that the node and its descendants read.
  var fields: Set<String> {
    if case .field(let name) = self { return [name] }
    return children.reduce(into: []) { $0.formUnion($1.fields) }
  }

  /// The fields whose values affect the result, in the order of the expression, possibly repeated.
  /// Excludes fields that are only tested for existence.
  var valueFields: [String] {
    switch self {
    case .field(let name): [name]
    case .call(.has, let operands, _) where operands.first?.isField == true: []
    default: children.flatMap(\.valueFields)
    }
  }

  private var isField: Bool {
    if case .field = self { true } else { false }
  }

  /// Returns a deep copy.
  func copied() -> ExpressionNode {
    switch self {
    case .constant(let value): .constant(value)
    case .field(let name): .field(name)
    case .system(let name): .system(name)
    case .negate(let operand, let column): .negate(operand.copied(), column: column)
    case .not(let operand, let column): .not(operand.copied(), column: column)
    case .binary(let sign, let left, let right, let column):
      .binary(sign, left.copied(), right.copied(), column: column)
    case .call(let function, let operands, let column):
      .call(function, operands.map { $0.copied() }, column: column)
    }
  }
}

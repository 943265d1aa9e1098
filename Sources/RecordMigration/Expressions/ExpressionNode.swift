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
  /// `field(…)`.
  enum SystemName: String, Sendable, CaseIterable {
    case recordName, recordType, zoneName, ownerName, database, parent
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

  /// Inserts the names of all fields that the node and its children read.
  func collectFields(_ names: inout Set<String>) {
    switch self {
    case .constant, .system: break
    case .field(let name): names.insert(name)
    case .negate(let operand, _), .not(let operand, _): operand.collectFields(&names)
    case .binary(_, let left, let right, _):
      left.collectFields(&names)
      right.collectFields(&names)
    case .call(_, let operands, _): for operand in operands { operand.collectFields(&names) }
    }
  }

  /// The fields whose values affect the result, in the order of the expression, possibly repeated.
  /// Excludes fields that are only tested for existence.
  var valueFields: [String] {
    switch self {
    case .constant, .system: return []
    case .field(let name): return [name]
    case .negate(let operand, _), .not(let operand, _): return operand.valueFields
    case .binary(_, let left, let right, _): return left.valueFields + right.valueFields
    case .call(let function, let operands, _):
      if function == .has, case .field? = operands.first { return [] }
      return operands.flatMap(\.valueFields)
    }
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

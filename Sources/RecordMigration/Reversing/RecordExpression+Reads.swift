import RecordModel

extension RecordExpression {
  /// Whether the expression reads the record's name, type, zone or parent.
  var readsIdentity: Bool { root.readsSystem }
}

extension ExpressionNode {
  fileprivate var readsSystem: Bool {
    switch self {
    case .constant, .field: false
    case .system(let name): name != .database
    case .negate(let operand, _), .not(let operand, _): operand.readsSystem
    case .binary(_, let left, let right, _): left.readsSystem || right.readsSystem
    case .call(_, let operands, _): operands.contains(where: \.readsSystem)
    }
  }
}

extension RecordExpression {
  /// Whether the expression converts references to names or names to references.
  var readsReferences: Bool { root.readsReferences }

  /// Returns the conjunction of two conditions.
  func and(_ other: RecordExpression) -> RecordExpression {
    RecordExpression(
      root: .binary(.and, root, other.root, column: 1), source: "(\(source)) and (\(other.source))")
  }
}

extension ExpressionNode {
  fileprivate var readsReferences: Bool {
    switch self {
    case .constant, .field, .system: false
    case .negate(let operand, _), .not(let operand, _): operand.readsReferences
    case .binary(_, let left, let right, _): left.readsReferences || right.readsReferences
    case .call(let function, let operands, _):
      function == .name || function == .reference || operands.contains(where: \.readsReferences)
    }
  }
}

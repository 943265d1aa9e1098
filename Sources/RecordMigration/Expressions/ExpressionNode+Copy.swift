import RecordCoding
import RecordModel

extension ExpressionNode {
  /// A value that is copied from fields without decoding it.
  struct Copy {
    /// The indices of the fields.
    var fields: [Int]
    /// Whether the fields become the elements of a list.
    var isList: Bool
    /// The type of the copied value.
    var type: ValueType?
  }

  /// Returns the fields that the expression copies from a record, or `nil` if it must be evaluated.
  /// Depends only on which fields the record has.
  func copy(for record: EditableRecord) -> Copy? {
    switch self {
    case .field(let name):
      return record.index(ofField: name).map {
        Copy(fields: [$0], isList: false, type: record.valueType(at: $0))
      }
    case .call(.if, let operands, _):
      guard let holds = operands[0].truth(for: record) else { return nil }
      return operands[holds ? 1 : 2].copy(for: record)
    case .call(.list, let operands, _):
      let fields = operands.compactMap { operand in
        if case .field(let name) = operand { record.index(ofField: name) } else { nil }
      }
      guard let first = fields.first, fields.count == operands.count else { return nil }
      return Copy(fields: fields, isList: true, type: record.valueType(at: first)?.listType)
    default: return nil
    }
  }

  /// Returns the value of a condition if it depends only on which fields the record has, otherwise
  /// `nil`.
  private func truth(for record: EditableRecord) -> Bool? {
    switch self {
    case .call(.has, let operands, _):
      if case .field(let name) = operands[0] { return record.hasField(name) }
      return nil
    case .not(let operand, _): return operand.truth(for: record).map { !$0 }
    case .binary(.and, let left, let right, _):
      return left.truth(for: record).flatMap { $0 ? right.truth(for: record) : false }
    case .binary(.or, let left, let right, _):
      return left.truth(for: record).flatMap { $0 ? true : right.truth(for: record) }
    default: return nil
    }
  }
}

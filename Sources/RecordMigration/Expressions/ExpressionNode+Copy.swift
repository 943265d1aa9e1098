import RecordCoding
import RecordModel

extension ExpressionNode {
  /// A value that is copied from fields, without being looked at.
  struct Copy {
    /// The numbers of the fields.
    var fields: [Int]
    /// Whether they become the elements of a list.
    var isList: Bool
    /// The type of the copy.
    var type: ValueType?
  }

  /// What the expression copies from a record, where that can be told by the fields the record has;
  /// nil where it must be evaluated.
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

  /// Whether a condition holds, where that can be told by the fields the record has.
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

import RecordCoding
import RecordModel

/// A node of an expression's syntax tree.
indirect enum ExpressionNode: Sendable, Hashable {
  case constant(ExpressionValue)
  case field(String)
  case system(SystemName)
  case negate(ExpressionNode, column: Int)
  case not(ExpressionNode, column: Int)
  case binary(BinaryOperator, ExpressionNode, ExpressionNode, column: Int)
  case form(Form, [ExpressionNode], column: Int)
  case call(ExpressionFunction, [ExpressionNode], column: Int)

  /// A function that does not read all its arguments, or accepts `null`.
  enum Form: String, Sendable, CaseIterable {
    /// `field('name')`: a field whose name is not an identifier or is a reserved word. The parser
    /// makes a field of it.
    case field
    /// `has(name)`: whether a value exists.
    case has
    /// `if(condition, then, else)`.
    case `if`
    /// `coalesce(a, b, …)`: the first argument that is not null.
    case coalesce
    /// `list(a, …)`, also written `[a, …]`: a list without the nulls.
    case list

    /// The number of arguments.
    var arity: ClosedRange<Int> {
      switch self {
      case .field, .has: 1...1
      case .if: 3...3
      case .coalesce: 1...64
      case .list: 0...64
      }
    }
  }

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
    case .form(_, let operands, _), .call(_, let operands, _): operands
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
    case .form(.has, let operands, _) where operands.first?.isField == true: []
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
    case .form(let form, let operands, let column):
      .form(form, operands.map { $0.copied() }, column: column)
    case .call(let function, let operands, let column):
      .call(function, operands.map { $0.copied() }, column: column)
    }
  }

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
    case .form(.if, let operands, _):
      guard let holds = operands[0].truth(for: record) else { return nil }
      return operands[holds ? 1 : 2].copy(for: record)
    case .form(.list, let operands, _):
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
    case .form(.has, let operands, _):
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

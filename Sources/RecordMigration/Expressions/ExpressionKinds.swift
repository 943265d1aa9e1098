import RecordModel
import RecordSchema

/// Infers the kinds of values of an expression without a record, so that a condition that can never
/// be true or false is reported as an error in the plan.
struct ExpressionKinds {
  /// A kind of value.
  enum Kind: Hashable {
    case null, bool
    case value(ValueType)

    var isList: Bool {
      if case .value(let type) = self { return type.isList }
      return false
    }

    var inWords: String {
      switch self {
      case .null: "null"
      case .bool: "a Boolean"
      case .value(let type): ValueType.inWords(type)
      }
    }
  }

  /// The use of a value.
  enum Use {
    case any, truth, text
    case value(ValueType)

    var words: String {
      switch self {
      case .any: "anything"
      case .truth: "a Boolean"
      case .text: "a string"
      case .value(let type): ValueType.inWords(type)
      }
    }

    func allows(_ kinds: Set<Kind>) -> Bool {
      // Nearly every value may be missing, so `null` is ignored.
      let named = kinds.subtracting([.null])
      return named.isEmpty
        || named.contains { kind in
          switch (self, kind) {
          case (.any, _), (.truth, .bool), (.truth, .value(.int64)): true
          case (.text, .value(.string)): true
          case (.value(let type), .value(let own)):
            type == own || type == .double && own == .int64 || type.isList && own == .emptyList
          case (.value(let type), .bool): type == .int64 || type == .double
          default: false
          }
        }
    }
  }

  let fields: KnownFields

  init(_ fields: KnownFields) { self.fields = fields }

  /// Returns the kinds of values that an expression can have, or `nil` if unknown.
  ///
  /// - Throws: ``ExpressionError`` if no combination of the possible kinds is compatible.
  func kinds(of node: ExpressionNode) throws -> Set<Kind>? {
    switch node {
    case .constant(.null): return [.null]
    case .constant(.bool): return [.bool]
    case .constant(.value(let value)): return value.type.map { [.value($0)] }
    case .field(let name):
      let types = fields[name].map(ValueType.init)
      // A field of type NUMBER has one of two kinds.
      guard !types.isEmpty, !types.contains(nil) else { return nil }
      return Set(types.compactMap { $0 }.map(Kind.value) + [.null])
    case .system(.parent): return [.value(.reference), .null]
    case .system(.creationDate), .system(.modificationDate): return [.value(.timestamp), .null]
    case .system(.creatorUserRecordID), .system(.lastModifiedUserRecordID):
      return [.value(.string), .null]
    case .system: return [.value(.string)]
    case .negate(let operand, let column): return try needing(.number, operand, column, "'-'")
    case .not(let operand, let column):
      _ = try needing(.truth, operand, column, "'not'")
      return [.bool, .null]
    case .binary(let sign, let left, let right, let column):
      return try kinds(of: sign, left, right, column)
    case .call(let function, let operands, let column):
      return try kinds(of: function, operands, column)
    }
  }

  enum Need { case number, truth }

  func needing(
    _ need: Need, _ node: ExpressionNode, _ column: Int, _ what: String
  ) throws -> Set<Kind>? {
    guard let kinds = try kinds(of: node) else { return nil }
    let isFit =
      kinds.subtracting([.null]).isEmpty
      || kinds.contains { kind in
        switch (need, kind) {
        case (.truth, .bool), (_, .value(.int64)), (.number, .value(.double)): true
        default: false
        }
      }
    guard isFit else {
      throw ExpressionError(
        column,
        "\(what) requires \(need == .truth ? "a Boolean" : "a number"), but this is "
          + kinds.inWords)
    }
    return kinds
  }

  private func kinds(
    of sign: ExpressionNode.BinaryOperator, _ left: ExpressionNode, _ right: ExpressionNode,
    _ column: Int
  ) throws -> Set<Kind>? {
    if sign == .and || sign == .or {
      for operand in [left, right] {
        _ = try needing(.truth, operand, column, "'\(sign.rawValue)'")
      }
      return [.bool]
    }
    let (first, second) = (try kinds(of: left), try kinds(of: right))
    guard let first, let second else { return sign.isComparison ? [.bool] : nil }
    // An operand that is always null is intentional, so it is not an error. A field that may be
    // null is checked by its other kinds.
    let (own, others) = (first.subtracting([.null]), second.subtracting([.null]))
    guard !own.isEmpty, !others.isEmpty else { return sign.isComparison ? [.bool] : [.null] }
    var results: Set<Kind> = []
    for a in own { for b in others { results.formUnion(Self.result(sign, a, b)) } }
    guard !results.isEmpty else {
      throw ExpressionError(
        column,
        sign.isEquality
          ? "\(own.inWords) and \(others.inWords) are never equal"
          : "'\(sign.rawValue)' cannot be applied to \(own.inWords) and \(others.inWords)")
    }
    if sign.isComparison { return [.bool] }
    return first.contains(.null) || second.contains(.null) ? results.union([.null]) : results
  }

  /// Returns the kinds of results of an operator, or an empty set if the operands are incompatible.
  private static func result(
    _ sign: ExpressionNode.BinaryOperator, _ a: Kind, _ b: Kind
  ) -> Set<Kind> {
    let numbers: Set<Kind> = [.value(.int64), .value(.double)]
    let areNumbers = numbers.contains(a) && numbers.contains(b)
    let isWhole = a == .value(.int64) && b == .value(.int64)
    switch sign {
    case .equal, .unequal:
      let areTruths = Set([a, b]).isSubset(of: [.bool, .value(.int64)])
      let areLists = [a, b].contains(.value(.emptyList))
      return a == b || areNumbers || areTruths || areLists ? [.bool] : []
    case .less, .lessOrEqual, .greater, .greaterOrEqual:
      return areNumbers || a == b && [.value(.string), .value(.timestamp)].contains(a)
        ? [.bool] : []
    case .plus where a == .value(.string) && b == a: return [a]
    case .plus where a.isList && b.isList: return a == b ? [a] : [a, b]
    case .plus, .minus:
      if a == .value(.timestamp) {
        if numbers.contains(b) { return [a] }
        return sign == .minus && b == a ? [.value(.double)] : []
      }
      return areNumbers ? [isWhole ? .value(.int64) : .value(.double)] : []
    default: return areNumbers ? [isWhole ? .value(.int64) : .value(.double)] : []
    }
  }
}

extension Set<ExpressionKinds.Kind> {
  /// The kinds as a phrase, such as `text or an integer`. Omits `null` unless it is the only kind.
  var inWords: String {
    let named = subtracting([.null])
    return (named.isEmpty ? self : named).map(\.inWords).sorted().joined(separator: " or ")
  }
}

extension ExpressionNode.BinaryOperator {
  fileprivate var isEquality: Bool { self == .equal || self == .unequal }

  fileprivate var isComparison: Bool {
    switch self {
    case .equal, .unequal, .less, .lessOrEqual, .greater, .greaterOrEqual: true
    default: false
    }
  }
}

/// The value of an expression.
public enum ExpressionValue: Sendable, Hashable {
  /// No value: a missing field, or the result of a calculation with one.
  case null
  /// A Boolean. Stored in a field as the integer 1 or 0, because CloudKit has no Booleans.
  case bool(Bool)
  /// A field value.
  case value(RecordValue)

  /// The value as stored in a field, or `nil` for ``null``.
  public var recordValue: RecordValue? {
    switch self {
    case .null: nil
    case .bool(let truth): .int64(truth ? 1 : 0)
    case .value(let value): value
    }
  }

  /// The kind of the value as shown in messages. Never contains the value.
  var kind: String {
    switch self {
    case .null: "null"
    case .bool: "a Boolean"
    case .value(let value): value.kindInWords
    }
  }
}

extension RecordValue {
  /// The type of the value as shown in messages.
  var kindInWords: String { ValueType.inWords(type) }

  /// Creates a list, or `nil` if the elements have different types or are lists.
  ///
  /// - Parameter type: The element type of an empty list. `nil` creates ``emptyList``.
  init?(elements: [RecordValue], emptyOf type: ValueType? = nil) {
    guard let kind = elements.first?.type ?? type else {
      guard elements.isEmpty else { return nil }
      self = .emptyList
      return
    }
    self.init(list: elements, of: kind)
  }
}

extension ValueType {
  /// Returns a type as shown in messages. `nil` stands for an unknown type.
  static func inWords(_ type: ValueType?) -> String {
    switch type {
    case .string: "a string"
    case .int64: "an integer"
    case .double: "a double"
    case .timestamp: "a date"
    case .bytes: "bytes"
    case .location: "a location"
    case .reference: "a reference"
    case .asset: "an asset"
    case nil: "a value of an unknown type"
    case let list?: "a list (\(list.rawValue))"
    }
  }
}

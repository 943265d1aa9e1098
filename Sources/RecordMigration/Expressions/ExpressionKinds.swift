import RecordModel

/// A set of the kinds of values that an expression can have.
///
/// Inferred without a record, so that a condition that can never be true or false is reported as an
/// error in the plan.
struct ExpressionKinds: OptionSet, Sendable, Hashable {
  let rawValue: UInt32

  static let null = Self(rawValue: 1)
  static let bool = Self(rawValue: 2)
  static let string = Self(.string)
  static let integer = Self(.int64)
  static let double = Self(.double)
  static let date = Self(.timestamp)
  static let bytes = Self(.bytes)
  static let reference = Self(.reference)
  static let emptyList = Self(.emptyList)
  static let number: Self = [.integer, .double]
  static let truth: Self = [.bool, .integer]
  static let list = Self(ValueType.allCases.filter(\.isList).map { Self($0) })
  static let any = Self(rawValue: .max)

  init(rawValue: UInt32) { self.rawValue = rawValue }

  /// The kind of the field values of a type.
  init(_ type: ValueType) {
    let place = ValueType.allCases.firstIndex(of: type) ?? 0
    self.init(rawValue: 4 << UInt32(place))
  }

  /// The kinds without `null`. Nearly every value may be missing, so checks ignore it.
  var named: Self { subtracting(.null) }

  /// The types of field values.
  var types: [ValueType] { ValueType.allCases.filter { contains(Self($0)) } }

  /// The single kinds.
  fileprivate var singles: [Self] {
    [.null, .bool].filter(contains) + types.map { Self($0) }
  }

  /// The kinds of the elements of lists, or `nil` if unknown.
  fileprivate var elements: Self? {
    let elements = types.compactMap(\.elementType)
    return elements.isEmpty ? nil : Self(elements.map { Self($0) })
  }

  /// The kinds as a phrase, such as `a string or an integer`. Omits `null` unless it is the only
  /// kind.
  var inWords: String {
    if self == .null { return "null" }
    let words = types.map(ValueType.inWords) + (contains(.bool) ? ["a Boolean"] : [])
    return words.sorted().joined(separator: " or ")
  }

  /// The kinds that a use accepts, and their name in messages.
  struct Need {
    let kinds: ExpressionKinds
    let words: String
    /// The function whose result is needed, if there is one.
    private(set) var function: (name: String, argument: String)?

    static let any = Need(kinds: .any, words: "anything")
    static let truth = Need(kinds: .truth, words: "a Boolean")
    static let number = Need(kinds: .number, words: "a number")
    static let text = Need(kinds: .string, words: "a string")

    static func value(_ type: ValueType) -> Need {
      var kinds = ExpressionKinds(type)
      if type == .double { kinds.insert(.integer) }
      if type == .int64 || type == .double { kinds.insert(.bool) }
      if type.isList { kinds.insert(.emptyList) }
      var need = Need(kinds: kinds, words: ValueType.inWords(type))
      switch type {
      case .timestamp: need.function = ("date", "")
      case .reference: need.function = ("reference", ", the name of a record in the same zone")
      case .int64, .double: need.function = ("number", "")
      case .string: need.function = ("text", "")
      default: break
      }
      return need
    }

    /// Returns how to write what is needed of what was found, as a phrase that begins with `;`.
    /// Empty if no function does it.
    func remedy(for found: ExpressionKinds) -> String {
      guard let (name, argument) = function,
        let function = ExpressionFunction.all.first(where: { $0.name == name }),
        !found.isDisjoint(with: function.accepted(at: 0))
      else { return "" }
      return "; write \(name)(…) around it\(argument)"
    }

    func allows(_ others: ExpressionKinds) -> Bool {
      others.named.isEmpty || !others.isDisjoint(with: kinds)
    }
  }
}

extension ExpressionNode {
  /// Returns the kinds of values that the expression can have, or `nil` if unknown.
  ///
  /// - Throws: ``MigrationError`` if no combination of the possible kinds is compatible.
  func kinds(_ fields: KnownFields) throws -> ExpressionKinds? {
    switch self {
    case .constant(.null): return .null
    case .constant(.bool): return .bool
    case .constant(.value(let value)): return value.type.map { ExpressionKinds($0) }
    case .field(let name):
      let types = fields[name].map(ValueType.init)
      // A field of type NUMBER has one of two kinds.
      guard !types.isEmpty, !types.contains(nil) else { return nil }
      return ExpressionKinds(types.compactMap { $0 }.map { ExpressionKinds($0) }).union(.null)
    case .system(.parent): return [.reference, .null]
    case .system(.creationDate), .system(.modificationDate): return [.date, .null]
    case .system(.creatorUserRecordID), .system(.lastModifiedUserRecordID): return [.string, .null]
    case .system: return .string
    case .negate(let operand, let column):
      return try operand.kinds(fields, needing: .number, column, "'-'")
    case .not(let operand, let column):
      _ = try operand.kinds(fields, needing: .truth, column, "'not'")
      return [.bool, .null]
    case .binary(let sign, let left, let right, let column):
      if sign == .and || sign == .or {
        for operand in [left, right] {
          _ = try operand.kinds(fields, needing: .truth, column, "'\(sign.rawValue)'")
        }
        return .bool
      }
      return try Self.kinds(of: sign, left.kinds(fields), right.kinds(fields), column)
    case .form(let form, let operands, let column):
      let given = try operands.map { try $0.kinds(fields) }
      switch form {
      case .has: return .bool
      case .list, .field: return nil
      case .if:
        _ = try operands[0].kinds(fields, needing: .truth, column, "the condition of if")
        return given[1].flatMap { first in given[2].map(first.union) }
      case .coalesce: return given.contains(nil) ? nil : ExpressionKinds(given.compactMap { $0 })
      }
    case .call(let function, let operands, let column):
      return try Self.kinds(of: function, operands.map { try $0.kinds(fields) }, column)
    }
  }

  private func kinds(
    _ fields: KnownFields, needing need: ExpressionKinds.Need, _ column: Int, _ what: String
  ) throws -> ExpressionKinds? {
    let kinds = try kinds(fields)
    if let kinds, !need.allows(kinds) {
      throw MigrationError(
        .expression, column, "\(what) requires \(need.words), but this is \(kinds.inWords)")
    }
    return kinds
  }

  private static func kinds(
    of function: ExpressionFunction, _ given: [ExpressionKinds?], _ column: Int
  ) throws -> ExpressionKinds? {
    for (index, kinds) in given.enumerated() {
      guard let kinds = kinds?.named, !kinds.isEmpty else { continue }
      guard !kinds.isDisjoint(with: function.accepted(at: index)) else {
        throw MigrationError(
          .expression, column, "\(function.name) does not accept \(kinds.inWords)")
      }
    }
    return (function.result ?? given.first??.elements)?.union(.null)
  }

  private static func kinds(
    of sign: BinaryOperator, _ first: ExpressionKinds?, _ second: ExpressionKinds?, _ column: Int
  ) throws -> ExpressionKinds? {
    guard let first, let second else { return sign.isComparison ? .bool : nil }
    // An operand that is always null is intentional, so it is not an error. A field that may be
    // null is checked by its other kinds.
    let (own, others) = (first.named, second.named)
    guard !own.isEmpty, !others.isEmpty else { return sign.isComparison ? .bool : .null }
    let results = ExpressionKinds(
      own.singles.flatMap { a in others.singles.map { result(sign, a, $0) } })
    guard !results.isEmpty else {
      throw MigrationError(
        .expression, column,
        sign.isEquality
          ? "\(own.inWords) and \(others.inWords) are never equal"
          : "'\(sign.rawValue)' cannot be applied to \(own.inWords) and \(others.inWords)")
    }
    if sign.isComparison { return .bool }
    return results.union(first.union(second).intersection(.null))
  }

  /// Returns the kinds of results of an operator, or an empty set if the operands are incompatible.
  private static func result(
    _ sign: BinaryOperator, _ a: ExpressionKinds, _ b: ExpressionKinds
  ) -> ExpressionKinds {
    let both = a.union(b)
    let numbers: ExpressionKinds =
      !both.isSubset(of: .number) ? [] : both == .integer ? .integer : .double
    switch sign {
    case .equal, .unequal:
      let areComparable = a == b || !numbers.isEmpty || both.isSubset(of: .truth)
      return areComparable || both.contains(.emptyList) ? .bool : []
    case .less, .lessOrEqual, .greater, .greaterOrEqual:
      return !numbers.isEmpty || both == .string || both == .date ? .bool : []
    case .plus where both == .string: return .string
    case .plus where both.isSubset(of: .list): return both
    case .plus where a == .date: return b.isSubset(of: .number) ? .date : []
    case .minus where a == .date: return b.isSubset(of: .number) ? .date : b == .date ? .double : []
    default: return numbers
    }
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

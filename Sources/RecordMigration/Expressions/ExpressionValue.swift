import RecordModel

/// What an expression is worth.
public enum ExpressionValue: Sendable, Hashable {
  /// No value: a field that is not there, or something computed from it.
  case null
  /// A truth value; in a field it becomes the integer 1 or 0, as CloudKit has no booleans.
  case bool(Bool)
  /// A value of a field.
  case value(RecordValue)

  /// The value as a field holds it; nil for ``null``.
  public var recordValue: RecordValue? {
    switch self {
    case .null: nil
    case .bool(let truth): .int64(truth ? 1 : 0)
    case .value(let value): value
    }
  }

  /// What messages call values of this kind; never the value itself.
  var kind: String {
    switch self {
    case .null: "nothing"
    case .bool: "a truth value"
    case .value(let value): value.kindInWords
    }
  }
}

extension RecordValue {
  /// What messages call values of this type.
  var kindInWords: String { ValueType.inWords(type) }

  /// A list of elements of one type; nil where they are of several, or lists themselves.
  ///
  /// - Parameter type: the type of the elements of an empty list; nil makes ``emptyList``.
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
  /// What messages call values of a type; nil is one that is not known here.
  static func inWords(_ type: ValueType?) -> String {
    switch type {
    case .string: "text"
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

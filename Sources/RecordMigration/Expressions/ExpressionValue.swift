import RecordModel

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

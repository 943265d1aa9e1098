import RecordModel

/// An array or a set.
protocol ListType {
  static var elementType: Any.Type { get }
  static var isSet: Bool { get }
}

extension Array: ListType {
  static var elementType: Any.Type { Element.self }
  static var isSet: Bool { false }
}

extension ContiguousArray: ListType {
  static var elementType: Any.Type { Element.self }
  static var isSet: Bool { false }
}

extension ArraySlice: ListType {
  static var elementType: Any.Type { Element.self }
  static var isSet: Bool { false }
}

extension Set: ListType {
  static var elementType: Any.Type { Element.self }
  static var isSet: Bool { true }
}

/// A type that is nested even where it encodes itself as a list: dictionaries whose keys are neither
/// strings nor integers do, in no certain order.
protocol NestedType {
  static var contentType: Any.Type { get }
}

extension Dictionary: NestedType {
  static var contentType: Any.Type { Value.self }
}

/// Whether a value is an optional without a value, or a property wrapper around one.
protocol NilCheckable {
  static var wrappedType: Any.Type { get }
  var isNil: Bool { get }
}

extension Optional: NilCheckable {
  static var wrappedType: Any.Type { Wrapped.self }

  var isNil: Bool {
    switch self {
    case nil: true
    case let wrapped?: (wrapped as? any NilCheckable)?.isNil ?? false
    }
  }
}

func isNil(_ value: Any) -> Bool { (value as? any NilCheckable)?.isNil ?? false }

extension RecordValue {
  /// An order of the elements of a set, which have none.
  static func isOrdered(_ lhs: RecordValue, _ rhs: RecordValue) -> Bool {
    switch (lhs, rhs) {
    case (.string(let a), .string(let b)): compareUTF8(a, b) < 0
    case (.int64(let a), .int64(let b)): a < b
    case (.double(let a), .double(let b)) where a != b: a < b
    case (.timestamp(let a), .timestamp(let b)): a < b
    case (.bytes(let a), .bytes(let b)): a.lexicographicallyPrecedes(b)
    default: compareUTF8(String(reflecting: lhs), String(reflecting: rhs)) < 0
    }
  }
}

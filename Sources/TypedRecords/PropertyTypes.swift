import RecordModel

/// An array or a set.
protocol ListType {
  static var elementType: Any.Type { get }
  static var isSet: Bool { get }
}

extension ListType {
  static var isSet: Bool { false }
}

extension Array: ListType {
  static var elementType: Any.Type { Element.self }
}

extension ContiguousArray: ListType {
  static var elementType: Any.Type { Element.self }
}

extension ArraySlice: ListType {
  static var elementType: Any.Type { Element.self }
}

extension Set: ListType {
  static var elementType: Any.Type { Element.self }
  static var isSet: Bool { true }
}

/// Returns the type of field of a Swift type, as far as the type alone determines it.
func fieldType(of type: Any.Type) -> ValueType? {
  switch type {
  case let scalar as any FieldScalar.Type: scalar.fieldType
  case let word as any RawRepresentable.Type: rawFieldType(of: word)
  default: nil
  }
}

private func rawFieldType<T: RawRepresentable>(of type: T.Type) -> ValueType? {
  (T.RawValue.self as? any FieldScalar.Type)?.fieldType
}

/// A type that is nested even where it encodes itself as a list: dictionaries whose keys are neither
/// strings nor integers do, in no certain order.
protocol NestedType {}

extension Dictionary: NestedType {}

/// An optional, or a property wrapper around one.
protocol NilCheckable {
  var isNil: Bool { get }
}

extension Optional: NilCheckable {
  var isNil: Bool {
    switch self {
    case nil: true
    case let wrapped?: (wrapped as? any NilCheckable)?.isNil ?? false
    }
  }
}

/// Whether a value is an optional without a value, or a property wrapper around one.
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

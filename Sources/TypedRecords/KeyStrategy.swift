/// The names of the fields of a type's properties.
public enum KeyStrategy: Sendable {
  /// The name of a coding key is the name of the field.
  case useDefaultKeys
  /// The closure returns the name of the field of a coding key. It must return different names for
  /// different keys.
  case custom(@Sendable (any CodingKey) -> String)

  /// The name of a property's field.
  func fieldName(of key: any CodingKey) -> String {
    switch self {
    case .useDefaultKeys: key.stringValue
    case .custom(let name): name(key)
    }
  }

  /// The coding key of a field, for types that ask for all keys; nil if there is none, or the
  /// field's name does not determine it.
  func key<Key: CodingKey>(ofField name: String, as type: Key.Type = Key.self) -> Key? {
    Key(stringValue: name).flatMap { fieldName(of: $0).utf8.elementsEqual(name.utf8) ? $0 : nil }
  }
}

/// The name of a field.
struct FieldKey: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }

  init(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }
}

/// The position in a list.
struct ElementKey: CodingKey {
  let intValue: Int?
  var stringValue: String { intValue.map { "\($0)" } ?? "" }

  init(intValue: Int) { self.intValue = intValue }
  init?(stringValue: String) { nil }
}

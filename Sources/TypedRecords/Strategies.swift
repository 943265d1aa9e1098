import Foundation

/// The names of the fields of a type's properties.
public enum KeyStrategy: Sendable {
  /// The name of a coding key is the name of the field.
  case useDefaultKeys
  /// `sentAt` is the field `sent_at`, and `photoURL` is `photo_url`.
  case convertToSnakeCase
  /// The closure returns the name of the field of a coding key. It must return different names for
  /// different keys.
  case custom(@Sendable (any CodingKey) -> String)
}

/// What happens to properties that no field can hold: structs, dictionaries, enums with payloads,
/// and lists of these.
public enum NestedValueStrategy: Sendable, Hashable, CaseIterable {
  /// They are an error. This is the default.
  case `throw`
  /// They are JSON in a `BYTES` field.
  case jsonBytes
  /// They are JSON in a `STRING` field.
  case jsonString
}

/// What happens to `Decimal` properties: CloudKit has no decimal numbers.
public enum DecimalStrategy: Sendable, Hashable, CaseIterable {
  /// They are an error. This is the default.
  case `throw`
  /// They are text in a `STRING` field: `"12.5"`.
  case string
}

/// What happens to fields that a type has no property for.
public enum UnknownFieldStrategy: Sendable, Hashable, CaseIterable {
  /// They are not read. This is the default.
  case ignore
  /// They are an error.
  case `throw`
}

/// Which properties are decoded from encrypted fields.
public enum EncryptedFieldStrategy: Sendable, Hashable, CaseIterable {
  /// Properties that are marked with ``Encrypted``, or listed, are decoded from encrypted fields, and
  /// all others from unencrypted ones. This is the default.
  case marked
  /// Every property is decoded from either kind of field.
  case any
}

extension KeyStrategy {
  /// The name of a property's field.
  func fieldName(of key: any CodingKey) -> String {
    switch self {
    case .useDefaultKeys: key.stringValue
    case .convertToSnakeCase: Self.snakeCase(key.stringValue)
    case .custom(let name): name(key)
    }
  }

  /// The coding key of a field, for types that ask for all keys; nil if there is none, or it cannot
  /// be told from the field's name.
  func key<Key: CodingKey>(ofField name: String, as type: Key.Type = Key.self) -> Key? {
    var candidates = [name]
    if case .convertToSnakeCase = self { candidates.insert(Self.camelCase(name), at: 0) }
    return candidates.lazy.compactMap(Key.init(stringValue:)).first {
      fieldName(of: $0).utf8.elementsEqual(name.utf8)
    }
  }

  /// As `JSONEncoder` converts: a new word begins at a capital after another letter, and at the last
  /// of several capitals if a small letter follows.
  private static func snakeCase(_ name: String) -> String {
    var result = ""
    let letters = Array(name)
    for (index, letter) in letters.enumerated() {
      if letter.isUppercase, index > 0, letters[index - 1] != "_" {
        let isAfterWord = !letters[index - 1].isUppercase
        let isBeforeWord = index + 1 < letters.count && letters[index + 1].isLowercase
        if isAfterWord || isBeforeWord { result += "_" }
      }
      result += letter.lowercased()
    }
    return result
  }

  private static func camelCase(_ name: String) -> String {
    let words = name.split(separator: "_", omittingEmptySubsequences: false)
    guard words.count > 1, !words.contains(where: \.isEmpty) else { return name }
    return words[0] + words.dropFirst().map(\.capitalized).joined()
  }
}

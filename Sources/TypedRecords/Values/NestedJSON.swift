import Foundation
import RecordModel

/// The form of nested JSON in a field.
enum JSONForm: Sendable {
  case bytes
  case string
}

/// Values with properties of their own, as JSON.
enum NestedJSON {
  /// Whether the JSON lies in a field that is not encrypted, so nothing in it may have to be.
  static let isPlainKey = CodingUserInfoKey(rawValue: "recordpack.plain-json")!

  static func decode<T: Decodable>(
    _ type: T.Type, from data: Data, userInfo: [CodingUserInfoKey: any Sendable]
  ) throws -> T {
    let decoder = JSONDecoder()
    for (key, value) in userInfo { decoder.userInfo[key] = value }
    return try decoder.decode(type, from: data)
  }

  /// Returns the JSON of a value, with sorted members.
  static func encode<T: Encodable>(
    _ value: T, isEncrypted: Bool, userInfo: [CodingUserInfoKey: any Sendable]
  ) throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    for (key, value) in userInfo { encoder.userInfo[key] = value }
    if !isEncrypted { encoder.userInfo[isPlainKey] = true }
    return try encoder.encode(value)
  }

  static func value(_ json: Data, as form: JSONForm) -> RecordValue {
    switch form {
    case .bytes: .bytes(json)
    case .string: .string(String(decoding: json, as: UTF8.self))
    }
  }
}

extension RecordValue {
  /// The bytes of a value that can be JSON.
  var jsonText: Data? {
    switch self {
    case .bytes(let data): data
    case .string(let text): Data(text.utf8)
    default: nil
    }
  }

  /// The form of JSON in a field of this type.
  var jsonForm: JSONForm? {
    switch self {
    case .bytes: .bytes
    case .string: .string
    default: nil
    }
  }
}

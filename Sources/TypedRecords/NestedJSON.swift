import Foundation
import RecordModel

/// Values with properties of their own, as JSON.
enum NestedJSON {
  /// Whether the JSON is in a field that is not encrypted, so nothing in it may have to be.
  static let isPlainKey = CodingUserInfoKey(rawValue: "recordpack.plain-json")!

  /// The properties that can hold a value with properties, for errors.
  static let advice = "a type that one field holds, or @JSONBytes or @JSONString"

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
}

/// An encrypted property in JSON that would be written to a field that is not encrypted.
struct EncryptedInPlainJSON: Error {
  let path: String
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
}

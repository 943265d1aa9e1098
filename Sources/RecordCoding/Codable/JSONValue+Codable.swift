import Foundation
import RecordModel

/// JSON encoded and decoded by any encoder and decoder; the `Codable` conformances of the model's
/// types use it.
///
/// Values are preserved, but not the order of unknown members and the text of their numbers
/// (`1.50`), which are up to the encoder. Numbers of more than 38 digits become the nearest double.
/// Of what the model writes, this affects only dates within 10^-13 seconds of the start of 2001,
/// and a date of -0.0 becomes 0. The text `$null`, which is null in a property list, is written
/// with one more `$` there.
extension JSONValue: Codable {
  package func encode(to encoder: any Encoder) throws {
    switch content {
    case .object(let members):
      try Self.encode(members, to: encoder)
    case .array(let elements):
      var container = encoder.unkeyedContainer()
      for element in elements { try container.encode(element) }
    case .null:
      var container = encoder.singleValueContainer()
      try container.encodeNil()
    case .bool(let value):
      var container = encoder.singleValueContainer()
      try container.encode(value)
    case .string(let text):
      var container = encoder.singleValueContainer()
      let isMark = text.isMarkedNull && Self.isForPropertyLists(encoder)
      try container.encode(isMark ? "$" + text : text)
    case .number(let text):
      try CodableNumber(text).encode(to: encoder)
    }
  }

  private static func encode(_ members: [Member], to encoder: any Encoder) throws {
    var dictionary: [String: JSONValue] = [:]
    for member in members {
      guard dictionary.updateValue(member.value, forKey: member.name) == nil else {
        throw RecordCodingError(
          found: "canonically equivalent names", expected: "distinct names"
        ).inside(member: member.name)
      }
    }
    if appliesKeyStrategies(encoder) {
      var container = encoder.singleValueContainer()
      return try container.encode(dictionary)
    }
    var container = encoder.container(keyedBy: MemberKey.self)
    for member in members {
      try container.encode(member.value, forKey: MemberKey(stringValue: member.name))
    }
  }

  /// Whether an encoder or decoder is one for property lists, whose null is the text `$null`.
  private static func isForPropertyLists(_ coder: Any) -> Bool {
    _typeName(type(of: coder)).contains("Plist")
  }

  /// Whether the encoder may transform keys: Foundation's `JSONEncoder` with a
  /// `keyEncodingStrategy`.
  ///
  /// It does not transform the keys of dictionaries, and field names must not become snake case.
  /// Other encoders encode the members one by one, in canonical order.
  private static func appliesKeyStrategies(_ encoder: any Encoder) -> Bool {
    _typeName(type(of: encoder)).contains("JSON")
  }

  package init(from decoder: any Decoder) throws {
    guard decoder.codingPath.count <= JSONParser.Limits().depth else {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(
          codingPath: decoder.codingPath, debugDescription: "JSON is nested too deeply"))
    }
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self.init(.null)
    } else if let text = try? container.decode(String.self) {
      let isMark = text.isMarkedNull && Self.isForPropertyLists(decoder)
      self.init(.string(isMark ? String(text.dropFirst()) : text))
    } else if let flag = try? container.decode(Bool.self) {
      self.init(.bool(flag))
    } else if let number = CodableNumber(container) {
      self.init(.number(number.text))
    } else if var elements = try? decoder.unkeyedContainer() {
      var array: [JSONValue] = []
      while !elements.isAtEnd { array.append(try elements.decode(JSONValue.self)) }
      self.init(.array(array))
    } else {
      let members = try container.decode([String: JSONValue].self)
      self.init(
        .object(
          members.map { Member($0.key, $0.value) }.sorted { compareUTF8($0.name, $1.name) < 0 }))
    }
  }

  private struct MemberKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }

    init?(intValue: Int) { nil }
  }
}

extension String {
  /// Whether the text is `$null`, `$$null` and so on.
  ///
  /// A property list has `$null` for null only, so that the first mark of a text is one more.
  fileprivate var isMarkedNull: Bool {
    guard utf8.last == UInt8(ascii: "l"), hasSuffix("$null") else { return false }
    return utf8.dropLast(4).allSatisfy { $0 == UInt8(ascii: "$") }
  }
}

import Foundation
import RecordModel

/// JSON encoded and decoded by any encoder and decoder, in the same form; the `Codable` conformances
/// of the model's types use it.
///
/// Values are preserved, but not the order of members and the text of unknown numbers (`1.50`), which
/// are up to the encoder. Numbers of more than 38 digits become the nearest double. Of the model's own
/// values, this affects only dates within 10^-13 seconds of the start of 2001, and a date of -0.0
/// becomes 0. A property list reads the text `$null` as null.
extension JSONValue: Codable {
  package func encode(to encoder: any Encoder) throws {
    switch content {
    case .array(let elements):
      var container = encoder.unkeyedContainer()
      for element in elements { try container.encode(element) }
    case .number(let text): try CodableNumber(text).encode(to: encoder)
    default:
      var container = encoder.singleValueContainer()
      switch content {
      case .bool(let value): try container.encode(value)
      case .string(let text): try container.encode(text)
      case .object(let members): try container.encode(Self.dictionary(members))
      default: try container.encodeNil()
      }
    }
  }

  /// Returns the members as a dictionary: encoders with a strategy for keys apply it to properties
  /// only, and field names must not become snake case.
  private static func dictionary(_ members: [Member]) throws -> [String: JSONValue] {
    var dictionary: [String: JSONValue] = [:]
    for member in members {
      guard dictionary.updateValue(member.value, forKey: member.name) == nil else {
        throw RecordCodingError(
          found: "canonically equivalent names", expected: "distinct names"
        ).inside(member: member.name)
      }
    }
    return dictionary
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
      self.init(.string(text))
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
}

/// The text of a JSON number, encoded and decoded as a number type.
private struct CodableNumber {
  let text: String

  init(_ text: String) { self.text = text }

  /// Decodes a number; nil if there is none.
  ///
  /// Tries `Decimal` first: dates of sub-millisecond precision have more digits than a double, and
  /// Foundation decodes any number as an integer that is integral as a double.
  init?(_ container: any SingleValueDecodingContainer) {
    let double = try? container.decode(Double.self)
    if let decimal = try? container.decode(Decimal.self), decimal.isFinite,
      Self.agree(decimal, double)
    {
      text = decimal.description
    } else if let double, (double == 0 && double.sign == .minus) || double != double.rounded(),
      let number = CanonicalNumber.text(of: double)
    {
      text = number
    } else if let integer = try? container.decode(Int64.self) {
      text = String(integer)
    } else if let double, let number = CanonicalNumber.text(of: double) {
      text = number
    } else {
      return nil
    }
  }

  /// Whether a decimal is as precise as the double; it is not for tiny numbers and -0.
  private static func agree(_ decimal: Decimal, _ double: Double?) -> Bool {
    guard let double else { return true }
    return Double(decimal.description)?.bitPattern == double.bitPattern
  }

  /// Encodes the number as the smallest type that represents it exactly, otherwise as the nearest
  /// double.
  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    if let integer = Int64(text), text != "-0" { return try container.encode(integer) }
    let double = CanonicalNumber.double(from: text)
    if let double, CanonicalNumber.text(of: double) == text { return try container.encode(double) }
    if let decimal = exactDecimal { return try container.encode(decimal) }
    guard let double else {
      throw RecordCodingError(
        found: "a number out of range",
        expected: "a number within the range of a double")
    }
    try container.encode(double)
  }

  /// The number as a `Decimal`, if exact: up to 38 digits, exponents of -128 to 127.
  private var exactDecimal: Decimal? {
    guard let parts = DecimalText(number: text), !(parts.digits.isEmpty && parts.isNegative),
      parts.digits.count <= 38, -128...127 ~= -parts.scale
    else { return nil }
    return Decimal(string: text)
  }
}

/// A type of the model, encoded as the JSON that bundles contain, by any encoder.
///
/// Only types of RecordPack conform to it. The JSON of each is in the documentation of its
/// conformance, and in the format's page of `RecordBundle`.
public protocol ModelCodable: Codable {}

extension ModelCodable {
  /// Decodes the value from its JSON.
  public init(from decoder: any Decoder) throws {
    guard let type = Self.self as? any JSONConvertible.Type else { throw notConvertible }
    do {
      let value = try type.init(json: JSONValue(from: decoder))
      guard let value = value as? Self else { throw notConvertible }
      self = value
    } catch let error as RecordCodingError {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(
          codingPath: decoder.codingPath, debugDescription: error.description,
          underlyingError: error))
    }
  }

  /// Encodes the value as its JSON.
  ///
  /// - Throws: ``RecordCodingError`` for what JSON cannot represent, such as an asset that is not
  ///   yet saved. An `EncodingError` would contain the value, which could put an encrypted one into
  ///   logs.
  public func encode(to encoder: any Encoder) throws {
    guard let value = self as? any JSONConvertible else { throw notConvertible }
    try value.jsonValue().encode(to: encoder)
  }
}

private var notConvertible: RecordCodingError {
  RecordCodingError(found: "a type of another module", expected: "a type of RecordPack")
}

/// `{"zoneName":…,"ownerRecordName":…}`
extension ZoneID: ModelCodable {}

/// `{"recordName":…,"zoneID":…}`
extension RecordID: ModelCodable {}

/// `{"zoneID":…,"capabilities":[…],"share":…}`
extension RecordZone: ModelCodable {}

/// The record dictionary of a bundle.
extension ResultRecord: ModelCodable {}

/// A record dictionary with `changedKeys`, the `base` record and the content of assets: data as
/// base64, a file as its URL, which is read when the draft is saved.
extension DraftRecord: ModelCodable {}

/// A record dictionary without fields.
extension SystemFields: ModelCodable {}

/// `{"timestamp":…,"userRecordName":…,"deviceID":…}`
extension RecordStamp: ModelCodable {}

/// `{"zoneID":…,"recordName":…,"recordType":…,"deleted":…}`
extension DeletedRecord: ModelCodable {}

/// The members that only shares have.
extension Share: ModelCodable {}

/// A participant in Web Services' format.
extension ShareParticipant: ModelCodable {}

/// A user identity in Web Services' format.
extension UserIdentity: ModelCodable {}

/// A subscription in Web Services' format.
extension CloudSubscription: ModelCodable {}

/// Notification info in Web Services' format.
extension NotificationInfo: ModelCodable {}

/// `{"recordType":…,"filterBy":[…],"sortBy":[…]}`
extension RecordQuery: ModelCodable {}

/// `{"comparator":…,"fieldName":…,"fieldValue":…}`
extension QueryFilter: ModelCodable {}

/// `{"fieldName":…,"ascending":…}`
extension QuerySort: ModelCodable {}

/// `{"type":…,"value":…}`, as in a field.
extension RecordValue: ModelCodable {}

/// `{"name":…,"type":…,"isEncrypted":…,"value":…}`
extension Field: ModelCodable {}

/// `{"recordName":…,"zoneID":…,"action":…}`, without `zoneID` for the default zone.
extension Reference: ModelCodable {}

/// `{"latitude":…,"longitude":…}` and the optional members.
extension Location: ModelCodable {}

/// The members of a saved asset; encoding content that is not yet saved throws an error.
extension Asset: ModelCodable {}

import RecordModel

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

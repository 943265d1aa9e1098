import RecordModel

extension ResultRecord: Codable {
  /// Decodes the record dictionary of a bundle.
  public init(from decoder: any Decoder) throws {
    self = try decoder.decodeModel()
  }

  /// Encodes the record dictionary of a bundle.
  public func encode(to encoder: any Encoder) throws {
    try encoder.encodeModel(self)
  }
}

extension DraftRecord: Codable {
  /// Decodes a record dictionary with `changedKeys`, the `base` record and the content of assets.
  public init(from decoder: any Decoder) throws {
    self = try decoder.decodeModel()
  }

  /// Encodes a record dictionary with `changedKeys`, the `base` record and the content of assets:
  /// data as base64, a file as its URL, which is read when the draft is saved.
  public func encode(to encoder: any Encoder) throws {
    try encoder.encodeModel(self)
  }
}

extension SystemFields: Codable {
  /// Decodes a record dictionary without fields.
  public init(from decoder: any Decoder) throws {
    self = try decoder.decodeModel()
  }

  /// Encodes a record dictionary without fields.
  public func encode(to encoder: any Encoder) throws {
    try encoder.encodeModel(self)
  }
}

extension RecordStamp: Codable {
  /// Decodes `{"timestamp":…,"userRecordName":…,"deviceID":…}`.
  public init(from decoder: any Decoder) throws {
    self = try decoder.decodeModel()
  }

  /// Encodes `{"timestamp":…,"userRecordName":…,"deviceID":…}`.
  public func encode(to encoder: any Encoder) throws {
    try encoder.encodeModel(self)
  }
}

extension Tombstone: Codable {
  /// Decodes `{"zoneID":…,"recordName":…,"recordType":…,"deleted":…}`.
  public init(from decoder: any Decoder) throws {
    self = try decoder.decodeModel()
  }

  /// Encodes `{"zoneID":…,"recordName":…,"recordType":…,"deleted":…}`.
  public func encode(to encoder: any Encoder) throws {
    try encoder.encodeModel(self)
  }
}

import RecordModel

extension ResultRecord: Codable {
  /// Reads the record dictionary of a bundle.
  public init(from decoder: any Decoder) throws {
    self = try decoder.decodeModel()
  }

  /// Writes the record dictionary of a bundle.
  public func encode(to encoder: any Encoder) throws {
    try encoder.encodeModel(self)
  }
}

extension DraftRecord: Codable {
  /// Reads the record dictionary, with `changedKeys`, the `base` record and the content of assets.
  public init(from decoder: any Decoder) throws {
    self = try decoder.decodeModel()
  }

  /// Writes the record dictionary, with `changedKeys`, the `base` record and the content of assets:
  /// data as base64, a file by its URL, to be read when the draft is saved.
  public func encode(to encoder: any Encoder) throws {
    try encoder.encodeModel(self)
  }
}

extension SystemFields: Codable {
  /// Reads the record dictionary without its fields.
  public init(from decoder: any Decoder) throws {
    self = try decoder.decodeModel()
  }

  /// Writes the record dictionary without its fields.
  public func encode(to encoder: any Encoder) throws {
    try encoder.encodeModel(self)
  }
}

extension RecordStamp: Codable {
  /// Reads `{"timestamp":…,"userRecordName":…,"deviceID":…}`.
  public init(from decoder: any Decoder) throws {
    self = try decoder.decodeModel()
  }

  /// Writes `{"timestamp":…,"userRecordName":…,"deviceID":…}`.
  public func encode(to encoder: any Encoder) throws {
    try encoder.encodeModel(self)
  }
}

extension Tombstone: Codable {
  /// Reads `{"zoneID":…,"recordName":…,"recordType":…,"deleted":…}`.
  public init(from decoder: any Decoder) throws {
    self = try decoder.decodeModel()
  }

  /// Writes `{"zoneID":…,"recordName":…,"recordType":…,"deleted":…}`.
  public func encode(to encoder: any Encoder) throws {
    try encoder.encodeModel(self)
  }
}

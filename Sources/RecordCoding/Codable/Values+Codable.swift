import RecordModel

extension RecordValue: Codable {
  /// Decodes `{"type":…,"value":…}`, as in a field.
  public init(from decoder: any Decoder) throws {
    self = try decoder.decodeModel()
  }

  /// Encodes `{"type":…,"value":…}`, as in a field.
  public func encode(to encoder: any Encoder) throws {
    try encoder.encodeModel(self)
  }
}

extension Field: Codable {
  /// Decodes `{"name":…,"type":…,"isEncrypted":…,"value":…}`.
  public init(from decoder: any Decoder) throws {
    self = try decoder.decodeModel()
  }

  /// Encodes `{"name":…,"type":…,"isEncrypted":…,"value":…}`.
  public func encode(to encoder: any Encoder) throws {
    try encoder.encodeModel(self)
  }
}

extension Reference: Codable {
  /// Decodes `{"recordName":…,"zoneID":…,"action":…}`, without `zoneID` for the default zone.
  public init(from decoder: any Decoder) throws {
    self = try decoder.decodeModel()
  }

  /// Encodes `{"recordName":…,"zoneID":…,"action":…}`, without `zoneID` for the default zone.
  public func encode(to encoder: any Encoder) throws {
    try encoder.encodeModel(self)
  }
}

extension Location: Codable {
  /// Decodes `{"latitude":…,"longitude":…}` and the optional members.
  public init(from decoder: any Decoder) throws {
    self = try decoder.decodeModel()
  }

  /// Encodes `{"latitude":…,"longitude":…}` and the optional members.
  public func encode(to encoder: any Encoder) throws {
    try encoder.encodeModel(self)
  }
}

extension Asset: Codable {
  /// Decodes the members of a saved asset.
  public init(from decoder: any Decoder) throws {
    self = try decoder.decodeModel()
  }

  /// Encodes the members of a saved asset.
  ///
  /// - Throws: ``RecordCodingError`` for content that is not yet saved.
  public func encode(to encoder: any Encoder) throws {
    try encoder.encodeModel(self)
  }
}

import RecordModel

extension RecordValue: Codable {
  /// Reads `{"type":…,"value":…}`, as in a field.
  public init(from decoder: any Decoder) throws {
    self = try decoder.decodeModel()
  }

  /// Writes `{"type":…,"value":…}`, as in a field.
  public func encode(to encoder: any Encoder) throws {
    try encoder.encodeModel(self)
  }
}

extension Field: Codable {
  /// Reads `{"name":…,"type":…,"isEncrypted":…,"value":…}`.
  public init(from decoder: any Decoder) throws {
    self = try decoder.decodeModel()
  }

  /// Writes `{"name":…,"type":…,"isEncrypted":…,"value":…}`.
  public func encode(to encoder: any Encoder) throws {
    try encoder.encodeModel(self)
  }
}

extension Reference: Codable {
  /// Reads `{"recordName":…,"zoneID":…,"action":…}`, without `zoneID` for the default zone.
  public init(from decoder: any Decoder) throws {
    self = try decoder.decodeModel()
  }

  /// Writes `{"recordName":…,"zoneID":…,"action":…}`, without `zoneID` for the default zone.
  public func encode(to encoder: any Encoder) throws {
    try encoder.encodeModel(self)
  }
}

extension Location: Codable {
  /// Reads `{"latitude":…,"longitude":…}` and what else is known.
  public init(from decoder: any Decoder) throws {
    self = try decoder.decodeModel()
  }

  /// Writes `{"latitude":…,"longitude":…}` and what else is known.
  public func encode(to encoder: any Encoder) throws {
    try encoder.encodeModel(self)
  }
}

extension Asset: Codable {
  /// Reads the members that name the content; content that is not yet stored is left out.
  public init(from decoder: any Decoder) throws {
    self = try decoder.decodeModel()
  }

  /// Writes the members that name the content; content that is not yet stored is left out.
  public func encode(to encoder: any Encoder) throws {
    try encoder.encodeModel(self)
  }
}

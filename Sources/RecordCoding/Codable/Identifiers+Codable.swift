import RecordModel

extension ZoneID: Codable {
  /// Decodes `{"zoneName":…,"ownerRecordName":…}`.
  public init(from decoder: any Decoder) throws {
    self = try decoder.decodeModel()
  }

  /// Encodes `{"zoneName":…,"ownerRecordName":…}`.
  public func encode(to encoder: any Encoder) throws {
    try encoder.encodeModel(self)
  }
}

extension RecordID: Codable {
  /// Decodes `{"recordName":…,"zoneID":…}`.
  public init(from decoder: any Decoder) throws {
    self = try decoder.decodeModel()
  }

  /// Encodes `{"recordName":…,"zoneID":…}`.
  public func encode(to encoder: any Encoder) throws {
    try encoder.encodeModel(self)
  }
}

extension RecordZone: Codable {
  /// Decodes `{"zoneID":…,"capabilities":[…],"share":…}`.
  public init(from decoder: any Decoder) throws {
    self = try decoder.decodeModel()
  }

  /// Encodes `{"zoneID":…,"capabilities":[…],"share":…}`.
  public func encode(to encoder: any Encoder) throws {
    try encoder.encodeModel(self)
  }
}

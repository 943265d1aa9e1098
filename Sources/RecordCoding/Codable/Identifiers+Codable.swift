import RecordModel

extension ZoneID: Codable {
  /// Reads `{"zoneName":…,"ownerRecordName":…}`.
  public init(from decoder: any Decoder) throws {
    self = try decoder.decodeModel()
  }

  /// Writes `{"zoneName":…,"ownerRecordName":…}`.
  public func encode(to encoder: any Encoder) throws {
    try encoder.encodeModel(self)
  }
}

extension RecordID: Codable {
  /// Reads `{"recordName":…,"zoneID":…}`.
  public init(from decoder: any Decoder) throws {
    self = try decoder.decodeModel()
  }

  /// Writes `{"recordName":…,"zoneID":…}`.
  public func encode(to encoder: any Encoder) throws {
    try encoder.encodeModel(self)
  }
}

extension RecordZone: Codable {
  /// Reads `{"zoneID":…,"capabilities":[…],"share":…}`.
  public init(from decoder: any Decoder) throws {
    self = try decoder.decodeModel()
  }

  /// Writes `{"zoneID":…,"capabilities":[…],"share":…}`.
  public func encode(to encoder: any Encoder) throws {
    try encoder.encodeModel(self)
  }
}

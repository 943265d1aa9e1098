import RecordModel

extension Share: Codable {
  /// Reads the members that a share has beside those of every record.
  public init(from decoder: any Decoder) throws {
    self = try decoder.decodeModel()
  }

  /// Writes the members that a share has beside those of every record.
  public func encode(to encoder: any Encoder) throws {
    try encoder.encodeModel(self)
  }
}

extension ShareParticipant: Codable {
  /// Reads a participant as Web Services describe it.
  public init(from decoder: any Decoder) throws {
    self = try decoder.decodeModel()
  }

  /// Writes a participant as Web Services describe it.
  public func encode(to encoder: any Encoder) throws {
    try encoder.encodeModel(self)
  }
}

extension UserIdentity: Codable {
  /// Reads a user as Web Services describe it.
  public init(from decoder: any Decoder) throws {
    self = try decoder.decodeModel()
  }

  /// Writes a user as Web Services describe it.
  public func encode(to encoder: any Encoder) throws {
    try encoder.encodeModel(self)
  }
}

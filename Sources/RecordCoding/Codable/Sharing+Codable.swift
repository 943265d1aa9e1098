import RecordModel

extension Share: Codable {
  /// Decodes the members that only shares have.
  public init(from decoder: any Decoder) throws {
    self = try decoder.decodeModel()
  }

  /// Encodes the members that only shares have.
  public func encode(to encoder: any Encoder) throws {
    try encoder.encodeModel(self)
  }
}

extension ShareParticipant: Codable {
  /// Decodes a participant in Web Services' format.
  public init(from decoder: any Decoder) throws {
    self = try decoder.decodeModel()
  }

  /// Encodes a participant in Web Services' format.
  public func encode(to encoder: any Encoder) throws {
    try encoder.encodeModel(self)
  }
}

extension UserIdentity: Codable {
  /// Decodes a user identity in Web Services' format.
  public init(from decoder: any Decoder) throws {
    self = try decoder.decodeModel()
  }

  /// Encodes a user identity in Web Services' format.
  public func encode(to encoder: any Encoder) throws {
    try encoder.encodeModel(self)
  }
}

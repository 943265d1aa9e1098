import RecordModel

extension Subscription: Codable {
  /// Reads a subscription as Web Services describe it.
  public init(from decoder: any Decoder) throws {
    self = try decoder.decodeModel()
  }

  /// Writes a subscription as Web Services describe it.
  public func encode(to encoder: any Encoder) throws {
    try encoder.encodeModel(self)
  }
}

extension NotificationInfo: Codable {
  /// Reads how notifications look, as Web Services describe it.
  public init(from decoder: any Decoder) throws {
    self = try decoder.decodeModel()
  }

  /// Writes how notifications look, as Web Services describe it.
  public func encode(to encoder: any Encoder) throws {
    try encoder.encodeModel(self)
  }
}

extension Query: Codable {
  /// Reads `{"recordType":…,"filterBy":[…],"sortBy":[…]}`.
  public init(from decoder: any Decoder) throws {
    self = try decoder.decodeModel()
  }

  /// Writes `{"recordType":…,"filterBy":[…],"sortBy":[…]}`.
  public func encode(to encoder: any Encoder) throws {
    try encoder.encodeModel(self)
  }
}

extension QueryFilter: Codable {
  /// Reads `{"comparator":…,"fieldName":…,"fieldValue":…}`.
  public init(from decoder: any Decoder) throws {
    self = try decoder.decodeModel()
  }

  /// Writes `{"comparator":…,"fieldName":…,"fieldValue":…}`.
  public func encode(to encoder: any Encoder) throws {
    try encoder.encodeModel(self)
  }
}

extension QuerySort: Codable {
  /// Reads `{"fieldName":…,"ascending":…}`.
  public init(from decoder: any Decoder) throws {
    self = try decoder.decodeModel()
  }

  /// Writes `{"fieldName":…,"ascending":…}`.
  public func encode(to encoder: any Encoder) throws {
    try encoder.encodeModel(self)
  }
}

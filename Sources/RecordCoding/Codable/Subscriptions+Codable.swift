import RecordModel

extension Subscription: Codable {
  /// Decodes a subscription in Web Services' format.
  public init(from decoder: any Decoder) throws {
    self = try decoder.decodeModel()
  }

  /// Encodes a subscription in Web Services' format.
  public func encode(to encoder: any Encoder) throws {
    try encoder.encodeModel(self)
  }
}

extension NotificationInfo: Codable {
  /// Decodes notification info in Web Services' format.
  public init(from decoder: any Decoder) throws {
    self = try decoder.decodeModel()
  }

  /// Encodes notification info in Web Services' format.
  public func encode(to encoder: any Encoder) throws {
    try encoder.encodeModel(self)
  }
}

extension Query: Codable {
  /// Decodes `{"recordType":…,"filterBy":[…],"sortBy":[…]}`.
  public init(from decoder: any Decoder) throws {
    self = try decoder.decodeModel()
  }

  /// Encodes `{"recordType":…,"filterBy":[…],"sortBy":[…]}`.
  public func encode(to encoder: any Encoder) throws {
    try encoder.encodeModel(self)
  }
}

extension QueryFilter: Codable {
  /// Decodes `{"comparator":…,"fieldName":…,"fieldValue":…}`.
  public init(from decoder: any Decoder) throws {
    self = try decoder.decodeModel()
  }

  /// Encodes `{"comparator":…,"fieldName":…,"fieldValue":…}`.
  public func encode(to encoder: any Encoder) throws {
    try encoder.encodeModel(self)
  }
}

extension QuerySort: Codable {
  /// Decodes `{"fieldName":…,"ascending":…}`.
  public init(from decoder: any Decoder) throws {
    self = try decoder.decodeModel()
  }

  /// Encodes `{"fieldName":…,"ascending":…}`.
  public func encode(to encoder: any Encoder) throws {
    try encoder.encodeModel(self)
  }
}

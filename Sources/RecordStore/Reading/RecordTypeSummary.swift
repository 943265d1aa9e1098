import RecordModel

/// The number and size of the records of one type in a zone.
public struct RecordTypeSummary: Sendable, Hashable {
  /// The ID of the zone.
  public let zoneID: ZoneID
  /// The record type.
  public let recordType: String
  /// The number of records.
  public let recordCount: Int
  /// The size of the records' canonical JSON in bytes, without assets.
  public let byteCount: Int64
}

/// An asset that a record of a container refers to.
public struct StoredAsset: Sendable, Hashable {
  /// SHA-256 of the content, 64 lowercase hexadecimal digits.
  public let sha256: String
  /// The size of the content in bytes; nil if the content was never stored.
  public let size: Int64?
}

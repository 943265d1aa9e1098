import RecordModel

/// How many records of one type a zone holds.
public struct RecordTypeSummary: Sendable, Hashable {
  /// The zone.
  public let zoneID: ZoneID
  /// The record type.
  public let recordType: String
  /// The number of records.
  public let recordCount: Int
  /// The size of their canonical JSON in bytes, without their assets.
  public let byteCount: Int64
}

/// An asset that a container knows of.
public struct StoredAsset: Sendable, Hashable {
  /// SHA-256 of the content, 64 lower-case hexadecimal digits.
  public let sha256: String
  /// The size of the content in bytes; nil where records name the asset, but its content was never
  /// stored.
  public let size: Int64?
}

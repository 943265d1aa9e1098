import RecordBundle

/// What a generation made.
public struct GenerationReport: Sendable {
  /// The number of records of each type; shares have the type `cloudkit.share`.
  public var counts: [String: Int]
  /// The number of files that the records have.
  public var assets: Int
  /// The bundle.
  public var bundle: BundleSummary

  /// The number of all records.
  public var records: Int { bundle.records }
  /// The content hash of the bundle: the same for the same schema, recipe and seed.
  public var contentHash: String { bundle.contentHash }
}

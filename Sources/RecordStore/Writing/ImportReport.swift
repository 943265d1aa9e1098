/// The counts of an import.
public struct ImportReport: Sendable, Hashable {
  /// The number of new records.
  public var added = 0
  /// The number of records that replaced another.
  public var replaced = 0
  /// The number of records that were skipped because the existing one was kept.
  public var kept = 0
  /// The number of records that existed already, or occurred twice, with equal bytes.
  public var identical = 0
  /// The number of new zones.
  public var zones = 0
  /// The number of imported subscriptions.
  public var subscriptions = 0
  /// The number of new or changed tombstones.
  public var tombstones = 0
  /// The number of tombstones that were skipped because the record or zone exists.
  public var supersededTombstones = 0
  /// The number of records that a deletion removed: existing ones under
  /// a policy that replaces, and ones from earlier in the same responses. The records
  /// of a deleted zone count individually.
  public var deleted = 0
  /// The number of assets whose bytes were new and that a record refers to.
  public var assets = 0
  /// The number of newly referenced assets without stored bytes.
  public var missingAssets = 0
  /// The number of damaged rows that were removed, as no source has them: records, deletions, zones,
  /// subscriptions, and what the feeds of shared databases know.
  public var unreadable = 0

  /// Creates counts of zero.
  public init() {}

  /// The number of records in the sources.
  public var records: Int { added + replaced + kept + identical }
}

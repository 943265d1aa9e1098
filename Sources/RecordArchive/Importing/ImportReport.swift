/// What an import has done.
public struct ImportReport: Sendable, Hashable {
  /// Records that were not there before.
  public var added = 0
  /// Records that took the place of another.
  public var replaced = 0
  /// Records that were left out, because the one that was there was kept.
  public var kept = 0
  /// Records that were there already, or came twice, the same to the last byte.
  public var identical = 0
  /// Zones that were not there before.
  public var zones = 0
  /// Subscriptions that were taken in.
  public var subscriptions = 0
  /// Traces of deleted records and zones that were not there before, or said something else.
  public var tombstones = 0
  /// Traces of deletions that were left out, because the record or zone is there.
  public var supersededTombstones = 0
  /// Records that a deletion took away: one that was there before, under
  /// ``Archiver/ConflictPolicy/replace``, or one that came earlier in the same responses. Those of
  /// a deleted zone count one by one.
  public var deleted = 0
  /// Assets whose bytes were not there before, and that a record refers to.
  public var assets = 0
  /// Assets that a record refers to since, and whose bytes are missing.
  public var missingAssets = 0
  /// For responses: errors among the results, which hold no record, and what could not be read.
  public var errorItems: [String] = []

  /// Records that came.
  public var records: Int { added + replaced + kept + identical }
}

import RecordModel

/// Two different records with the same ID that an import meets.
///
/// The payloads are valid during the call of the conflict handler.
public struct ImportConflict {
  /// The database.
  public let scope: DatabaseScope
  /// The ID of both records.
  public let recordID: RecordID
  /// The type of the existing record.
  public let existingType: String
  /// The type of the incoming record.
  public let incomingType: String
  /// The canonical JSON of the existing record.
  package let existing: UnsafeRawBufferPointer
  /// The canonical JSON of the incoming record.
  package let incoming: UnsafeRawBufferPointer

  /// The resolution of a conflict.
  public enum Resolution: Sendable, Hashable {
    /// Keep the existing record.
    case keepExisting
    /// Replace the existing record with the incoming one.
    case replace
  }

  /// The error of an import without another resolution.
  public var error: ContainerStoreError {
    .duplicateRecord(recordID, existingType: existingType, incomingType: incomingType)
  }
}

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

  /// Creates counts of zero.
  public init() {}

  /// The number of records in the sources.
  public var records: Int { added + replaced + kept + identical }
}

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
  public var error: MockContainerError {
    .duplicateRecord(recordID, existingType: existingType, incomingType: incomingType)
  }
}

/// The numbers of changes of an import.
public struct ImportCounts: Sendable, Hashable {
  /// The number of new records.
  public var added = 0
  /// The number of records that replaced another.
  public var replaced = 0
  /// The number of records left out because the existing one was kept.
  public var kept = 0
  /// The number of records that are identical to the existing one.
  public var identical = 0
  /// The number of tombstones of records and zones that are new or different.
  public var tombstones = 0
  /// The number of assets with new content that a record refers to at the end.
  public var assets = 0
  /// The number of assets that a record newly refers to and whose content is missing.
  public var missingAssets = 0

  /// Creates counts of zero.
  public init() {}
}

import RecordModel

/// Two different records of one identity, met while a container is filled.
///
/// The payloads are valid during the call that hands the conflict out.
public struct ImportConflict {
  /// The database.
  public let scope: DatabaseScope
  /// The identity both have.
  public let recordID: RecordID
  /// The type of the record that is there.
  public let existingType: String
  /// The type of the record that comes.
  public let incomingType: String
  /// The canonical JSON of the record that is there.
  package let existing: UnsafeRawBufferPointer
  /// The canonical JSON of the record that comes.
  package let incoming: UnsafeRawBufferPointer

  /// What is done about a conflict.
  public enum Resolution: Sendable, Hashable {
    /// The record that is there stays.
    case keepExisting
    /// The record that comes takes its place.
    case replace
  }

  /// What an import says of two records where nothing else was asked for.
  public var error: MockContainerError {
    .duplicateRecord(recordID, existingType: existingType, incomingType: incomingType)
  }
}

/// What an import has done.
public struct ImportCounts: Sendable, Hashable {
  /// Records that were not there before.
  public var added = 0
  /// Records that took the place of another.
  public var replaced = 0
  /// Records that were left out, because the one that was there was kept.
  public var kept = 0
  /// Records that were there already, the same to the last byte.
  public var identical = 0
  /// Traces of deleted records and zones that were not there before, or said something else.
  public var tombstones = 0
  /// Assets whose content was not there before, and that a record refers to at the end.
  public var assets = 0
  /// Assets that a record refers to since, and whose content is missing.
  public var missingAssets = 0

  /// Makes counts of nothing.
  public init() {}
}

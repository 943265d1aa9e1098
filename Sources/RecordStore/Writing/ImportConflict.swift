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

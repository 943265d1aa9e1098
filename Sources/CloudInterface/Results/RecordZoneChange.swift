import RecordModel

/// Changes of a zone (`CKDatabase.RecordZoneChange`).
public enum RecordZoneChange {
  /// A record that is new or has changed.
  public struct Modification: Sendable, Hashable {
    /// The record as it is now.
    public var record: ResultRecord

    /// Creates a modification.
    public init(record: ResultRecord) { self.record = record }
  }

  /// A record that was deleted.
  public struct Deletion: Sendable, Hashable {
    /// The identity of the record.
    public var recordID: RecordID
    /// The type of the record; empty if the server does not know it.
    public var recordType: String

    /// Creates a deletion.
    public init(recordID: RecordID, recordType: String) {
      self.recordID = recordID
      self.recordType = recordType
    }
  }
}

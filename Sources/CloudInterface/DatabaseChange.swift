import RecordModel

import struct Foundation.Data

/// Changes of a database (`CKDatabase.DatabaseChange`).
public enum DatabaseChange {
  /// A zone that is new, or whose records have changed.
  public struct Modification: Sendable, Hashable {
    /// The zone.
    public var zoneID: ZoneID

    /// Creates a modification.
    public init(zoneID: ZoneID) { self.zoneID = zoneID }
  }

  /// A zone that is gone (`CKDatabase.DatabaseChange.Deletion`).
  public typealias Deletion = DeletedZone
}

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

/// A point in the history of a database or zone (`CKServerChangeToken`).
///
/// Fetching changes since a token returns what has changed after it. Only the database that made a
/// token can read it.
public struct ServerChangeToken: Sendable, Hashable, Codable {
  /// The content, for storage.
  public let data: Data

  /// Creates a token from stored content.
  public init(data: Data) { self.data = data }
}

/// The place where the next results of a query begin (`CKQueryOperation.Cursor`).
///
/// Only the database that made a cursor can read it, and only for some time.
public struct QueryCursor: Sendable, Hashable, Codable {
  /// The content, for storage.
  public let data: Data

  /// Creates a cursor from stored content.
  public init(data: Data) { self.data = data }
}

import struct Foundation.Date

/// A part of a container or bundle.
public struct RecordFilter: Sendable, Hashable {
  /// The databases; nil for all.
  public var databases: Set<DatabaseScope>?
  /// The zones; nil for all.
  public var zoneIDs: Set<ZoneID>?
  /// The record types; nil for all.
  public var recordTypes: Set<String>?
  /// Only records modified at this time or later; nil for all. A record whose modification date is
  /// unknown passes: better one too many in an archive than one lost.
  public var modifiedSince: Date?

  /// Everything.
  public static let all = RecordFilter()

  /// Makes a filter; nil lets everything pass.
  public init(
    databases: Set<DatabaseScope>? = nil, zoneIDs: Set<ZoneID>? = nil,
    recordTypes: Set<String>? = nil, modifiedSince: Date? = nil
  ) {
    self.databases = databases
    self.zoneIDs = zoneIDs
    self.recordTypes = recordTypes
    self.modifiedSince = modifiedSince
  }

  /// Whether a zone, and what lies in it, passes.
  public func contains(database: DatabaseScope, zoneID: ZoneID? = nil) -> Bool {
    databases?.contains(database) != false
      && (zoneID.map { zoneIDs?.contains($0) != false } ?? true)
  }

  /// Whether a record of that database, zone and type passes, its date aside.
  public func contains(database: DatabaseScope, zoneID: ZoneID, recordType: String) -> Bool {
    contains(database: database, zoneID: zoneID) && contains(recordType: recordType)
  }

  private func contains(recordType: String) -> Bool {
    recordTypes?.containsName(recordType) != false
  }

  /// Whether a record passes.
  public func contains(_ record: ResultRecord, database: DatabaseScope) -> Bool {
    guard
      contains(
        database: database, zoneID: record.recordID.zoneID, recordType: record.recordType)
    else { return false }
    return contains(modificationDate: record.modificationDate)
  }

  /// Whether the trace of a deleted record passes.
  ///
  /// Where the filter names record types, a tombstone whose type is unknown does not pass: nothing
  /// says that the deleted record was one of those asked for. Its time of deletion counts as the
  /// time of modification.
  public func contains(_ tombstone: Tombstone, database: DatabaseScope) -> Bool {
    guard contains(database: database, zoneID: tombstone.recordID.zoneID) else { return false }
    if recordTypes != nil {
      guard let type = tombstone.recordType, contains(recordType: type) else { return false }
    }
    return contains(modificationDate: tombstone.deletionDate)
  }

  /// Whether something modified then passes; nil is an unknown time.
  public func contains(modificationDate date: @autoclosure () -> Date?) -> Bool {
    guard let modifiedSince, let date = date() else { return true }
    return date >= modifiedSince
  }
}

import struct Foundation.Date

/// A part of a container or bundle: the one rule for what an export, an import, a migration, a
/// comparison or a listing takes.
///
/// | what | passes where |
/// |---|---|
/// | a record | its database, zone and type are among those asked for, and it was modified at ``modifiedSince`` or later |
/// | a zone | its database is, and it is itself |
/// | the trace of a deleted record | its database, zone and type are, and it was deleted then or later |
/// | the trace of a deleted zone | its database is, it is itself, and no types are asked for |
/// | a subscription | its database is, and its zone and type are as far as it names them |
///
/// A date that is unknown passes: better one record too many in an archive than one lost. A type
/// that is unknown does not: a part of some types must not carry deletions of others. Zones always
/// pass without regard to types, because records need the zone they lie in.
public struct RecordFilter: Sendable, Hashable {
  /// The databases; nil for all.
  public var databases: Set<DatabaseScope>?
  /// The zones; nil for all.
  public var zoneIDs: Set<ZoneID>?
  /// The record types; nil for all.
  public var recordTypes: NameSet?
  /// Only records modified, and traces of records deleted, at this time or later; nil for all.
  public var modifiedSince: Date?

  /// Everything.
  public static let all = RecordFilter()

  /// Creates a filter; nil lets everything pass.
  public init(
    databases: Set<DatabaseScope>? = nil, zoneIDs: Set<ZoneID>? = nil,
    recordTypes: NameSet? = nil, modifiedSince: Date? = nil
  ) {
    self.databases = databases
    self.zoneIDs = zoneIDs
    self.recordTypes = recordTypes
    self.modifiedSince = modifiedSince
  }

  /// Whether a zone passes; without a zone, whether the database does.
  public func contains(database: DatabaseScope, zoneID: ZoneID? = nil) -> Bool {
    databases?.contains(database) != false
      && (zoneID.map { zoneIDs?.contains($0) != false } ?? true)
  }

  /// Whether a record of that database, zone and type passes, its date aside.
  public func contains(database: DatabaseScope, zoneID: ZoneID, recordType: String) -> Bool {
    contains(database: database, zoneID: zoneID) && contains(recordType: recordType)
  }

  private func contains(recordType: String) -> Bool {
    recordTypes?.contains(recordType) != false
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
  public func contains(_ tombstone: Tombstone, database: DatabaseScope) -> Bool {
    guard contains(database: database, zoneID: tombstone.recordID.zoneID) else { return false }
    if recordTypes != nil {
      guard let type = tombstone.recordType, contains(recordType: type) else { return false }
    }
    return contains(modificationDate: tombstone.deletionDate)
  }

  /// Whether the trace of a deleted zone passes.
  public func contains(zoneTombstone zoneID: ZoneID, database: DatabaseScope) -> Bool {
    recordTypes == nil && contains(database: database, zoneID: zoneID)
  }

  /// Whether a subscription passes. One that watches all zones or all types passes every filter by
  /// zone or type: it watches these, too.
  public func contains(_ subscription: Subscription, database: DatabaseScope) -> Bool {
    switch subscription.kind {
    case .query(let query, let zoneID, _, _):
      contains(database: database, zoneID: zoneID) && contains(recordType: query.recordType)
    case .zone(let zoneID, let type):
      contains(database: database, zoneID: zoneID) && type.map(contains(recordType:)) != false
    case .database(let type):
      contains(database: database) && type.map(contains(recordType:)) != false
    }
  }

  /// Whether something modified then passes; nil is an unknown time.
  public func contains(modificationDate date: @autoclosure () -> Date?) -> Bool {
    guard let modifiedSince, let date = date() else { return true }
    return date >= modifiedSince
  }
}

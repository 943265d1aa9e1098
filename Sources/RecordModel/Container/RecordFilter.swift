import struct Foundation.Date

/// The part of a container or bundle that an export, import, migration, comparison or listing uses.
///
/// - A record passes if its database, zone and type are included, and it was modified at
///   ``modifiedSince`` or later, and before ``modifiedBefore``.
/// - A deleted record passes if its database, zone and type are included, and it was deleted at
///   ``modifiedSince`` or later, and before ``modifiedBefore``.
/// - A zone passes if its database and the zone itself are included; a deleted zone only if all
///   record types are included too.
/// - A subscription passes if its database is included, and its zone and record type, where it has
///   them.
///
/// An unknown date passes, so that an archive never misses a record. An unknown type does not, so
/// that deletions of other types stay out. Zones pass regardless of record types, because records
/// need their zone.
///
/// ```swift
/// var filter = RecordFilter(databases: [.private], recordTypes: ["Chat", "Message"])
/// filter.modifiedSince = Date(timeIntervalSinceNow: -86_400)
/// ```
public struct RecordFilter: Sendable, Hashable {
  /// The databases to include; nil for all.
  public var databases: Set<DatabaseScope>? {
    get { databaseSet?.databases }
    set { databaseSet = newValue.map { DatabaseSet(databases: $0) } }
  }
  /// The zones to include; nil for all.
  public var zoneIDs: Set<ZoneID>? {
    get { zoneSet?.zoneIDs }
    set { zoneSet = newValue.map { ZoneSet(zoneIDs: $0) } }
  }
  /// The record types to include; nil for all.
  public var recordTypes: NameSet?
  /// The earliest modification date of records, and deletion date of deleted records; nil for any.
  public var modifiedSince: Date?
  /// The date before which records were modified, and deleted records deleted; nil for any. The
  /// date itself is not included.
  public var modifiedBefore: Date?

  private var databaseSet: DatabaseSet?
  private var zoneSet: ZoneSet?

  // A copy of an optional set makes the Swift runtime search all conformances of the process for that
  // of its elements to `Hashable`, once for each type; a copy of an optional structure does not.
  private struct DatabaseSet: Hashable {
    var databases: Set<DatabaseScope>
  }

  private struct ZoneSet: Hashable {
    var zoneIDs: Set<ZoneID>
  }

  /// A filter that everything passes.
  public static let all = RecordFilter()

  /// Creates a filter; nil places no restriction.
  public init(
    databases: Set<DatabaseScope>? = nil, zoneIDs: Set<ZoneID>? = nil,
    recordTypes: NameSet? = nil, modifiedSince: Date? = nil,
    modifiedBefore: Date? = nil
  ) {
    self.recordTypes = recordTypes
    self.modifiedSince = modifiedSince
    self.modifiedBefore = modifiedBefore
    self.databases = databases
    self.zoneIDs = zoneIDs
  }

  /// Whether a zone passes, or, if `zoneID` is nil, a database.
  package func contains(database: DatabaseScope, zoneID: ZoneID? = nil) -> Bool {
    databaseSet?.databases.contains(database) != false
      && (zoneID.map { zoneSet?.zoneIDs.contains($0) != false } ?? true)
  }

  /// Whether a record of this database, zone and type passes, regardless of its date.
  package func contains(database: DatabaseScope, zoneID: ZoneID, recordType: String) -> Bool {
    contains(database: database, zoneID: zoneID) && contains(recordType: recordType)
  }

  private func contains(recordType: String) -> Bool {
    recordTypes?.contains(recordType) != false
  }

  /// Whether a record passes.
  package func contains(_ record: ResultRecord, database: DatabaseScope) -> Bool {
    guard
      contains(database: database, zoneID: record.recordID.zoneID, recordType: record.recordType)
    else { return false }
    return contains(modificationDate: record.modificationDate)
  }

  /// Whether a deleted record passes.
  package func contains(_ tombstone: DeletedRecord, database: DatabaseScope) -> Bool {
    guard contains(database: database, zoneID: tombstone.recordID.zoneID) else { return false }
    if recordTypes != nil {
      guard let type = tombstone.recordType, contains(recordType: type) else { return false }
    }
    return contains(modificationDate: tombstone.deletionDate)
  }

  /// Whether a deleted zone passes.
  package func contains(deletedZone zoneID: ZoneID, database: DatabaseScope) -> Bool {
    recordTypes == nil && contains(database: database, zoneID: zoneID)
  }

  /// Whether a subscription passes.
  ///
  /// A subscription to all zones or all types passes every filter by zone or type, because it
  /// covers these too.
  package func contains(_ subscription: CloudSubscription, database: DatabaseScope) -> Bool {
    switch subscription.kind {
    case .query(let query, let zoneID, _, _):
      contains(database: database, zoneID: zoneID) && contains(recordType: query.recordType)
    case .zone(let zoneID, let type):
      contains(database: database, zoneID: zoneID) && type.map(contains(recordType:)) != false
    case .database(let type):
      contains(database: database) && type.map(contains(recordType:)) != false
    }
  }

  /// Whether a modification date passes; nil stands for an unknown date.
  package func contains(modificationDate date: @autoclosure () -> Date?) -> Bool {
    guard isByDate, let date = date() else { return true }
    if let modifiedSince, date < modifiedSince { return false }
    if let modifiedBefore, date >= modifiedBefore { return false }
    return true
  }

  /// Whether the filter depends on dates: what it selects is then not known from an index.
  package var isByDate: Bool { modifiedSince != nil || modifiedBefore != nil }
}

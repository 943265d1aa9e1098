import RecordModel

/// A part of a bundle or container.
public struct RecordFilter: Sendable, Hashable {
  /// The databases; nil for all.
  public var databases: Set<DatabaseScope>?
  /// The zones; nil for all.
  public var zoneIDs: Set<ZoneID>?
  /// The record types; nil for all.
  public var recordTypes: Set<String>?

  /// Everything.
  public static let all = RecordFilter()

  /// Makes a filter; nil lets everything pass.
  public init(
    databases: Set<DatabaseScope>? = nil, zoneIDs: Set<ZoneID>? = nil,
    recordTypes: Set<String>? = nil
  ) {
    self.databases = databases
    self.zoneIDs = zoneIDs
    self.recordTypes = recordTypes
  }

  /// Whether a record of that database, zone and type passes.
  public func contains(database: DatabaseScope, zoneID: ZoneID, recordType: String) -> Bool {
    databases?.contains(database) != false && zoneIDs?.contains(zoneID) != false
      && recordTypes?.contains(recordType) != false
  }

  func contains(_ section: BundleSection) -> Bool {
    if let databases, let own = section.database, !databases.contains(own) { return false }
    if let zoneIDs, let own = section.zoneID, !zoneIDs.contains(own) { return false }
    if let recordTypes, let own = section.recordType, !recordTypes.contains(own) { return false }
    return true
  }
}

import Foundation
import RecordModel

/// A database in a store: its zones, records and subscriptions, read and changed without the rules of
/// the server.
///
/// Each call is one transaction. Errors of CloudKit are `CloudError`, others
/// ``ContainerStoreError``.
public struct StoredDatabase: Sendable {
  /// The container of the database.
  public let container: ContainerStore
  /// The scope of the database.
  public let scope: DatabaseScope

  // MARK: Zones

  /// Returns the zones of the database, by owner and name.
  public func zones() throws -> [RecordZone] {
    try container.snapshot { try $0.zones(in: scope) }
  }

  /// Returns a zone.
  ///
  /// - Throws: CloudKit's `zoneNotFound`.
  public func zone(for zoneID: ZoneID) throws -> RecordZone {
    try container.snapshot { snapshot in
      guard let zone = try snapshot.zone(zoneID, in: scope) else {
        throw CloudError.zoneNotFound(zoneID, in: scope)
      }
      return zone
    }
  }

  /// Saves zones. An existing zone keeps its records.
  ///
  /// - Throws: CloudKit's `invalidArguments` for an invalid name.
  public func save(_ zones: [RecordZone]) throws {
    try container.transaction { transaction in
      for zone in zones { try transaction.save(zone, in: scope) }
    }
  }

  /// Deletes a zone with all its records, and leaves a tombstone of the zone.
  ///
  /// - Throws: CloudKit's `zoneNotFound`; `invalidArguments` for the default zone.
  public func deleteZone(_ zoneID: ZoneID) throws {
    try container.transaction { try $0.deleteZone(zoneID, in: scope) }
  }

  /// Returns the IDs of deleted zones, by owner and name.
  public func zoneTombstones() throws -> [DeletedZone] {
    try container.snapshot { try $0.zoneTombstones(in: scope) }
  }

  /// Returns the record types of each zone, with the number and size of their records.
  public func recordTypes() throws -> [RecordTypeSummary] {
    try container.snapshot { try $0.recordTypes(in: scope) }
  }

  // MARK: Subscriptions

  /// Returns the subscriptions of the database, by identifier.
  public func subscriptions() throws -> [CloudSubscription] {
    try container.snapshot { try $0.subscriptions(in: scope) }
  }

  /// Saves subscriptions, and replaces those with the same identifier.
  ///
  /// - Throws: CloudKit's `invalidArguments` for an invalid name.
  public func save(_ subscriptions: [CloudSubscription]) throws {
    try container.transaction { transaction in
      for subscription in subscriptions { try transaction.save(subscription, in: scope) }
    }
  }

  /// Deletes subscriptions. Those that do not exist are ignored.
  public func deleteSubscriptions(_ ids: [String]) throws {
    try container.transaction { transaction in
      for id in ids { try transaction.deleteSubscription(id, in: scope) }
    }
  }
}

import Foundation
import RecordModel

/// One of the databases of a container (`CKDatabase`).
///
/// What CloudKit has an error for is thrown as `CloudError`, the rest as ``MockContainerError``.
/// Each call is one transaction.
public struct MockDatabase: Sendable {
  /// The container the database belongs to.
  public let container: MockContainer
  /// Which of its databases this is.
  public let scope: DatabaseScope

  // MARK: Zones

  /// The database's zones, by name and owner.
  public func zones() throws -> [RecordZone] {
    try container.snapshot { try $0.zones(in: scope) }
  }

  /// One zone.
  ///
  /// - Throws: `zoneNotFound` of CloudKit.
  public func zone(for zoneID: ZoneID) throws -> RecordZone {
    try container.snapshot { snapshot in
      guard let zone = try snapshot.zone(zoneID, in: scope) else { throw zoneNotFound(zoneID) }
      return zone
    }
  }

  /// Saves zones. A zone that is there keeps its records.
  ///
  /// - Throws: `invalidArguments` of CloudKit for a name that it does not take.
  public func save(_ zones: [RecordZone]) throws {
    for zone in zones { try NameCheck(limits: container.limits).check(zone.zoneID) }
    try container.write { writer in
      for zone in zones { try writer.save(zone, in: scope) }
    }
  }

  /// Deletes a zone with all its records. A tombstone of the zone stays.
  ///
  /// - Throws: `zoneNotFound` of CloudKit; `invalidArguments` for the default zone, which cannot
  ///   be deleted.
  public func deleteZone(_ zoneID: ZoneID) throws {
    guard !zoneID.isDefault else {
      throw CloudError(.invalidArguments, "the default zone cannot be deleted")
    }
    try container.write { writer in
      guard let zone = try writer.zone(zoneID, in: scope) else { throw zoneNotFound(zoneID) }
      try writer.delete(zone)
      try writer.addZoneTombstone(zoneID, in: scope)
    }
  }

  /// The zones that were deleted, by name and owner.
  public func zoneTombstones() throws -> [ZoneID] {
    try container.snapshot { try $0.zoneTombstones(in: scope) }
  }

  /// The record types zone by zone, with the number and size of their records.
  public func recordTypes() throws -> [RecordTypeSummary] {
    try container.snapshot { try $0.recordTypes(in: scope) }
  }

  // MARK: Subscriptions

  /// The database's subscriptions, by identity.
  public func subscriptions() throws -> [Subscription] {
    try container.snapshot { try $0.subscriptions(in: scope) }
  }

  /// Saves subscriptions; one with the same identity is replaced.
  ///
  /// - Throws: `invalidArguments` of CloudKit for a name that it does not take.
  public func save(_ subscriptions: [Subscription]) throws {
    for subscription in subscriptions {
      try NameCheck(limits: container.limits).check(subscription)
    }
    try container.write { writer in
      for subscription in subscriptions { try writer.save(subscription, in: scope) }
    }
  }

  /// Deletes subscriptions; those that are not there are passed over.
  public func deleteSubscriptions(_ ids: [String]) throws {
    try container.write { writer in
      for id in ids { try writer.deleteSubscription(id, in: scope) }
    }
  }

  // MARK: Errors

  func zoneNotFound(_ zoneID: ZoneID) -> CloudError {
    CloudError(.zoneNotFound, "zone '\(zoneID)' is not in the \(scope.rawValue) database")
  }

  func unknownItem(_ recordID: RecordID) -> CloudError {
    CloudError(.unknownItem, "record '\(recordID)' is not in the \(scope.rawValue) database")
  }
}

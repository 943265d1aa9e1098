import Foundation
import RecordModel
import RecordStore

/// One database of a store. Each call is a transaction or a snapshot of its own, as most tests need
/// only one change or one record.
package struct TestDatabase: Sendable {
  let store: ContainerStore
  let scope: DatabaseScope
}

extension ContainerStore {
  package func database(_ scope: DatabaseScope) -> TestDatabase {
    TestDatabase(store: self, scope: scope)
  }

  package func assetData(sha256: String, limit: Int64 = 50_000_000) throws -> Data {
    try snapshot { try $0.assetData(sha256: sha256, limit: limit) }
  }

  package func copyAsset(sha256: String, to url: URL) throws {
    try snapshot { try $0.copyAsset(sha256: sha256, to: url) }
  }
}

extension TestDatabase {
  @discardableResult
  package func save(
    _ drafts: [DraftRecord], savingAs user: String? = nil, deviceID: String? = nil
  ) throws -> [ResultRecord] {
    try store.transaction { try $0.save(drafts, in: scope, savingAs: user, deviceID: deviceID) }
  }

  package func save(_ zones: [RecordZone]) throws {
    try store.transaction { transaction in
      for zone in zones { try transaction.save(zone, in: scope) }
    }
  }

  package func save(_ subscriptions: [CloudSubscription]) throws {
    try store.transaction { transaction in
      for subscription in subscriptions { try transaction.save(subscription, in: scope) }
    }
  }

  /// Returns the IDs of the records that existed.
  @discardableResult
  package func deleteRecords(_ recordIDs: [RecordID]) throws -> [RecordID] {
    try store.transaction { transaction in
      try recordIDs.filter { try transaction.delete($0, in: scope) }
    }
  }

  package func deleteZone(_ zoneID: ZoneID) throws {
    try store.transaction { try $0.deleteZone(zoneID, in: scope) }
  }

  package func deleteSubscriptions(_ ids: [String]) throws {
    try store.transaction { transaction in
      for id in ids { try transaction.deleteSubscription(id, in: scope) }
    }
  }
}

extension TestDatabase {
  package func zones() throws -> [RecordZone] { try store.snapshot { try $0.zones(in: scope) } }

  package func zoneTombstones() throws -> [DeletedZone] {
    try store.snapshot { try $0.zoneTombstones(in: scope) }
  }

  package func subscriptions() throws -> [CloudSubscription] {
    try store.snapshot { try $0.subscriptions(in: scope) }
  }

  package func recordTypes() throws -> [RecordTypeSummary] {
    try store.snapshot { try $0.recordTypes(in: scope) }
  }

  /// Returns a record.
  ///
  /// - Throws: `unknownItem` if it does not exist.
  package func record(for recordID: RecordID) throws -> ResultRecord {
    guard let record = try store.snapshot({ try $0.record(for: recordID, in: scope) }) else {
      throw CloudError.unknownItem(recordID, in: scope)
    }
    return record
  }

  package func forEachRecord(
    _ filter: RecordFilter = .all, _ body: (ResultRecord) throws -> Void
  ) throws {
    try store.snapshot { try $0.forEachRecord(in: scope, filter: filter, body) }
  }

  package func tombstones() throws -> [DeletedRecord] {
    var tombstones: [DeletedRecord] = []
    try store.snapshot { try $0.forEachTombstone(in: scope) { tombstones.append($0) } }
    return tombstones
  }
}

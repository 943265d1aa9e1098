import Foundation
import RecordModel
import RecordStore

/// The records that a deletion takes, as they were, to be restored in one step.
package struct Removal: Sendable {
  /// The records that are deleted, and those whose share is removed.
  fileprivate(set) var records: [RecordLocation: ResultRecord] = [:]
  /// The zone that is deleted, with its place.
  package fileprivate(set) var zone: (place: ZoneLocation, zone: RecordZone)?
  /// The subscriptions to the zone.
  fileprivate(set) var subscriptions: [CloudSubscription] = []
  /// The change tags of the records after the deletion; none for those that are gone.
  private(set) var after: [RecordLocation: String] = [:]
  /// The records that the user does not see.
  fileprivate(set) var hidden: Set<RecordLocation> = []
  /// The records that change and are not deleted.
  fileprivate(set) var changed: Set<RecordLocation> = []
  /// The size of the contents of assets that are kept, in bytes.
  fileprivate(set) var size = 0

  /// The number of records that are deleted and that the user sees, by their types.
  package var counts: [(type: String, count: Int)] {
    let deleted = records.filter { !changed.contains($0.key) && !hidden.contains($0.key) }.values
    return Dictionary(grouping: deleted, by: \.recordType).map { ($0.key, $0.value.count) }
      .sorted { $0.type < $1.type }
  }

  fileprivate mutating func note(_ snapshot: ContainerSnapshot) throws {
    for location in records.keys {
      after[location] =
        try snapshot.readableRecord(location.recordID, in: location.database).get()?.record
        .recordChangeTag
    }
  }
}

extension MockContainer {
  /// Returns the place in the container of a record that a user sees; nil if the container has none.
  ///
  /// - Parameter account: the record name of the user; nil for the signed-in user.
  package func place(of record: RecordLocation, seenBy account: String?) throws -> RecordLocation? {
    AccountView(record.database, of: account, in: try store.info()).location(of: record.recordID)
  }

  /// The maximum size of the contents of assets that a removal keeps, in bytes: 64 MiB.
  private static let maxContent = 64 << 20

  /// Returns what the deletion of a record takes: the records that refer to it with `DELETE_SELF`,
  /// directly or not, and the shares of these.
  ///
  /// - Parameters:
  ///   - record: a record, by its place in the container.
  ///   - keepsContent: whether the contents of assets are read, to restore them.
  ///   - isSeen: whether the user sees a record. Others are deleted, and restored, and not counted.
  package func removal(
    of record: RecordLocation, keepsContent: Bool, isSeen: (RecordLocation) throws -> Bool
  ) throws -> Removal {
    try store.makeIndex(.owner)
    try store.makeIndex(.share)
    var removal = try store.snapshot { snapshot in
      var removal = Removal()
      var found = [record.recordID]
      var known = Set(found)
      var next = 0
      while next < found.count {
        let recordID = found[next]
        next += 1
        guard let stored = try snapshot.readableRecord(recordID, in: record.database).get()?.record
        else { continue }
        try add(stored, record.database, to: &removal, snapshot, keepsContent)
        let owned = try snapshot.records(referringTo: recordID, as: .owner, in: record.database)
        found += owned.filter { known.insert($0).inserted }
        if let share = stored.share?.recordID, known.insert(share).inserted { found.append(share) }
        if stored.isShare {
          try addShared(by: recordID, record.database, to: &removal, snapshot, keepsContent)
        }
      }
      return removal
    }
    removal.hidden = try Set(removal.records.keys.filter { try !isSeen($0) })
    return removal
  }

  /// Returns what the deletion of a zone takes: its records, and the subscriptions to it.
  package func removal(of place: ZoneLocation, keepsContent: Bool) throws -> Removal {
    try store.snapshot { snapshot in
      var removal = Removal()
      removal.zone = try snapshot.readableZone(place.zoneID, in: place.database).map { (place, $0) }
      let owner = try AccountSnapshot(snapshot, of: place.owner)
      removal.subscriptions = try owner.subscriptions().filter {
        $0.zoneID == owner.view.visible(place.zoneID)
      }
      let filter = RecordFilter(zoneIDs: [place.zoneID])
      try snapshot.forEachRecord(in: place.database, filter: filter) { record in
        try add(record, place.database, to: &removal, snapshot, keepsContent)
      }
      return removal
    }
  }

  /// The records of a share are no longer shared without it.
  private func addShared(
    by share: RecordID, _ database: DatabaseScope, to removal: inout Removal,
    _ snapshot: ContainerSnapshot, _ keepsContent: Bool
  ) throws {
    for root in try snapshot.records(referringTo: share, as: .share, in: database) {
      let location = RecordLocation(database, root)
      guard removal.records[location] == nil,
        let record = try snapshot.readableRecord(root, in: database).get()?.record
      else { continue }
      try add(record, database, to: &removal, snapshot, keepsContent)
      removal.changed.insert(location)
    }
  }

  private func add(
    _ record: ResultRecord, _ database: DatabaseScope, to removal: inout Removal,
    _ snapshot: ContainerSnapshot, _ keepsContent: Bool
  ) throws {
    let location = RecordLocation(database, record.recordID)
    removal.changed.remove(location)
    guard keepsContent, record.allFields.contains(where: { !$0.value.assets.isEmpty }) else {
      removal.records[location] = record
      return
    }
    let fields = record.allFields.map { field in
      field.replacingAssets { asset in
        guard let sha256 = asset.sha256, removal.size < Self.maxContent,
          let content = try? snapshot.assetData(sha256: sha256)
        else { return asset }
        removal.size += content.count
        var asset = asset
        asset.content = .data(content)
        return asset
      }
    }
    removal.records[location] = ResultRecord(systemFields: record.systemFields, fields: fields)
  }

  /// Notes the state after the deletion.
  package func finish(_ removal: inout Removal) throws {
    try store.snapshot { try removal.note($0) }
  }

  /// Restores what a deletion has taken. Records that were changed or made again since then stay.
  ///
  /// A restored record has a new change tag and a new date of modification.
  ///
  /// - Returns: the number of records that were restored, and of those that stay, of those that the user
  ///   sees.
  package func restore(_ removal: Removal) throws -> (restored: Int, left: Int) {
    let scope = removal.records.keys.first?.database ?? removal.zone?.place.database ?? .private
    return try changing(in: DatabaseKey(scope: scope, account: nil)) { transaction, notifier in
      let container = transaction.container
      if let (place, zone) = removal.zone, try !container.hasZone(place.zoneID, in: place.database)
      {
        // An import may have brought a zone whose name no client can save.
        try container.write(zone, in: place.database)
        let owner = try AccountTransaction(container, of: place.owner)
        for subscription in removal.subscriptions
        where try owner.subscription(subscription.subscriptionID) == nil {
          try owner.save(subscription)
        }
        notifier.noteZone(in: transaction.view.key)
      }
      let tracker = try AccessTracker(container)
      var (restored, left) = (0, 0)
      for (location, record) in removal.records.sorted(by: { $0.key < $1.key }) {
        let stored = try container.readableRecord(location.recordID, in: location.database).get()
        let seen = removal.hidden.contains(location) ? 0 : 1
        guard stored?.record.recordChangeTag == removal.after[location] else {
          left += seen
          continue
        }
        if location.database == .private { try tracker.include(location.recordID) }
        let stamp = try container.stamp(user: record.systemFields.modified?.userRecordName)
        let saved = try container.save(
          record, over: stored, in: location.database, stampedBy: stamp,
          created: record.systemFields.created)
        try notifier.note(stored == nil ? .create : .update, saved, in: location.database)
        restored += seen
      }
      try tracker.finish(notifier, transaction.view)
      return (restored, left)
    }
  }
}

extension ZoneLocation {
  /// The database of the user whose zone this is.
  fileprivate var owner: DatabaseKey {
    let owner = zoneID.ownerName
    return DatabaseKey(
      scope: database, account: owner == ZoneID.currentUserOwnerName ? nil : owner)
  }
}

extension MockContainer {
  /// Makes the contents those of another container, in one transaction: records that are not there are
  /// removed without a trace, and change tokens expire, as after an import.
  package func reset(to seed: MockContainer) throws {
    // Two containers in memory must not wait for each other.
    let seed = try seed.store.fork()
    try store.mirrorTransaction { transaction in
      try seed.snapshot { snapshot in
        try transaction.setInfo(snapshot.info())
        for scope in DatabaseScope.allCases { try transaction.reset(scope, to: snapshot) }
      }
    }
  }
}

extension MirrorTransaction {
  fileprivate func reset(_ scope: DatabaseScope, to seed: ContainerSnapshot) throws {
    let zones = try seed.zones(in: scope)
    // A user who was added since then has a default zone.
    for zone in try self.zones(in: scope, damaged: { _ in }) where zone.zoneID != .default {
      if try !seed.hasZone(zone.zoneID, in: scope) { try removeZone(zone.zoneID, from: scope) }
    }
    for zone in zones { try put(zone, in: scope) }
    var gone: [RecordID] = []
    try forEachRecordBytes(in: scope, filter: .all) { _, key in
      if try seed.record(for: key.recordID, in: scope) == nil { gone.append(key.recordID) }
    }
    for recordID in gone { try remove(recordID, from: scope) }
    try seed.forEachRecord(in: scope, filter: .all) { record in
      for asset in record.allFields.flatMap(\.value.assets) {
        guard let sha256 = asset.sha256, let content = try? seed.assetData(sha256: sha256) else {
          continue
        }
        _ = try store(.data(content))
      }
      try put(record, in: scope)
    }
    try setSubscriptions(seed.subscriptions(in: scope), of: scope)
    var deletions: [DeletedRecord] = []
    try seed.forEachTombstone(in: scope) { deletions.append($0) }
    try setDeletions(deletions, seed.zoneTombstones(in: scope), of: scope)
  }
}

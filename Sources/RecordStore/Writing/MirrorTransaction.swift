import Foundation
import RecordModel

/// Writes the records and zones of a server, unchanged; ``ContainerStore/mirrorTransaction(_:)``
/// provides it.
///
/// Records and zones that the server does not have any more are removed without a tombstone.
package final class MirrorTransaction: ContainerTransaction {
  /// Whether the container has only its default zones.
  package func isEmpty() throws -> Bool { try DatabaseRow.areAllNew(in: db) }

  // MARK: Notes

  /// Returns the notes whose names begin with a prefix. Notes are stored beside the contents of the
  /// container: no bundle has them.
  package func notes(_ prefix: String) throws -> [(name: String, text: String)] {
    try db.all(
      "\(CheckedTable.setting.select) WHERE substr(name, 1, ?) = ? ORDER BY name",
      [Int64(prefix.unicodeScalars.count), prefix]
    ) { row in
      guard row.isIntact(.setting) else {
        throw ContainerStoreError.unreadable(
          name: "the setting '\(row.string(0))'", detail: ContainerStoreError.otherChecksum)
      }
      return (row.string(0), row.string(1))
    }
  }

  /// Sets a note; nil removes it.
  package func setNote(_ name: String, _ text: String?) throws {
    guard let text else { return try db.run("DELETE FROM setting WHERE name = ?", [name]) }
    try db.insert([name, text], into: .setting, or: .replace)
  }

  // MARK: Zones and subscriptions

  /// Adds a zone, or replaces one that differs; its records stay.
  package func put(_ zone: RecordZone, in scope: DatabaseScope) throws {
    guard try readableZone(zone.zoneID, in: scope) != zone else { return }
    changes.noteMirrored(scope)
    try write(zone, in: scope)
  }

  /// Removes a zone with all its contents. Ignores a zone that does not exist.
  ///
  /// - Returns: the number of its records.
  @discardableResult
  package func removeZone(_ zoneID: ZoneID, from scope: DatabaseScope) throws -> Int {
    guard let zone = try zoneState(zoneID, in: scope) else { return 0 }
    changes.noteMirrored(scope)
    try endListing(of: zone, nil, removing: false)
    let count = try recordCount(of: zone)
    try remove(zone)
    return count
  }

  /// Replaces the subscriptions of a database.
  package func setSubscriptions(
    _ subscriptions: [CloudSubscription], of scope: DatabaseScope
  ) throws {
    var hasDamage = false
    let stored = try self.subscriptions(in: scope) { _ in hasDamage = true }
    let ordered = subscriptions.sorted { compareUTF8($0.subscriptionID, $1.subscriptionID) < 0 }
    guard hasDamage || stored != ordered else { return }
    changes.noteMirrored(scope)
    try db.run("DELETE FROM subscription WHERE scope = ?", [scope.rank])
    countRows(.subscriptions, try -db.changesCount, in: scope)
    for subscription in ordered { try write(subscription, in: scope) }
  }

  // MARK: Records

  /// Adds a record unchanged, or replaces one that differs.
  ///
  /// - Returns: the size of its canonical JSON in bytes.
  /// - Throws: CloudKit's `zoneNotFound`.
  @discardableResult
  package func put(_ record: ResultRecord, in scope: DatabaseScope) throws -> Int {
    try withRow(of: record, in: existingZone(record.recordID.zoneID, in: scope)) { row in
      let stored = try find(row.name, in: row.zone)
      let isSame =
        try stored.map { stored in
          try stored.type == row.type.id && isIntact(stored)
            && withPayload(of: stored.id) { compareBytes($0, row.payload) == 0 }
        } ?? false
      if !isSame {
        changes.noteMirrored(scope)
        let tag = ChangeSequence.number(ofTag: record.systemFields.recordChangeTag)
        try write(row, over: stored, change: changes.next(ofTag: tag, in: scope))
      }
      return row.payload.count
    }
  }

  /// Removes a record. Ignores a record that does not exist.
  ///
  /// - Returns: whether it existed.
  @discardableResult
  package func remove(_ recordID: RecordID, from scope: DatabaseScope) throws -> Bool {
    guard let zone = try zoneState(recordID.zoneID, in: scope),
      let stored = try find(recordID, in: zone)
    else { return false }
    changes.noteMirrored(scope)
    try remove(stored, from: zone)
    return true
  }

  /// Removes a record, and notes its deletion. Ignores a zone that does not exist.
  package func putDeletion(_ tombstone: DeletedRecord, in scope: DatabaseScope) throws {
    guard let zone = try zoneState(tombstone.recordID.zoneID, in: scope) else { return }
    try remove(tombstone.recordID, from: scope)
    changes.noteMirrored(scope)
    let tag = ChangeSequence.number(ofTag: tombstone.recordChangeTag)
    try addTombstone(tombstone, in: zone, change: changes.next(ofTag: tag, in: scope))
  }

  /// Replaces the deletions of a database: of records, in its zones, and of zones.
  package func setDeletions(
    _ records: [DeletedRecord], _ zones: [DeletedZone], of scope: DatabaseScope
  ) throws {
    let kept = Set(records.map(\.recordID))
    for history in try histories(in: scope, after: .min) {
      guard let zone = try zoneState(history.zoneID, in: scope) else { continue }
      let names = try db.all("SELECT name FROM tombstone WHERE zone = ?", [zone.id]) {
        $0.string(0)
      }
      for var name in names
      where !kept.contains(RecordID(recordName: name, zoneID: history.zoneID)) {
        changes.noteMirrored(scope)
        try name.withUTF8 { try removeTombstone(UnsafeRawBufferPointer($0), in: zone) }
      }
    }
    for tombstone in records {
      let zone = try existingZone(tombstone.recordID.zoneID, in: scope)
      let stored = try tombstoneJSON(tombstone.recordID.recordName, in: zone)
      if try stored?.isIntact != true || stored?.json != StoreCoding.json(of: tombstone) {
        try putDeletion(tombstone, in: scope)
      }
    }
    let stored = try deletedZones(in: scope, after: .min).map(\.tombstone)
    guard Set(stored) != Set(zones) else { return }
    changes.noteMirrored(scope)
    try db.run("DELETE FROM zoneTombstone WHERE scope = ?", [scope.rank])
    countRows(.zoneTombstones, try -db.changesCount, in: scope)
    for zone in zones { try addZoneTombstone(zone, in: scope) }
  }

  /// Stores the content of an asset, which a record that is saved afterwards refers to.
  ///
  /// - Returns: the SHA-256 and the size of the content in bytes.
  /// - Throws: CloudKit's `assetFileNotFound`; nothing of the content is stored then.
  package func store(_ content: Asset.Content) throws -> (sha256: String, size: Int64) {
    let stored = try db.atomically {
      try AssetFile.withChunks(of: content) { next in try assets.store(next) { _ in } }
    }
    return (stored.digest.description, stored.size)
  }
}

// MARK: Listings

/// A server lists all records of a zone, or of a type in it, in several transactions. At the end,
/// the records that it did not list are removed.
///
/// The table `listing` has the names. It exists as long as there are such listings.
extension MirrorTransaction {
  private static let table = """
    CREATE TABLE IF NOT EXISTS listing (
      zone INTEGER NOT NULL, type INTEGER NOT NULL, name TEXT NOT NULL,
      PRIMARY KEY (zone, type, name)
    ) WITHOUT ROWID
    """

  /// Begins a listing of a zone's records, or begins it anew.
  ///
  /// - Parameter recordType: The type that is listed; nil for all.
  /// - Returns: Whether the container has such records, so that ``noteListed(_:_:in:)`` has to be
  ///   called with those of the listing.
  package func beginListing(
    of zoneID: ZoneID, _ recordType: String?, in scope: DatabaseScope
  ) throws -> Bool {
    guard let zone = try zoneState(zoneID, in: scope) else { return false }
    try endListing(of: zone, recordType, removing: false)
    guard let recordType else { return try recordCount(of: zone) > 0 }
    return try section(zone, type(recordType)).extent.records > 0
  }

  /// Notes that a record was listed.
  package func noteListed(
    _ recordID: RecordID, _ recordType: String?, in scope: DatabaseScope
  ) throws {
    let zone = try existingZone(recordID.zoneID, in: scope)
    try db.run(Self.table)
    try db.run(
      "INSERT OR IGNORE INTO listing (zone, type, name) VALUES (?, ?, ?)",
      [zone.id, typeID(recordType), recordID.recordName])
  }

  /// Ends a listing, and removes the records that were not listed.
  ///
  /// - Returns: The number of removed records.
  @discardableResult
  package func endListing(
    of zoneID: ZoneID, _ recordType: String?, in scope: DatabaseScope
  ) throws -> Int {
    guard let zone = try zoneState(zoneID, in: scope) else { return 0 }
    return try endListing(of: zone, recordType, removing: true)
  }

  @discardableResult
  private func endListing(
    of zone: ZoneState, _ recordType: String?, removing: Bool
  ) throws -> Int {
    if !removing, try db.integer("SELECT 1 FROM sqlite_master WHERE name = 'listing'") == nil {
      return 0
    }
    try db.run(Self.table)
    let type = try typeID(recordType)
    var removed = 0
    if removing {
      let gone = try db.all(
        """
        SELECT id, type, length(json) FROM record
        WHERE zone = ?1 AND (?2 = 0 OR type = ?2) AND NOT EXISTS (
          SELECT 1 FROM listing WHERE zone = ?1 AND type = ?2 AND name = record.name)
        """, [zone.id, type], StoredRow.init)
      if !gone.isEmpty { changes.noteMirrored(zone.scope) }
      for row in gone { try remove(row, from: zone) }
      removed = gone.count
    }
    try db.run(
      "DELETE FROM listing WHERE zone = ? AND (type = ? OR ? = 0)", [zone.id, type, type])
    if try db.integer("SELECT 1 FROM listing LIMIT 1") == nil {
      try db.execute("DROP TABLE listing")
    }
    return removed
  }

  /// The number of a type; 0 for all types.
  private func typeID(_ recordType: String?) throws -> Int64 {
    try recordType.map { try type($0).id } ?? 0
  }
}

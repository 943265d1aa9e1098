import Foundation
import RecordCoding
import RecordModel
import RecordPlatform

extension ContainerStore {
  /// Changes the container to what a server has, in one transaction: if `body` throws or the process
  /// ends, nothing is changed.
  ///
  /// What is written is what the container was filled with: there is no history of changes, as after
  /// an import into a new container. Change tokens of the databases that change expire.
  package func mirrorTransaction<T>(_ body: (MirrorWriter) throws -> T) throws -> T {
    try write(isLarge: true) { writer in
      writer.changes.source = .mirror
      return try body(MirrorWriter(writer))
    }
  }
}

/// Writes what a server has, unchanged; valid during the call that provides it.
///
/// What is gone is removed without a tombstone.
package struct MirrorWriter {
  let writer: StoreWriter
  private let json = RecordJSONWriter()
  private let buffer = ByteBuffer()

  init(_ writer: StoreWriter) { self.writer = writer }

  // MARK: Metadata

  /// Returns the metadata of the container.
  package func info() throws -> ContainerInfo { try writer.info() }

  /// Replaces the metadata of the container.
  package func setInfo(_ info: ContainerInfo) throws { try writer.setInfo(info) }

  /// Whether the container has only its default zones.
  package func isEmpty() throws -> Bool { try ChangeNumbers.areNone(in: writer.db) }

  /// Calls `body` with what the transaction sees.
  package func reading<T>(_ body: (ContainerSnapshot) throws -> T) rethrows -> T {
    try body(writer.snapshot)
  }

  // MARK: Notes

  /// Returns the notes whose names begin with a prefix. Notes lie beside the contents of the
  /// container: no bundle has them.
  package func notes(_ prefix: String) throws -> [(name: String, text: String)] {
    try writer.db.all(
      "SELECT name, value, hash FROM setting WHERE substr(name, 1, ?) = ? ORDER BY name",
      [Int64(prefix.unicodeScalars.count), prefix]
    ) { row in
      guard row.isIntact(0..<2) else {
        throw ContainerStoreError.unreadable(
          name: "the setting '\(row.string(0))'", detail: ContainerStoreError.otherChecksum)
      }
      return (row.string(0), row.string(1))
    }
  }

  /// Sets a note; nil removes it.
  package func setNote(_ name: String, _ text: String?) throws {
    guard let text else { return try writer.db.run("DELETE FROM setting WHERE name = ?", [name]) }
    try writer.db.runHashed(
      "INSERT OR REPLACE INTO setting (name, value, hash) VALUES (?, ?, ?)", [name, text])
  }

  // MARK: Zones and subscriptions

  /// Adds a zone, or replaces one that differs; its records stay.
  package func save(_ zone: RecordZone, in scope: DatabaseScope) throws {
    guard try writer.snapshot.zone(zone.zoneID, in: scope) != zone else { return }
    writer.changes.noteMirrored(scope)
    try writer.save(zone, in: scope)
  }

  /// Removes a zone with all its contents. One that does not exist is ignored.
  ///
  /// - Returns: the number of its records.
  @discardableResult
  package func removeZone(_ zoneID: ZoneID, from scope: DatabaseScope) throws -> Int {
    guard let zone = try writer.zone(zoneID, in: scope) else { return 0 }
    writer.changes.noteMirrored(scope)
    try endListing(of: zone, nil, removing: false)
    let count = try writer.recordCount(of: zone)
    try writer.delete(zone)
    return count
  }

  /// Replaces the subscriptions of a database.
  package func setSubscriptions(
    _ subscriptions: [CloudSubscription], of scope: DatabaseScope
  ) throws {
    let stored = try writer.snapshot.subscriptions(in: scope)
    let ordered = subscriptions.sorted { compareUTF8($0.subscriptionID, $1.subscriptionID) < 0 }
    guard stored != ordered else { return }
    writer.changes.noteMirrored(scope)
    for old in stored { try writer.deleteSubscription(old.subscriptionID, in: scope) }
    for subscription in ordered { try writer.save(subscription, in: scope) }
  }

  // MARK: Records

  /// Adds a record unchanged, or replaces one that differs.
  ///
  /// - Throws: ``ContainerStoreError/zoneMissing(_:_:)``.
  /// - Returns: the size of its canonical JSON in bytes.
  @discardableResult
  package func save(_ record: ResultRecord, in scope: DatabaseScope) throws -> Int {
    buffer.reset()
    try json.write(record, to: buffer)
    let system = record.systemFields
    let zone = try zone(system.recordID.zoneID, in: scope)
    let type = try writer.type(system.recordType)
    try system.recordID.packedName.withUTF8 { name in
      let row = RecordRow(
        zone: zone, type: type, name: name,
        modified: system.modified?.date?.timeIntervalSinceReferenceDate, payload: buffer.bytes)
      try save(row, change: ContainerWriter.change(ofTag: system.recordChangeTag))
    }
    return buffer.bytes.count
  }

  private func save(_ row: RecordRow, change tag: Int64) throws {
    let stored = try writer.find(row.name, in: row.zone)
    if let stored, stored.type == row.type.id,
      try writer.withPayload(of: stored.id, { compareBytes($0, row.payload) == 0 })
    {
      return
    }
    writer.changes.noteMirrored(row.zone.scope)
    let change = try writer.changes.next(ofTag: tag, in: row.zone)
    try writer.save(row, over: stored, change: change)
    if stored != nil { writer.changes.noteContent(row.hashes.payload, in: row.zone.scope) }
  }

  /// Removes a record. One that does not exist is ignored.
  ///
  /// - Returns: whether it existed.
  @discardableResult
  package func remove(_ recordID: RecordID, from scope: DatabaseScope) throws -> Bool {
    guard let zone = try writer.zone(recordID.zoneID, in: scope),
      let stored = try writer.find(recordID, in: zone)
    else { return false }
    writer.changes.noteMirrored(scope)
    try writer.remove(stored, from: zone)
    return true
  }

  /// Stores the content of an asset, which a record that is saved afterwards refers to.
  ///
  /// - Returns: the SHA-256 and the size of the content in bytes.
  /// - Throws: CloudKit's `assetFileNotFound`; nothing of the content is stored then.
  package func store(_ content: Asset.Content) throws -> (sha256: String, size: Int64) {
    let stored = try writer.db.atomically {
      try AssetFile.withChunks(of: content) { next in
        try writer.assets.store(next) { _ in }
      }
    }
    return (stored.digest.description, stored.size)
  }

  func zone(_ zoneID: ZoneID, in scope: DatabaseScope) throws -> ZoneState {
    guard let zone = try writer.zone(zoneID, in: scope) else {
      throw ContainerStoreError.zoneMissing(zoneID, scope)
    }
    return zone
  }
}

extension ContainerSnapshot {
  /// Whether the content of an asset is stored.
  package func hasAsset(sha256: String) throws -> Bool {
    guard let digest = SHA256Digest(anyCase: sha256) else { return false }
    return try db.integer(
      "SELECT 1 FROM asset WHERE sha256 = ? AND size IS NOT NULL", [digest.data]) != nil
  }
}

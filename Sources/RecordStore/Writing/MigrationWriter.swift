import Foundation
import RecordCoding
import RecordModel
import RecordPlatform

extension ContainerStore {
  /// Changes the container record by record, as saves and deletions do, but in one transaction: if
  /// `body` throws or the process ends, nothing is changed.
  package func migrationTransaction<T>(_ body: (MigrationWriter) throws -> T) throws -> T {
    try write(isLarge: true) { writer in
      let user = try writer.info().currentUserRecordName
      let stamp = RecordStamp(
        date: now().wholeMilliseconds, userRecordName: user ?? ZoneID.currentUserOwnerName)
      try writer.indexes.dropAll()
      return try body(MigrationWriter(writer, stamp))
    }
  }
}

/// Saves and deletes in one transaction; valid during the call that provides it.
package final class MigrationWriter {
  private let writer: StoreWriter
  private let date: Date?
  /// The stamp of every save, and the member `created` with it, as canonical JSON.
  private let modified: [UInt8]
  private let created: [UInt8]
  private let buffer = ByteBuffer()

  init(_ writer: StoreWriter, _ stamp: RecordStamp) throws {
    self.writer = writer
    date = stamp.date
    modified = Array(try stamp.jsonValue().compactData)
    created = Array(",\"created\":".utf8) + modified
  }

  /// Whether the transaction begins with the state of a snapshot that is older than it. Takes the
  /// write lock, so that no other connection can change the container after that.
  package func begins(with snapshot: ContainerSnapshot) throws -> Bool {
    // Writing takes the lock.
    try writer.db.execute("UPDATE database SET lastChange = lastChange")
    let own = ContainerSnapshot(writer.db)
    return try own.info() == snapshot.info()
      && DatabaseScope.allCases.allSatisfy {
        try own.lastChange(in: $0) == snapshot.lastChange(in: $0)
      }
  }

  /// Replaces the metadata of the container.
  package func setInfo(_ info: ContainerInfo) throws { try writer.setInfo(info) }

  /// Saves a record in an existing zone with the next change tag and the transaction's stamp.
  ///
  /// - Parameters:
  ///   - body: the canonical dictionary without the first brace.
  ///   - places: the positions of the stamps in it.
  ///   - created: the member `created` of the replaced record; a new record is created now.
  ///   - name: the record name in UTF-8.
  package func save(
    _ body: UnsafeRawBufferPointer, stampedAt places: StampRanges,
    created: UnsafeRawBufferPointer, name: UnsafeRawBufferPointer, recordType: String,
    zoneID: ZoneID, in scope: DatabaseScope
  ) throws {
    guard let zone = try writer.zone(zoneID, in: scope) else {
      throw ContainerStoreError.zoneMissing(zoneID, scope)
    }
    let stored = try writer.find(name, in: zone)
    let change = try writer.nextChange(in: scope)
    buffer.reset()
    self.created.withUnsafeBytes { now in
      buffer.append(
        body, stampedAt: places, changeTag: ChangeTag.text(of: change),
        created: stored == nil ? now : created, modified: modified)
    }
    let row = RecordRow(
      zone: zone, type: try writer.type(recordType), name: name,
      modified: date?.timeIntervalSinceReferenceDate, payload: buffer.bytes)
    try writer.save(row, over: stored, change: change)
  }

  /// Adds the bytes of an asset that a saved record refers to.
  package func add(asset sha256: String, _ data: Data) throws {
    try data.withUnsafeBytes {
      try writer.assets.add($0, at: 0, of: SHA256Digest(hex: sha256), size: Int64(data.count))
    }
    try writer.assets.finishIncoming()
  }

  /// Deletes a record.
  ///
  /// - Returns: its tombstone, which is not yet saved; nil if it did not exist.
  package func delete(_ recordID: RecordID, from scope: DatabaseScope) throws -> DeletedRecord? {
    guard let zone = try writer.zone(recordID.zoneID, in: scope) else { return nil }
    return try writer.remove(recordID, from: zone, at: date)
  }

  /// Saves the tombstone of a deleted record.
  package func save(_ tombstone: DeletedRecord, in scope: DatabaseScope) throws {
    guard let zone = try writer.zone(tombstone.recordID.zoneID, in: scope) else { return }
    try writer.delete(tombstone, in: zone)
  }

  /// Whether a record exists.
  package func contains(_ recordID: RecordID, in scope: DatabaseScope) throws -> Bool {
    guard let zone = try writer.zone(recordID.zoneID, in: scope) else { return false }
    return try writer.find(recordID, in: zone) != nil
  }

  /// Creates a zone if it does not exist.
  package func makeZone(_ zoneID: ZoneID, in scope: DatabaseScope) throws {
    guard try writer.zone(zoneID, in: scope) == nil else { return }
    try writer.save(RecordZone(zoneID: zoneID), in: scope)
  }

  package func save(_ subscription: CloudSubscription, in scope: DatabaseScope) throws {
    try writer.save(subscription, in: scope)
  }
}

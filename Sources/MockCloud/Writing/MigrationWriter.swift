import Foundation
import RecordModel

extension MockContainer {
  /// Changes the container record by record, as saves and deletions do, but all in one transaction:
  /// where `body` throws or the process ends, the container is as it was.
  package func migrationTransaction<T>(_ body: (MigrationWriter) throws -> T) throws -> T {
    try write(isLarge: true) { writer in
      let user = try ContainerInfo.read(from: writer.db).currentUserRecordName
      let stamp = RecordStamp(
        date: now().wholeMilliseconds, userRecordName: user ?? ZoneID.currentUserOwnerName)
      return try body(MigrationWriter(writer: writer, stamp: stamp, limits: limits))
    }
  }
}

/// Saves and deletes within one transaction; valid within the call that hands it out.
package struct MigrationWriter {
  let writer: StoreWriter
  let stamp: RecordStamp
  let limits: RecordLimits

  /// Replaces what the container says about itself.
  package func setInfo(_ info: ContainerInfo) throws { try info.write(to: writer.db) }

  /// Saves a draft as the record of its identity: it gets the next change tag.
  package func save(_ draft: DraftRecord, in scope: DatabaseScope) throws {
    try limits.check(draft)
    let saver = DraftSaver(
      writer: writer, scope: scope, stamp: stamp, limits: limits, keepsAssets: true)
    _ = try saver.save(draft)
  }

  /// Deletes a record, and leaves its tombstone.
  package func delete(_ recordID: RecordID, from scope: DatabaseScope) throws {
    guard let zone = try writer.zone(recordID.zoneID, in: scope) else { return }
    _ = try writer.delete(recordID, in: zone, at: stamp.date)
  }

  /// Whether a record is there.
  package func contains(_ recordID: RecordID, in scope: DatabaseScope) throws -> Bool {
    guard let zone = try writer.zone(recordID.zoneID, in: scope) else { return false }
    var name = recordID.recordName
    return try name.withUTF8 { try writer.find(UnsafeRawBufferPointer($0), in: zone) } != nil
  }

  /// Makes a zone where it is not there.
  package func makeZone(_ zoneID: ZoneID, in scope: DatabaseScope) throws {
    guard try writer.zone(zoneID, in: scope) == nil else { return }
    try writer.save(RecordZone(zoneID: zoneID), in: scope)
  }

  /// Saves a subscription.
  package func save(_ subscription: Subscription, in scope: DatabaseScope) throws {
    try writer.save(subscription, in: scope)
  }
}

import Foundation
import RecordModel
import RecordPlatform

/// Reads everything that is intact in a damaged container.
///
/// Rows that do not match their checksums are left out, and so are the counts, indexes and references
/// that RecordPack makes itself.
package struct ContainerRecovery {
  private let snapshot: ContainerSnapshot
  private let target: ImportTransaction
  private let check: () throws -> Void
  /// The scopes of zones, by row.
  private var scopes: [Int64: DatabaseScope] = [:]
  private let lost: LostZones

  /// Adds what is intact to a new container.
  ///
  /// - Parameter check: called for each row; may throw to end the recovery.
  package static func recover(
    _ snapshot: ContainerSnapshot, into target: ImportTransaction,
    check: @escaping () throws -> Void
  ) throws {
    var recovery = try ContainerRecovery(
      snapshot: snapshot, target: target, check: check, lost: LostZones(in: snapshot.db))
    try recovery.run()
  }

  private mutating func run() throws {
    try target.setInfo(StoredInfo(from: snapshot.db).info)
    try addZones()
    try addRecords()
    try addDeletions()
    try addSubscriptions()
    try addAssets()
  }

  /// Calls `body` with the rows that can be read. If a page is damaged, the rows behind it are read
  /// from the end.
  private func rows(
    _ table: CheckedTable, by key: String, _ body: (SQLiteStatement) throws -> Void
  ) throws {
    for order in ["ASC", "DESC"] {
      do {
        return try snapshot.db.forEachRow(
          "\(table.select) NOT INDEXED ORDER BY \(key) \(order)"
        ) { row in
          try check()
          try body(row)
        }
      } catch let error as SQLiteError where StoreConnection.translated(error).code == .damaged {
        continue
      }
    }
  }

  private mutating func addZones() throws {
    var found: [(zone: RecordZone, scope: DatabaseScope)] = []
    try rows(.zone, by: "id") { row in
      let zone = try? StoreCoding.read(RecordZone.self, from: row.bytes(6), name: "")
      let (id, zoneID, scope) = try lost.keys(ofZone: row, zone?.zoneID)
      scopes[id] = scope
      // Of a zone with two names, the records say which one is right.
      if let zone, zone.zoneID == zoneID { found.append((zone, scope)) }
    }
    for (zone, scope) in found { try target.add(zone, to: scope) }
  }

  /// The database of a zone. A record names its zone, and its row has the number of the zone.
  private func scope(of zoneID: ZoneID, row: Int64) throws -> DatabaseScope {
    try scopes[row] ?? lost.scope(of: zoneID, row)
  }

  private func makeZone(_ zoneID: ZoneID, in scope: DatabaseScope) throws {
    if try !target.hasZone(zoneID, in: scope) {
      try target.add(RecordZone(zoneID: zoneID), to: scope)
    }
  }

  private func addRecords() throws {
    try rows(.record, by: "id") { row in
      guard row.isIntact(.record), let record = try? snapshot.reader.read(row.bytes(5)) else {
        return
      }
      let zoneID = record.recordID.zoneID
      let scope = try scope(of: zoneID, row: row.int64(0))
      try makeZone(zoneID, in: scope)
      try target.add(record, to: scope)
    }
  }

  private func addDeletions() throws {
    try rows(.tombstone, by: "zone, name") { row in
      guard row.isIntact(.tombstone),
        let tombstone = try? StoreCoding.read(DeletedRecord.self, from: row.bytes(3), name: "")
      else { return }
      let zoneID = tombstone.recordID.zoneID
      let scope = try scope(of: zoneID, row: row.int64(0))
      try makeZone(zoneID, in: scope)
      try target.add(tombstone, to: scope)
    }
    try rows(.zoneTombstone, by: "scope, name, owner") { row in
      guard row.isIntact(.zoneTombstone), let scope = row.scope(0) else { return }
      let zoneID = row.zoneID(1)
      try target.add(
        DeletedZone(zoneID: zoneID, reason: snapshot.reason(row.string(4))), to: scope)
    }
  }

  private func addSubscriptions() throws {
    try rows(.subscription, by: "scope, id") { row in
      guard row.isIntact(.subscription), let scope = row.scope(0),
        let subscription = try? StoreCoding.read(
          CloudSubscription.self, from: row.bytes(3), name: "")
      else { return }
      if let zoneID = subscription.zoneID, try !target.hasZone(zoneID, in: scope) { return }
      try target.add(subscription, to: scope)
    }
  }

  /// Adds each content under its SHA-256. The container drops those that no record refers to.
  private func addAssets() throws {
    var contents: [(asset: Int64, digest: SHA256Digest, size: Int64)] = []
    for asset in try snapshot.db.all("SELECT DISTINCT asset FROM assetChunk", [], { $0.int64(0) }) {
      var hash = SHA256()
      var size: Int64 = 0
      try forEachChunk(of: asset) {
        hash.update($0)
        size += Int64($0.count)
      }
      contents.append((asset, hash.finalize(), size))
    }
    // An empty content has no chunks.
    contents.append((-1, SHA256().finalize(), 0))
    for content in contents {
      let digest = content.digest.description
      guard try !target.hasAsset(sha256: digest) else { continue }
      var offset: Int64 = 0
      try forEachChunk(of: content.asset) { chunk in
        try target.addAssetChunk(chunk, at: offset, ofAsset: digest, size: content.size)
        offset += Int64(chunk.count)
      }
      if offset == 0 {
        try target.addAssetChunk(
          UnsafeRawBufferPointer(start: nil, count: 0), at: 0, ofAsset: digest, size: 0)
      }
    }
  }

  private func forEachChunk(
    of asset: Int64, _ body: (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    try snapshot.db.forEachRow(
      "SELECT data FROM assetChunk WHERE asset = ? ORDER BY number", [asset]
    ) { row in
      try check()
      // Only damaged ones are empty.
      if !row.bytes(0).isEmpty { try body(row.bytes(0)) }
    }
  }
}

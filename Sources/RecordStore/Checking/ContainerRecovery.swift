import Foundation
import RecordModel
import RecordPlatform

/// Reads everything that is intact in a damaged container.
///
/// Rows that do not match their checksums are left out, and so are rows on pages that SQLite cannot read.
/// The counts, indexes and references that RecordPack makes itself are made again.
package struct ContainerRecovery {
  private let snapshot: ContainerSnapshot
  private let target: ImportTransaction
  private let check: () throws -> Void
  /// The scopes of zones, by row.
  private var scopes: [Int64: DatabaseScope] = [:]
  private let lost: LostZones
  private let orphans: OrphanedPages

  /// Adds what is intact to a new container.
  ///
  /// - Parameter check: called for each row; may throw to end the recovery.
  package static func recover(
    _ snapshot: ContainerSnapshot, into target: ImportTransaction,
    check: @escaping () throws -> Void
  ) throws {
    var recovery = try ContainerRecovery(
      snapshot: snapshot, target: target, check: check, lost: LostZones(in: snapshot.db),
      orphans: OrphanedPages(of: snapshot.db))
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

  /// Calls `body` with the rows of a table that can be read.
  ///
  /// - Parameter key: the columns of the primary key; nil for a table that has numbers of rows.
  private func rows(
    _ table: CheckedTable, by key: [String]? = nil, _ body: (SQLiteStatement) throws -> Void
  ) throws {
    let rows = try ReadableRows(table.name, table.columns, in: snapshot.db)
    func read(_ row: SQLiteStatement) throws {
      try check()
      try body(row)
    }
    let isComplete =
      try key.map { try rows.forEach(by: $0, read) }
      ?? rows.forEachNumbered(upTo: lastRow(of: table), read)
    if isComplete { return }
    try orphans.forEachRow(of: table, by: key ?? ["rowid"], check: check, body)
  }

  /// The greatest number of a row; nil if it is not known.
  private func lastRow(of table: CheckedTable) throws -> Int64? {
    guard table === CheckedTable.record else { return nil }
    var last: Int64?
    try ReadableRows(CheckedTable.section.name, CheckedTable.section.columns, in: snapshot.db)
      .forEach(by: ["zone", "type"]) { row in
        guard row.isIntact(.section) else { return }
        last = max(last ?? 0, SectionExtent(row, from: 2).lastID)
      }
    return last
  }

  private mutating func addZones() throws {
    var found: [(zone: RecordZone, scope: DatabaseScope)] = []
    try rows(.zone) { row in
      let zone = try? StoreCoding.read(RecordZone.self, from: row.bytes(6), name: "")
      let keys = try lost.keys(ofZone: row, zone?.zoneID)
      scopes[keys.id] = keys.scope
      // Of a zone with two names, the records say which one is right.
      guard zone == nil || zone?.zoneID == keys.zoneID else { return }
      // All other members of a damaged zone are left out.
      let plain = RecordZone(zoneID: keys.zoneID)
      found.append((keys.isIntact ? zone ?? plain : plain, keys.scope))
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
    try rows(.record) { row in
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
    try rows(.tombstone, by: ["zone", "name"]) { row in
      guard row.isIntact(.tombstone),
        let tombstone = try? StoreCoding.read(DeletedRecord.self, from: row.bytes(3), name: "")
      else { return }
      let zoneID = tombstone.recordID.zoneID
      let scope = try scope(of: zoneID, row: row.int64(0))
      try makeZone(zoneID, in: scope)
      try target.add(tombstone, to: scope)
    }
    try rows(.zoneTombstone, by: ["scope", "name", "owner"]) { row in
      guard row.isIntact(.zoneTombstone), let scope = row.scope(0) else { return }
      let zoneID = row.zoneID(1)
      try target.add(
        DeletedZone(zoneID: zoneID, reason: snapshot.reason(row.string(4))), to: scope)
    }
  }

  private func addSubscriptions() throws {
    try rows(.subscription, by: ["scope", "id"]) { row in
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
    for chunks in try chunksOfAssets() {
      var hash = SHA256()
      var size: Int64 = 0
      let isReadable = try snapshot.db.canRead {
        try forEachChunk(chunks) {
          hash.update($0)
          size += Int64($0.count)
        }
      }
      let digest = hash.finalize().description
      guard isReadable, try !target.hasAsset(sha256: digest) else { continue }
      var offset: Int64 = 0
      try forEachChunk(chunks) { chunk in
        try target.addAssetChunk(chunk, at: offset, ofAsset: digest, size: size)
        offset += Int64(chunk.count)
      }
      if offset == 0 {
        try target.addAssetChunk(
          UnsafeRawBufferPointer(start: nil, count: 0), at: 0, ofAsset: digest, size: 0)
      }
    }
  }

  /// The rows of each asset's chunks, in their order. An empty content has no chunks.
  private func chunksOfAssets() throws -> [[Int64]] {
    var found: [Int64: [(number: Int64, row: Int64)]] = [:]
    try ReadableRows("assetChunk", "asset, number", in: snapshot.db).forEachNumbered { row in
      try check()
      found[row.int64(0), default: []].append((row.int64(1), row.int64(2)))
    }
    let assets = found.sorted { $0.key < $1.key }
    return assets.map { $0.value.sorted { $0.number < $1.number }.map(\.row) } + [[]]
  }

  private func forEachChunk(
    _ rows: [Int64], _ body: (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    for row in rows {
      try check()
      try snapshot.db.forEachRow("SELECT data FROM assetChunk WHERE rowid = ?", [row]) {
        // Only damaged ones are empty.
        if !$0.bytes(0).isEmpty { try body($0.bytes(0)) }
      }
    }
  }
}

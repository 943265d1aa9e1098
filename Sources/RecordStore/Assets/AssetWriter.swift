import Foundation
import RecordCoding
import RecordModel
import RecordPlatform

/// Writes the assets of a container in one transaction.
///
/// Content is stored once per SHA-256, as long as a record refers to it.
final class AssetWriter {
  /// The size of a stored chunk in bytes, which is also that of an asset line in a bundle.
  static let chunkSize = 262_144
  /// The number of assets that may have lost their last record above which all are checked.
  private static let maxCandidates = 1000

  let db: SQLiteConnection
  private var candidates: Set<Int64> = []
  var mayHaveUnused = false
  /// The last row at the start of counting, and the earlier rows that got content since.
  private var counting: (last: Int64, filled: Set<Int64>)?
  /// Whether assets were added.
  private var hasAdded = false
  var incoming: IncomingAsset?

  init(_ db: SQLiteConnection) { self.db = db }

  // MARK: References

  /// Adds the references of a record's payload to assets.
  func addReferences(payload: UnsafeRawBufferPointer, record: Int64) throws {
    try AssetReferences.forEach(in: payload) { digest in
      let insert = try SQLiteStatement.cached(
        "INSERT OR IGNORE INTO assetUse (record, asset) VALUES (?, ?)", in: db)
      let asset = try row(of: digest).id
      insert.bind(1, record)
      insert.bind(2, asset)
      try insert.run()
    }
  }

  func removeReferences(record: Int64) throws {
    let select = try SQLiteStatement.cached("SELECT asset FROM assetUse WHERE record = ?", in: db)
    select.bind(1, record)
    var isUsing = false
    while try select.step() {
      isUsing = true
      noteUnused(select.int64(0))
    }
    select.reset()
    guard isUsing else { return }
    try db.run("DELETE FROM assetUse WHERE record = ?", [record])
  }

  func noteUnused(_ asset: Int64) {
    if candidates.count < Self.maxCandidates {
      candidates.insert(asset)
    } else {
      mayHaveUnused = true
    }
  }

  /// Starts counting the added contents.
  ///
  /// - Parameter isNew: whether the container has no assets.
  func beginCounting(isNew: Bool) throws {
    counting = (isNew ? 0 : try db.integer("SELECT max(id) FROM asset") ?? 0, [])
  }

  /// Returns the number of contents added since counting started.
  func added() throws -> Int {
    guard let counting else { return 0 }
    let new = try countAdded("size IS NOT NULL")
    let filled = try counting.filled.filter {
      try db.integer("SELECT 1 FROM asset WHERE id = ?", [$0]) != nil
    }
    return new + filled.count
  }

  /// Returns the number of missing contents that are referred to since counting started.
  func missing() throws -> Int { try countAdded("size IS NULL") }

  private func countAdded(_ condition: String) throws -> Int {
    guard let counting, hasAdded else { return 0 }
    let count = try db.integer(
      "SELECT count(*) FROM asset WHERE id > ? AND \(condition)", [counting.last])
    return Int(count ?? 0)
  }

  /// Deletes the assets that no record refers to.
  func removeUnused() throws {
    let unused = "NOT EXISTS (SELECT 1 FROM assetUse WHERE assetUse.asset = asset.id)"
    if mayHaveUnused {
      try db.execute(
        """
        DELETE FROM assetChunk WHERE asset IN (SELECT id FROM asset WHERE \(unused));
        DELETE FROM asset WHERE \(unused);
        """)
    } else {
      for id in candidates.sorted() {
        try db.run("DELETE FROM asset WHERE id = ? AND \(unused)", [id])
        guard db.changesCount > 0 else { continue }
        try db.run("DELETE FROM assetChunk WHERE asset = ?", [id])
      }
    }
    candidates = []
    mayHaveUnused = false
  }

  // MARK: Rows

  struct AssetRow {
    var id: Int64
    /// The size of the content; nil if only its digest is known.
    var size: Int64?
  }

  func find(_ digest: SHA256Digest) throws -> AssetRow? {
    try db.first("SELECT id, size FROM asset WHERE sha256 = ?", [digest.data]) {
      AssetRow(id: $0.int64(0), size: $0.isNull(1) ? nil : $0.int64(1))
    }
  }

  func row(of digest: SHA256Digest) throws -> AssetRow {
    if let known = try find(digest) { return known }
    return AssetRow(id: try addRow(digest), size: nil)
  }

  /// Adds an asset without content; without a digest while that is being computed.
  func addRow(_ digest: SHA256Digest?) throws -> Int64 {
    try db.run("INSERT INTO asset (sha256, stored) VALUES (?, 0)", [digest?.data])
    hasAdded = true
    return db.lastInsertedRowID
  }

  func addChunk(_ bytes: UnsafeRawBufferPointer, _ number: Int64, to id: Int64) throws {
    let insert = try SQLiteStatement.cached(
      "INSERT INTO assetChunk (asset, number, data) VALUES (?, ?, ?)", in: db)
    insert.bind(1, id)
    insert.bind(2, number)
    try insert.bindBlob(3, bytes)
    try insert.run()
  }

  func setSize(_ size: Int64, of id: Int64) throws {
    if let last = counting?.last, id <= last { counting?.filled.insert(id) }
    try db.run("UPDATE asset SET size = ?, stored = ? WHERE id = ?", [size, size, id])
  }

  func delete(_ id: Int64) throws {
    try db.run("DELETE FROM assetChunk WHERE asset = ?", [id])
    try db.run("DELETE FROM asset WHERE id = ?", [id])
  }
}

import Crypto
import Foundation
import GRDB
import RecordModel

/// The assets of a container, in one transaction that writes.
///
/// Content is stored once per SHA-256, and lives as long as a record refers to it.
final class AssetWriter {
  /// The size of a stored piece in bytes, and of an asset line's in a bundle.
  static let chunkSize = 262_144
  /// Above so many assets that may have lost their last record, all are looked at.
  private static let mostCandidates = 1000

  let db: Database
  private var candidates: Set<Int64> = []
  var mayHaveUnused = false
  /// The asset whose pieces are coming in.
  var incoming: IncomingAsset?

  init(_ db: Database) { self.db = db }

  // MARK: Uses

  /// Notes which assets a record's payload refers to.
  func use(payload: UnsafeRawBufferPointer, record: Int64) throws {
    try AssetDigest.forEach(in: payload) { digest in
      let insert = try RawStatement.cached("INSERT OR IGNORE INTO assetUse VALUES (?, ?)", in: db)
      let asset = try row(of: digest).id
      insert.bind(1, record)
      insert.bind(2, asset)
      try insert.run()
    }
  }

  /// Forgets what a record referred to.
  func release(record: Int64) throws {
    let select = try RawStatement.cached("SELECT asset FROM assetUse WHERE record = ?", in: db)
    select.bind(1, record)
    var isUsing = false
    while try select.step() {
      isUsing = true
      noteUnused(select.int64(0))
    }
    select.reset()
    guard isUsing else { return }
    try db.execute(sql: "DELETE FROM assetUse WHERE record = ?", arguments: [record])
  }

  func noteUnused(_ asset: Int64) {
    if candidates.count < Self.mostCandidates {
      candidates.insert(asset)
    } else {
      mayHaveUnused = true
    }
  }

  /// Deletes the assets no record refers to.
  func removeUnused() throws {
    let unused = "NOT EXISTS (SELECT 1 FROM assetUse WHERE assetUse.asset = asset.id)"
    if mayHaveUnused {
      try db.execute(
        sql: """
          DELETE FROM assetChunk WHERE asset IN (SELECT id FROM asset WHERE \(unused));
          DELETE FROM asset WHERE \(unused);
          """)
    } else {
      for id in candidates.sorted() {
        try db.execute(sql: "DELETE FROM asset WHERE id = ? AND \(unused)", arguments: [id])
        guard db.changesCount > 0 else { continue }
        try db.execute(sql: "DELETE FROM assetChunk WHERE asset = ?", arguments: [id])
      }
    }
    candidates = []
    mayHaveUnused = false
  }

  // MARK: Rows

  struct AssetRow {
    var id: Int64
    /// The size of the content; nil where only its digest is known.
    var size: Int64?
  }

  func find(_ digest: AssetDigest) throws -> AssetRow? {
    let row = try Row.fetchOne(
      db, sql: "SELECT id, size FROM asset WHERE sha256 = ?", arguments: [Data(digest.bytes)])
    return row.map { AssetRow(id: $0[0], size: $0[1]) }
  }

  private func row(of digest: AssetDigest) throws -> AssetRow {
    if let known = try find(digest) { return known }
    return AssetRow(id: try addRow(digest), size: nil)
  }

  /// Adds an asset without content; without a digest while that is being computed.
  private func addRow(_ digest: AssetDigest?) throws -> Int64 {
    try db.execute(
      sql: "INSERT INTO asset (sha256, stored) VALUES (?, 0)",
      arguments: [digest.map { Data($0.bytes) }])
    return db.lastInsertedRowID
  }

  private func addChunk(_ bytes: UnsafeRawBufferPointer, _ number: Int64, to id: Int64) throws {
    let insert = try RawStatement.cached("INSERT INTO assetChunk VALUES (?, ?, ?)", in: db)
    insert.bind(1, id)
    insert.bind(2, number)
    try insert.bindBlob(3, bytes)
    try insert.run()
  }

  private func setSize(_ size: Int64, of id: Int64) throws {
    try db.execute(
      sql: "UPDATE asset SET size = ?, stored = ? WHERE id = ?", arguments: [size, size, id])
  }

  private func delete(_ id: Int64) throws {
    try db.execute(sql: "DELETE FROM assetChunk WHERE asset = ?", arguments: [id])
    try db.execute(sql: "DELETE FROM asset WHERE id = ?", arguments: [id])
  }
}

// MARK: - Content of drafts

extension AssetWriter {
  /// Stores content that comes piece by piece.
  ///
  /// - Parameter next: the next piece of at most ``chunkSize`` bytes; nil at the end.
  /// - Returns: the content's digest and size.
  func store(
    _ next: () throws -> Data?, checkSize: (Int64) throws -> Void
  ) throws -> (digest: AssetDigest, size: Int64) {
    let id = try addRow(nil)
    var hash = SHA256()
    var size: Int64 = 0
    var number: Int64 = 0
    while let piece = try next(), !piece.isEmpty {
      size += Int64(piece.count)
      try checkSize(size)
      hash.update(data: piece)
      try piece.withUnsafeBytes { try addChunk($0, number, to: id) }
      number += 1
    }
    let digest = AssetDigest(hash.finalize())
    try settle(id, as: digest, size: size)
    return (digest, size)
  }

  /// Gives a stored content its digest, or drops it where the same content is there already.
  private func settle(_ id: Int64, as digest: AssetDigest, size: Int64) throws {
    guard let known = try find(digest) else {
      try db.execute(
        sql: "UPDATE asset SET sha256 = ? WHERE id = ?", arguments: [Data(digest.bytes), id])
      try setSize(size, of: id)
      noteUnused(id)
      return
    }
    if known.size == nil {
      try db.execute(
        sql: "UPDATE assetChunk SET asset = ? WHERE asset = ?", arguments: [known.id, id])
      try setSize(size, of: known.id)
    }
    try delete(id)
  }
}

// MARK: - Content of an import

/// An asset whose pieces are coming in, one after the other.
struct IncomingAsset {
  let id: Int64
  let digest: AssetDigest
  let size: Int64
  /// Whether the content is stored already, so that the pieces are only counted.
  let isKnown: Bool
  var received: Int64 = 0
  var chunks: Int64 = 0
  var hash = SHA256()
  var pending: [UInt8] = []
}

extension AssetWriter {
  /// Takes the next piece of an asset; the pieces of one asset come in order, from byte 0 on.
  func add(
    _ piece: UnsafeRawBufferPointer, at offset: Int64, of digest: AssetDigest, size: Int64
  ) throws {
    if incoming?.digest != digest || offset == 0 {
      try finishIncoming()
      incoming = try begin(digest, size: size)
    }
    guard var asset = incoming else { return }
    incoming = nil
    guard asset.received == offset, asset.size == size else {
      throw MockContainerError.assetOffset(
        sha256: digest.hex, expected: asset.received, found: offset)
    }
    asset.received += Int64(piece.count)
    guard asset.received <= size else {
      throw MockContainerError.assetIncomplete(
        sha256: digest.hex, stored: asset.received, size: size)
    }
    if !asset.isKnown {
      asset.hash.update(bufferPointer: piece)
      try append(piece, to: &asset)
    }
    incoming = asset
  }

  /// Ends the asset that is coming in: it must be whole, and have the digest it came under.
  func finishIncoming() throws {
    guard var asset = incoming else { return }
    incoming = nil
    guard asset.received == asset.size else {
      throw MockContainerError.assetIncomplete(
        sha256: asset.digest.hex, stored: asset.received, size: asset.size)
    }
    guard !asset.isKnown else { return }
    let found = AssetDigest(asset.hash.finalize())
    guard found == asset.digest else {
      throw MockContainerError.assetDigest(expected: asset.digest.hex, found: found.hex)
    }
    if !asset.pending.isEmpty { try flush(&asset) }
    try setSize(asset.size, of: asset.id)
  }

  private func begin(_ digest: AssetDigest, size: Int64) throws -> IncomingAsset {
    let row = try row(of: digest)
    noteUnused(row.id)
    return IncomingAsset(id: row.id, digest: digest, size: size, isKnown: row.size != nil)
  }

  /// Cuts what comes into pieces of ``chunkSize``, however it is cut.
  private func append(_ piece: UnsafeRawBufferPointer, to asset: inout IncomingAsset) throws {
    if asset.pending.isEmpty && piece.count == Self.chunkSize {
      try addChunk(piece, asset.chunks, to: asset.id)
      asset.chunks += 1
      return
    }
    var rest = piece[...]
    while !rest.isEmpty {
      let part = rest.prefix(Self.chunkSize - asset.pending.count)
      asset.pending.append(contentsOf: part)
      rest = rest.dropFirst(part.count)
      if asset.pending.count == Self.chunkSize { try flush(&asset) }
    }
  }

  private func flush(_ asset: inout IncomingAsset) throws {
    try asset.pending.withUnsafeBytes { try addChunk($0, asset.chunks, to: asset.id) }
    asset.chunks += 1
    asset.pending.removeAll(keepingCapacity: true)
  }
}

import Foundation
import RecordCoding
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
  /// Whether damaged content is replaced.
  var isRepairing = false

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

extension AssetWriter {
  /// Stores content in chunks.
  ///
  /// - Parameter next: returns the next chunk of at most ``chunkSize`` bytes; nil at the end.
  /// - Returns: the digest and size of the content.
  func store(
    _ next: () throws -> Data?, checkSize: (Int64) throws -> Void
  ) throws -> (digest: SHA256Digest, size: Int64) {
    let id = try addRow(nil)
    var hash = SHA256()
    var size: Int64 = 0
    var number: Int64 = 0
    while let chunk = try next(), !chunk.isEmpty {
      size += Int64(chunk.count)
      try checkSize(size)
      chunk.withUnsafeBytes { hash.update($0) }
      try chunk.withUnsafeBytes { try addChunk($0, number, to: id) }
      number += 1
    }
    let digest = hash.finalize()
    try settle(id, as: digest, size: size)
    return (digest, size)
  }

  /// Assigns a stored content its digest, or drops it if the same content exists.
  private func settle(_ id: Int64, as digest: SHA256Digest, size: Int64) throws {
    guard let known = try find(digest) else {
      try db.run("UPDATE asset SET sha256 = ? WHERE id = ?", [digest.data, id])
      try setSize(size, of: id)
      noteUnused(id)
      return
    }
    if known.size == nil {
      try db.run("UPDATE assetChunk SET asset = ? WHERE asset = ?", [known.id, id])
      try setSize(size, of: known.id)
    }
    try delete(id)
  }
}

extension AssetWriter {
  /// Adds the next chunk of an asset; the chunks of one asset come in order, from byte 0 on.
  func add(
    _ chunk: UnsafeRawBufferPointer, at offset: Int64, of digest: SHA256Digest, size: Int64
  ) throws {
    if incoming?.digest != digest || offset == 0 {
      try finishIncoming()
      incoming = try begin(digest, size: size)
    }
    guard var asset = incoming else { return }
    incoming = nil
    guard asset.received == offset, asset.size == size else {
      throw ContainerStoreError.assetOffset(
        sha256: digest.description, expected: asset.received, found: offset)
    }
    asset.received += Int64(chunk.count)
    guard asset.received <= size else {
      throw ContainerStoreError.assetIncomplete(
        sha256: digest.description, stored: asset.received, size: size)
    }
    if !asset.isKnown {
      asset.hash.update(chunk)
      try append(chunk, to: &asset)
    }
    incoming = asset
  }

  /// Ends the incoming asset: it must be complete and match its digest.
  func finishIncoming() throws {
    guard var asset = incoming else { return }
    incoming = nil
    guard asset.received == asset.size else {
      throw ContainerStoreError.assetIncomplete(
        sha256: asset.digest.description, stored: asset.received, size: asset.size)
    }
    guard !asset.isKnown else { return }
    let found = asset.hash.finalize()
    guard found == asset.digest else {
      throw ContainerStoreError.assetDigest(
        expected: asset.digest.description, found: found.description)
    }
    if !asset.pending.isEmpty { try flush(&asset) }
    try setSize(asset.size, of: asset.id)
  }

  private func begin(_ digest: SHA256Digest, size: Int64) throws -> IncomingAsset {
    let row = try row(of: digest)
    noteUnused(row.id)
    var isKnown = row.size != nil
    if isRepairing, try !hasIntactContent(row.id, digest, size: size) {
      isKnown = false
      try db.run("DELETE FROM assetChunk WHERE asset = ?", [row.id])
    }
    return IncomingAsset(id: row.id, digest: digest, size: size, isKnown: isKnown)
  }

  private func hasIntactContent(_ id: Int64, _ digest: SHA256Digest, size: Int64) throws -> Bool {
    let isSized =
      try db.integer(
        "SELECT 1 FROM asset WHERE id = ? AND size = ? AND stored = size", [id, size]) != nil
    var hash = SHA256()
    var number: Int64 = 0
    var isInOrder = true
    try db.forEachRow("SELECT data, number FROM assetChunk WHERE asset = ? ORDER BY number", [id]) {
      hash.update($0.bytes(0))
      if $0.int64(1) != number { isInOrder = false }
      number &+= 1
    }
    return isSized && isInOrder && hash.finalize() == digest
  }

  /// Splits chunks of any size into stored chunks of ``chunkSize``.
  private func append(_ chunk: UnsafeRawBufferPointer, to asset: inout IncomingAsset) throws {
    if asset.pending.isEmpty && chunk.count == Self.chunkSize {
      try addChunk(chunk, asset.chunks, to: asset.id)
      asset.chunks += 1
      return
    }
    var rest = chunk[...]
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

/// An asset whose chunks are being added.
struct IncomingAsset {
  let id: Int64
  let digest: SHA256Digest
  let size: Int64
  /// Whether the content is already stored, so that the chunks are only counted.
  let isKnown: Bool
  var received: Int64 = 0
  var chunks: Int64 = 0
  var hash = SHA256()
  var pending: [UInt8] = []
}

extension SHA256Digest {
  /// Creates a digest from a column.
  /// - Throws: ``ContainerStoreError/Code/damaged`` if it does not have 32 bytes.
  init(stored: UnsafeRawBufferPointer) throws {
    guard let digest = SHA256Digest(bytes: stored) else {
      throw ContainerStoreError.damaged(detail: "an asset has a digest of \(stored.count) bytes")
    }
    self = digest
  }

  /// Parses 64 hexadecimal digits.
  /// - Throws: ``ContainerStoreError/Code/invalidAsset`` for anything else.
  init(hex: String) throws {
    guard let digest = SHA256Digest(anyCase: hex) else {
      throw ContainerStoreError.invalidDigest(hex)
    }
    self = digest
  }

  /// Parses 64 hexadecimal digits of any case.
  init?(anyCase text: String) { self.init(hexadecimal: text.lowercased()) }

  /// The 32 bytes for a column.
  var data: Data { withBytes { Data($0) } }
}

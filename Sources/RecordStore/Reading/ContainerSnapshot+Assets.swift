import Foundation
import RecordModel
import RecordPlatform

extension ContainerSnapshot {
  /// Calls `body` with each asset that a record refers to, by SHA-256.
  public func forEachAsset(_ body: (StoredAsset) throws -> Void) throws {
    try db.forEachRow(
      """
      SELECT \(StoredAsset.digest), size FROM asset
      WHERE sha256 IS NOT NULL OR id IN (SELECT asset FROM assetUse) ORDER BY sha256
      """
    ) { row in
      guard SHA256Digest(bytes: row.bytes(0)) != nil else {
        return try leaveOut(.damaged(detail: "an asset has no SHA-256"))
      }
      try body(StoredAsset(row))
    }
  }

  /// Returns the number of assets that a record refers to, and whose content is not stored.
  package func missingAssets() throws -> Int {
    let count = try db.integer(
      """
      SELECT (SELECT count(*) FROM asset WHERE size IS NULL) + (SELECT count(DISTINCT asset)
        FROM assetUse WHERE asset NOT IN (SELECT id FROM asset))
      """)
    return Int(count ?? 0)
  }

  /// Returns the assets that a record refers to, by SHA-256.
  public func assets(
    of recordID: RecordID, in scope: DatabaseScope
  ) throws -> [StoredAsset] {
    guard let zone = try zoneRow(recordID.zoneID, in: scope) else { return [] }
    return try db.all(
      """
      SELECT \(StoredAsset.digest), size FROM record JOIN assetUse ON assetUse.record = record.id
        JOIN asset ON asset.id = assetUse.asset
      WHERE zone = ? AND name = ? ORDER BY sha256
      """, [zone, recordID.recordName], StoredAsset.init)
  }

  /// Whether the content of an asset is stored.
  package func hasAsset(sha256: String) throws -> Bool {
    guard let digest = SHA256Digest(anyCase: sha256) else { return false }
    return try db.integer(
      "SELECT 1 FROM asset WHERE sha256 = ? AND size IS NOT NULL", [digest.data]) != nil
  }

  /// Whether a record refers to an asset.
  package func refersToAsset(sha256: String) throws -> Bool {
    guard let digest = SHA256Digest(anyCase: sha256) else { return false }
    return try db.integer(
      "SELECT 1 FROM assetUse WHERE asset = (SELECT id FROM asset WHERE sha256 = ?) LIMIT 1",
      [digest.data]) != nil
  }

  /// Calls `body` with the content of an asset, as ``forEachAssetChunk(sha256:_:)`` does; an empty asset
  /// has one empty chunk. Where rows that cannot be read are left out, an asset is not passed on before
  /// all of its content is checked.
  package func forEachIntactAssetChunk(
    sha256: String, size: Int, _ body: (_ offset: Int64, UnsafeRawBufferPointer) throws -> Void
  ) throws {
    let empty = UnsafeRawBufferPointer(start: nil, count: 0)
    guard damage != nil else {
      try forEachAssetChunk(sha256: sha256, body)
      return size == 0 ? try body(0, empty) : ()
    }
    var content = Data()
    do {
      // A large one is read twice.
      try forEachAssetChunk(sha256: sha256) { _, bytes in
        if 0...Self.maxBuffered ~= size { content.append(contentsOf: bytes) }
      }
    } catch let error as ContainerStoreError where [.damaged, .invalidAsset].contains(error.code) {
      return try leaveOut(error)
    }
    guard size <= Self.maxBuffered else { return try forEachAssetChunk(sha256: sha256, body) }
    if content.isEmpty { try body(0, empty) }
    // Chunks whose numbers are damaged may be of other sizes.
    try content.withUnsafeBytes { content in
      for offset in stride(from: 0, to: content.count, by: AssetWriter.chunkSize) {
        let end = min(offset + AssetWriter.chunkSize, content.count)
        try body(Int64(offset), UnsafeRawBufferPointer(rebasing: content[offset..<end]))
      }
    }
  }

  /// Whether the content of an asset has its SHA-256, for which all of it is read. The error of another
  /// content is left out, or thrown.
  package func isIntact(asset sha256: String) throws -> Bool {
    do {
      try forEachAssetChunk(sha256: sha256) { _, _ in }
      return true
    } catch let error as ContainerStoreError where [.damaged, .invalidAsset].contains(error.code) {
      try leaveOut(error)
      return false
    }
  }

  private static let maxBuffered = 16 << 20

  private func assetRow(_ sha256: String) throws -> (id: Int64, size: Int64) {
    let digest = try SHA256Digest(hex: sha256)
    let row = try db.first(
      "SELECT id, size FROM asset WHERE sha256 = ? AND size IS NOT NULL", [digest.data]
    ) { (id: $0.int64(0), size: $0.int64(1)) }
    guard let row else { throw ContainerStoreError.assetNotFound(sha256: sha256) }
    guard row.size >= 0 else {
      throw ContainerStoreError.damaged(detail: "the asset \(sha256) has the size \(row.size)")
    }
    return row
  }

  /// Returns the content of an asset.
  ///
  /// - Parameters:
  ///   - sha256: the SHA-256 of the asset, 64 lowercase hexadecimal digits.
  ///   - limit: the maximum number of bytes to load into memory.
  /// - Throws: ``ContainerStoreError/Code/assetNotFound`` if it is not stored, or
  ///   ``ContainerStoreError/Code/invalidAsset`` if it exceeds the limit.
  public func assetData(sha256: String, limit: Int64 = 50_000_000) throws -> Data {
    let size = try assetRow(sha256).size
    guard size <= limit else {
      throw ContainerStoreError.assetTooLarge(sha256: sha256, size: size, limit: limit)
    }
    var data = Data()
    data.reserveCapacity(Int(min(size, 1 << 24)))
    try forEachAssetChunk(sha256: sha256) { offset, bytes in
      // The stored content may be longer than the stored size.
      guard offset < size else { return }
      data.append(contentsOf: bytes)
    }
    return data
  }

  /// Calls `body` with the content of an asset in chunks: the offset, and up to 256 KiB, which are
  /// valid only during the call. An empty asset has no chunks.
  ///
  /// - Throws: ``ContainerStoreError/Code/invalidAsset`` after the last chunk, if the
  ///   stored content does not match the digest.
  public func forEachAssetChunk(
    sha256: String, _ body: (_ offset: Int64, UnsafeRawBufferPointer) throws -> Void
  ) throws {
    let asset = try assetRow(sha256)
    var offset: Int64 = 0
    var hash = SHA256()
    try db.forEachRow("SELECT data FROM assetChunk WHERE asset = ? ORDER BY number", [asset.id]) {
      let chunk = $0.bytes(0)
      hash.update(chunk)
      try body(offset, chunk)
      offset &+= Int64(chunk.count)
    }
    guard offset == asset.size else {
      throw ContainerStoreError.assetIncomplete(sha256: sha256, stored: offset, size: asset.size)
    }
    let found = hash.finalize()
    guard try found == SHA256Digest(hex: sha256) else {
      throw ContainerStoreError.assetDigest(expected: sha256, found: found.description)
    }
  }

  /// Writes the content of an asset to a file, which must not exist.
  public func copyAsset(sha256: String, to url: URL) throws {
    guard url.isFileURL else { throw ContainerStoreError.notFileURL(url.absoluteString) }
    try AssetFile.write(to: url.path) { write in
      try forEachAssetChunk(sha256: sha256) { _, bytes in try write(bytes) }
    }
  }
}

extension StoredAsset {
  /// The SHA-256 of a row. Text with the same bytes counts as none: no search finds it.
  static let digest = "CASE typeof(sha256) WHEN 'blob' THEN sha256 END"

  fileprivate init(_ row: SQLiteStatement) throws {
    sha256 = try SHA256Digest(stored: row.bytes(0)).description
    size = row.isNull(1) ? nil : row.int64(1)
  }
}

import RecordPlatform
import Foundation

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

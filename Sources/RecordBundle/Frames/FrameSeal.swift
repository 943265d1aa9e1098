import RecordPlatform

/// The skippable frame before the seek table. It holds the SHA-256 of the last frame of lines, so
/// that a change of any bit of the file is detected.
enum FrameSeal {
  /// The size of the whole skippable frame in bytes.
  static let size = ZstdFormat.skippableHeaderSize + tag.count + SHA256Digest.byteCount
  /// The beginning of the content.
  private static let tag = Array("RPK1".utf8)

  /// Returns the bytes of the seal for the digest of the last frame.
  static func encode(_ digest: SHA256Digest) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(littleEndian: ZstdFormat.sealMagic)
    bytes.append(littleEndian: UInt32(tag.count + SHA256Digest.byteCount))
    bytes += tag
    digest.withBytes { bytes.append(contentsOf: $0) }
    return bytes
  }

  /// Returns the digest in a seal; `nil` if the bytes are not a seal.
  static func digest(in bytes: [UInt8]) -> SHA256Digest? {
    guard bytes.count == size,
      let digest = bytes.withUnsafeBytes({ all in
        SHA256Digest(
          bytes: UnsafeRawBufferPointer(rebasing: all.suffix(SHA256Digest.byteCount)))
      }), encode(digest) == bytes
    else { return nil }
    return digest
  }
}

import RecordPlatform

/// The skippable frame before the seek table: SHA-256 of the last frame of lines, so that a change
/// of any bit of the file is noticed.
enum FrameSeal {
  /// Bytes of the whole skippable frame.
  static let size = ZstdFormat.skippableHeaderSize + tag.count + SHA256Digest.byteCount
  /// What the content begins with.
  private static let tag = Array("RPK1".utf8)

  /// The bytes of the seal for a last frame with that digest.
  static func encode(_ digest: SHA256Digest) -> [UInt8] {
    var bytes: [UInt8] = []
    for number in [ZstdFormat.sealMagic, UInt32(tag.count + SHA256Digest.byteCount)] {
      withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
    }
    bytes += tag
    digest.withBytes { bytes.append(contentsOf: $0) }
    return bytes
  }

  /// The digest that a seal holds; `nil` where the bytes are no seal.
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

import RecordPlatform

/// An intact frame of a damaged file.
struct RecoveryFrame {
  let offset: UInt64
  let compressedSize: Int
  /// SHA-256 of the compressed frame.
  let digest: SHA256Digest
  let lines: Int
  /// Whether one of the lines is an index.
  let hasIndex: Bool
  /// The key of the first line that is not a zone; without any, that of the previous frame.
  let key: LineKey

  /// Returns the location for a decoder, which checks the digest again.
  func location(index: Int) -> FrameLocation {
    FrameLocation(
      index: index, offset: offset, compressedSize: compressedSize, size: nil, checksum: nil,
      digest: digest)
  }
}

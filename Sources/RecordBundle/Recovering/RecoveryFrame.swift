import RecordPlatform

/// An intact frame of a damaged file.
struct RecoveryFrame {
  /// Where it begins, in bytes from the file's beginning.
  let offset: UInt64
  /// Its size in the file, in bytes.
  let compressedSize: Int
  /// SHA-256 of its bytes in the file.
  let digest: SHA256Digest
  /// The number of its lines.
  let lines: Int
  /// Whether one of them is an index.
  let hasIndex: Bool
  /// What the first line that is not a zone is ordered by; where no line tells, the key of the
  /// frame before.
  let key: LineKey

  /// The frame's place for a decoder, which checks the digest again.
  func location(index: Int) -> FrameLocation {
    FrameLocation(
      index: index, offset: offset, compressedSize: compressedSize, size: nil, checksum: nil,
      digest: digest)
  }
}

import RecordPlatform

/// Where a frame lies in a file, and what is known of it beforehand.
struct FrameLocation: Sendable, Hashable {
  /// The frame's number, from 0.
  let index: Int
  /// Where it begins, in bytes.
  let offset: UInt64
  /// Bytes of the compressed frame.
  let compressedSize: Int
  /// Bytes of its content; `nil` where only the frame itself says so.
  let size: Int?
  /// The low 32 bits of the content's XXH64, where the seek table has them.
  let checksum: UInt32?
  /// Whether the frame is the last one, whose digest the seal has.
  var isLast = false
  /// SHA-256 of the compressed frame, where that is known.
  var digest: SHA256Digest?
}

import RecordPlatform

/// The location of a frame in a file, and what is known about it before it is read.
struct FrameLocation: Sendable, Hashable {
  /// The number of the frame, from 0.
  let index: Int
  /// The offset of the frame in bytes.
  let offset: UInt64
  /// The size of the compressed frame in bytes.
  let compressedSize: Int
  /// The size of the content in bytes; `nil` if only the frame itself states it.
  let size: Int?
  /// The low 32 bits of the content's XXH64, if the seek table has them.
  let checksum: UInt32?
  /// Whether the frame is the last one, whose digest is in the seal.
  var isLast = false
  /// SHA-256 of the compressed frame, if known.
  var digest: SHA256Digest?
}

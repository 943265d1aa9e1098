import RecordPlatform

/// The location of a frame in a file, and what is known about it before it is read.
struct FrameLocation: Sendable, Hashable {
  let index: Int
  let offset: UInt64
  let compressedSize: Int
  /// The size of the content in bytes; `nil` if only the frame itself states it.
  var size: Int?
  /// The low 32 bits of the content's XXH64, if the seek table has them.
  var checksum: UInt32?
  /// Whether the frame is the last one, whose digest is in the seal.
  var isLast = false
  /// SHA-256 of the compressed frame, if known.
  var digest: SHA256Digest?
}

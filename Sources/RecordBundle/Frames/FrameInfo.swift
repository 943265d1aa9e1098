import RecordPlatform

/// The metadata of a frame that was written.
struct FrameInfo: Sendable, Hashable {
  var offset: UInt64
  var compressedSize: UInt32
  /// The size of the content in bytes: whole lines, each with its newline.
  var size: UInt32
  var lineCount: UInt32
  /// The low 32 bits of the content's XXH64, as stored at the end of the frame.
  var checksum: UInt32
  /// SHA-256 of the compressed frame.
  var digest: SHA256Digest
  /// The sum of the hashes of the lines that count toward the content hash.
  var contentHash: ContentHash

  var endOffset: UInt64 { offset + UInt64(compressedSize) }
}

import RecordPlatform

/// What is known of a frame that was written.
struct FrameInfo: Sendable, Hashable {
  /// Where the frame begins in the file, in bytes.
  var offset: UInt64
  /// Bytes of the compressed frame.
  var compressedSize: UInt32
  /// Bytes of the content: whole lines, each with its newline.
  var size: UInt32
  /// Lines in the content.
  var lineCount: UInt32
  /// The low 32 bits of the content's XXH64, as zstd keeps them at the frame's end.
  var checksum: UInt32
  /// SHA-256 of the compressed frame.
  var digest: SHA256Digest
  /// The sum of the hashes of the lines that count for the content.
  var contentHash: ContentHash

  /// Where the next frame begins.
  var endOffset: UInt64 { offset + UInt64(compressedSize) }
}

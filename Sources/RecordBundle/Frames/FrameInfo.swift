import RecordPlatform

/// The metadata of a frame that was written.
struct FrameInfo: Sendable, Hashable {
  /// The offset of the frame in the file, in bytes.
  var offset: UInt64
  /// The size of the compressed frame in bytes.
  var compressedSize: UInt32
  /// The size of the content in bytes: whole lines, each with its newline.
  var size: UInt32
  /// The number of lines in the content.
  var lineCount: UInt32
  /// The low 32 bits of the content's XXH64, as stored at the end of the frame.
  var checksum: UInt32
  /// SHA-256 of the compressed frame.
  var digest: SHA256Digest
  /// The sum of the hashes of the lines that count toward the content hash.
  var contentHash: ContentHash

  /// The offset of the next frame.
  var endOffset: UInt64 { offset + UInt64(compressedSize) }
}

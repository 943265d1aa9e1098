#if canImport(libzstd)
  import libzstd
#else
  import CZstd
#endif

/// Decompresses zstd frames, one after another. One thread at a time uses it.
package final class ZstdDecompressor: @unchecked Sendable {
  /// The progress of a part of a decompression.
  package struct Progress {
    /// The number of compressed bytes that were read.
    package let read: Int
    /// The number of bytes that were decompressed.
    package let written: Int
    /// Whether a frame ended, and all its content was written.
    package let isAtEnd: Bool

    /// Whether bytes were read or written.
    package var isAny: Bool { read > 0 || written > 0 }
  }

  private let context: OpaquePointer

  /// Creates a decompressor; `nil` if there is not enough memory.
  package init?() {
    guard let context = ZSTD_createDCtx() else { return nil }
    self.context = context
  }

  deinit { ZSTD_freeDCtx(context) }

  /// Decompresses whole frames into a buffer. After an error, the buffer has what was decompressed
  /// before.
  /// - Returns: The size of the content in bytes.
  package func decompress(
    _ frames: UnsafeRawBufferPointer, into target: UnsafeMutableRawBufferPointer
  ) throws(ZstdError) -> Int {
    try ZstdError.check(
      ZSTD_decompressDCtx(
        context, target.baseAddress, target.count, frames.baseAddress, frames.count))
  }

  /// Forgets the frame that ``continue(_:into:)`` has begun.
  package func reset() { ZSTD_DCtx_reset(context, ZSTD_reset_session_only) }

  /// Decompresses the next part, as much as fits into a buffer.
  package func `continue`(
    _ compressed: UnsafeRawBufferPointer, into target: UnsafeMutableRawBufferPointer
  ) throws(ZstdError) -> Progress {
    var input = ZSTD_inBuffer(src: compressed.baseAddress, size: compressed.count, pos: 0)
    var output = ZSTD_outBuffer(dst: target.baseAddress, size: target.count, pos: 0)
    let result = try ZstdError.check(ZSTD_decompressStream(context, &output, &input))
    return Progress(read: input.pos, written: output.pos, isAtEnd: result == 0)
  }

  /// Returns the size in bytes of the compressed frame that begins a buffer, from its header and the
  /// headers of its blocks.
  /// - Throws: An error if no whole frame begins there.
  package static func frameSize(_ bytes: UnsafeRawBufferPointer) throws(ZstdError) -> Int {
    try ZstdError.check(ZSTD_findFrameCompressedSize(bytes.baseAddress, bytes.count))
  }
}

/// An error that libzstd reports.
package struct ZstdError: Error, Hashable, CustomStringConvertible {
  /// libzstd's own description, in English.
  package let description: String
  /// Whether the content of a frame does not match the frame's checksum.
  package let isChecksumMismatch: Bool

  /// Returns the result of a function of libzstd.
  /// - Throws: An error if the result is one.
  static func check(_ result: Int) throws(ZstdError) -> Int {
    guard ZSTD_isError(result) != 0 else { return result }
    throw ZstdError(
      description: String(cString: ZSTD_getErrorName(result)),
      isChecksumMismatch: ZSTD_getErrorCode(result) == ZSTD_error_checksum_wrong)
  }
}

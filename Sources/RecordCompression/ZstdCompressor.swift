#if canImport(libzstd)
  import libzstd
#else
  import CZstd
#endif

/// Compresses zstd frames, one after another.
///
/// The output depends only on the content, the parameters and the version of libzstd. `Sendable`
/// because a pool hands it from thread to thread; one thread at a time uses it.
package final class ZstdCompressor: @unchecked Sendable {
  /// A parameter of compression, with the range and the meaning that libzstd documents.
  package enum Parameter {
    case level, windowLog, hashLog, minMatch
    /// 1 writes a checksum of the content at the end of each frame.
    case checksum
    /// 1 writes the size of the content into the header of each frame.
    case contentSize

    fileprivate var name: ZSTD_cParameter {
      switch self {
      case .level: ZSTD_c_compressionLevel
      case .windowLog: ZSTD_c_windowLog
      case .hashLog: ZSTD_c_hashLog
      case .minMatch: ZSTD_c_minMatch
      case .checksum: ZSTD_c_checksumFlag
      case .contentSize: ZSTD_c_contentSizeFlag
      }
    }
  }

  /// The highest level that libzstd has.
  package static var maxLevel: Int { Int(ZSTD_maxCLevel()) }

  private let context: OpaquePointer

  /// Creates a compressor; `nil` if there is not enough memory.
  package init?() {
    guard let context = ZSTD_createCCtx() else { return nil }
    self.context = context
  }

  deinit { ZSTD_freeCCtx(context) }

  /// Sets a parameter of the frames to come.
  /// - Throws: An error if libzstd rejects the value.
  package func set(_ parameter: Parameter, to value: Int) throws(ZstdError) {
    _ = try ZstdError.check(
      ZSTD_CCtx_setParameter(context, parameter.name, Int32(clamping: value)))
  }

  /// Writes the frame of a content into a buffer.
  ///
  /// - Parameters:
  ///   - content: The bytes to compress.
  ///   - target: The beginning of at least `bound(of: content.count)` bytes.
  /// - Returns: The size of the frame in bytes.
  package func compress(
    _ content: UnsafeRawBufferPointer, into target: UnsafeMutableRawPointer
  ) throws(ZstdError) -> Int {
    try ZstdError.check(
      ZSTD_compress2(
        context, target, Self.bound(of: content.count), content.baseAddress, content.count))
  }

  /// Returns the maximum size in bytes of a frame with `size` bytes of content.
  package static func bound(of size: Int) -> Int { ZSTD_compressBound(size) }
}

#if canImport(libzstd)
  import libzstd
#else
  import CZstd
#endif

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

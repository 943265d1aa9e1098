#if canImport(libzstd)
  import libzstd
#else
  import CBenchZstd
#endif
import Foundation

/// libzstd as a program without RecordPack would use it, level 3.
struct ZstdError: Error, CustomStringConvertible {
  let description: String

  /// Passes a size on, and throws what is an error in place of one.
  static func check(_ size: Int) throws -> Int {
    guard ZSTD_isError(size) == 0 else {
      throw ZstdError(description: String(cString: ZSTD_getErrorName(size)))
    }
    return size
  }
}

/// Compresses a stream into a file.
final class ZstdFileWriter {
  private let context = ZSTD_createCCtx()
  private let file: FileHandle
  private var output = [UInt8](repeating: 0, count: ZSTD_CStreamOutSize())

  init(path: String, level: Int32 = 3) throws {
    guard FileManager.default.createFile(atPath: path, contents: nil),
      let file = FileHandle(forWritingAtPath: path)
    else { throw ZstdError(description: "cannot write \(path)") }
    self.file = file
    _ = try ZstdError.check(ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, level))
  }

  deinit { ZSTD_freeCCtx(context) }

  func write(_ bytes: [UInt8], isLast: Bool = false) throws {
    try bytes.withUnsafeBytes { source in
      var input = ZSTD_inBuffer(src: source.baseAddress, size: source.count, pos: 0)
      var rest = 1
      while input.pos < input.size || (isLast && rest > 0) {
        try output.withUnsafeMutableBytes { target in
          var buffer = ZSTD_outBuffer(dst: target.baseAddress, size: target.count, pos: 0)
          rest = try ZstdError.check(
            ZSTD_compressStream2(context, &buffer, &input, isLast ? ZSTD_e_end : ZSTD_e_continue))
          try file.write(contentsOf: UnsafeRawBufferPointer(rebasing: target[..<buffer.pos]))
        }
      }
    }
  }
}

/// Decompresses a file and hands out its lines.
struct ZstdFileReader {
  let path: String

  /// Calls `body` with each line, which is valid during the call.
  /// - Returns: the bytes of all lines.
  func forEachLine(_ body: (UnsafeRawBufferPointer) throws -> Void) throws -> Int {
    let compressed = try Data(contentsOf: URL(fileURLWithPath: path), options: .alwaysMapped)
    let context = ZSTD_createDCtx()
    defer { ZSTD_freeDCtx(context) }
    var buffer = [UInt8](repeating: 0, count: 4 << 20)
    var filled = 0
    var total = 0
    try compressed.withUnsafeBytes { source in
      var input = ZSTD_inBuffer(src: source.baseAddress, size: source.count, pos: 0)
      while true {
        let before = filled
        try buffer.withUnsafeMutableBytes { target in
          var output = ZSTD_outBuffer(dst: target.baseAddress, size: target.count, pos: filled)
          _ = try ZstdError.check(ZSTD_decompressStream(context, &output, &input))
          filled = output.pos
        }
        if filled == before, input.pos == input.size { break }
        let taken = try buffer.withUnsafeBytes { try lines($0[..<filled], body) }
        total += taken
        buffer.withUnsafeMutableBytes { bytes in
          bytes.baseAddress.map { _ = memmove($0, $0 + taken, filled - taken) }
        }
        filled -= taken
        if filled == buffer.count { buffer += [UInt8](repeating: 0, count: buffer.count) }
      }
    }
    return total
  }

  private func lines(
    _ bytes: Slice<UnsafeRawBufferPointer>, _ body: (UnsafeRawBufferPointer) throws -> Void
  ) throws -> Int {
    guard let base = UnsafeRawBufferPointer(rebasing: bytes).baseAddress else { return 0 }
    var start = 0
    while let end = memchr(base + start, 0x0A, bytes.count - start) {
      let length = UnsafeRawPointer(end) - (base + start)
      try body(UnsafeRawBufferPointer(start: base + start, count: length))
      start += length + 1
    }
    return start
  }
}

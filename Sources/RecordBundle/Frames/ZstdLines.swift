import RecordCoding
import RecordCompression

/// Reads the lines of any zstd file from its beginning: of frames of any size, with or without a
/// checksum and the size of their content. Memory is bounded by the window and the longest line.
final class ZstdLines {
  private let file: RandomAccessFile
  private let zstd: ZstdDecompressor
  private let limits = FrameLimits.standard
  private let compressed = ByteBuffer(capacity: 128 << 10)
  private let content = ByteBuffer(capacity: 128 << 10)
  /// The beginning of a line that is not complete yet.
  private let beginning = ByteBuffer()
  private var position: UInt64 = 0
  /// The number of frames with content that were read completely.
  private(set) var frames = 0

  init(_ file: RandomAccessFile) throws {
    guard let zstd = ZstdDecompressor() else {
      throw BundleError(.inputOutput, in: "zstd", "out of memory for decompression")
    }
    self.zstd = zstd
    self.file = file
  }

  /// Calls `body` with each line and the number of compressed bytes read so far, until it returns
  /// false.
  ///
  /// - Returns: whether the file was read to its end, and ends with a whole frame and line; false
  ///   if it cannot be decompressed, or a line exceeds the limit of a bundle.
  /// - Throws: ``BundleError`` if the file cannot be read; errors of `body`.
  func forEachLine(_ body: (UnsafeRawBufferPointer, UInt64) throws -> Bool) throws -> Bool {
    var (isAtEnd, hasContent) = (true, false)
    while position < file.size {
      let target = UnsafeMutableRawBufferPointer(
        start: compressed.base, count: compressed.capacity)
      let count = try file.readUpTo(at: position, into: target)
      position += UInt64(count)
      guard count > 0 else { return false }
      let output = UnsafeMutableRawBufferPointer(start: content.base, count: content.capacity)
      var input = UnsafeRawBufferPointer(start: compressed.base, count: count)
      repeat {
        guard let progress = try? zstd.continue(input, into: output) else { return false }
        input = UnsafeRawBufferPointer(rebasing: input.dropFirst(progress.read))
        content.setCount(progress.written)
        hasContent = hasContent || progress.written > 0
        guard try split(body) else { return false }
        isAtEnd = progress.isAtEnd
        if isAtEnd, hasContent { (frames, hasContent) = (frames + 1, false) }
      } while !input.isEmpty || !isAtEnd && content.count == output.count
    }
    return isAtEnd && beginning.count == 0
  }

  /// Calls `body` with the lines that the content completes, and keeps the rest.
  private func split(_ body: (UnsafeRawBufferPointer, UInt64) throws -> Bool) throws -> Bool {
    content.padWithZeros()
    let bytes = content.bytes
    var start = 0
    while let end = bytes.firstNewline(from: start) {
      var line = UnsafeRawBufferPointer(rebasing: bytes[start..<end])
      if beginning.count > 0 {
        beginning.append(line)
        beginning.padWithZeros()
        line = beginning.bytes
      }
      guard line.count <= limits.maxLine, try body(line, position) else { return false }
      beginning.reset(keeping: 1 << 20)
      start = end + 1
    }
    beginning.append(UnsafeRawBufferPointer(rebasing: bytes[start...]))
    return beginning.count <= limits.maxLine
  }
}

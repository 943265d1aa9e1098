import RecordCoding
import RecordCompression
import RecordPlatform

/// Reads, verifies and decompresses frames, one after another.
///
/// A decoder is used by one thread at a time; it is handed over under a lock.
final class FrameDecoder: @unchecked Sendable {
  private let zstd: ZstdDecompressor
  private let limits: FrameLimits
  private let compressed = ByteBuffer()
  private let content = ByteBuffer()
  /// The largest capacity of a buffer that is kept for the next frame.
  private static let keptCapacity = 8 << 20

  init(limits: FrameLimits) throws {
    guard let zstd = ZstdDecompressor() else {
      throw BundleError(.inputOutput, in: "zstd", "out of memory for decompression")
    }
    self.zstd = zstd
    self.limits = limits
  }

  /// Whether a line, without its newline, is the last that is needed.
  typealias Condition = (UnsafeRawBufferPointer) -> Bool

  /// Decodes a frame.
  ///
  /// - Parameters:
  ///   - isEnough: the condition for the last line; nil for the whole frame. It is asked for some of
  ///     the lines.
  ///   - check: what verifies the content of a whole frame.
  /// - Returns: its content, valid until the next call.
  /// - Throws: ``BundleError`` with the frame's number and offset.
  func decode(
    _ location: FrameLocation, of file: RandomAccessFile, until isEnough: Condition? = nil,
    verifiedBy check: FrameVerification = .digestOrChecksum
  ) throws -> FrameContent {
    let fail = FrameFailure(location: location, file: file)
    try readCompressed(location, file)
    if let expected = location.digest, compressedDigest != expected {
      throw fail.damaged(
        "its bytes do not match the SHA-256 in the \(location.isLast ? "seal" : "index")")
    }
    let size = try checkFrame(location, fail)
    content.reset(keeping: max(size, Self.keptCapacity))
    content.reserve(size)
    // A part has no checksum: only the digest of what was compressed verifies it.
    if let isEnough, location.digest != nil {
      try decompress(size, until: isEnough, fail)
    } else if location.digest != nil, !location.isLast, check == .digestOrChecksum {
      try decompressWithoutChecksum(size, fail)
    } else {
      try decompress(size, compressedSize: compressed.count, fail)
    }
    try checkLines(fail)
    content.padWithZeros()
    return FrameContent(location: location, bytes: content.bytes)
  }

  /// SHA-256 of the compressed bytes of the last decoded frame.
  var compressedDigest: SHA256Digest { SHA256Digest(of: compressed.bytes) }

  private func readCompressed(_ location: FrameLocation, _ file: RandomAccessFile) throws {
    compressed.reset(keeping: max(location.compressedSize, Self.keptCapacity))
    compressed.reserve(location.compressedSize)
    try file.read(
      at: location.offset,
      into: UnsafeMutableRawBufferPointer(start: compressed.base, count: location.compressedSize))
    compressed.setCount(location.compressedSize)
  }

  /// Checks everything that can be checked before decompression.
  /// - Returns: the size of the content.
  private func checkFrame(_ location: FrameLocation, _ fail: FrameFailure) throws -> Int {
    let header: FrameHeader
    do throws(FrameHeader.Problem) {
      header = try FrameHeader(compressed.bytes)
    } catch {
      throw fail.damaged(error.rawValue)
    }
    try header.check(limits, fail)
    let size = Int(clamping: header.contentSize ?? 0)
    guard location.size == nil || location.size == size else {
      throw fail.damaged(
        "its header states \(size) bytes of content, the seek table \(location.size ?? 0)")
    }
    guard (try? ZstdDecompressor.frameSize(compressed.bytes)) == compressed.count else {
      throw fail.damaged("its blocks do not match its size of \(compressed.count) bytes")
    }
    let checksumPlace = compressed.count - ZstdFormat.checksumSize
    if let expected = location.checksum,
      compressed.bytes.littleEndianUInt32(at: checksumPlace) != expected
    {
      throw fail.damaged("its checksum is not the one in the seek table")
    }
    return size
  }

  private func decompress(_ size: Int, compressedSize: Int, _ fail: FrameFailure) throws {
    let source = UnsafeRawBufferPointer(start: compressed.base, count: compressedSize)
    let target = UnsafeMutableRawBufferPointer(start: content.base, count: size)
    let count = try withFailures(fail) { () throws(ZstdError) in
      try zstd.decompress(source, into: target)
    }
    try setCount(count, of: size, fail)
  }

  /// Decompresses the frame as the same frame without a checksum, for bytes whose digest was
  /// checked: hashing the content takes a seventh of decompressing it.
  ///
  /// ``checkFrame(_:_:)`` found the checksum's bit in the header, and that the frame ends with the
  /// bytes. Without the bit and the checksum's bytes, they are a frame of the same blocks
  /// (RFC 8878, section 3.1.1).
  private func decompressWithoutChecksum(_ size: Int, _ fail: FrameFailure) throws {
    let place = ZstdFormat.descriptorPlace
    let descriptor = compressed.bytes[place]
    compressed.base.storeBytes(
      of: descriptor & ~ZstdFormat.checksumBit, toByteOffset: place, as: UInt8.self)
    defer { compressed.base.storeBytes(of: descriptor, toByteOffset: place, as: UInt8.self) }
    try decompress(size, compressedSize: compressed.count - ZstdFormat.checksumSize, fail)
  }

  /// The number of bytes that are decompressed before a line is looked at.
  private static let step = 32 << 10

  /// Decompresses the frame up to a line that is the last needed, or as a whole.
  private func decompress(_ size: Int, until isEnough: Condition, _ fail: FrameFailure) throws {
    zstd.reset()
    var (position, count) = (0, 0)
    var isAtEnd = false
    while !isAtEnd {
      let before = count
      let progress = try withFailures(fail) { () throws(ZstdError) in
        try zstd.continue(
          UnsafeRawBufferPointer(rebasing: compressed.bytes[position...]),
          into: UnsafeMutableRawBufferPointer(
            start: content.base + count, count: min(size - count, Self.step)))
      }
      position += progress.read
      count += progress.written
      isAtEnd = progress.isAtEnd
      guard isAtEnd || progress.isAny else {
        throw fail.damaged("it does not end where the \(size) bytes of its content do")
      }
      let bytes = UnsafeRawBufferPointer(start: content.base, count: count)
      if !isAtEnd, let end = bytes.lastNewline(in: before..<count) {
        let start = bytes.lastNewline(in: 0..<end).map { $0 + 1 } ?? 0
        if isEnough(UnsafeRawBufferPointer(rebasing: bytes[start..<end])) {
          return content.setCount(end + 1)
        }
      }
    }
    try setCount(count, of: size, fail)
  }

  private func withFailures<R>(
    _ fail: FrameFailure, _ body: () throws(ZstdError) -> R
  ) throws -> R {
    do throws(ZstdError) {
      return try body()
    } catch {
      throw fail.damaged(
        error.isChecksumMismatch
          ? "its content does not match its checksum" : "it cannot be decoded (\(error))")
    }
  }

  private func setCount(_ count: Int, of size: Int, _ fail: FrameFailure) throws {
    guard count == size else {
      throw fail.damaged("its content has \(count) bytes, its header states \(size)")
    }
    content.setCount(count)
  }

  private func checkLines(_ fail: FrameFailure) throws {
    let bytes = content.bytes
    guard bytes.last == UInt8(ascii: "\n") else {
      throw fail.damaged("its content does not end with a whole line")
    }
    // A content within the limit has no line over it.
    guard bytes.count > limits.maxLine else { return }
    for line in FrameLines(bytes) where line.count > limits.maxLine {
      throw fail.tooLarge(
        "it has a line of \(line.count) bytes; at most \(limits.maxLine) are accepted")
    }
  }
}

/// The checksum or digest that verifies the content of a frame.
enum FrameVerification {
  /// The digest of its compressed bytes where the index has it, otherwise the frame's own checksum.
  case digestOrChecksum
  /// Both.
  case digestAndChecksum
}

struct FrameFailure {
  /// The advice about a damaged frame that ends a message.
  static let advice = ". `recordpack recover` saves the intact frames"

  let location: FrameLocation
  let file: RandomAccessFile

  /// Returns the error for a frame that is not what was written.
  func damaged(_ message: String) -> BundleError {
    BundleError(
      .damaged, in: file.name, frame: location.index, at: location.offset,
      "the frame is damaged: \(message)" + Self.advice)
  }

  /// Returns the error for a frame that exceeds the limits.
  func tooLarge(_ message: String) -> BundleError {
    BundleError(
      .limitExceeded, in: file.name, frame: location.index, at: location.offset,
      "the frame is too large: \(message)")
  }
}

extension FrameHeader {
  /// Checks that a frame states its size, has a checksum, needs no dictionary, and is within
  /// limits.
  func check(_ limits: FrameLimits, _ fail: FrameFailure) throws {
    guard let contentSize else {
      throw fail.damaged("its header does not state the size of its content")
    }
    guard contentSize <= limits.maxFrameContent else {
      throw fail.tooLarge(
        "its content has \(contentSize) bytes; at most \(limits.maxFrameContent) are accepted")
    }
    guard windowSize <= limits.maxWindow else {
      throw fail.tooLarge(
        "it requires a window of \(windowSize) bytes; at most \(limits.maxWindow) are accepted")
    }
    guard contentSize > 0 else { throw fail.damaged("it is empty") }
    guard dictionaryID == 0 else {
      throw fail.damaged("it needs dictionary \(dictionaryID); a bundle's frames need none")
    }
    guard hasChecksum else { throw fail.damaged("it has no checksum of its content") }
  }
}

/// The header of a zstd frame (RFC 8878, section 3.1.1.1), read by hand because libzstd tells
/// these things only through its experimental interface.
struct FrameHeader: Sendable, Hashable {
  /// Why some bytes are no header.
  enum Problem: Error, Hashable {
    /// The bytes do not begin with zstd's magic number.
    case notZstd
    /// The bytes end inside the header.
    case incomplete
    /// A bit that must be zero is set.
    case reservedBit
  }

  /// Bytes of the header; the first block follows.
  let size: Int
  /// Bytes of the content, where the header says so.
  let contentSize: UInt64?
  /// Bytes of the content that the decoder must be able to look back on.
  let windowSize: UInt64
  /// The dictionary the frame was made with; 0 for none.
  let dictionaryID: UInt32
  /// Whether a checksum of the content follows the last block.
  let hasChecksum: Bool

  /// Reads the header at the beginning of some bytes.
  /// - Throws: ``Problem``.
  init(_ bytes: UnsafeRawBufferPointer) throws(Problem) {
    guard let magic = bytes.littleEndianUInt32(at: 0), bytes.count > 4 else {
      throw .incomplete
    }
    guard magic == ZstdFormat.frameMagic else { throw .notZstd }
    let descriptor = bytes[4]
    guard descriptor & 0x08 == 0 else { throw .reservedBit }
    let isSingleSegment = descriptor & 0x20 != 0
    let dictionaryBytes = [0, 1, 2, 4][Int(descriptor & 3)]
    let sizeFlag = Int(descriptor >> 6)
    let contentSizeBytes = sizeFlag == 0 ? (isSingleSegment ? 1 : 0) : 1 << sizeFlag
    let size = 5 + (isSingleSegment ? 0 : 1) + dictionaryBytes + contentSizeBytes
    guard bytes.count >= size else { throw .incomplete }

    var position = 5
    func number(_ length: Int) -> UInt64 {
      var value: UInt64 = 0
      for index in 0..<length { value |= UInt64(bytes[position + index]) << UInt64(8 * index) }
      position += length
      return value
    }
    let windowByte = isSingleSegment ? nil : number(1)
    dictionaryID = UInt32(truncatingIfNeeded: number(dictionaryBytes))
    let storedSize = number(contentSizeBytes)
    // Two bytes count from 256, because smaller sizes have a form of their own.
    contentSize = contentSizeBytes == 0 ? nil : storedSize &+ (contentSizeBytes == 2 ? 256 : 0)
    if let windowByte {
      let base = UInt64(1) << (10 + (windowByte >> 3))
      windowSize = base + base / 8 * (windowByte & 7)
    } else {
      windowSize = contentSize ?? 0
    }
    hasChecksum = descriptor & 0x04 != 0
    self.size = size
  }
}

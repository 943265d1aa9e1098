/// The header of a zstd frame (RFC 8878, section 3.1.1.1), parsed here because libzstd exposes
/// these fields only in its experimental API.
struct FrameHeader: Sendable, Hashable {
  /// The reason why bytes are not a header.
  enum Problem: String, Error {
    /// The bytes do not begin with zstd's magic number.
    case notZstd = "no zstd frame begins here"
    /// The bytes end inside the header.
    case incomplete = "the frame header is incomplete"
    /// A reserved bit, which must be zero, is set.
    case reservedBit = "the frame header is not valid"
  }

  /// The size of the header in bytes; the first block follows it.
  let size: Int
  /// The size of the content in bytes, if the header states it.
  let contentSize: UInt64?
  /// The size in bytes of the window that the decoder needs.
  let windowSize: UInt64
  /// The identifier of the dictionary that the frame needs; 0 for none.
  let dictionaryID: UInt32
  /// Whether a checksum of the content follows the last block.
  let hasChecksum: Bool

  /// Parses the header at the beginning of bytes.
  /// - Throws: ``Problem``.
  init(_ bytes: UnsafeRawBufferPointer) throws(Problem) {
    guard let magic = bytes.littleEndianUInt32(at: 0), bytes.count > 4 else {
      throw .incomplete
    }
    guard magic == ZstdFormat.frameMagic else { throw .notZstd }
    let descriptor = bytes[ZstdFormat.descriptorPlace]
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
    // A size in two bytes is stored minus 256, because smaller sizes have another form.
    contentSize = contentSizeBytes == 0 ? nil : storedSize &+ (contentSizeBytes == 2 ? 256 : 0)
    if let windowByte {
      let base = UInt64(1) << (10 + (windowByte >> 3))
      windowSize = base + base / 8 * (windowByte & 7)
    } else {
      windowSize = contentSize ?? 0
    }
    hasChecksum = descriptor & ZstdFormat.checksumBit != 0
    self.size = size
  }
}

/// Constants of the zstd format (RFC 8878) and of its seekable variant.
enum ZstdFormat {
  /// The magic number of a zstd frame, little endian like the others.
  static let frameMagic: UInt32 = 0xFD2F_B528
  /// The first of the sixteen magic numbers of skippable frames.
  static let firstSkippableMagic: UInt32 = 0x184D_2A50
  /// The magic number of the skippable frame that holds a seek table.
  static let seekTableMagic: UInt32 = 0x184D_2A5E
  /// The magic number of the skippable frame that holds the seal.
  static let sealMagic: UInt32 = 0x184D_2A50
  /// The magic number at the end of a file with a seek table.
  static let seekableMagic: UInt32 = 0x8F92_EAB1
  /// The descriptor of a seek table whose entries have checksums.
  static let checksumDescriptor: UInt8 = 0x80
  /// The size of the magic number and the size before a skippable frame's content.
  static let skippableHeaderSize = 8
  /// The size of a seek table's end: number of frames, descriptor and magic number.
  static let seekTableFooterSize = 9
  /// The longest frame header: magic 4, descriptor 1, window 1, dictionary 4, content size 8.
  static let maxFrameHeaderSize = 18
  /// The shortest frame with content, content size and checksum: magic 4, descriptor 1, content
  /// size 1, block header 3, one byte, checksum 4.
  static let minFrameSize = 14
  /// The size of the checksum at the end of a frame: the low 32 bits of the content's XXH64.
  static let checksumSize = 4
  /// The offset of the descriptor in a frame's header, and its bit for a checksum at the end.
  static let descriptorPlace = 4
  static let checksumBit: UInt8 = 0x04
  /// The checksum of an empty content.
  static let emptyChecksum: UInt32 = 0x51D8_E999
  static let maxBlockSize = 128 << 10

  static func isSkippable(_ magic: UInt32) -> Bool { magic & 0xFFFF_FFF0 == firstSkippableMagic }
}

extension [UInt8] {
  mutating func append(littleEndian number: UInt32) {
    Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
  }
}

extension UnsafeRawBufferPointer {
  /// Returns four bytes as a little-endian number; `nil` if fewer are left.
  func littleEndianUInt32(at offset: Int) -> UInt32? {
    guard offset >= 0, count - 4 >= offset else { return nil }
    return UInt32(littleEndian: loadUnaligned(fromByteOffset: offset, as: UInt32.self))
  }
}

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

/// The extent of a zstd frame, found by following its block headers (RFC 8878, section 3.1.1.2)
/// without reading the blocks.
///
/// libzstd can do this only for a frame that is completely in memory.
struct FrameExtent {
  let header: FrameHeader
  /// The size of the frame in bytes, including the checksum.
  let compressedSize: UInt64

  /// The reason why a frame is not intact.
  struct Problem: Error {
    let reason: String
  }

  /// Follows the frame that begins at `offset`.
  /// - Parameter blocks: incremented by the number of block headers read.
  /// - Throws: ``Problem`` for a frame that cannot be followed to its end.
  init(
    _ file: RandomAccessFile, at offset: UInt64, limits: FrameLimits, blocks: inout Int
  ) throws {
    let start = try file.bytes(at: offset, count: ZstdFormat.maxFrameHeaderSize)
    do {
      header = try start.withUnsafeBytes { try FrameHeader($0) }
    } catch let problem as FrameHeader.Problem {
      throw Problem(reason: problem.rawValue)
    }
    var position = offset + UInt64(header.size)
    for _ in 0..<limits.maxBlocks {
      let bytes = try file.bytes(at: position, count: 3)
      guard bytes.count == 3 else { throw Problem(reason: "the file ends inside the frame") }
      blocks += 1
      let block = UInt32(bytes[0]) | UInt32(bytes[1]) << 8 | UInt32(bytes[2]) << 16
      let size = block >> 3
      guard size <= ZstdFormat.maxBlockSize, block >> 1 & 3 != 3 else {
        throw Problem(reason: "a block header of the frame is not valid")
      }
      // A run of one repeated byte (block type 1) is stored as one byte, whatever its size.
      position += 3 + (block >> 1 & 3 == 1 ? 1 : UInt64(size))
      if block & 1 == 1 {
        position += header.hasChecksum ? UInt64(ZstdFormat.checksumSize) : 0
        guard position <= file.size else { throw Problem(reason: "the file ends inside the frame") }
        compressedSize = position - offset
        return
      }
    }
    throw Problem(reason: "the frame has too many blocks")
  }
}

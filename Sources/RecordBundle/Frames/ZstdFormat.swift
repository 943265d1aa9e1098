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

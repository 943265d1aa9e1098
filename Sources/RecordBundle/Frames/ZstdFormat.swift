/// Numbers of the zstd format (RFC 8878) and of its seekable variant.
enum ZstdFormat {
  /// A zstd frame begins with this, little endian.
  static let frameMagic: UInt32 = 0xFD2F_B528
  /// Skippable frames begin with one of the sixteen values from here.
  static let firstSkippableMagic: UInt32 = 0x184D_2A50
  /// The skippable frame that holds a seek table begins with this one.
  static let seekTableMagic: UInt32 = 0x184D_2A5E
  /// The skippable frame that holds the seal begins with this one.
  static let sealMagic: UInt32 = 0x184D_2A50
  /// A file with a seek table ends with this.
  static let seekableMagic: UInt32 = 0x8F92_EAB1
  /// A seek table's descriptor: its entries have checksums.
  static let checksumDescriptor: UInt8 = 0x80
  /// Magic number and size in front of a skippable frame's content.
  static let skippableHeaderSize = 8
  /// Number of frames, descriptor and magic number at the end of a seek table.
  static let seekTableFooterSize = 9
  /// The longest frame header: magic 4, descriptor 1, window 1, dictionary 4, content size 8.
  static let maxFrameHeaderSize = 18
  /// The shortest frame that has content, content size and checksum: magic 4, descriptor 1,
  /// content size 1, block header 3, one byte, checksum 4.
  static let minFrameSize = 14
  /// The content checksum at a frame's end: the low 32 bits of XXH64.
  static let checksumSize = 4
  /// No block is larger than this.
  static let maxBlockSize = 128 << 10

  /// Whether a number marks a skippable frame.
  static func isSkippable(_ magic: UInt32) -> Bool { magic & 0xFFFF_FFF0 == firstSkippableMagic }
}

extension UnsafeRawBufferPointer {
  /// Four bytes as a little-endian number; `nil` where fewer are left.
  func littleEndianUInt32(at offset: Int) -> UInt32? {
    guard offset >= 0, count - 4 >= offset else { return nil }
    return UInt32(littleEndian: loadUnaligned(fromByteOffset: offset, as: UInt32.self))
  }
}

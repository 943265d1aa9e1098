/// Base64 with the standard alphabet and padding (RFC 4648, section 4).
package enum Base64 {
  /// The 64 digits, followed by the value of each byte: 0 to 63, or 0xFF if it is not a digit.
  /// Never deallocated.
  private static let tables: UnsafeTable = {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    let memory = UnsafeMutableRawPointer.allocate(byteCount: 64 + 256, alignment: 64)
    memory.initializeMemory(as: UInt8.self, repeating: 0xFF, count: 64 + 256)
    for (value, digit) in alphabet.enumerated() {
      memory.storeBytes(of: digit, toByteOffset: value, as: UInt8.self)
      memory.storeBytes(of: UInt8(value), toByteOffset: 64 + Int(digit), as: UInt8.self)
    }
    return UnsafeTable(base: UnsafeRawPointer(memory))
  }()

  /// Memory that is not modified after initialization.
  private struct UnsafeTable: @unchecked Sendable {
    let base: UnsafeRawPointer

    @inline(__always)
    func digit(_ value: UInt32) -> UInt8 {
      base.load(fromByteOffset: Int(value & 63), as: UInt8.self)
    }

    @inline(__always)
    func value(_ digit: UInt8) -> UInt8 {
      base.load(fromByteOffset: 64 + Int(digit), as: UInt8.self)
    }
  }

  /// Appends the base64 text of bytes, without quotes.
  package static func append(_ bytes: UnsafeRawBufferPointer, to buffer: ByteBuffer) {
    let length = (bytes.count + 2) / 3 * 4
    buffer.reserve(length)
    let tables = tables
    var target = buffer.base + buffer.count
    buffer.count += length
    var position = 0
    while position &+ 3 <= bytes.count {
      let word =
        UInt32(bytes[position]) &<< 16 | UInt32(bytes[position &+ 1]) &<< 8
        | UInt32(bytes[position &+ 2])
      let text =
        UInt32(tables.digit(word &>> 18)) | UInt32(tables.digit(word &>> 12)) &<< 8
        | UInt32(tables.digit(word &>> 6)) &<< 16 | UInt32(tables.digit(word)) &<< 24
      target.storeBytes(of: text.littleEndian, as: UInt32.self)
      target += 4
      position &+= 3
    }
    let rest = bytes.count - position
    guard rest > 0 else { return }
    let word =
      UInt32(bytes[position]) << 16 | (rest == 2 ? UInt32(bytes[position + 1]) << 8 : 0)
    let last = rest == 2 ? tables.digit(word >> 6) : 0x3D
    for (offset, byte) in [tables.digit(word >> 18), tables.digit(word >> 12), last, 0x3D]
      .enumerated()
    {
      target.storeBytes(of: byte, toByteOffset: offset, as: UInt8.self)
    }
  }

  /// Returns the number of bytes that a base64 text encodes, or nil if it is not canonical.
  ///
  /// Canonical text has a length that is a multiple of four, only digits of the alphabet, padding
  /// only at the end, and zeros as its unused bits.
  package static func decodedCount(_ text: UnsafeRawBufferPointer) -> Int? {
    guard text.count % 4 == 0 else { return nil }
    guard text.count > 0 else { return 0 }
    let padding = text[text.count - 1] != 0x3D ? 0 : text[text.count - 2] != 0x3D ? 1 : 2
    let tables = tables
    var seen: UInt8 = 0
    for position in 0..<(text.count - padding) { seen |= tables.value(text[position]) }
    guard seen < 64 else { return nil }
    let last = tables.value(text[text.count - padding - 1])
    let loose: UInt8 = padding == 0 ? 0 : padding == 1 ? 0b11 : 0b1111
    guard last & loose == 0 else { return nil }
    return text.count / 4 * 3 - padding
  }

  /// Decodes canonical base64 into memory of at least `decodedCount` bytes.
  ///
  /// - Returns: the number of bytes written; nil for text that is not canonical.
  package static func decode(
    _ text: UnsafeRawBufferPointer, into target: UnsafeMutableRawBufferPointer
  ) -> Int? {
    guard let count = decodedCount(text), count <= target.count else { return nil }
    let tables = tables
    var written = 0
    var position = 0
    while position < text.count {
      let word =
        UInt32(tables.value(text[position]) & 63) &<< 18
        | UInt32(tables.value(text[position &+ 1]) & 63) &<< 12
        | UInt32(tables.value(text[position &+ 2]) & 63) &<< 6
        | UInt32(tables.value(text[position &+ 3]) & 63)
      let take = min(3, count - written)
      // Padding has the value 63; its bits fall after the bytes that are used.
      target[written] = UInt8(truncatingIfNeeded: word &>> 16)
      if take > 1 { target[written &+ 1] = UInt8(truncatingIfNeeded: word &>> 8) }
      if take > 2 { target[written &+ 2] = UInt8(truncatingIfNeeded: word) }
      written &+= take
      position &+= 4
    }
    return written
  }
}

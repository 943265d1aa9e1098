import struct Foundation.Data

/// Base64 with the standard alphabet and padding (RFC 4648, section 4).
///
/// Decoding accepts canonical text only: its length is a multiple of four, it has only digits of the
/// alphabet, padding only at the end, and zeros as its unused bits.
package enum Base64 {
  private static let tables = UnsafeTables()

  /// Memory that is never deallocated, nor modified after initialization.
  ///
  /// The subscripts of these pointers are fast in debug builds, too.
  fileprivate struct UnsafeTables: @unchecked Sendable {
    /// The 64 digits.
    let digits: UnsafePointer<UInt8>
    /// The value of a byte as each of the four digits of 24 bits; above that, ``invalid`` for a byte
    /// that is not a digit.
    let first, second, third, fourth: UnsafePointer<UInt32>

    static let invalid: UInt32 = 0xFF00_0000

    init() {
      let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
      let digits = UnsafeMutablePointer<UInt8>.allocate(capacity: 64)
      digits.initialize(from: alphabet, count: 64)
      self.digits = UnsafePointer(digits)
      let values = UnsafeMutablePointer<UInt32>.allocate(capacity: 4 * 256)
      values.initialize(repeating: Self.invalid, count: 4 * 256)
      for place in 0..<4 {
        for (value, digit) in alphabet.enumerated() {
          values[256 * place + Int(digit)] = UInt32(value) << (18 - 6 * UInt32(place))
        }
      }
      first = UnsafePointer(values)
      second = first + 256
      third = second + 256
      fourth = third + 256
    }

    /// Returns the 24 bits of four digits.
    @inline(__always)
    func word(_ text: UnsafePointer<UInt8>) -> UInt32 {
      first[Int(text[0])] | second[Int(text[1])] | third[Int(text[2])] | fourth[Int(text[3])]
    }
  }

  /// Appends the base64 text of bytes, without quotes.
  package static func append(_ bytes: UnsafeRawBufferPointer, to buffer: ByteBuffer) {
    guard let base = bytes.baseAddress else { return }
    let length = (bytes.count + 2) / 3 * 4
    buffer.reserve(length)
    let digits = tables.digits
    var target = buffer.base + buffer.count
    buffer.count += length
    var source = base.assumingMemoryBound(to: UInt8.self)
    for _ in 0..<(bytes.count / 3) {
      let word = UInt32(source[0]) &<< 16 | UInt32(source[1]) &<< 8 | UInt32(source[2])
      let text =
        UInt32(digits[Int(word &>> 18)]) | UInt32(digits[Int(word &>> 12 & 63)]) &<< 8
        | UInt32(digits[Int(word &>> 6 & 63)]) &<< 16 | UInt32(digits[Int(word & 63)]) &<< 24
      target.storeBytes(of: text.littleEndian, as: UInt32.self)
      target += 4
      source += 3
    }
    let rest = bytes.count % 3
    guard rest > 0 else { return }
    let word = UInt32(source[0]) << 16 | (rest == 2 ? UInt32(source[1]) << 8 : 0)
    let last = rest == 2 ? digits[Int(word >> 6 & 63)] : 0x3D
    let text = [digits[Int(word >> 18)], digits[Int(word >> 12 & 63)], last, 0x3D]
    target.copyMemory(from: text, byteCount: 4)
  }

  /// Returns the number of bytes that canonical text encodes, from its length and padding alone; nil
  /// if the text cannot be canonical.
  package static func decodedCount(_ text: UnsafeRawBufferPointer) -> Int? {
    guard text.count % 4 == 0 else { return nil }
    return text.count / 4 * 3 - padding(of: text)
  }

  private static func padding(of text: UnsafeRawBufferPointer) -> Int {
    guard text.count >= 4, text[text.count - 1] == 0x3D else { return 0 }
    return text[text.count - 2] == 0x3D ? 2 : 1
  }

  /// Whether text is canonical.
  package static func isCanonical(_ text: UnsafeRawBufferPointer) -> Bool {
    guard text.count % 4 == 0 else { return false }
    guard let base = text.baseAddress, text.count > 0 else { return true }
    let padding = padding(of: text)
    let tables = tables
    var source = base.assumingMemoryBound(to: UInt8.self)
    var seen: UInt32 = 0
    for _ in 0..<(text.count / 4 - (padding == 0 ? 0 : 1)) {
      seen |= tables.word(source)
      source += 4
    }
    if padding > 0 {
      guard let last = tables.lastWord(source, padding) else { return false }
      seen |= last
    }
    return seen < UnsafeTables.invalid
  }

  /// Returns the bytes that text encodes; nil if it is not canonical.
  package static func data(from text: String) -> Data? {
    var text = text
    return text.withUTF8 { data(from: UnsafeRawBufferPointer($0)) }
  }

  /// Returns the bytes that text encodes; nil if it is not canonical.
  package static func data(from text: UnsafeRawBufferPointer) -> Data? {
    guard let count = decodedCount(text), count > 0 else { return text.isEmpty ? Data() : nil }
    var data = Data(count: count)
    let isDecoded = data.withUnsafeMutableBytes { decode(text, into: $0) }
    return isDecoded ? data : nil
  }

  /// Decodes text into memory of at least `decodedCount` bytes.
  ///
  /// - Returns: false if the text is not canonical; the memory is then unspecified.
  package static func decode(
    _ text: UnsafeRawBufferPointer, into target: UnsafeMutableRawBufferPointer
  ) -> Bool {
    guard let count = decodedCount(text), count <= target.count else { return false }
    guard let base = text.baseAddress, let start = target.baseAddress, text.count > 0 else {
      return text.count == 0
    }
    let padding = padding(of: text)
    let tables = tables
    var source = base.assumingMemoryBound(to: UInt8.self)
    var bytes = start.assumingMemoryBound(to: UInt8.self)
    var seen: UInt32 = 0
    for _ in 0..<(text.count / 4 - (padding == 0 ? 0 : 1)) {
      let word = tables.word(source)
      seen |= word
      bytes[0] = UInt8(truncatingIfNeeded: word &>> 16)
      bytes[1] = UInt8(truncatingIfNeeded: word &>> 8)
      bytes[2] = UInt8(truncatingIfNeeded: word)
      source += 4
      bytes += 3
    }
    if padding > 0 {
      guard let last = tables.lastWord(source, padding) else { return false }
      seen |= last
      bytes[0] = UInt8(truncatingIfNeeded: last &>> 16)
      if padding == 1 { bytes[1] = UInt8(truncatingIfNeeded: last &>> 8) }
    }
    return seen < UnsafeTables.invalid
  }
}

extension Base64.UnsafeTables {
  /// Returns the 24 bits of four digits, the last one or two of which are padding; nil if the unused
  /// bits are not zero.
  func lastWord(_ text: UnsafePointer<UInt8>, _ padding: Int) -> UInt32? {
    let word =
      first[Int(text[0])] | second[Int(text[1])] | (padding == 1 ? third[Int(text[2])] : 0)
    return word & (padding == 1 ? 0xFF : 0xFFFF) == 0 ? word : nil
  }
}

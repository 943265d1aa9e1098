/// A record name; UUIDs and the names of users are packed into 16 bytes.
///
/// Most record names are UUIDs of 36 characters, and a `String` allocates memory for each. Equal
/// names always have the same case; a UUID without letters is an `upperUUID`.
package enum CompactName: Sendable, Hashable {
  case upperUUID(UInt64, UInt64)
  case lowerUUID(UInt64, UInt64)
  /// `_` and 32 hexadecimal digits in lower case, as the server names users.
  case user(UInt64, UInt64)
  case text(ExactString)

  package init(_ string: String) {
    var string = string
    self =
      string.withUTF8 { NameDigits(UnsafeRawBufferPointer($0)) }.map(CompactName.init)
      ?? .text(ExactString(string))
  }

  /// A name of hexadecimal digits.
  @inline(__always)
  package init(_ digits: NameDigits) {
    switch digits {
    case .upperUUID(let high, let low): self = .upperUUID(high, low)
    case .lowerUUID(let high, let low): self = .lowerUUID(high, low)
    case .user(let high, let low): self = .user(high, low)
    }
  }

  /// Packs 36 bytes that are a UUID in one letter case; nil for any other text.
  package init?(uuid bytes: UnsafeRawBufferPointer) {
    guard bytes.count == NameDigits.uuidLength, let digits = NameDigits(bytes) else { return nil }
    self.init(digits)
  }

  /// The digits; nil for a name in another form.
  @inline(__always)
  package var digits: NameDigits? {
    switch self {
    case .upperUUID(let high, let low): .upperUUID(high, low)
    case .lowerUUID(let high, let low): .lowerUUID(high, low)
    case .user(let high, let low): .user(high, low)
    case .text: nil
    }
  }

  /// Whether the name has no characters.
  package var isEmpty: Bool {
    self == .text("")
  }

  package var string: String {
    if case .text(let name) = self { return name.string }
    return digits?.string ?? ""
  }

  /// Calls `body` with the UTF-8 bytes of the name, which are valid during the call.
  package func withUTF8<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
    guard let digits else {
      var text = string
      return try text.withUTF8 { try body(UnsafeRawBufferPointer($0)) }
    }
    return try withUnsafeTemporaryAllocation(byteCount: 36, alignment: 8) { buffer in
      if let start = buffer.baseAddress { digits.write(to: start) }
      return try body(UnsafeRawBufferPointer(rebasing: buffer[..<digits.length]))
    }
  }

  /// Writes the 36 characters of a packed UUID.
  @inlinable
  package static func write(
    _ high: UInt64, _ low: UInt64, isUpper: Bool, to target: UnsafeMutableRawPointer
  ) {
    func digits(_ word: UInt64) -> UInt64 {
      HexWord.text(UInt32(truncatingIfNeeded: word), isUpper: isUpper)
    }
    let second = digits(high)
    let third = digits(low &>> 32)
    func four(_ word: UInt64, at offset: Int) {
      target.storeBytes(
        of: UInt32(truncatingIfNeeded: word).littleEndian, toByteOffset: offset, as: UInt32.self)
      target.storeBytes(of: 0x2D, toByteOffset: offset - 1, as: UInt8.self)
    }
    target.storeBytes(of: digits(high &>> 32).littleEndian, as: UInt64.self)
    four(second, at: 9)
    four(second &>> 32, at: 14)
    four(third, at: 19)
    four(third &>> 32, at: 24)
    target.storeBytes(of: digits(low).littleEndian, toByteOffset: 28, as: UInt64.self)
  }
}

/// The 32 hexadecimal digits of a record name in one of the forms that nearly all names have, as two
/// words.
package enum NameDigits: Sendable, Hashable {
  /// A UUID of 36 characters.
  case upperUUID(UInt64, UInt64)
  case lowerUUID(UInt64, UInt64)
  /// A user's name: `_` and 32 digits in lower case.
  case user(UInt64, UInt64)

  /// The numbers of characters of a UUID and of a user's name.
  package static let uuidLength = 36
  package static let userLength = 33

  /// Packs 36 bytes that are a UUID in one letter case, upper case if it has no letters; nil for any
  /// other text.
  ///
  /// - Parameter text: 36 readable bytes.
  package init?(uuid text: UnsafeRawPointer) {
    func isDash(_ offset: Int) -> Bool { text.load(fromByteOffset: offset, as: UInt8.self) == 0x2D }
    guard isDash(8), isDash(13), isDash(18), isDash(23) else { return nil }
    let digits = HexDigits(
      Self.eight(text, 0), Self.four(text, 9) | Self.four(text, 14) &<< 32,
      Self.four(text, 19) | Self.four(text, 24) &<< 32, Self.eight(text, 28))
    if digits.areUpper {
      self = .upperUUID(digits.high, digits.low)
    } else if digits.areLower {
      self = .lowerUUID(digits.high, digits.low)
    } else {
      return nil
    }
  }

  /// Packs 33 bytes that are a user's name; nil for any other text.
  ///
  /// - Parameter text: 33 readable bytes.
  package init?(user text: UnsafeRawPointer) {
    guard text.load(as: UInt8.self) == 0x5F else { return nil }
    let digits = HexDigits(
      Self.eight(text, 1), Self.eight(text, 9), Self.eight(text, 17), Self.eight(text, 25))
    guard digits.areLower else { return nil }
    self = .user(digits.high, digits.low)
  }

  /// Packs a text in one of the forms; nil for any other.
  @inline(__always)
  package init?(_ text: UnsafeRawBufferPointer) {
    guard let start = text.baseAddress else { return nil }
    switch text.count {
    case Self.uuidLength: self.init(uuid: start)
    case Self.userLength: self.init(user: start)
    default: return nil
    }
  }

  @inline(__always)
  private static func eight(_ text: UnsafeRawPointer, _ offset: Int) -> UInt64 {
    UInt64(littleEndian: text.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }

  @inline(__always)
  private static func four(_ text: UnsafeRawPointer, _ offset: Int) -> UInt64 {
    UInt64(UInt32(littleEndian: text.loadUnaligned(fromByteOffset: offset, as: UInt32.self)))
  }

  /// The number of characters.
  package var length: Int {
    switch self {
    case .upperUUID, .lowerUUID: Self.uuidLength
    case .user: Self.userLength
    }
  }

  /// Writes the characters.
  ///
  /// - Parameter target: Memory for ``length`` bytes.
  package func write(to target: UnsafeMutableRawPointer) {
    switch self {
    case .upperUUID(let high, let low): CompactName.write(high, low, isUpper: true, to: target)
    case .lowerUUID(let high, let low): CompactName.write(high, low, isUpper: false, to: target)
    case .user(let high, let low):
      target.storeBytes(of: 0x5F, as: UInt8.self)
      Self.write(high, to: target + 1)
      Self.write(low, to: target + 17)
    }
  }

  @inline(__always)
  private static func write(_ word: UInt64, to target: UnsafeMutableRawPointer) {
    let first = HexWord.text(UInt32(truncatingIfNeeded: word &>> 32), isUpper: false)
    let second = HexWord.text(UInt32(truncatingIfNeeded: word), isUpper: false)
    target.storeBytes(of: first.littleEndian, as: UInt64.self)
    target.storeBytes(of: second.littleEndian, toByteOffset: 8, as: UInt64.self)
  }

  /// The characters.
  package var string: String {
    withUnsafeTemporaryAllocation(byteCount: Self.uuidLength, alignment: 8) { buffer in
      let text = UnsafeRawBufferPointer(rebasing: buffer[..<length])
      if let start = buffer.baseAddress { write(to: start) }
      return String(validUTF8: text, isASCII: true)
    }
  }
}

/// 32 hexadecimal digits, read as four words at a time.
private struct HexDigits {
  /// Whether all are digits, and none is a letter in lower case, or in upper case.
  let areUpper: Bool
  let areLower: Bool
  /// The values; unspecified for other texts.
  let high: UInt64
  let low: UInt64

  private typealias Words = SIMD4<UInt64>

  @inline(__always)
  init(_ first: UInt64, _ second: UInt64, _ third: UInt64, _ fourth: UInt64) {
    let text = Words(first, second, third, fourth)
    func each(_ byte: UInt64) -> Words { Words(repeating: HexWord.ones &* byte) }
    // Letters have bit 6, and bit 5 if they are in lower case; their low bits count from 1.
    let letters = (text &>> 6) & each(1)
    let lower = (text &>> 5) & letters
    let digits = (text & each(15)) &+ (letters | letters &<< 3)
    // The high half is 3 in figures, 4 or 6 in letters.
    var wrong = (text ^ (each(0x30) &+ letters &<< 4)) & ~(letters &<< 5) & each(0xF0)
    // Figures are below 10, letters from 10 to 15.
    wrong |= (((digits &+ each(6)) &>> 4) ^ letters) & each(1) | digits & each(0x10)
    areUpper = Self.isZero(wrong | lower)
    areLower = Self.isZero(wrong | (lower ^ letters))
    // Two digits to a byte, then the bytes beside each other; the first are the lowest.
    var value = (digits &<< 4 | digits &>> 8) & Words(repeating: 0x00FF_00FF_00FF_00FF)
    value = (value | value &>> 8) & Words(repeating: 0x0000_FFFF_0000_FFFF)
    value = (value | value &>> 16) & Words(repeating: 0xFFFF_FFFF)
    high = (value[0] | value[1] &<< 32).byteSwapped
    low = (value[2] | value[3] &<< 32).byteSwapped
  }

  @inline(__always)
  private static func isZero(_ words: Words) -> Bool {
    words[0] | words[1] | words[2] | words[3] == 0
  }
}

/// Conversion of 32 bits to eight hexadecimal digits in a 64-bit word. The first digit is in the
/// lowest byte.
///
/// Most record names are UUIDs; converting them digit by digit would take longer than the rest of a
/// record.
@usableFromInline
enum HexWord {
  @usableFromInline static let ones: UInt64 = 0x0101_0101_0101_0101

  /// Returns the digits of 32 bits.
  @inlinable @inline(__always)
  static func text(_ value: UInt32, isUpper: Bool) -> UInt64 {
    var word = UInt64(value)
    word = (word | word &<< 16) & 0x0000_FFFF_0000_FFFF
    word = (word | word &<< 8) & 0x00FF_00FF_00FF_00FF
    word = (word | word &<< 4) & (ones &* 15)
    let digits = word.byteSwapped
    // 1 in each byte whose digit is above 9.
    let letters = ((digits &+ ones &* 6) &>> 4) & ones
    return digits &+ ones &* 0x30 &+ letters &* (isUpper ? 7 : 0x27)
  }
}

/// Conversion between 32 bits and eight hexadecimal digits in a 64-bit word. The first digit is in
/// the lowest byte.
///
/// Most record names are UUIDs; converting them digit by digit would take longer than the rest of a
/// record.
@usableFromInline
enum HexWord {
  @usableFromInline static let ones: UInt64 = 0x0101_0101_0101_0101

  /// Returns the digits of 32 bits, with upper-case letters.
  @inlinable @inline(__always)
  static func upper(_ value: UInt32) -> UInt64 {
    let digits = spread(value)
    return digits &+ ones &* 0x30 &+ letters(digits) &* 7
  }

  /// Returns the digits of 32 bits, with lower-case letters.
  @inlinable @inline(__always)
  static func lower(_ value: UInt32) -> UInt64 {
    let digits = spread(value)
    return digits &+ ones &* 0x30 &+ letters(digits) &* 0x27
  }

  /// Returns the value of eight digits.
  ///
  /// The result for any other text is unspecified; to detect it, convert the result back and
  /// compare.
  @inline(__always)
  static func value(_ text: UInt64) -> UInt32 {
    // Letters have bit 6, and their low four bits count from 1.
    let digits = (text & (ones &* 15)) &+ ((text &>> 6) & ones) &* 9
    var word = digits.byteSwapped & (ones &* 15)
    word = (word | word &>> 4) & 0x00FF_00FF_00FF_00FF
    word = (word | word &>> 8) & 0x0000_FFFF_0000_FFFF
    return UInt32(truncatingIfNeeded: word | word &>> 16)
  }

  /// Returns one digit (0 to 15) per byte, the most significant in the lowest byte.
  @inlinable @inline(__always)
  static func spread(_ value: UInt32) -> UInt64 {
    var word = UInt64(value)
    word = (word | word &<< 16) & 0x0000_FFFF_0000_FFFF
    word = (word | word &<< 8) & 0x00FF_00FF_00FF_00FF
    word = (word | word &<< 4) & (ones &* 15)
    return word.byteSwapped
  }

  /// Returns 1 in each byte whose digit is above 9.
  @inlinable @inline(__always)
  static func letters(_ digits: UInt64) -> UInt64 { ((digits &+ ones &* 6) &>> 4) & ones }
}

/// Eight hexadecimal digits at a time, in one machine word: the first digit in the lowest byte, as
/// the text lies in memory.
///
/// Names of records are UUIDs for the most part, and digit by digit they would cost more than all
/// else of a record.
@usableFromInline
enum HexWord {
  @usableFromInline static let ones: UInt64 = 0x0101_0101_0101_0101

  /// Spells 32 bits with upper-case letters.
  @inlinable @inline(__always)
  static func upper(_ value: UInt32) -> UInt64 {
    let digits = spread(value)
    return digits &+ ones &* 0x30 &+ letters(digits) &* 7
  }

  /// Spells 32 bits with lower-case letters.
  @inlinable @inline(__always)
  static func lower(_ value: UInt32) -> UInt64 {
    let digits = spread(value)
    return digits &+ ones &* 0x30 &+ letters(digits) &* 0x27
  }

  /// The value of eight digits; anything for what is none: spell it again to find out.
  @inline(__always)
  static func value(_ text: UInt64) -> UInt32 {
    // Letters have bit 6, and their low four bits count from 1.
    let digits = (text & (ones &* 15)) &+ ((text &>> 6) & ones) &* 9
    var word = digits.byteSwapped & (ones &* 15)
    word = (word | word &>> 4) & 0x00FF_00FF_00FF_00FF
    word = (word | word &>> 8) & 0x0000_FFFF_0000_FFFF
    return UInt32(truncatingIfNeeded: word | word &>> 16)
  }

  /// One digit to a byte, the most significant one in the lowest.
  @inlinable @inline(__always)
  static func spread(_ value: UInt32) -> UInt64 {
    var word = UInt64(value)
    word = (word | word &<< 16) & 0x0000_FFFF_0000_FFFF
    word = (word | word &<< 8) & 0x00FF_00FF_00FF_00FF
    word = (word | word &<< 4) & (ones &* 15)
    return word.byteSwapped
  }

  /// 1 in the bytes of digits above 9.
  @inlinable @inline(__always)
  static func letters(_ digits: UInt64) -> UInt64 { ((digits &+ ones &* 6) &>> 4) & ones }
}

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

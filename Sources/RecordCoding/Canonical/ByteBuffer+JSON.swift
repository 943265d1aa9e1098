import RecordModel

/// Returns a mask of the bytes that JSON must escape: quotes, backslashes and control characters.
///
/// The lowest set bit belongs to the first such byte; higher bits can be wrong.
@_transparent
func escapeMask(_ word: UInt64) -> UInt64 {
  let ones: UInt64 = 0x0101_0101_0101_0101
  let highs: UInt64 = 0x8080_8080_8080_8080
  let quotes = word ^ (ones &* 0x22)
  let slashes = word ^ (ones &* 0x5C)
  let control = (word &- ones &* 0x20) & ~word
  let quote = (quotes &- ones) & ~quotes
  let slash = (slashes &- ones) & ~slashes
  return (control | quote | slash) & highs
}

extension ByteBuffer {
  /// Appends a quoted string, escaping only what JSON requires.
  package func appendJSONString(_ text: String) {
    // Borrows the string's storage; a copy to call `withUTF8` on would be retained.
    let isWritten: Void? = text.utf8.withContiguousStorageIfAvailable {
      appendJSONString(utf8: UnsafeRawBufferPointer($0))
    }
    guard isWritten == nil else { return }
    // Only strings bridged from Objective-C lack contiguous storage.
    Array(text.utf8).withUnsafeBytes { appendJSONString(utf8: $0) }
  }

  /// Appends valid UTF-8 as a quoted JSON string.
  package func appendJSONString(utf8: UnsafeRawBufferPointer) {
    append(UInt8(ascii: "\""))
    var rest = utf8
    while true {
      let clean = appendClean(rest)
      if clean == rest.count { break }
      appendEscape(rest[clean])
      rest = UnsafeRawBufferPointer(rebasing: rest[(clean + 1)...])
    }
    append(UInt8(ascii: "\""))
  }

  /// Appends the bytes before the first one that must be escaped, and returns their number.
  private func appendClean(_ bytes: UnsafeRawBufferPointer) -> Int {
    guard let source = bytes.baseAddress else { return 0 }
    let length = bytes.count
    reserve(length)
    let target = base + count
    var position = 0
    while position &+ 8 <= length {
      let word = source.loadUnaligned(fromByteOffset: position, as: UInt64.self)
      target.storeBytes(of: word, toByteOffset: position, as: UInt64.self)
      let mask = escapeMask(UInt64(littleEndian: word))
      if mask != 0 {
        position &+= mask.trailingZeroBitCount &>> 3
        count &+= position
        return position
      }
      position &+= 8
    }
    while position < length {
      let byte = source.load(fromByteOffset: position, as: UInt8.self)
      if byte < 0x20 || byte == 0x22 || byte == 0x5C { break }
      target.storeBytes(of: byte, toByteOffset: position, as: UInt8.self)
      position &+= 1
    }
    count &+= position
    return position
  }

  private func appendEscape(_ byte: UInt8) {
    if byte >= 0x20 {
      append(UInt8(ascii: "\\"))
      append(byte)
    } else {
      append(controlEscape(byte))
    }
  }

  /// Appends an integer in decimal.
  package func appendInteger(_ value: Int64) {
    reserve(24)
    if value < 0 {
      base.storeBytes(of: 0x2D, toByteOffset: count, as: UInt8.self)
      count &+= 1
    }
    let magnitude = value.magnitude
    guard magnitude >= 100_000_000 else { return appendFirstDigits(UInt32(magnitude)) }
    let (rest, low) = magnitude.quotientAndRemainder(dividingBy: 100_000_000)
    if rest < 100_000_000 {
      appendFirstDigits(UInt32(rest))
    } else {
      let (first, middle) = rest.quotientAndRemainder(dividingBy: 100_000_000)
      appendFirstDigits(UInt32(first))
      appendEightDigits(UInt32(middle))
    }
    appendEightDigits(UInt32(low))
  }

  /// Appends a number below 10^8 without leading zeros. Eight bytes must be reserved.
  @inline(__always)
  private func appendFirstDigits(_ value: UInt32) {
    let digits = Self.eightDigits(value)
    // The last digit is kept even if it is zero.
    let zeros = min(7, digits.trailingZeroBitCount &>> 3)
    let text = (digits | 0x3030_3030_3030_3030) &>> UInt64(zeros &* 8)
    base.storeBytes(of: text.littleEndian, toByteOffset: count, as: UInt64.self)
    count &+= 8 &- zeros
  }

  @inline(__always)
  private func appendEightDigits(_ value: UInt32) {
    let text = Self.eightDigits(value) | 0x3030_3030_3030_3030
    base.storeBytes(of: text.littleEndian, toByteOffset: count, as: UInt64.self)
    count &+= 8
  }

  /// Returns the eight digits of a number below 10^8, the first in the lowest byte.
  ///
  /// Splits the number into halves, quarters and digits, in all parts of the word at once.
  @inline(__always)
  private static func eightDigits(_ value: UInt32) -> UInt64 {
    let halves = UInt64(value / 10_000) | UInt64(value % 10_000) &<< 32
    let hundreds = ((halves &* 10_486) &>> 20) & 0x0000_007F_0000_007F
    let quarters = hundreds | (halves &- hundreds &* 100) &<< 16
    let tens = ((quarters &* 103) &>> 10) & 0x000F_000F_000F_000F
    return tens | (quarters &- tens &* 10) &<< 8
  }
}

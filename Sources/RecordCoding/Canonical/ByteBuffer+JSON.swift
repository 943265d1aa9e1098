import RecordModel

/// Whether a word of eight bytes holds one that JSON must escape: a quote, a backslash or a
/// control character. The lowest set bit marks the first such byte; higher ones may be wrong.
@inline(__always)
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
  /// Appends a string with its quotes, escaping only what JSON demands.
  package func appendJSONString(_ text: String) {
    var text = text
    text.withUTF8 { appendJSONString(utf8: UnsafeRawBufferPointer($0)) }
  }

  /// Appends valid UTF-8 as a JSON string with its quotes.
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

  /// Copies bytes up to the first one that must be escaped, and returns how many.
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
    reserve(20)
    var rest = value.magnitude
    var digits = 1
    var bound: UInt64 = 10
    while digits < 20 && rest >= bound {
      digits &+= 1
      if digits == 20 { break }
      bound &*= 10
    }
    if value < 0 {
      base.storeBytes(of: 0x2D, toByteOffset: count, as: UInt8.self)
      count &+= 1
    }
    var place = count &+ digits
    count = place
    repeat {
      place &-= 1
      let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
      base.storeBytes(
        of: UInt8(truncatingIfNeeded: digit) &+ 0x30, toByteOffset: place, as: UInt8.self)
      rest = quotient
    } while rest != 0
  }
}

/// A record name, with UUIDs packed into 16 bytes.
///
/// Most record names are UUIDs of 36 characters, which as a `String` cost a heap block each.
/// Two equal names always take the same case: a UUID without letters counts as upper case.
package enum PackedName: Sendable, Hashable {
  case upperUUID(UInt64, UInt64)
  case lowerUUID(UInt64, UInt64)
  case text(String)

  package init(_ string: String) {
    var string = string
    if string.utf8.count == 36,
      let packed = string.withUTF8({ PackedName(uuid: UnsafeRawBufferPointer($0)) })
    {
      self = packed
    } else {
      self = .text(string)
    }
  }

  /// The packed form of 36 bytes that spell a UUID in one letter case; nil for anything else.
  package init?(uuid bytes: UnsafeRawBufferPointer) {
    guard bytes.count == 36, bytes[8] == 0x2D, bytes[13] == 0x2D, bytes[18] == 0x2D,
      bytes[23] == 0x2D
    else { return nil }
    var words: (UInt64, UInt64) = (0, 0)
    var seen: UInt8 = 0
    var position = 0
    while position < 36 {
      if position == 8 || position == 13 || position == 18 || position == 23 { position &+= 1 }
      // Two tables in one: the digit's value, and bits for an upper-case letter, a lower-case one
      // and no digit at all.
      let digit = hexDigits[Int(bytes[position])]
      seen |= digit
      if position < 18 {
        words.0 = words.0 &<< 4 | UInt64(digit & 15)
      } else {
        words.1 = words.1 &<< 4 | UInt64(digit & 15)
      }
      position &+= 1
    }
    seen &>>= 4
    switch seen {
    case 0, 1: self = .upperUUID(words.0, words.1)
    case 2: self = .lowerUUID(words.0, words.1)
    default: return nil
    }
  }

  package var string: String {
    switch self {
    case .text(let text): text
    case .upperUUID(let high, let low): Self.spell(high, low, letters: 0x37)
    case .lowerUUID(let high, let low): Self.spell(high, low, letters: 0x57)
    }
  }

  private static func spell(_ high: UInt64, _ low: UInt64, letters: UInt8) -> String {
    String(unsafeUninitializedCapacity: 36) { buffer in
      write(high, low, letters: letters, to: UnsafeMutableRawPointer(buffer.baseAddress!))
      return 36
    }
  }

  /// Writes the 36 characters of a packed UUID.
  ///
  /// - Parameter letters: what is added to the digits 10 to 15: 0x37 gives `A…F`, 0x57 `a…f`.
  @inlinable
  package static func write(
    _ high: UInt64, _ low: UInt64, letters: UInt8, to target: UnsafeMutableRawPointer
  ) {
    var position = 0
    var digit = 0
    while digit < 32 {
      if digit == 8 || digit == 12 || digit == 16 || digit == 20 {
        target.storeBytes(of: 0x2D, toByteOffset: position, as: UInt8.self)
        position += 1
      }
      let word = digit < 16 ? high : low
      let value = UInt8(truncatingIfNeeded: word >> UInt64(60 - (digit & 15) * 4)) & 15
      let text = value < 10 ? 0x30 &+ value : letters &+ value
      target.storeBytes(of: text, toByteOffset: position, as: UInt8.self)
      position += 1
      digit += 1
    }
  }
}

extension PackedName {
  package static func == (lhs: PackedName, rhs: PackedName) -> Bool {
    switch (lhs, rhs) {
    case (.upperUUID(let a, let b), .upperUUID(let x, let y)): a == x && b == y
    case (.lowerUUID(let a, let b), .lowerUUID(let x, let y)): a == x && b == y
    case (.text(let a), .text(let b)): a.sameScalars(as: b)
    default: false
    }
  }
}

private let hexDigits: InlineArray<256, UInt8> = {
  var table = InlineArray<256, UInt8>(repeating: 0x40)
  for value in 0..<10 { table[0x30 + value] = UInt8(value) }
  for value in 10..<16 {
    table[0x37 + value] = 0x10 | UInt8(value)
    table[0x57 + value] = 0x20 | UInt8(value)
  }
  return table
}()

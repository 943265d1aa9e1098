/// A record name; UUIDs are packed into 16 bytes.
///
/// Most record names are UUIDs of 36 characters, and a `String` allocates memory for each. Equal
/// names always have the same case; a UUID without letters is an `upperUUID`.
package enum PackedName: Sendable {
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

  /// Packs 36 bytes that are a UUID in one letter case; nil for any other text.
  package init?(uuid bytes: UnsafeRawBufferPointer) {
    guard bytes.count == 36, bytes[8] == 0x2D, bytes[13] == 0x2D, bytes[18] == 0x2D,
      bytes[23] == 0x2D
    else { return nil }
    // The digits of the five groups, eight per word.
    func eight(_ offset: Int) -> UInt64 {
      UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }
    func four(_ offset: Int) -> UInt64 {
      UInt64(UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)))
    }
    let text = (eight(0), four(9) | four(14) &<< 32, four(19) | four(24) &<< 32, eight(28))
    let values = (
      HexWord.value(text.0), HexWord.value(text.1), HexWord.value(text.2), HexWord.value(text.3)
    )
    let high = UInt64(values.0) &<< 32 | UInt64(values.1)
    let low = UInt64(values.2) &<< 32 | UInt64(values.3)
    // Text that is not a digit does not survive the conversion to a value and back.
    if text.0 == HexWord.upper(values.0), text.1 == HexWord.upper(values.1),
      text.2 == HexWord.upper(values.2), text.3 == HexWord.upper(values.3)
    {
      self = .upperUUID(high, low)
    } else if text.0 == HexWord.lower(values.0), text.1 == HexWord.lower(values.1),
      text.2 == HexWord.lower(values.2), text.3 == HexWord.lower(values.3)
    {
      self = .lowerUUID(high, low)
    } else {
      return nil
    }
  }

  /// Whether the name has no characters.
  package var isEmpty: Bool {
    if case .text(let text) = self { text.isEmpty } else { false }
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
  /// - Parameter letters: the number to add to the digits 10 to 15: 0x37 for `A…F`, 0x57 for `a…f`.
  @inlinable
  package static func write(
    _ high: UInt64, _ low: UInt64, letters: UInt8, to target: UnsafeMutableRawPointer
  ) {
    func spell(_ value: UInt32) -> UInt64 {
      letters == 0x37 ? HexWord.upper(value) : HexWord.lower(value)
    }
    let second = spell(UInt32(truncatingIfNeeded: high))
    let third = spell(UInt32(truncatingIfNeeded: low &>> 32))
    func four(_ word: UInt64, at offset: Int) {
      target.storeBytes(
        of: UInt32(truncatingIfNeeded: word).littleEndian, toByteOffset: offset, as: UInt32.self)
      target.storeBytes(of: 0x2D, toByteOffset: offset - 1, as: UInt8.self)
    }
    target.storeBytes(
      of: spell(UInt32(truncatingIfNeeded: high &>> 32)).littleEndian, as: UInt64.self)
    four(second, at: 9)
    four(second &>> 32, at: 14)
    four(third, at: 19)
    four(third &>> 32, at: 24)
    target.storeBytes(
      of: spell(UInt32(truncatingIfNeeded: low)).littleEndian, toByteOffset: 28, as: UInt64.self)
  }
}

extension PackedName: Hashable {
  package static func == (lhs: PackedName, rhs: PackedName) -> Bool {
    switch (lhs, rhs) {
    case (.upperUUID(let a, let b), .upperUUID(let c, let d)): a == c && b == d
    case (.lowerUUID(let a, let b), .lowerUUID(let c, let d)): a == c && b == d
    case (.text(let a), .text(let b)): a.sameScalars(as: b)
    default: false
    }
  }

  package func hash(into hasher: inout Hasher) {
    switch self {
    case .upperUUID(let high, let low), .lowerUUID(let high, let low):
      hasher.combine(high)
      hasher.combine(low)
    case .text(let text): text.hashScalars(into: &hasher)
    }
  }
}

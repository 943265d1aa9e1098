/// A record name; UUIDs are packed into 16 bytes.
///
/// Most record names are UUIDs of 36 characters, and a `String` allocates memory for each. Equal
/// names always have the same case; a UUID without letters is an `upperUUID`.
package enum PackedName: Sendable, Hashable {
  case upperUUID(UInt64, UInt64)
  case lowerUUID(UInt64, UInt64)
  case text(NameKey)

  package init(_ string: String) {
    var string = string
    if string.utf8.count == 36,
      let packed = string.withUTF8({ PackedName(uuid: UnsafeRawBufferPointer($0)) })
    {
      self = packed
    } else {
      self = .text(NameKey(string))
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
    @inline(__always) func survives(isUpper: Bool) -> Bool {
      text.0 == HexWord.text(values.0, isUpper: isUpper)
        && text.1 == HexWord.text(values.1, isUpper: isUpper)
        && text.2 == HexWord.text(values.2, isUpper: isUpper)
        && text.3 == HexWord.text(values.3, isUpper: isUpper)
    }
    if survives(isUpper: true) {
      self = .upperUUID(high, low)
    } else if survives(isUpper: false) {
      self = .lowerUUID(high, low)
    } else {
      return nil
    }
  }

  /// Whether the name has no characters.
  package var isEmpty: Bool {
    self == .text("")
  }

  package var string: String {
    switch self {
    case .text(let name): name.string
    case .upperUUID(let high, let low): Self.format(high, low, isUpper: true)
    case .lowerUUID(let high, let low): Self.format(high, low, isUpper: false)
    }
  }

  /// Calls `body` with the UTF-8 bytes of the name, which are valid during the call.
  package func withUTF8<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
    let (high, low, isUpper): (UInt64, UInt64, Bool)
    switch self {
    case .text(let name):
      var text = name.string
      return try text.withUTF8 { try body(UnsafeRawBufferPointer($0)) }
    case .upperUUID(let first, let second): (high, low, isUpper) = (first, second, true)
    case .lowerUUID(let first, let second): (high, low, isUpper) = (first, second, false)
    }
    return try withUnsafeTemporaryAllocation(byteCount: 36, alignment: 8) { buffer in
      if let start = buffer.baseAddress { Self.write(high, low, isUpper: isUpper, to: start) }
      return try body(UnsafeRawBufferPointer(buffer))
    }
  }

  private static func format(_ high: UInt64, _ low: UInt64, isUpper: Bool) -> String {
    String(unsafeUninitializedCapacity: 36) { buffer in
      write(high, low, isUpper: isUpper, to: UnsafeMutableRawPointer(buffer.baseAddress!))
      return 36
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

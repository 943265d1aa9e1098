import RecordModel

extension CanonicalReader {
  /// Reads a text; nil if it is not canonical.
  @inline(__always)
  mutating func textValue() -> String? {
    guard take(0x22) else { return nil }
    let start = position
    var place = position
    while place &+ 8 <= end {
      let word = UInt64(littleEndian: base.loadUnaligned(fromByteOffset: place, as: UInt64.self))
      let mask = escapeMask(word) | word & 0x8080_8080_8080_8080
      place &+= mask.trailingZeroBitCount &>> 3
      if mask == 0 { continue }
      guard base.load(fromByteOffset: place, as: UInt8.self) == 0x22 else { break }
      position = place &+ 1
      return String(
        validUTF8: UnsafeRawBufferPointer(start: base + start, count: place &- start),
        isASCII: true)
    }
    return otherText(from: start, at: place)
  }

  /// Reads a text that has escapes or characters beyond ASCII, or is near the end of the bytes.
  private mutating func otherText(from start: Int, at place: Int) -> String? {
    stringTail(from: start, at: place).map { Self.string(bytes($0)) }
  }

  /// Returns the string with this text between its quotes.
  ///
  /// - Parameter text: A range that ``stringRest()`` returned: it must be valid UTF-8.
  static func string(_ text: UnsafeRawBufferPointer) -> String {
    if text.hasByte(0x5C) { return unescaped(text) }
    return String(validUTF8: text)
  }

  /// Returns the record name with this text between its quotes.
  @inline(__always)
  static func compactName(_ text: UnsafeRawBufferPointer) -> CompactName {
    if let digits = NameDigits(text) { return CompactName(digits) }
    return .text(ExactString(string(text)))
  }

  private static func unescaped(_ text: UnsafeRawBufferPointer) -> String {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: text.count) { buffer in
      let count = unescape(text, into: buffer)
      return String(validUTF8: UnsafeRawBufferPointer(start: buffer.baseAddress, count: count))
    }
  }

  /// Writes a text without its escapes.
  ///
  /// - Parameter target: Memory of at least the size of the text.
  /// - Returns: The number of bytes.
  static func unescape(
    _ text: UnsafeRawBufferPointer, into target: UnsafeMutableBufferPointer<UInt8>
  ) -> Int {
    var written = 0
    var position = 0
    while position < text.count {
      if position &+ 8 <= text.count {
        // The text never grows, so there is room for eight bytes.
        let word = text.loadUnaligned(fromByteOffset: position, as: UInt64.self)
        UnsafeMutableRawBufferPointer(target).storeBytes(
          of: word, toByteOffset: written, as: UInt64.self)
        let clean = escapeMask(UInt64(littleEndian: word)).trailingZeroBitCount &>> 3
        position &+= clean
        written &+= clean
        if clean > 0 { continue }
      }
      let byte = text[position]
      position &+= 1
      guard byte == 0x5C, position < text.count else {
        target[written] = byte
        written &+= 1
        continue
      }
      let escape = text[position]
      position &+= 1
      switch escape {
      case 0x62: target[written] = 0x08
      case 0x66: target[written] = 0x0C
      case 0x6E: target[written] = 0x0A
      case 0x72: target[written] = 0x0D
      case 0x74: target[written] = 0x09
      case 0x75 where position + 4 <= text.count:
        let low = text[position + 3]
        target[written] = (text[position + 2] & 1) << 4 | (low < 0x3A ? low & 15 : low &- 0x57)
        position += 4
      default: target[written] = escape
      }
      written &+= 1
    }
    return written
  }
}

/// A record name that was skipped: its digits, or the place of its text.
enum ScannedName {
  case digits(NameDigits)
  /// The text between the quotes.
  case text(Range<Int>)

  var isEmpty: Bool {
    if case .text(let range) = self { return range.isEmpty }
    return false
  }
}

extension CanonicalReader {
  /// Passes a name after its opening quote; nil if it is not canonical.
  @inline(__always)
  mutating func name() -> ScannedName? {
    let length = NameDigits.uuidLength
    if end &- position > length,
      base.load(fromByteOffset: position &+ length, as: UInt8.self) == 0x22,
      let digits = NameDigits(uuid: base + position)
    {
      position &+= length &+ 1
      return .digits(digits)
    }
    return otherName()
  }

  /// Passes the name of a user after its opening quote.
  @inline(__always)
  mutating func userName() -> ScannedName? {
    let length = NameDigits.userLength
    if end &- position > length,
      base.load(fromByteOffset: position &+ length, as: UInt8.self) == 0x22,
      let digits = NameDigits(user: base + position)
    {
      position &+= length &+ 1
      return .digits(digits)
    }
    return otherName()
  }

  private mutating func otherName() -> ScannedName? {
    stringRest().map(ScannedName.text)
  }

  /// Returns a name that was passed.
  @inline(__always)
  func compactName(_ name: ScannedName) -> CompactName {
    switch name {
    case .digits(let digits): CompactName(digits)
    case .text(let range): Self.compactName(bytes(range))
    }
  }
}

import RecordModel

/// A record name that was passed: its digits, or where its text is.
enum PassedName {
  case digits(NameDigits)
  /// The text between the quotes.
  case text(Range<Int>)

  var isEmpty: Bool {
    if case .text(let range) = self { return range.isEmpty }
    return false
  }
}

extension CanonicalScanner {
  /// Passes a name after its opening quote; nil if it is not canonical.
  @inline(__always)
  mutating func name() -> PassedName? {
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
  mutating func userName() -> PassedName? {
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

  private mutating func otherName() -> PassedName? {
    stringRest().map(PassedName.text)
  }

  /// Returns a name that was passed.
  @inline(__always)
  func packedName(_ name: PassedName) -> CompactName {
    switch name {
    case .digits(let digits): CompactName(digits)
    case .text(let range): CanonicalDecoder.packedName(bytes(range))
    }
  }
}

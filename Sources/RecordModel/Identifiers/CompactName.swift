/// A record name; UUIDs and the names of users are packed into 16 bytes.
///
/// Most record names are UUIDs of 36 characters, and a `String` allocates memory for each. Equal
/// names always have the same case; a UUID without letters is an `upperUUID`.
package enum CompactName: Sendable, Hashable {
  case upperUUID(UInt64, UInt64)
  case lowerUUID(UInt64, UInt64)
  /// `_` and 32 hexadecimal digits in lower case, as the server names users.
  case user(UInt64, UInt64)
  case text(ExactString)

  package init(_ string: String) {
    var string = string
    self =
      string.withUTF8 { NameDigits(UnsafeRawBufferPointer($0)) }.map(CompactName.init)
      ?? .text(ExactString(string))
  }

  /// A name of hexadecimal digits.
  @inline(__always)
  package init(_ digits: NameDigits) {
    switch digits {
    case .upperUUID(let high, let low): self = .upperUUID(high, low)
    case .lowerUUID(let high, let low): self = .lowerUUID(high, low)
    case .user(let high, let low): self = .user(high, low)
    }
  }

  /// Packs 36 bytes that are a UUID in one letter case; nil for any other text.
  package init?(uuid bytes: UnsafeRawBufferPointer) {
    guard bytes.count == NameDigits.uuidLength, let digits = NameDigits(bytes) else { return nil }
    self.init(digits)
  }

  /// The digits; nil for a name in another form.
  @inline(__always)
  package var digits: NameDigits? {
    switch self {
    case .upperUUID(let high, let low): .upperUUID(high, low)
    case .lowerUUID(let high, let low): .lowerUUID(high, low)
    case .user(let high, let low): .user(high, low)
    case .text: nil
    }
  }

  /// Whether the name has no characters.
  package var isEmpty: Bool {
    self == .text("")
  }

  package var string: String {
    if case .text(let name) = self { return name.string }
    return digits?.string ?? ""
  }

  /// Calls `body` with the UTF-8 bytes of the name, which are valid during the call.
  package func withUTF8<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
    guard let digits else {
      var text = string
      return try text.withUTF8 { try body(UnsafeRawBufferPointer($0)) }
    }
    return try withUnsafeTemporaryAllocation(byteCount: 36, alignment: 8) { buffer in
      if let start = buffer.baseAddress { digits.write(to: start) }
      return try body(UnsafeRawBufferPointer(rebasing: buffer[..<digits.length]))
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

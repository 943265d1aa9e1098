import RecordCoding
import RecordPlatform

/// The replacements of numbers, URLs and free text.
struct TextCipher: Sendable {
  private let words: WordCipher
  private let numbers: FormatCipher
  private let text: SipHash
  private let identifiers: IdentifierCipher

  init(_ key: AnonymisationKey, _ words: WordCipher, _ identifiers: IdentifierCipher) {
    self.words = words
    numbers = FormatCipher(key.hash(for: "numbers"))
    text = key.hash(for: "text")
    self.identifiers = identifiers
  }

  // MARK: Addresses

  /// Replaces the digits of a phone number but those of the country code. Nil if the text is no
  /// phone number.
  func phone(_ number: String) -> String? {
    guard let digits = PhoneNumber.digits(of: number) else { return nil }
    var scalars = Array(number.unicodeScalars)
    let kept = PhoneNumber.countryCodeLength(of: number, digits: digits.map { scalars[$0] })
    let places = digits.dropFirst(kept)
    guard let mixed = numbers.permute(places.map { scalars[$0] }) else { return nil }
    for (place, scalar) in zip(places, mixed) { scalars[place] = scalar }
    return String(scalars: scalars)
  }

  /// Replaces host, path, query and fragment of a URL; the scheme stays, and the host ends with
  /// `.example`. Nil if the text is no URL.
  func url(_ text: String) -> String? {
    guard let end = text.range(of: "://") else { return nil }
    let scheme = text[..<end.lowerBound]
    let isScheme =
      scheme.first?.isLetter == true
      && scheme.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) }
    guard isScheme else { return nil }
    let rest = text[end.upperBound...]
    let hostEnd = rest.firstIndex { "/?#".contains($0) } ?? rest.endIndex
    var authority = rest[..<hostEnd]
    var user = ""
    if let at = authority.lastIndex(of: "@") {
      user = words.name(String(authority[..<at])) + "@"
      authority = authority[authority.index(after: at)...]
    }
    var port = ""
    if let colon = authority.lastIndex(of: ":"),
      authority[colon...].dropFirst().allSatisfy({ $0.isASCII && $0.isNumber })
    {
      port = String(authority[colon...])
      authority = authority[..<colon]
    }
    let newHost = authority.isEmpty ? "" : host(String(authority))
    return "\(scheme)://\(user)\(newHost)\(port)\(path(String(rest[hostEnd...])))"
  }

  /// Addresses of the protocol have no words, and become names.
  private func host(_ host: String) -> String {
    guard host.hasPrefix("[") else { return words.host(host) }
    return "ip-" + String(text.hash(host), radix: 16) + ".example"
  }

  /// Replaces the UUIDs and words of a path; escaped bytes become others.
  private func path(_ path: String) -> String {
    var random = SeededNumbers(seed: text.hash(path))
    var result = ""
    var part = ""
    func flush() {
      result += identifiers.pseudonym(of: part)
      part = ""
    }
    var rest = path[...]
    while let character = rest.first {
      let digits = rest.dropFirst().prefix(2)
      if character == "%", digits.count == 2, digits.allSatisfy({ $0.isASCII && $0.isHexDigit }) {
        flush()
        // No control characters, and no ASCII.
        result += "%" + String(0x80 + random.below(0x80), radix: 16, uppercase: true)
        rest = rest.dropFirst(3)
        continue
      }
      if "/?#&=".contains(character) {
        flush()
        result.append(character)
      } else {
        part.append(character)
      }
      rest = rest.dropFirst()
    }
    flush()
    return result
  }

  // MARK: Free text and numbers

  /// Replaces each letter by one of the same script, and each digit by a digit. Letters keep their
  /// case, but those of blocks in which capitals and small letters alternate.
  ///
  /// Letters of the Latin alphabet become consonants, so that no real word appears, and an `@` a
  /// `*`, so that no address does. The same text always gets the same replacement.
  func text(_ value: String) -> String {
    var value = value
    let buffer = ByteBuffer(capacity: value.utf8.count)
    value.withUTF8 { appendText(UnsafeRawBufferPointer($0), to: buffer) }
    return String(decoding: buffer.bytes, as: UTF8.self)
  }

  /// Appends what replaces a text in UTF-8.
  func appendText(_ value: UnsafeRawBufferPointer, to buffer: ByteBuffer) {
    var random = SeededNumbers(seed: text.hash(value))
    let start = buffer.count
    buffer.append(value)
    let bytes = UnsafeMutableRawBufferPointer(start: buffer.base + start, count: value.count)
    let ascii = ASCIICipher.shared
    var index = 0
    while index < bytes.count {
      if index &+ 4 <= bytes.count,
        bytes.loadUnaligned(fromByteOffset: index, as: UInt32.self) & 0x8080_8080 == 0
      {
        ascii.replace4(bytes.baseAddress! + index, random.next())
        index &+= 4
      } else if bytes[index] < 0x80 {
        bytes[index] = ascii.replacement(of: bytes[index], random.next())
        index &+= 1
      } else {
        index &+= Self.replaceScalar(in: bytes, at: index, &random)
      }
    }
  }

  /// Replaces a scalar of several bytes by one of as many bytes.
  ///
  /// - Returns: The number of bytes.
  private static func replaceScalar(
    in bytes: UnsafeMutableRawBufferPointer, at start: Int, _ random: inout SeededNumbers
  ) -> Int {
    let width = bytes[start] < 0xE0 ? 2 : bytes[start] < 0xF0 ? 3 : 4
    guard start + width <= bytes.count else { return 1 }
    var value = UInt32(bytes[start]) & (0x7F >> UInt32(width))
    for index in start + 1..<start + width { value = value << 6 | UInt32(bytes[index]) & 0x3F }
    guard let scalar = Unicode.Scalar(value) else { return width }
    var member: ScalarClass.Member
    if let known = ScalarClass.member(scalar) {
      member = known
    } else if ScalarClass.isSeparator(scalar) {
      return width
    } else {
      member = .init(classIndex: ScalarClass.substitute(for: scalar), index: 0)
    }
    member.index = UInt16(random.below(Int(ScalarClass.all[Int(member.classIndex)].count)))
    value = ScalarClass.scalar(member).value
    for index in stride(from: start + width - 1, to: start, by: -1) {
      bytes[index] = UInt8(value & 0x3F | 0x80)
      value >>= 6
    }
    bytes[start] = UInt8(value) | ~(0xFF >> UInt8(width))
    return width
  }

  /// Replaces the digits of an integer; its sign and the number of its digits stay, and so does 0.
  func number(_ value: Int64) -> Int64 {
    guard value != 0 else { return 0 }
    var digits = String(value.magnitude)
    // Until the result is an integer of the same length, which is a permutation, too.
    repeat {
      guard let mixed = numbers.permute(digits) else { return value }
      digits = mixed
    } while digits.hasPrefix("0") || Int64((value < 0 ? "-" : "") + digits) == nil
    return Int64((value < 0 ? "-" : "") + digits) ?? value
  }

  /// Replaces the digits of a number from the first that is not 0; its sign, the number of its
  /// digits and the place of the decimal point stay, and so does 0.
  func number(_ value: Double) -> Double {
    guard value.isFinite, value != 0 else { return value }
    let text = "\(value.magnitude)"
    let end = text.firstIndex { $0 == "e" || $0 == "E" } ?? text.endIndex
    var digits = String(text[..<end])
    // The digit behind the point that a whole number has is none of its own.
    let suffix = digits.hasSuffix(".0") ? ".0" : ""
    digits.removeLast(suffix.count)
    let start = digits.firstIndex { "1"..."9" ~= $0 } ?? digits.startIndex
    let opening = digits[..<start]
    var mixed = String(digits[start...])
    for _ in 0..<64 {
      guard let next = numbers.permute(mixed) else { return value }
      mixed = next
      if !mixed.hasPrefix("0"), let number = Double(opening + mixed + suffix + text[end...]),
        number.isFinite
      {
        return value < 0 ? -number : number
      }
    }
    return value < 0 ? -1 : 1
  }
}

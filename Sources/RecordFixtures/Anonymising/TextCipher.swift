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

/// The letters or digits of one script, which replace each other.
///
/// All of them have the same length in UTF-8.
struct ScalarClass {
  private let first: UInt32
  /// The first capital, where the class has small letters and capitals in the same order.
  private let firstCapital: UInt32?
  let count: UInt16

  private init(_ scalars: ClosedRange<UInt32>, capital: UInt32? = nil) {
    first = scalars.lowerBound
    count = UInt16(scalars.upperBound - scalars.lowerBound + 1)
    firstCapital = capital
  }

  /// A scalar as the index of its class, and its index in there.
  struct Member {
    var classIndex: UInt8
    var index: UInt16
    var isCapital = false
  }

  /// The digits 0 to 9, which are the class 0.
  static let digits: UInt8 = 0
  /// The letters of the Latin alphabet, which are the class 1.
  static let latin: UInt8 = 1

  /// Every scalar of a range is assigned in Unicode 12 or before.
  static let all: [ScalarClass] = [
    .init(0x30...0x39),
    .init(0x61...0x7A, capital: 0x41),
    // Latin
    .init(0xE0...0xF6, capital: 0xC0), .init(0xF8...0xFF, capital: 0xD8), .init(0x100...0x17F),
    .init(0x180...0x24F),
    // Greek
    .init(0x3B1...0x3C9), .init(0x391...0x3A1), .init(0x3A3...0x3A9), .init(0x3AC...0x3AF),
    .init(0x3CA...0x3CE),
    // Cyrillic
    .init(0x430...0x44F, capital: 0x410), .init(0x450...0x45F, capital: 0x400),
    // Armenian, Hebrew, Arabic
    .init(0x561...0x586, capital: 0x531), .init(0x5D0...0x5EA), .init(0x621...0x63A),
    .init(0x641...0x64A), .init(0x660...0x669), .init(0x6F0...0x6F9), .init(0x671...0x6D3),
    .init(0x48A...0x4FF), .init(0x710...0x72F), .init(0x780...0x7A5),
    // Devanagari, and the letters of other Indic scripts
    .init(0x904...0x939), .init(0x966...0x96F), .init(0x995...0x9A8), .init(0x9AA...0x9B0),
    .init(0xA15...0xA28), .init(0xA95...0xAA8), .init(0xB15...0xB28), .init(0xB85...0xB8A),
    .init(0xB8E...0xB90), .init(0xB92...0xB95), .init(0xB99...0xB9A), .init(0xB9E...0xB9F),
    .init(0xBA3...0xBA4), .init(0xBA8...0xBAA), .init(0xBAE...0xBB9), .init(0xC15...0xC28),
    .init(0xC2A...0xC33), .init(0xC95...0xCA8), .init(0xCAA...0xCB3), .init(0xD15...0xD28),
    .init(0xD2A...0xD39), .init(0xD9A...0xDB1),
    // Thai, Lao, Myanmar, Georgian, Ethiopic, Cherokee, Khmer
    .init(0xE01...0xE30), .init(0xE40...0xE44), .init(0xE50...0xE59), .init(0xE94...0xE97),
    .init(0xE99...0xE9F), .init(0xEA1...0xEA3), .init(0x1000...0x1020), .init(0x10D0...0x10F0),
    .init(0x1200...0x1248), .init(0x1260...0x1288), .init(0x12D8...0x1310), .init(0x13A0...0x13EF),
    .init(0x1780...0x17A2),
    // Latin with marks, as in Vietnamese
    .init(0x1E00...0x1EFF), .init(0x1F00...0x1F07), .init(0x1F10...0x1F15), .init(0x1F20...0x1F27),
    .init(0x1F30...0x1F37), .init(0x1F40...0x1F45), .init(0x1F60...0x1F67), .init(0x1F70...0x1F7D),
    // Full-width digits and letters
    .init(0xFF10...0xFF19), .init(0xFF41...0xFF5A, capital: 0xFF21),
    // Japanese, Chinese, Korean
    .init(0x3041...0x3096), .init(0x30A1...0x30FA), .init(0x4E00...0x9FA5),
    .init(0x3400...0x4DB5), .init(0xAC00...0xD7A3),
    // Emoji; the modifiers of skin at the end of the first range stay.
    .init(0x1F300...0x1F3FA), .init(0x1F400...0x1F4FF), .init(0x1F500...0x1F5FF),
    .init(0x1F600...0x1F64F), .init(0x1F680...0x1F6C5), .init(0x1F900...0x1F9FF),
    .init(0x1F1E6...0x1F1FF),
    // Invisible tags, in which text can hide
    .init(0xE0020...0xE007E),
  ]

  /// Returns the class of a scalar; nil for one that has none.
  static func member(_ scalar: Unicode.Scalar) -> Member? {
    let value = scalar.value
    if value < 0x80 {
      switch value {
      case 0x61...0x7A: return Member(classIndex: latin, index: UInt16(value - 0x61))
      case 0x41...0x5A:
        return Member(classIndex: latin, index: UInt16(value - 0x41), isCapital: true)
      case 0x30...0x39: return Member(classIndex: digits, index: UInt16(value - 0x30))
      default: return nil
      }
    }
    if value < 0x10000 {
      let entry = table[Int(value)]
      guard entry != none else { return nil }
      let one = all[Int(entry & 0x7F)]
      let first = entry & 0x80 == 0 ? one.first : one.firstCapital ?? one.first
      return Member(
        classIndex: entry & 0x7F, index: UInt16(value - first), isCapital: entry & 0x80 != 0)
    }
    return search(value, from: firstWideClass)
  }

  /// The first of the classes of scalars from U+10000, which are the last ones.
  private static let firstWideClass = all.firstIndex { $0.first >= 0x10000 } ?? 0

  private static let none: UInt8 = 0xFF

  /// The class of each scalar below U+10000, with the highest bit for capitals.
  private static let table: [UInt8] = {
    var table = [UInt8](repeating: none, count: 0x10000)
    table.withUnsafeMutableBufferPointer { table in
      // The first class that has a scalar is that of the scalar, as in `search`.
      for (index, one) in all.enumerated().reversed() where one.first < table.count {
        for (first, mark) in [(one.firstCapital, 0x80 as UInt8), (one.first, 0)] {
          guard let first = first.map(Int.init) else { continue }
          table[first..<first + Int(one.count)].update(repeating: UInt8(index) | mark)
        }
      }
    }
    return table
  }()

  /// Looks a scalar up class by class, without the table.
  static func search(_ value: UInt32, from start: Int = 2) -> Member? {
    for index in start..<all.count {
      let one = all[index]
      if value >= one.first, value - one.first < UInt32(one.count) {
        return Member(classIndex: UInt8(index), index: UInt16(value - one.first))
      }
      if let capital = one.firstCapital, value >= capital, value - capital < UInt32(one.count) {
        return Member(classIndex: UInt8(index), index: UInt16(value - capital), isCapital: true)
      }
    }
    return nil
  }

  /// Returns a member of a class.
  static func scalar(_ member: Member) -> Unicode.Scalar {
    let one = all[Int(member.classIndex)]
    let first = member.isCapital ? one.firstCapital ?? one.first : one.first
    return Unicode.Scalar(first + UInt32(member.index)) ?? "x"
  }

  /// A class whose members have as many bytes in UTF-8 as a letter that has none.
  static func substitute(for scalar: Unicode.Scalar) -> UInt8 {
    let example: Unicode.Scalar =
      switch UTF8.width(scalar) {
      case 1: "a"
      case 2: "ā"
      case 3: "ḁ"
      default: "😀"
      }
    return member(example)?.classIndex ?? latin
  }

  /// Whether a scalar without a class stays as it is: white space, punctuation, marks, symbols.
  static func isSeparator(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.isASCII { return member(scalar) == nil }
    switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .otherLetter, .decimalNumber,
      .letterNumber, .privateUse, .unassigned:
      return false
    default: return true
    }
  }
}

/// The letters of the Latin alphabet as vowels and consonants.
enum LatinLetters {
  static let vowels: [UInt16] = [0, 4, 8, 14, 20]
  static let consonants: [UInt16] = (0..<26).filter { !vowels.contains($0) }

  static func isVowel(_ letter: UInt16) -> Bool { vowels.contains(letter) }
}

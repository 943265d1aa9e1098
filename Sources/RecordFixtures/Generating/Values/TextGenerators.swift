import RecordCoding
import RecordModel
import RecordPlatform

/// Words of a language: so many words, sentences or characters.
final class TextGenerator: FieldGenerator {
  private let form: TextForm
  private let length: CountSampler
  private let locale: WordLocale
  private let isUnique: Bool

  init(_ form: TextForm, _ length: CountRule, _ locale: WordLocale, isUnique: Bool) {
    self.form = form
    self.length = CountSampler(length)
    self.locale = locale
    self.isUnique = isUnique
  }

  override func append(_ context: RecordContext, to buffer: ByteBuffer) -> Bool {
    let words = locale.chosen(&context.random).vocabulary
    let count = length.sample(&context.random)
    buffer.append(UInt8(ascii: "\""))
    switch form {
    case .words: Self.append(count, words, &context.random, to: buffer)
    case .sentences:
      for sentence in 0..<count {
        if sentence > 0 { buffer.append(words.space) }
        Self.append(context.random.number(in: 4...12), words, &context.random, to: buffer)
        buffer.append(words.stop)
      }
    case .characters: Self.append(characters: count, words, &context.random, to: buffer)
    }
    if isUnique {
      buffer.append(UInt8(ascii: " "))
      buffer.appendInteger(Int64(context.number + 1))
    }
    buffer.append(UInt8(ascii: "\""))
    return true
  }

  private static func append(
    _ count: Int, _ words: Vocabulary, _ random: inout SeededNumbers, to buffer: ByteBuffer
  ) {
    for number in 0..<count {
      let word = words.words[random.below(words.words.count)]
      if number == 0 {
        buffer.appendCapitalized(word)
      } else {
        buffer.append(words.space)
        buffer.append(word)
      }
    }
  }

  /// Appends words until there are so many Unicode scalars, and cuts the last word.
  private static func append(
    characters count: Int, _ words: Vocabulary, _ random: inout SeededNumbers,
    to buffer: ByteBuffer
  ) {
    var rest = count
    var isFirst = true
    while rest > 0 {
      let word = words.words[random.below(words.words.count)]
      if isFirst {
        isFirst = false
      } else if words.space.utf8CodeUnitCount > 0 {
        buffer.append(words.space)
        rest -= 1
      }
      var size = 0
      while size < word.count, rest > 0 || word[size] & 0xC0 == 0x80 {
        if word[size] & 0xC0 != 0x80 { rest -= 1 }
        size += 1
      }
      buffer.append(UnsafeRawBufferPointer(rebasing: word[..<size]))
    }
  }

  override func appendEdge(_ context: RecordContext, to buffer: ByteBuffer) -> Bool {
    guard !isUnique else { return false }
    TextEdges.append(context, to: buffer)
    return true
  }
}

/// Text that is hard to store, compare, cut or show.
enum TextEdges {
  /// The length of the longest text, in bytes.
  static let longest = 2000

  static func append(_ context: RecordContext, to buffer: ByteBuffer) {
    buffer.append(UInt8(ascii: "\""))
    let table = FactTables.edgeTexts
    switch context.random.below(table.count + 2) {
    case table.count: break
    case table.count + 1:
      for _ in 0..<longest / 4 { buffer.append("long") }
    case let number: buffer.append(table[number])
    }
    buffer.append(UInt8(ascii: "\""))
  }
}

extension WordLocale {
  @inline(__always)
  func chosen(_ random: inout SeededNumbers) -> WordLocale {
    self == .mixed ? Self.single[random.below(Self.single.count)] : self
  }
}

/// Text of a kind: names, addresses, identifiers.
final class KnownTextGenerator: FieldGenerator {
  private let kind: TextKind
  private let locale: WordLocale
  private let isUnique: Bool

  init(_ kind: TextKind, _ locale: WordLocale, isUnique: Bool) {
    self.kind = kind
    self.locale = locale
    self.isUnique = isUnique
  }

  override func append(_ context: RecordContext, to buffer: ByteBuffer) -> Bool {
    buffer.append(UInt8(ascii: "\""))
    appendText(context, &context.random, to: buffer)
    if isUnique, kind != .email, kind != .uuid, kind != .url {
      buffer.append(UInt8(ascii: " "))
      buffer.appendInteger(Int64(context.number + 1))
    }
    buffer.append(UInt8(ascii: "\""))
    return true
  }

  override func appendEdge(_ context: RecordContext, to buffer: ByteBuffer) -> Bool {
    // Identifiers are often parsed by apps.
    guard !isUnique, kind != .uuid else { return false }
    TextEdges.append(context, to: buffer)
    return true
  }

  private func appendText(
    _ context: RecordContext, _ random: inout SeededNumbers, to buffer: ByteBuffer
  ) {
    switch kind {
    case .name, .givenName, .familyName, .city: appendName(&random, to: buffer)
    case .username:
      buffer.appendHandle(Vocabulary.en.givenNames.any(&random))
      buffer.appendInteger(Int64(random.below(100)))
    case .email:
      buffer.appendHandle(Vocabulary.en.givenNames.any(&random))
      buffer.append(UInt8(ascii: "."))
      buffer.appendHandle(Vocabulary.en.familyNames.any(&random))
      if isUnique { buffer.appendInteger(Int64(context.number + 1)) }
      buffer.append("@example.com")
    case .url:
      buffer.append("https://www.example.com/")
      buffer.append(Vocabulary.en.words.any(&random))
      buffer.append(UInt8(ascii: "/"))
      buffer.appendInteger(Int64(isUnique ? context.number + 1 : random.below(1000)))
    case .phone:
      buffer.append("+1 555 01")
      buffer.appendDigits(2, &random)
      buffer.append(UInt8(ascii: " "))
      buffer.appendDigits(4, &random)
    case .company:
      buffer.append(FactTables.companies.any(&random))
      buffer.append(UInt8(ascii: " "))
      buffer.append(FactTables.companyKinds.any(&random))
    case .street:
      buffer.appendInteger(Int64(1 + random.below(200)))
      buffer.append(UInt8(ascii: " "))
      buffer.append(FactTables.streets.any(&random))
      buffer.append(UInt8(ascii: " "))
      buffer.append(FactTables.streetKinds.any(&random))
    case .postcode: buffer.appendDigits(5, &random)
    case .country: buffer.append(FactTables.countries.any(&random))
    case .emoji: buffer.append(FactTables.emoji.any(&random))
    case .language: buffer.append(FactTables.languages.any(&random))
    case .currency: buffer.append(FactTables.currencies.any(&random))
    case .mimeType: buffer.append(FactTables.mimeTypes.any(&random))
    case .color:
      buffer.append(UInt8(ascii: "#"))
      buffer.appendHex(6, &random)
    case .hex: buffer.appendHex(64, &random)
    case .uuid: appendUUID(context, &random, to: buffer)
    case .filename:
      buffer.append(Vocabulary.en.words.any(&random))
      buffer.append(UInt8(ascii: "-"))
      buffer.appendInteger(Int64(random.below(1000)))
      buffer.append(UInt8(ascii: "."))
      buffer.append(FactTables.fileEnds.any(&random))
    case .isoDate: appendDate(&random, to: buffer)
    case .version:
      buffer.appendInteger(Int64(1 + random.below(9)))
      buffer.append(UInt8(ascii: "."))
      buffer.appendInteger(Int64(random.below(10)))
      buffer.append(UInt8(ascii: "."))
      buffer.appendInteger(Int64(random.below(20)))
    }
  }

  private func appendName(_ random: inout SeededNumbers, to buffer: ByteBuffer) {
    let words = locale.chosen(&random).vocabulary
    switch kind {
    case .city: buffer.append(words.cities.any(&random))
    case .givenName: buffer.append(words.givenNames.any(&random))
    case .familyName: buffer.append(words.familyNames.any(&random))
    default:
      let (given, family) = (words.givenNames.any(&random), words.familyNames.any(&random))
      buffer.append(words.isFamilyFirst ? family : given)
      buffer.append(UInt8(ascii: " "))
      buffer.append(words.isFamilyFirst ? given : family)
    }
  }

  /// Appends a random UUID; where it must be unique, its last 48 bits are another number for each
  /// record.
  private func appendUUID(
    _ context: RecordContext, _ random: inout SeededNumbers, to buffer: ByteBuffer
  ) {
    let high = random.next() & 0xFFFF_FFFF_FFFF_0FFF | 0x4000
    var low = random.next() & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
    if isUnique {
      let mask: UInt64 = 1 << 48 - 1
      // An odd factor gives each number another product.
      low = low & ~mask | UInt64(context.number) &* 0x9E37_79B9_7F4A_7C15 & mask
    }
    buffer.appendUUID(high, low)
  }

  private func appendDate(_ random: inout SeededNumbers, to buffer: ByteBuffer) {
    func two(_ number: Int) {
      if number < 10 { buffer.append(UInt8(ascii: "0")) }
      buffer.appendInteger(Int64(number))
    }
    buffer.appendInteger(Int64(2020 + random.below(10)))
    buffer.append(UInt8(ascii: "-"))
    two(1 + random.below(12))
    buffer.append(UInt8(ascii: "-"))
    two(1 + random.below(28))
    buffer.append(UInt8(ascii: "T"))
    two(random.below(24))
    buffer.append(UInt8(ascii: ":"))
    two(random.below(60))
    buffer.append(":00Z")
  }
}

extension WordTable {
  /// A word, each with the same probability.
  @inline(__always)
  func any(_ random: inout SeededNumbers) -> UnsafeRawBufferPointer { self[random.below(count)] }
}

extension ByteBuffer {
  func appendDigits(_ count: Int, _ random: inout SeededNumbers) {
    for _ in 0..<count { append(UInt8(ascii: "0") + UInt8(random.below(10))) }
  }

  func appendHex(_ count: Int, _ random: inout SeededNumbers) {
    var word: UInt64 = 0
    for digit in 0..<count {
      if digit & 15 == 0 { word = random.next() }
      appendHexDigit(word)
      word >>= 4
    }
  }
}

/// Text in which signs stand for random characters.
final class PatternGenerator: FieldGenerator {
  enum Part {
    case literal([UInt8])
    case digit, upper, lower, hexadecimal
    /// The number of the record among all of its type, from 1.
    case number
  }

  private let parts: [Part]

  init(_ pattern: String) { parts = Self.parts(of: pattern) }

  /// Whether a pattern has the number of the record, so that each text is another one.
  static func isUnique(_ pattern: String) -> Bool {
    parts(of: pattern).contains { if case .number = $0 { true } else { false } }
  }

  static func parts(of pattern: String) -> [Part] {
    var parts: [Part] = []
    var literal = ""
    var isEscaped = false
    func flush() {
      guard !literal.isEmpty else { return }
      let buffer = ByteBuffer(capacity: 64)
      buffer.appendJSONString(literal)
      parts.append(.literal(Array(buffer.bytes.dropFirst().dropLast())))
      literal = ""
    }
    for scalar in pattern.unicodeScalars {
      let part: Part? =
        switch scalar {
        case _ where isEscaped: nil
        case "#": .digit
        case "@": .upper
        case "?": .lower
        case "*": .hexadecimal
        case "%": .number
        default: nil
        }
      if let part {
        flush()
        parts.append(part)
      } else if scalar == "\\", !isEscaped {
        isEscaped = true
        continue
      } else {
        literal.unicodeScalars.append(scalar)
      }
      isEscaped = false
    }
    flush()
    return parts
  }

  override func append(_ context: RecordContext, to buffer: ByteBuffer) -> Bool {
    buffer.append(UInt8(ascii: "\""))
    for part in parts {
      switch part {
      case .literal(let bytes): buffer.append(bytes)
      case .digit: buffer.append(UInt8(ascii: "0") + UInt8(context.random.below(10)))
      case .upper: buffer.append(UInt8(ascii: "A") + UInt8(context.random.below(26)))
      case .lower: buffer.append(UInt8(ascii: "a") + UInt8(context.random.below(26)))
      case .hexadecimal: buffer.appendHexDigit(context.random.next())
      case .number: buffer.appendInteger(Int64(context.number + 1))
      }
    }
    buffer.append(UInt8(ascii: "\""))
    return true
  }
}

extension ByteBuffer {
  /// Appends the hexadecimal digit of the lowest four bits.
  func appendHexDigit(_ word: UInt64) {
    let digit = UInt8(truncatingIfNeeded: word & 15)
    append(digit < 10 ? 0x30 + digit : 0x57 + digit)
  }
}

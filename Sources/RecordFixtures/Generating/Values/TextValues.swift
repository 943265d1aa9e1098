import RecordCoding
import RecordModel
import RecordPlatform
import RecordSchema

/// Words of a language: so many words, sentences or characters.
struct WordText: GeneratedValues {
  /// The things that the length of text counts.
  enum Unit: String, Sendable, CaseIterable {
    case words, sentences, characters
  }

  let unit: Unit
  let length: CountRule

  init(_ unit: Unit, _ length: CountRule) { (self.unit, self.length) = (unit, length) }

  static let noun = "text"
  static let sources = Unit.allCases.map { unit in
    ValueSource(unit.rawValue) { node, _ in
      WordText(unit, try node.count(unit.rawValue, in: 0...RecordLimits.cloudKit.recordSize))
    }
  }

  var members: [(name: String, text: String)] { [(unit.rawValue, length.yaml)] }

  var roughSize: Int {
    let size =
      switch unit {
      case .words: 8
      case .sentences: 80
      case .characters: 2
      }
    return size * length.bounds.upperBound
  }

  func suits(_ type: CloudSchema.FieldType) -> Bool { type.primitive == .string }
  func distinctValues(of type: CloudSchema.FieldType) -> Int? { .max }

  func generator(_ scope: GeneratorScope) -> ValueGenerator? {
    let (sampler, locale, isUnique) = (CountSampler(length), scope.locale, scope.isUnique)
    return ValueGenerator(
      append: { context, buffer in
        let words = locale.chosen(&context.random).vocabulary
        let count = sampler.sample(&context.random)
        buffer.append(UInt8(ascii: "\""))
        let start = buffer.count
        switch unit {
        case .words: Self.append(count, words, &context.random, to: buffer)
        case .sentences:
          for sentence in 0..<count where buffer.count - start < ValueGenerator.largest {
            if sentence > 0 { buffer.append(words.space) }
            Self.append(context.random.number(in: 4...12), words, &context.random, to: buffer)
            buffer.append(words.stop)
          }
        case .characters: Self.append(characters: count, words, &context.random, to: buffer)
        }
        if isUnique { buffer.appendNumber(of: context) }
        buffer.append(UInt8(ascii: "\""))
        return true
      },
      edge: { context, buffer in
        guard !isUnique else { return false }
        buffer.appendEdgeText(context)
        return true
      })
  }

  private static func append(
    _ count: Int, _ words: Vocabulary, _ random: inout SeededNumbers, to buffer: ByteBuffer
  ) {
    for number in 0..<count {
      let word = words.words.any(&random)
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
      let word = words.words.any(&random)
      if isFirst {
        isFirst = false
      } else if words.space.utf8CodeUnitCount > 0 {
        buffer.append(words.space)
        rest -= 1
      }
      for byte in word {
        let isStart = byte & 0xC0 != 0x80
        if isStart, rest == 0 { break }
        if isStart { rest -= 1 }
        buffer.append(byte)
      }
    }
  }

  func learned(
    from field: LearnedField, _ surroundings: LearnedField.Surroundings
  ) -> (any GeneratedValues)? {
    guard field.texts > 0 else { return self }
    return field.lengths.rule(within: 0...LearnedField.maxLength)
      .map { WordText(.characters, $0) } ?? self
  }
}

extension ByteBuffer {
  /// Appends a space and the number of the record, from 1: text of unique values has it at its end.
  fileprivate func appendNumber(of context: RecordContext) {
    append(UInt8(ascii: " "))
    appendInteger(Int64(context.number + 1))
  }

  /// Appends text that is hard to store, compare, cut or show.
  fileprivate func appendEdgeText(_ context: RecordContext) {
    append(UInt8(ascii: "\""))
    let table = FactTables.edgeTexts
    switch context.random.below(table.count + 2) {
    case table.count: break
    case table.count + 1: for _ in 0..<500 { append("long") }
    case let number: append(table[number])
    }
    append(UInt8(ascii: "\""))
  }
}

/// Text of a kind: names, addresses, identifiers.
enum KnownText: String, GeneratedValues, CaseIterable {
  case name
  case givenName = "given-name"
  case familyName = "family-name"
  case username, email, phone, url, company, city, country, street, postcode, emoji, color, uuid
  case hex, language, currency, filename
  case mimeType = "mime-type"
  case isoDate = "iso-date"
  case version

  static let noun = "text"
  static var words: [(word: String, kind: any GeneratedValues)] {
    allCases.map { ($0.rawValue, $0) }
  }

  var members: [(name: String, text: String)] { [("kind", rawValue)] }

  func suits(_ type: CloudSchema.FieldType) -> Bool { type.primitive == .string }
  func distinctValues(of type: CloudSchema.FieldType) -> Int? { .max }

  func generator(_ scope: GeneratorScope) -> ValueGenerator? {
    let (locale, isUnique) = (scope.locale, scope.isUnique)
    return ValueGenerator(
      append: { context, buffer in
        buffer.append(UInt8(ascii: "\""))
        append(
          locale, uniqueNumber: isUnique ? context.number : nil, &context.random, to: buffer)
        if isUnique, self != .email, self != .uuid, self != .url {
          buffer.appendNumber(of: context)
        }
        buffer.append(UInt8(ascii: "\""))
        return true
      },
      edge: { context, buffer in
        // Identifiers are often parsed by apps.
        guard !isUnique, self != .uuid else { return false }
        buffer.appendEdgeText(context)
        return true
      })
  }

  /// - Parameter uniqueNumber: The number that makes a value another one for each record; nil where
  ///   values may repeat.
  private func append(
    _ locale: WordLocale, uniqueNumber: Int?, _ random: inout SeededNumbers, to buffer: ByteBuffer
  ) {
    switch self {
    case .name, .givenName, .familyName, .city: appendName(locale, &random, to: buffer)
    case .username:
      buffer.appendHandle(Vocabulary.en.givenNames.any(&random))
      buffer.appendInteger(Int64(random.below(100)))
    case .email:
      buffer.appendHandle(Vocabulary.en.givenNames.any(&random))
      buffer.append(UInt8(ascii: "."))
      buffer.appendHandle(Vocabulary.en.familyNames.any(&random))
      if let uniqueNumber { buffer.appendInteger(Int64(uniqueNumber + 1)) }
      buffer.append("@example.com")
    case .url:
      buffer.append("https://www.example.com/")
      buffer.append(Vocabulary.en.words.any(&random))
      buffer.append(UInt8(ascii: "/"))
      buffer.appendInteger(Int64(uniqueNumber.map { $0 + 1 } ?? random.below(1000)))
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
    case .uuid: Self.appendUUID(uniqueNumber, &random, to: buffer)
    case .filename:
      buffer.append(Vocabulary.en.words.any(&random))
      buffer.append(UInt8(ascii: "-"))
      buffer.appendInteger(Int64(random.below(1000)))
      buffer.append(UInt8(ascii: "."))
      buffer.append(FactTables.fileEnds.any(&random))
    case .isoDate: Self.appendDate(&random, to: buffer)
    case .version:
      buffer.appendInteger(Int64(1 + random.below(9)))
      buffer.append(UInt8(ascii: "."))
      buffer.appendInteger(Int64(random.below(10)))
      buffer.append(UInt8(ascii: "."))
      buffer.appendInteger(Int64(random.below(20)))
    }
  }

  private func appendName(
    _ locale: WordLocale, _ random: inout SeededNumbers, to buffer: ByteBuffer
  ) {
    let words = locale.chosen(&random).vocabulary
    switch self {
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
  private static func appendUUID(
    _ uniqueNumber: Int?, _ random: inout SeededNumbers, to buffer: ByteBuffer
  ) {
    let high = random.next() & 0xFFFF_FFFF_FFFF_0FFF | 0x4000
    var low = random.next() & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
    if let uniqueNumber {
      let mask: UInt64 = 1 << 48 - 1
      // An odd factor gives each number another product.
      low = low & ~mask | UInt64(uniqueNumber) &* 0x9E37_79B9_7F4A_7C15 & mask
    }
    buffer.appendUUID(high, low)
  }

  private static func appendDate(_ random: inout SeededNumbers, to buffer: ByteBuffer) {
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

  func isLike(_ text: String) -> Bool {
    let count = text.unicodeScalars.count
    func are(_ members: String, _ counts: ClosedRange<Int>) -> Bool {
      counts.contains(count) && text.unicodeScalars.allSatisfy(members.unicodeScalars.contains)
    }
    let digits = "0123456789"
    let hexadecimal = digits + "abcdefABCDEF"
    switch self {
    case .name, .company, .country: return (2...40).contains(count)
    case .givenName, .familyName, .city: return (1...30).contains(count)
    case .street: return (3...40).contains(count)
    case .username: return (1...25).contains(count) && !text.contains(" ")
    case .email: return (6...50).contains(count) && text.contains("@")
    case .phone: return are(digits + "+-()/. ", 5...20)
    case .url: return (8...60).contains(count) && text.contains("://")
    case .postcode: return (3...10).contains(count)
    case .emoji: return (1...12).contains(count) && !text.utf8.contains { $0 < 0x80 && $0 > 0x39 }
    case .color: return text.hasPrefix("#") && (4...9).contains(count)
    case .uuid: return are(hexadecimal + "-", 32...36)
    case .hex: return are(hexadecimal, 60...68)
    case .language: return (2...8).contains(count) && !text.contains(" ")
    case .currency: return count == 3
    case .filename: return (3...30).contains(count) && text.contains(".")
    case .mimeType: return (3...30).contains(count) && text.contains("/")
    case .isoDate: return ISODate.date(from: text) != nil
    case .version: return are(digits + ".", 1...10)
    }
  }
}

extension ByteBuffer {
  fileprivate func appendDigits(_ count: Int, _ random: inout SeededNumbers) {
    for _ in 0..<count { append(UInt8(ascii: "0") + UInt8(random.below(10))) }
  }

  fileprivate func appendHex(_ count: Int, _ random: inout SeededNumbers) {
    var word: UInt64 = 0
    for digit in 0..<count {
      if digit & 15 == 0 { word = random.next() }
      appendHexDigit(word)
      word >>= 4
    }
  }

  /// Appends the hexadecimal digit of the lowest four bits.
  func appendHexDigit(_ word: UInt64) {
    let digit = UInt8(truncatingIfNeeded: word & 15)
    append(digit < 10 ? 0x30 + digit : 0x57 + digit)
  }
}

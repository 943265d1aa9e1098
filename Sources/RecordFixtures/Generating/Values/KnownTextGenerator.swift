import RecordCoding
import RecordPlatform

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

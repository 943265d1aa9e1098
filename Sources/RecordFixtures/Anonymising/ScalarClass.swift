import RecordPlatform

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

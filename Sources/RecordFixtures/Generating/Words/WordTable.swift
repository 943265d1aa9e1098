import RecordCoding

/// Words in memory that threads read without counting references; those of a language are never
/// freed.
///
/// The words need no escapes in JSON. A list never changes: the values that a seed gives depend on
/// it. New lists belong to a new version of generators.
struct WordTable: @unchecked Sendable {
  private let bytes: UnsafeMutablePointer<UInt8>
  private let starts: UnsafeMutablePointer<Int>
  let count: Int

  /// - Parameters:
  ///   - text: The words.
  ///   - separator: What is between them.
  init(_ text: String, separator: Character = " ") {
    let words = text.split { $0 == separator || $0 == "\n" }.map { Array($0.utf8) }
    count = words.count
    bytes = .allocate(capacity: words.reduce(16) { $0 + $1.count })
    starts = .allocate(capacity: words.count + 1)
    var end = 0
    for (index, word) in words.enumerated() {
      (starts + index).initialize(to: end)
      (bytes + end).initialize(from: word, count: word.count)
      end += word.count
    }
    (starts + words.count).initialize(to: end)
  }

  func deallocate() {
    bytes.deallocate()
    starts.deallocate()
  }

  /// The UTF-8 of a word.
  @inline(__always)
  subscript(index: Int) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(
      start: bytes + starts[index], count: starts[index + 1] &- starts[index])
  }
}

extension ByteBuffer {
  /// Appends a word with an ASCII capital.
  @inline(__always)
  func appendCapitalized(_ word: UnsafeRawBufferPointer) {
    let start = count
    append(word)
    let first = base.load(fromByteOffset: start, as: UInt8.self)
    if (0x61...0x7A).contains(first) {
      base.storeBytes(of: first & 0xDF, toByteOffset: start, as: UInt8.self)
    }
  }

  /// Appends the ASCII letters and digits of a word in lower case.
  func appendHandle(_ word: UnsafeRawBufferPointer) {
    for byte in word {
      switch byte {
      case 0x41...0x5A: append(byte | 0x20)
      case 0x61...0x7A, 0x30...0x39: append(byte)
      default: break
      }
    }
  }
}

/// The language of generated words.
enum WordLocale: String, Sendable, Hashable, CaseIterable {
  case en, de, ja, ar
  /// Another one for each value.
  case mixed

  /// The languages that ``mixed`` chooses from.
  static let single: [WordLocale] = [.en, .de, .ja, .ar]

  var vocabulary: Vocabulary {
    switch self {
    case .en, .mixed: .en
    case .de: .de
    case .ja: .ja
    case .ar: .ar
    }
  }
}

/// The words of a language.
struct Vocabulary: Sendable {
  let words: WordTable
  let givenNames: WordTable
  let familyNames: WordTable
  let cities: WordTable
  /// The text between words, and after a sentence.
  let space: StaticString
  let stop: StaticString
  /// Whether the family name comes first.
  var isFamilyFirst = false
}

/// Lists that no language owns.
enum FactTables {
  static let streets = WordTable(
    "Main|Oak|Park|Lake|Hill|Church|Mill|Station|Garden|River|Market|Bridge|School|Maple|Spring|North",
    separator: "|")
  static let streetKinds = WordTable("Street Road Lane Avenue Square Way")
  static let countries = WordTable(
    """
    Argentina|Australia|Austria|Brazil|Canada|Chile|China|Colombia|Denmark|Egypt|Finland|France
    Germany|Greece|India|Indonesia|Ireland|Italy|Japan|Kenya|Mexico|Morocco|Netherlands|New Zealand
    Nigeria|Norway|Peru|Poland|Portugal|Singapore|South Africa|South Korea|Spain|Sweden|Switzerland
    Thailand|Turkey|United Kingdom|United States|Vietnam
    """, separator: "|")
  static let companies = WordTable(
    "Acorn|Beacon|Cobalt|Delta|Ember|Falcon|Granite|Harbor|Ivory|Juniper|Keystone|Lantern|Meadow|Nova",
    separator: "|")
  static let companyKinds = WordTable(
    "Books|Foods|Labs|Media|Works|& Sons|Inc.|Ltd.", separator: "|")
  static let emoji = WordTable("👍 ❤️ 😂 🎉 😮 😢 🙏 🔥 👏 ✅ 👀 🚀 🤔 💡 ☀️ 🌧️ 🐱 🍎 ☕️ 👩‍💻 🏳️‍🌈 🇯🇵")
  static let languages = WordTable("ar de en en-GB es fr it ja ko nl pt-BR ru sv zh-Hans")
  static let currencies = WordTable("AUD BRL CAD CHF CNY EUR GBP INR JPY KRW MXN SEK USD")
  static let mimeTypes = WordTable(
    "application/json application/pdf audio/mpeg image/jpeg image/png text/html text/plain video/mp4"
  )
  static let fileEnds = WordTable("csv jpg json md mp4 pdf png txt")
  /// Text that is hard to store, compare, cut or show; each a whole string in JSON.
  static let edgeTexts = WordTable(
    """

    | |0|null|a\\u0001b|\\"\\\\/|<b>&amp;|line\\nbreak\\ttab|👩‍👩‍👧‍👦🏴󠁧󠁢󠁥󠁮󠁧󠁿|é|é|שלום עולם|مرحبا 123 abc|\u{202E}txt.exe\u{202C}\
    |Z͑ͫ̓ͪ̂ͫ̽͏|\u{FEFF}bom|\u{200B}|ﬁﬂ ß İ ı|𝒳𠀀|'; DROP TABLE--|\u{2028}|%s%n%@|../../etc|NaN|-0|1e400|１２３
    """, separator: "|")

  /// Latitudes and longitudes of cities, in ten-thousandths of a degree.
  static let places: [(latitude: Int, longitude: Int)] = [
    (523_676, 49_041), (379_838, 237_275), (-368_485, 1_747_633), (137_563, 1_005_018),
    (413_874, 21_686), (525_200, 134_050), (47_110, -740_721), (423_601, -710_589),
    (300_444, 312_357), (-339_249, 184_241), (418_781, -876_298), (556_761, 125_683),
    (287_041, 771_025), (533_498, -62_603), (601_699, 249_384), (410_082, 289_784),
    (-62_088, 1_068_456), (65_244, 33_792), (-120_464, -770_428), (387_223, -91_393),
    (515_074, -1_278), (404_168, -37_038), (194_326, -991_332), (190_760, 728_777),
    (-12_921, 368_219), (407_128, -740_060), (599_139, 107_522), (488_566, 23_522),
    (500_755, 144_378), (-229_068, -431_729), (419_028, 124_964), (377_749, -1_224_194),
    (375_665, 1_269_780), (13_521, 1_038_198), (593_293, 180_686), (-338_688, 1_512_093),
    (356_762, 1_396_503), (436_532, -793_832), (482_082, 163_738), (522_297, 210_122),
    (641_466, -219_426), (-548_019, -683_030),
  ]
}

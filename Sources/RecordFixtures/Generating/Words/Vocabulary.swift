import RecordCoding
import RecordPlatform

/// A list of words, in UTF-8.
///
/// The words need no escapes in JSON. A list never changes: the values that a seed gives depend on
/// it. New lists belong to a new version of generators.
struct WordTable: Sendable {
  private let words: [[UInt8]]

  /// - Parameters:
  ///   - text: The words.
  ///   - separator: The text between them.
  init(_ text: String, separator: Character = " ") {
    words = text.split { $0 == separator || $0 == "\n" }.map { Array($0.utf8) }
  }

  var count: Int { words.count }

  subscript(index: Int) -> [UInt8] { words[index] }

  /// A word, each with the same probability.
  func any(_ random: inout SeededNumbers) -> [UInt8] { words[random.below(words.count)] }
}

extension ByteBuffer {
  /// Appends a word with an ASCII capital.
  @inline(__always)
  func appendCapitalized(_ word: [UInt8]) {
    let start = count
    append(word)
    guard let first = word.first, (0x61...0x7A).contains(first) else { return }
    base.storeBytes(of: first & 0xDF, toByteOffset: start, as: UInt8.self)
  }

  /// Appends the ASCII letters and digits of a word in lower case.
  func appendHandle(_ word: [UInt8]) {
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

  /// The language of a value.
  func chosen(_ random: inout SeededNumbers) -> WordLocale {
    self == .mixed ? Self.single[random.below(Self.single.count)] : self
  }

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
final class Vocabulary: Sendable {
  let words: WordTable
  let givenNames: WordTable
  let familyNames: WordTable
  let cities: WordTable
  /// The text between words, and after a sentence.
  let space: StaticString
  let stop: StaticString
  /// Whether the family name comes first.
  let isFamilyFirst: Bool

  init(
    words: WordTable, givenNames: WordTable, familyNames: WordTable, cities: WordTable,
    space: StaticString, stop: StaticString, isFamilyFirst: Bool = false
  ) {
    self.words = words
    self.givenNames = givenNames
    self.familyNames = familyNames
    self.cities = cities
    self.space = space
    self.stop = stop
    self.isFamilyFirst = isFamilyFirst
  }
}

extension Vocabulary {
  static let en = Vocabulary(
    words: WordTable(
      """
      about above after again along amber answer apple around arrive autumn away bakery basket be
      beach before begin below beside better between bicycle bird blanket blue boat book bottle
      bread bridge bright bring brother build butter cabin call candle careful carry castle change
      chapter cheese choose circle city clear clock cloud coffee cold colour come cook corner cotton
      country cover dance daughter day deep dinner door dream dress drive during early earth east
      easy eat engine evening every far farm father field find fire first fish flower follow forest
      forget free fresh friend from garden gentle give glass go golden good grass great green grow
      guest half hand happy harbour hear heart hello high hill home honey hour house idea inside
      island join journey keep kitchen lake lamp language late laugh learn leave letter light listen
      little long look lunch make map market meadow meet minute mirror money moon morning mother
      mountain move music name near never new next night north number ocean of often old open orange
      other over page paint paper park path pencil people picture piece plan plant play please pocket
      point quick quiet rain reach read ready red river road roof room round run salt sand say school
      sea second see shadow ship shop short show silver simple sing sister sit sky sleep slow small
      smile snow soft song soon south speak spring stairs star start station stay stone story street
      strong sugar summer sun supper table take talk tea tell then ticket time today together
      tomorrow tower town train travel tree under until valley village visit voice wait walk wall
      warm watch water way weather week west wheel white wide wind window winter with wonder wood
      word work world write year yellow yesterday young
      """),
    givenNames: WordTable(
      """
      Ada Alice Amir Anna Ben Carl Clara Daniel Diego Elena Emma Erik Eva Felix Grace Hana Hugo Ines
      Iris Ivan Jack James Jana Julia Kai Kenji Lara Leo Lina Luca Lucy Maria Marta Max Mia Mira
      Nadia Nina Noah Nora Oliver Omar Oscar Paul Peter Priya Rosa Ruth Sam Sara Simon Sofia Tara
      Theo Tom Uma Vera Victor Yuki Zoe
      """),
    familyNames: WordTable(
      """
      Adams Baker Bell Brown Carter Chen Clark Cooper Costa Cruz Davis Diaz Evans Fischer Garcia
      Gray Green Hall Harris Hill Hughes Ito Jackson Johnson Jones Kelly Khan Kim King Lee Lewis
      Lopez Martin Meyer Miller Moore Morgan Nguyen Novak Okafor Olsen Park Patel Phillips Price
      Reed Rossi Santos Schmidt Silva Singh Smith Tanaka Taylor Turner Walker Ward White Wilson
      Wood Wright Young
      """),
    cities: WordTable(
      """
      Amsterdam|Athens|Auckland|Bangkok|Barcelona|Berlin|Bogotá|Boston|Cairo|Cape Town|Chicago
      Copenhagen|Delhi|Dublin|Geneva|Helsinki|Istanbul|Jakarta|Lagos|Lima|Lisbon|London|Madrid
      Melbourne|Mexico City|Montreal|Mumbai|Nairobi|New York|Oslo|Paris|Prague|Rio de Janeiro|Rome
      San Francisco|Santiago|Seoul|Singapore|Stockholm|Sydney|Tokyo|Toronto|Vienna|Warsaw
      """, separator: "|"), space: " ", stop: ".")

  static let de = Vocabulary(
    words: WordTable(
      """
      abend alle alt antwort apfel auf bald baum berg bitte blau blume boot brief brot brücke buch
      danke dorf drei du ende er erde fenster feuer fisch fluss frage frei freund früh garten gehen
      geschichte gestern glück grün gut haus heiß herz heute himmel hoch hund ich insel jahr jung
      kaffee kalt kind klein kommen küche lachen lampe lang leben leicht licht lied mantel markt
      meer milch mit mond morgen musik nacht name neu nicht oder ofen ohne park platz regen reise
      ruhig salz schiff schnee schön schule see sehen sommer sonne sprache stadt stein stern straße
      tag tee tisch tür über uhr und viel vogel wald warm wasser weg weiß wind winter wort zeit zug
      """),
    givenNames: WordTable(
      """
      Anja Bernd Christa Dieter Elke Franz Greta Hannes Heike Ilse Jörg Jürgen Karin Käthe Klaus
      Lena Lotte Matthias Nele Otto Petra Ralf Sabine Stefan Sören Ulla Uwe Wolfgang
      """),
    familyNames: WordTable(
      """
      Bauer Becker Böhm Fuchs Groß Hofmann Huber Jäger Keller Koch Köhler König Krüger Lang Maier
      Müller Neumann Richter Schäfer Schneider Schröder Schulz Vogel Wagner Weber Weiß Wolf
      """),
    cities: WordTable("Berlin Bremen Dresden Hamburg Köln Leipzig München Nürnberg Wien Zürich"),
    space: " ", stop: ".")

  static let ja = Vocabulary(
    words: WordTable(
      """
      朝 雨 家 石 犬 海 絵 駅 音 花 風 紙 川 木 北 今日 雲 車 声 心 言葉 魚 桜 島 静か 写真 白い 新しい
      空 時間 太陽 旅 茶 月 手紙 天気 友達 鳥 夏 猫 橋 春 光 人 冬 本 町 窓 道 緑 港 南 村 森 山 夕方
      雪 夢 夜 林
      """),
    givenNames: WordTable("葵 明 花子 一郎 健 恵 翔 咲 聡 拓也 陽子 直樹 真由美 美咲 優 裕子 蓮 亮"),
    familyNames: WordTable("伊藤 井上 加藤 木村 小林 斎藤 佐藤 清水 鈴木 高橋 田中 中村 林 松本 山田 渡辺"),
    cities: WordTable("京都 広島 札幌 仙台 東京 名古屋 奈良 福岡 横浜"), space: "", stop: "。",
    isFamilyFirst: true)

  static let ar = Vocabulary(
    words: WordTable(
      """
      أب أبيض أحمر أخ أخضر أرض اليوم أم باب بحر برد بعيد بيت جبل جديد جميل حديقة خبز رسالة رمل ريح
      زهرة سفر سفينة سماء سمكة سوق شاي شتاء شجرة شمس صباح صديق صغير صيف ضوء طريق طويل غدا غيمة قديم
      قرية قلب قمر قهوة كبير كتاب كلمة ليل ماء مدرسة مدينة مساء مطر موسيقى نافذة نجمة نهر هدوء وردة
      وقت
      """),
    givenNames: WordTable(
      "أحمد أمل خالد رنا زينب سامي سلمى عائشة علي عمر فاطمة كريم ليلى محمود مريم نور هدى يوسف"),
    familyNames: WordTable(
      "البغدادي التونسي الحداد الخطيب الشامي العلي المصري النجار حسن سعيد صالح منصور"),
    cities: WordTable("بغداد بيروت تونس دبي دمشق الرباط عمان القاهرة"), space: " ", stop: ".")
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

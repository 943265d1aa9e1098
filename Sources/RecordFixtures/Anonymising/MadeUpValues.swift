import Foundation
import RecordModel
import RecordPlatform

/// Values that are chosen by a seed and say nothing about what they replace.
struct MadeUpValues {
  var random: SeededNumbers

  init(seed: UInt64) { random = SeededNumbers(seed: seed) }

  init(seed: UInt64, stream: UInt64) { random = SeededNumbers(seed: seed, stream: stream) }

  // MARK: Text

  private mutating func word(_ words: WordTable) -> String {
    String(decoding: words.any(&random), as: UTF8.self)
  }

  /// A sentence of three to seven words.
  mutating func text() -> String {
    let words = Vocabulary.en.words
    var text = words.any(&random)
    text.reserveCapacity(80)
    text[0] &= 0xDF
    for _ in 0..<(2 + random.below(5)) {
      text.append(UInt8(ascii: " "))
      text += words.any(&random)
    }
    text.append(UInt8(ascii: "."))
    return String(decoding: text, as: UTF8.self)
  }

  /// A first and a last name.
  mutating func name() -> String { givenName() + " " + familyName() }

  mutating func givenName() -> String { word(Vocabulary.en.givenNames) }

  mutating func familyName() -> String { word(Vocabulary.en.familyNames) }

  /// Digits that make a value differ from others, with few exceptions among a million.
  mutating func number() -> String { String(100_000_000 + random.below(900_000_000)) }

  /// An address of a domain that is reserved (RFC 2606).
  mutating func email() -> String {
    "\(givenName().lowercased()).\(familyName().lowercased()).\(number())@mail.example"
  }

  /// A number from ranges that are reserved for fiction: those of Ofcom in the United Kingdom, and
  /// 555-0100 to 555-0199 in North America (ATIS-0300115).
  mutating func phone() -> String {
    func digits(_ count: Int) -> String {
      (0..<count).map { _ in String(random.below(10)) }.joined()
    }
    return switch random.below(3) {
    case 0: "+44 7700 900\(digits(3))"
    case 1: "+44 20 7946 0\(digits(3))"
    default: "+1 \(Self.areaCodes[random.below(Self.areaCodes.count)]) 555 01\(digits(2))"
    }
  }

  private static let areaCodes = [202, 206, 212, 213, 303, 312, 415, 503, 512, 602, 617, 702, 713]

  /// A page of a host that is reserved (RFC 2606).
  mutating func url(scheme: String = "https") -> String {
    "\(scheme)://www.example/\(word(Vocabulary.en.words))/\(number())"
  }

  // MARK: Text of a form

  mutating func pick<T>(_ list: [T]) -> T { list[random.below(list.count)] }

  mutating func bytes(_ count: Int) -> [UInt8] {
    (0..<count).map { _ in UInt8(random.below(256)) }
  }

  /// A UUID of version 4 (RFC 9562).
  mutating func uuid() -> String {
    CompactName.upperUUID(
      random.next() & ~0xF000 | 0x4000,
      random.next() & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
    ).string
  }

  mutating func colour() -> String {
    let digits = String(random.below(1 << 24), radix: 16, uppercase: true)
    return "#" + String(repeating: "0", count: 6 - digits.count) + digits
  }

  mutating func version() -> String {
    "\(1 + random.below(9)).\(random.below(20)).\(random.below(10))"
  }

  static let locales = [
    "de_DE", "en_GB", "en_US", "es_ES", "es_MX", "fr_FR", "it_IT", "ja_JP", "ko_KR", "nl_NL",
    "pt_BR",
    "ru_RU",
  ]
  static let emojis = [
    "😀", "😅", "😍", "😎", "👍", "👋", "🙏", "🎉", "🔥", "⭐️", "❤️", "🌻", "🐟", "🍎", "🚲", "🏠",
  ]

  /// A date in UTC.
  mutating func date(in form: DateForm) -> String {
    form.text(of: date(), fraction: random.below(1000))
  }

  mutating func integer(in parameter: PolicyRule.Parameter) -> Int64 {
    guard case .range(let range) = parameter else { return integer() }
    let (low, high) = (Int64(range.lowerBound.rounded(.up)), Int64(range.upperBound.rounded(.down)))
    return low >= high ? low : low + Int64(random.below(Int(high - low) + 1))
  }

  mutating func decimal(in parameter: PolicyRule.Parameter) -> Double {
    guard case .range(let range) = parameter else { return double() }
    let number = range.lowerBound + random.fraction() * (range.upperBound - range.lowerBound)
    let rounded = (number * 100).rounded() / 100
    return range.contains(rounded) ? rounded : number
  }

  // MARK: Text that keeps something of what it replaces

  /// A text of as many characters: words, cut at the end.
  mutating func text(count: Int) -> String {
    var text = ""
    while text.utf8.count < count { text += (text.isEmpty ? "" : " ") + word(Vocabulary.en.words) }
    return String(text.prefix(count))
  }

  /// A text in which letters are letters of the same case, and digits are digits.
  ///
  /// A character outside ASCII that is no space or punctuation becomes a letter.
  mutating func text(shape text: String) -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.map { shaped($0) }))
  }

  private mutating func shaped(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    let first: Unicode.Scalar
    switch scalar {
    case "0"..."9": return Unicode.Scalar(UInt8(0x30 + random.below(10)))
    case "A"..."Z": first = "A"
    case "a"..."z": first = "a"
    // An address is none without its sign.
    case "@": return "*"
    default:
      if scalar.isASCII || scalar.properties.isWhitespace || Character(scalar).isPunctuation {
        return scalar
      }
      first = scalar.properties.isUppercase ? "A" : "a"
    }
    return Unicode.Scalar(UInt8(first.value) + UInt8(random.below(26)))
  }

  /// A text of three to seven words in the script of another one.
  mutating func text(script text: String) -> String {
    guard let letters = Self.script(of: text).map({ Self.scripts[$0] }) else { return self.text() }
    func word() -> String {
      let scalars = (0..<(2 + random.below(6))).compactMap { _ in
        Unicode.Scalar(letters.lowerBound + UInt32(random.below(letters.count)))
      }
      return String(String.UnicodeScalarView(scalars))
    }
    return (0..<(3 + random.below(5))).map { _ in word() }.joined(separator: " ")
  }

  /// The number of the first script of a text among ``scripts``; nil for Latin and others.
  static func script(of text: String) -> Int? {
    text.unicodeScalars.lazy.compactMap { scalar in
      scripts.firstIndex { $0.contains(scalar.value) }
    }.first
  }

  /// Letters of scripts, all of them assigned: Greek, Cyrillic, Armenian, Hebrew, Arabic, Devanagari,
  /// Thai, Georgian, Hiragana, Katakana, Chinese, Korean.
  private static let scripts: [ClosedRange<UInt32>] = [
    0x3B1...0x3C9, 0x430...0x44F, 0x561...0x586, 0x5D0...0x5EA, 0x627...0x63A, 0x905...0x939,
    0xE01...0xE2E, 0x10D0...0x10F0, 0x3042...0x3093, 0x30A2...0x30F3, 0x4E00...0x9FA5,
    0xAC00...0xD7A3,
  ]

  // MARK: Numbers, dates, places

  mutating func integer() -> Int64 { Int64(random.below(1000)) }

  mutating func double() -> Double { Double(random.below(100_000)) / 100 }

  /// An integer of as many digits with the same sign; 0 stays.
  mutating func integer(digits number: Int64) -> Int64 {
    let count = String(number.magnitude).utf8.count
    guard number != 0 else { return 0 }
    // Of numbers with 19 digits, only those that begin with 1 to 8 fit in any case.
    let first = 1 + random.below(count == 19 ? 8 : 9)
    let magnitude = (1..<count).reduce(Int64(first)) { number, _ in
      number * 10 + Int64(random.below(10))
    }
    return number < 0 ? -magnitude : magnitude
  }

  /// A number of the same sign and order of magnitude; 0 stays, and what is not finite.
  mutating func double(digits number: Double) -> Double {
    guard number.isNormal else { return number.isSubnormal ? .leastNormalMagnitude : number }
    let scale = pow(10, min(307, number.magnitude.exponentInTens))
    let digits = (1 + 8.99 * random.fraction()) * scale
    return number < 0 ? -digits : digits
  }

  /// An integer that JSON numbers hold exactly, and that hardly two values share.
  mutating func identifyingInteger() -> Int64 { Int64(random.below(1 << 53)) }

  /// A whole second from 2015 to 2024.
  mutating func date() -> Date {
    Date(timeIntervalSince1970: Double(1_420_070_400 + random.below(315_619_200)))
  }

  /// A city.
  mutating func place() -> Location {
    let place = FactTables.places[random.below(FactTables.places.count)]
    return Location(
      latitude: Double(place.latitude) / 10_000, longitude: Double(place.longitude) / 10_000)
  }

  /// The number of elements of a list.
  mutating func count() -> Int { 1 + random.below(3) }
}

extension Double {
  /// The exponent of a number if it is written with one digit before the point.
  fileprivate var exponentInTens: Double { log10(self).rounded(.down) }

  /// The exponent of a normal number's magnitude.
  var exponentInTen: Int { Int(magnitude.exponentInTens) }
}

/// How the dates and places of one user's records move, by the rules `shift` and `move`.
struct UserShift: Sendable {
  /// The seconds that are added to each date: whole days, so that midnight stays midnight and no time
  /// of day gives the shift away; between 30 and 730 days into the past.
  let seconds: TimeInterval
  /// The degrees that are added to the latitude and to the longitude.
  let degrees: (latitude: Double, longitude: Double)

  private static let day = 86_400

  /// - Parameters:
  ///   - seed: Chooses the days.
  ///   - placeSeed: Chooses the degrees. Known places must not tell anything of the days.
  init(seed: UInt64, placeSeed: UInt64) {
    var random = SeededNumbers(seed: seed)
    seconds = -Double(Self.day * (30 + random.below(700)))
    random = SeededNumbers(seed: placeSeed)
    let latitude = 5 + 30 * random.fraction()
    degrees = (random.below(2) == 0 ? latitude : -latitude, 30 + 300 * random.fraction())
  }

  /// The moments that stand for no date, in seconds since 1970: the starts of the clocks of Unix,
  /// Apple, HFS and FAT, of NTP and of the year 2000, and the end of 32-bit clocks.
  private static let sentinels: [TimeInterval] = [
    0, 978_307_200, -2_082_844_800, 315_532_800, -2_208_988_800, 946_684_800, 2_147_483_647,
  ]

  /// Whether a date, in seconds since 1970, stands for none: the start or end of a clock, also by a
  /// local clock, up to 14 hours away in quarters of an hour; and all before 1900 and after 2049.
  private static func isNone(_ seconds: TimeInterval) -> Bool {
    let margin: TimeInterval = 14 * 3600
    guard -2_208_988_800 + margin...2_524_521_600 - margin ~= seconds else { return true }
    return sentinels.contains {
      let distance = abs(seconds - $0)
      return distance <= margin && distance.truncatingRemainder(dividingBy: 900) == 0
    }
  }

  /// Moves a date. Dates that stand for none stay: moved, they would give the shift away.
  func shift(_ date: Date) -> Date {
    let seconds = date.timeIntervalSince1970
    guard !Self.isNone(seconds) else { return date }
    let milliseconds = (seconds * 1000).rounded()
    // Whole milliseconds stay whole ones.
    guard milliseconds / 1000 == seconds else { return date + self.seconds }
    return Date(timeIntervalSince1970: (milliseconds + 1000 * self.seconds) / 1000)
  }

  /// Moves a location on the globe; beyond the 85th degree of latitude, back again. The point 0, 0
  /// stands for none, and stays.
  func move(_ location: Location) -> Location {
    guard location.latitude != 0 || location.longitude != 0 else {
      return Location(latitude: 0, longitude: 0)
    }
    var latitude = max(-90, min(90, location.latitude)) + degrees.latitude
    if latitude > 85 { latitude = 170 - latitude }
    if latitude < -85 { latitude = -170 - latitude }
    var longitude = max(-180, min(180, location.longitude)) + degrees.longitude
    if longitude > 180 { longitude -= 360 }
    return Location(latitude: Self.rounded(latitude), longitude: Self.rounded(longitude))
  }

  /// Six digits behind the point are a tenth of a metre.
  private static func rounded(_ degrees: Double) -> Double { (degrees * 1e6).rounded() / 1e6 }
}

/// Replaces the dates of a record by others in the same order.
struct OrderedDates {
  private let old: [Date]
  private let new: [Date]

  init(_ dates: [Date], _ values: inout MadeUpValues) {
    old = dates.sorted().reduce(into: []) { if $0.last != $1 { $0.append($1) } }
    new = old.map { _ in values.date() }.sorted()
  }

  func replacement(of date: Date) -> Date? { rank(of: date).map { new[$0] } }

  /// The place of a date in the order.
  func rank(of date: Date) -> Int? { old.firstIndex(of: date) }
}

import Foundation

/// A kind of personal data that values which stay are searched for.
public enum PersonalKind: String, Sendable, Hashable, CaseIterable {
  /// An email address, also one that is encoded.
  case email
  /// A phone number by its form; of numbers, if most of a field look so.
  case phone
  /// The coordinates of a place.
  case place
  /// A date, or the year of a birth.
  case date
  /// The number of a payment card, by its check digit (ISO/IEC 7812-1).
  case card
  /// An IBAN, by its check digits (ISO 13616).
  case iban
  /// A Social Security number of the United States.
  case socialSecurity = "social-security"
  /// An IPv4 or IPv6 address.
  case ipAddress = "ip-address"
  /// The address of a network interface (EUI-48).
  case macAddress = "mac-address"
  /// A postal address: a street and a number.
  case street
  /// A path with the name of a user: `/Users/mira`.
  case path
  /// A word of a name that the source has elsewhere.
  case name
  /// The name of a user or record of the source.
  case identifier

  /// The kind in words, in the plural.
  public var words: String {
    switch self {
    case .email: "email addresses"
    case .phone: "phone numbers"
    case .place: "coordinates"
    case .date: "dates or years of birth"
    case .card: "card numbers"
    case .iban: "IBANs"
    case .socialSecurity: "Social Security numbers"
    case .ipAddress: "IP addresses"
    case .macAddress: "MAC addresses"
    case .street: "postal addresses"
    case .path: "paths with user names"
    case .name: "words of names in the source"
    case .identifier: "names of users or records of the source"
    }
  }

  // MARK: Texts

  /// Returns the kinds of personal data in a text.
  static func all(in text: String) -> Set<PersonalKind> {
    var found = plain(in: text)
    for decoded in EncodedText.all(in: text) { found.formUnion(plain(in: decoded)) }
    return found
  }

  private static func plain(in text: String) -> Set<PersonalKind> {
    var found: Set<PersonalKind> = []
    if !EmailAddress.all(in: text).isEmpty { found.insert(.email) }
    if text.utf8.contains(UInt8(ascii: ":")), NetworkAddress.hasIPv6(text) {
      found.insert(.ipAddress)
    }
    if text.contains(userPath) { found.insert(.path) }
    guard text.utf8.contains(where: { 0x30...0x39 ~= $0 }) else { return found }
    if PhoneNumber.isIn(text) { found.insert(.phone) }
    if CheckedNumber.hasCard(text) { found.insert(.card) }
    if CheckedNumber.hasIBAN(text) { found.insert(.iban) }
    if CheckedNumber.hasSocialSecurity(text) { found.insert(.socialSecurity) }
    if NetworkAddress.hasIPv4(text) { found.insert(.ipAddress) }
    if NetworkAddress.hasMAC(text) { found.insert(.macAddress) }
    if text.contains(coordinates) { found.insert(.place) }
    if text.contains(streetBehind) || text.contains(streetBefore) { found.insert(.street) }
    if let number = Int64(text), 1900...2020 ~= number || all(in: number).contains(.date) {
      found.insert(.date)
    } else if text.contains(day) || text.contains(namedDay) || text.contains(birth) {
      found.insert(.date)
    }
    return found
  }

  // A regular expression is not `Sendable`, because it may hold closures. These hold none.
  nonisolated(unsafe) private static let coordinates =
    /-?\d{1,3}\.\d{3,}["\s]*[,;\/ ]["\sA-Za-z]*[: ]?\s*"?-?\d{1,3}\.\d{3,}/
  nonisolated(unsafe) private static let day =
    /\b(?:(?:19|20)\d\d[\-\/.][01]?\d[\-\/.][0-3]?\d|[0-3]?\d[.\/\-][0-3]?\d[.\/\-](?:19|20)\d\d|[0-3]?\d\.[01]?\d\.\d\d\b|[01]?\d\/[0-3]?\d\/\d\d\b|(?:19|20)\d\d年[01]?\d月|(?:19|20)\d\d년 ?[01]?\d월)/
  /// A day or year beside the name of a month, in English, German, French, Spanish, Portuguese, Italian, Dutch and
  /// Russian.
  nonisolated(unsafe) private static let namedDay =
    /(?i)(?:\b[0-3]?\d(?:st|nd|rd|th|er|º|\.)?[ \-]+(?:de )?(?:ja|fe|f[ée]v|m[aä]r|mar|apr|avr|abr|ma[yiï]|mag|m[ae]i|ju[nlií]|gi[uú]|lug|a[uo][gû]|ago|se[pt]|o[ck]t|out|nov|d[eé][czi]|янв|фев|мар|апр|ма[яй]|июн|июл|авг|сен|окт|ноя|дек)[\p{L}]*\.?,?[ \-]+(?:de )?(?:19|20)?\d\d\b|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.? [0-3]?\d(?:st|nd|rd|th)?,? (?:19|20)\d\d\b)/
  nonisolated(unsafe) private static let birth =
    /(?i)\b(?:born|birth|geboren|dob)\D{0,12}(?:19|20)\d\d\b/
  /// A number behind the street: `Hauptstraße 5`, `Calle Mayor 3`, `ул. Ленина, 5`.
  nonisolated(unsafe) private static let streetBehind =
    /(?i)(?:(?:straße|strasse|str\.|gasse|allee|platz|straat|gata|gatan|vägen|ulica)|\b(?:calle|avenida|rua|via|viale|piazza|ulica|ul\.|p\.?\s?o\.? box)\b[\p{L} .']{0,40}|(?:ул\.|улица|проспект)[\p{L} .]{0,40}),? ?(?:n[º°.] ?)?\d{1,5}/
  /// A number before the street: `12 Main Street`, `5 rue de la Paix`.
  nonisolated(unsafe) private static let streetBefore =
    /(?i)\b\d{1,5}[a-z]?,? (?:bis )?(?:(?:[\p{L}'.]+ ){1,3}(?:street|st|road|rd|avenue|ave|lane|ln|drive|dr|boulevard|blvd|court|ct|square|terrace|crescent)\b|(?:rue|avenue|boulevard|chemin|place|impasse|quai) \p{L})/
  nonisolated(unsafe) private static let userPath =
    /(?:\/(?:Users|home)\/(?!Shared\b)|[A-Za-z]:[\\\/]+Users[\\\/]+(?!Public\b))[^\/\\\s]/

  /// Returns the texts in bytes: all of them, if they are UTF-8; and otherwise, or where some are 0, the
  /// runs of ASCII characters, also in UTF-16.
  static func texts(in data: Data) -> [String] {
    let whole = String(validating: data, as: UTF8.self).map { [$0] } ?? []
    let hasZeros = data.contains(0)
    guard whole.isEmpty || hasZeros else { return whole }
    let parts: [Data] = hasZeros ? [data, data.filter { $0 != 0 }] : [data]
    return whole
      + parts.flatMap { bytes in
        bytes.split { !(0x20...0x7E ~= $0) }.filter { $0.count >= 6 }
          .map { String(decoding: $0, as: UTF8.self) }
      }
  }

  // MARK: Numbers

  /// Returns what an integer may be: a phone number, the number of a card, a date as a number, or a year of birth.
  static func all(in number: Int64) -> Set<PersonalKind> {
    switch number {
    case 1900...2020: [.date]
    case 19_000_101...20_401_231:
      1...12 ~= number / 100 % 100 && 1...31 ~= number % 100 ? [.date] : []
    // Seconds and milliseconds since 1970, from 1990 to 2040.
    case 631_152_000...2_208_988_800, 631_152_000_000...2_208_988_800_000: [.date]
    case 1_000_000_000...:
      CheckedNumber.hasCard(String(number))
        ? [.card] : number < 1_000_000_000_000_000 ? [.phone] : []
    default: []
    }
  }

  /// Returns what a number may be: a coordinate, which has more than three digits behind the point, or what an
  /// integer may be.
  static func all(in number: Double) -> Set<PersonalKind> {
    if let whole = Int64(exactly: number.rounded(.down)), number == number.rounded() || whole > 9999
    {
      return all(in: whole)
    }
    let thousands = number * 1000
    let isFine = abs(thousands - thousands.rounded()) > 1e-6
    return isFine && 1...180 ~= number.magnitude ? [.place] : []
  }
}

import Foundation
import RecordModel

/// The form of email addresses.
enum EmailAddress {
  /// Whether a text is an email address.
  static func matches(_ text: String) -> Bool {
    guard text.utf8.count <= 320, let at = text.lastIndex(of: "@"), at != text.startIndex else {
      return false
    }
    let domain = text[text.index(after: at)...]
    let labels = domain.split(separator: ".", omittingEmptySubsequences: false)
    return labels.count >= 2
      && labels.allSatisfy { label in
        !label.isEmpty && label.allSatisfy { $0.isLetter || $0.isNumber || $0 == "-" }
      }
      && text[..<at].allSatisfy { !$0.isWhitespace && !"<>()[],;:\"@".contains($0) }
  }

  /// Whether UTF-8 bytes contain what looks like an email address whose domain can exist.
  static func isIn(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var start = 0
    while let at = place(ofAtFrom: start, in: bytes) {
      let before = at > 0 && isOfLabel(bytes[at - 1])
      var end = at + 1
      while end < bytes.count, isOfLabel(bytes[end]) || bytes[end] == UInt8(ascii: ".") {
        end += 1
      }
      // A sentence may end behind it.
      var domain = UnsafeRawBufferPointer(rebasing: bytes[(at + 1)..<end])
      while domain.last == UInt8(ascii: ".") {
        domain = UnsafeRawBufferPointer(rebasing: domain.dropLast())
      }
      let dot = domain.lastIndex(of: UInt8(ascii: "."))
      if before, let dot, dot > 0, dot < domain.count - 1,
        !domain[dot...].elementsEqual(".example".utf8)
      {
        return true
      }
      start = end
    }
    return false
  }

  private static func place(ofAtFrom start: Int, in bytes: UnsafeRawBufferPointer) -> Int? {
    guard start < bytes.count, let base = bytes.baseAddress,
      let found = memchr(base + start, 0x40, bytes.count - start)
    else { return nil }
    return UnsafeRawPointer(found) - base
  }

  private static func isOfLabel(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x5F, 0x2B, 0x80...: true
    default: false
    }
  }

  /// Returns the email addresses in a text.
  static func all(in text: String) -> [String] {
    guard text.utf8.contains(UInt8(ascii: "@")) else { return [] }
    let words = text.split { $0.isWhitespace || "<>()[],;:\"'`|!?=&/\\{}".contains($0) }
    return words.compactMap { word in
      var word = word
      while let last = word.last, ".…*_-".contains(last) { word.removeLast() }
      let found = String(word)
      return matches(found) ? found : nil
    }
  }
}

/// The form of phone numbers.
enum PhoneNumber {
  /// Whether a text is a phone number: 7 to 15 digits, as E.164 has at most, with the separators that
  /// people use.
  static func matches(_ text: String) -> Bool {
    guard text.utf8.count <= 40 else { return false }
    var digits = 0
    for scalar in text.unicodeScalars {
      switch scalar {
      case "0"..."9": digits += 1
      case "+": if digits > 0 { return false }
      case " ", "-", "(", ")", ".", "/", "\u{A0}", "\u{202F}": break
      default: return false
      }
    }
    return 7...15 ~= digits
  }

  /// Whether a text contains what people write as a phone number: a `+` and 8 digits or more, a 0
  /// and 9 or more, or 10 digits or more in groups.
  static func isIn(_ text: String) -> Bool {
    var groups: [String] = []
    var hasPlus = false
    var last: Unicode.Scalar = " "
    func isNumber() -> Bool {
      let count = groups.reduce(0) { $0 + $1.utf8.count }
      guard count <= 15 else { return false }
      if hasPlus { return count >= 8 }
      // A date, and a time behind it.
      let lengths = groups.map(\.utf8.count)
      if lengths.starts(with: [4, 2, 2]) || lengths.starts(with: [2, 2, 4]) { return false }
      return count >= 10 && (groups[0].hasPrefix("0") || groups.count >= 3)
    }
    for scalar in text.unicodeScalars {
      switch scalar {
      case "0"..."9":
        if groups.isEmpty { hasPlus = last == "+" }
        if !("0"..."9" ~= last) { groups.append("") }
        groups[groups.count - 1].unicodeScalars.append(scalar)
      case " ", "-", "(", ")", ".", "/", "\u{A0}", "\u{2011}", "\u{202F}": break
      default:
        if !groups.isEmpty, isNumber() { return true }
        groups = []
      }
      last = scalar
    }
    return !groups.isEmpty && isNumber()
  }
}

/// Kinds of personal data that values are searched for.
struct PersonalKinds: OptionSet, Sendable {
  let rawValue: Int

  init(rawValue: Int) { self.rawValue = rawValue }

  static let email = PersonalKinds(rawValue: 1)
  static let phone = PersonalKinds(rawValue: 2)
  /// Coordinates of a place.
  static let place = PersonalKinds(rawValue: 4)
  /// A date, or the year of a birth.
  static let date = PersonalKinds(rawValue: 8)

  /// Searches a text.
  init(in text: String) {
    self = []
    if !EmailAddress.all(in: text).isEmpty { insert(.email) }
    if PhoneNumber.isIn(text) { insert(.phone) }
    guard text.utf8.contains(where: { 0x30...0x39 ~= $0 }) else { return }
    if let number = Int64(text), 1900...2020 ~= number { insert(.date) }
    if text.firstMatch(of: Self.coordinates) != nil { insert(.place) }
    if text.firstMatch(of: Self.day) != nil || text.firstMatch(of: Self.birth) != nil {
      insert(.date)
    }
  }

  // A regular expression is not `Sendable`, because it may hold closures. These hold none.
  nonisolated(unsafe) private static let coordinates: Regex<Substring> =
    /-?\d{1,3}\.\d{3,}["\s]*[,;\/ ]["\sA-Za-z]*[: ]?\s*"?-?\d{1,3}\.\d{3,}/
  nonisolated(unsafe) private static let day: Regex<Substring> =
    /\b(?:(?:19|20)\d\d-[01]\d-[0-3]\d|[0-3]?\d\.[01]?\d\.(?:19|20)\d\d|[01]?\d\/[0-3]?\d\/(?:19|20)\d\d)/
  nonisolated(unsafe) private static let birth: Regex<Substring> =
    /(?i)\b(?:born|birth|geboren|dob)\D{0,12}(?:19|20)\d\d\b/

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

  /// Returns what an integer may be: a phone number, a date as a number, or a year of birth.
  init(in number: Int64) {
    switch number {
    case 1900...2020: self = .date
    case 19_000_101...20_401_231:
      self = 1...12 ~= number / 100 % 100 && 1...31 ~= number % 100 ? .date : []
    // Seconds and milliseconds since 1970, from 1990 to 2040.
    case 631_152_000...2_208_988_800, 631_152_000_000...2_208_988_800_000: self = .date
    case 1_000_000_000...999_999_999_999_999: self = .phone
    default: self = []
    }
  }

  /// Returns what a number may be: a coordinate, which has more than three digits behind the point, or
  /// what an integer may be.
  init(in number: Double) {
    if let whole = Int64(exactly: number.rounded(.down)), number == number.rounded() || whole > 9999
    {
      self = PersonalKinds(in: whole)
    } else {
      let thousands = number * 1000
      let isFine = abs(thousands - thousands.rounded()) > 1e-6
      self = isFine && 1...180 ~= number.magnitude ? .place : []
    }
  }
}

/// The comments of a schema. All else in there is names of types and fields.
enum SchemaComments {
  /// Returns the comments: from `//` or `--` to the end of a line, and between `/*` and `*/`.
  static func text(of schema: String) -> String {
    let bytes = Array(schema.utf8)
    var text: [UInt8] = []
    var end: String?
    var index = 0
    while index < bytes.count {
      let pair = String(decoding: bytes[index..<min(index + 2, bytes.count)], as: UTF8.self)
      if let marker = end {
        if pair.hasPrefix(marker) { end = nil }
        text.append(end == nil ? UInt8(ascii: "\n") : bytes[index])
      } else if pair == "/*" {
        end = "*/"
      } else if pair == "//" || pair == "--" {
        end = "\n"
      }
      index += 1
    }
    return String(decoding: text, as: UTF8.self)
  }
}

/// The words of the persons in a source, and the words of the texts that stay, as hashes.
struct PersonalWords: Sendable {
  private var names: Set<Int> = []
  private var kept: [Key: Set<Int>] = [:]
  private var keptCount = 0
  /// Whether there were more words than can be compared.
  private(set) var isFull = false

  private struct Key: Hashable {
    var recordType: String
    var field: String
  }

  private static let maxCount = 1 << 20
  /// Shorter words are words of a language too often, but where a letter is a syllable or more.
  private static func isLong(_ word: some StringProtocol) -> Bool {
    word.count >= 4 || word.count >= 2 && word.unicodeScalars.allSatisfy { $0.value >= 0x3041 }
  }

  /// Notes the words of a person's name or address.
  mutating func learn(_ text: String) {
    // Everybody has the domain of an email address.
    let text = text.prefix { $0 != "@" }
    Self.forEachWord(of: text) { word in
      guard names.count < Self.maxCount else { return isFull = true }
      names.insert(word)
    }
  }

  /// Notes the names of a share's participants.
  mutating func learn(_ share: Share) {
    let people = share.participants + [share.owner, share.currentUserParticipant].compactMap { $0 }
    for identity in people.map(\.userIdentity) { learn(identity) }
  }

  mutating func learn(_ identity: UserIdentity) {
    let name = identity.nameComponents
    for part in [name?.givenName, name?.middleName, name?.familyName, name?.nickname] {
      if let part { learn(part) }
    }
    if let email = identity.lookupInfo?.emailAddress { learn(email) }
  }

  /// Notes the words of a text that stays.
  mutating func keep(_ text: String, _ recordType: String, _ field: String) {
    let key = Key(recordType: recordType, field: field)
    Self.forEachWord(of: text) { word in
      guard keptCount < Self.maxCount else { return isFull = true }
      if kept[key, default: []].insert(word).inserted { keptCount += 1 }
    }
  }

  private static func forEachWord(of text: some StringProtocol, _ body: (Int) -> Void) {
    for word in text.split(whereSeparator: { !$0.isLetter }) where isLong(word) {
      body(word.lowercased().hashValue)
    }
  }

  mutating func add(_ other: PersonalWords) {
    names.formUnion(other.names)
    for (key, words) in other.kept { kept[key, default: []].formUnion(words) }
    isFull = isFull || other.isFull
  }

  /// Calls `body` with each field that keeps words of names, and the number of those words.
  func forEachMatch(_ body: (_ recordType: String, _ field: String, _ words: Int) -> Void) {
    for (key, words) in kept {
      let count = words.count { names.contains($0) }
      if count > 0 { body(key.recordType, key.field, count) }
    }
  }
}

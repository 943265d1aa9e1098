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
  /// Returns the indices of the digits of a phone number; nil if the text is none: 7 to 15 digits,
  /// as E.164 has at most, with the separators that people use.
  static func digits(of text: String) -> [Int]? {
    guard text.utf8.count <= 40 else { return nil }
    var digits: [Int] = []
    for (index, scalar) in text.unicodeScalars.enumerated() {
      switch scalar {
      case "0"..."9": digits.append(index)
      case "+": if !digits.isEmpty { return nil }
      case " ", "-", "(", ")", ".", "/", "\u{A0}", "\u{202F}": break
      default: return nil
      }
    }
    return 7...15 ~= digits.count ? digits : nil
  }

  /// The number of digits of the country code behind a `+`; 0 without one.
  static func countryCodeLength(of text: String, digits: [Unicode.Scalar]) -> Int {
    guard text.contains("+"), let first = digits.first, digits.count > 3 else { return 0 }
    if first == "1" || first == "7" { return 1 }
    let two = String(scalars: Array(digits.prefix(2)))
    return twoDigitCodes.contains(two) ? 2 : 3
  }

  /// The country codes of two digits (ITU-T E.164).
  private static let twoDigitCodes: Set<String> = [
    "20", "27", "30", "31", "32", "33", "34", "36", "39", "40", "41", "43", "44", "45", "46", "47",
    "48", "49", "51", "52", "53", "54", "55", "56", "57", "58", "60", "61", "62", "63", "64", "65",
    "66", "81", "82", "84", "86", "90", "91", "92", "93", "94", "95", "98",
  ]

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
  private static func isLong(_ word: Substring) -> Bool {
    word.count >= 4 || word.count >= 2 && word.unicodeScalars.allSatisfy { $0.value >= 0x3041 }
  }

  /// Notes the words of a person's name or address.
  mutating func learn(_ text: String, _ rule: AnonymisationRule = .name) {
    guard rule != .phone else { return }
    // Everybody has the domain of an email address.
    let text = rule == .email ? String(text.prefix { $0 != "@" }) : text
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
    if let email = identity.lookupInfo?.emailAddress { learn(email, .email) }
  }

  /// Notes the words of a text that stays.
  mutating func keep(_ text: String, _ recordType: String, _ field: String) {
    let key = Key(recordType: recordType, field: field)
    Self.forEachWord(of: text) { word in
      guard keptCount < Self.maxCount else { return isFull = true }
      if kept[key, default: []].insert(word).inserted { keptCount += 1 }
    }
  }

  private static func forEachWord(of text: String, _ body: (Int) -> Void) {
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

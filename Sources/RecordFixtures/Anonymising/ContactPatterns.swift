import Foundation

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
  /// Whether a number is of the ranges of made-up ones.
  static func isFictional(_ text: String) -> Bool {
    text.hasPrefix("+44 7700 900") || text.hasPrefix("+44 20 7946 0")
      || text.hasPrefix("+1 ") && text.contains(" 555 01")
  }

  /// Whether a text is a phone number: 7 to 15 digits, as E.164 has at most, with the separators that
  /// people use.
  static func matches(_ text: String) -> Bool {
    // An IPv4 address has points, too.
    guard text.utf8.count <= 40, !NetworkAddress.hasIPv4(text) else { return false }
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

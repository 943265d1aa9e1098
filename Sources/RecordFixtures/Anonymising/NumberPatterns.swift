import Foundation

/// Numbers with check digits or a fixed form.
enum CheckedNumber {
  nonisolated(unsafe) private static let cards = /(?:\d[ \-]?){12,18}\d/
  nonisolated(unsafe) private static let ibans =
    /\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?\b/
  nonisolated(unsafe) private static let social =
    /(?:^|\D)(?!000|666|9)\d{3}([ \-])(?!00)\d{2}\1(?!0000)\d{4}(?!\d)/

  /// Whether a text has the number of a payment card: its first digits and length are those of an issuer
  /// (ISO/IEC 7812-1), and its check digit is right (Luhn).
  static func hasCard(_ text: String) -> Bool {
    text.utf8.count >= 13
      && text.matches(of: cards).contains { match in
        let digits = match.output.utf8.filter { 0x30...0x39 ~= $0 }.map { Int($0 & 15) }
        return isOfIssuer(digits) && luhn(digits) % 10 == 0
      }
  }

  private static func isOfIssuer(_ digits: [Int]) -> Bool {
    let first = digits.prefix(4).reduce(0) { 10 * $0 + $1 }
    return switch first / 100 {
    case 40...49: [13, 16, 19].contains(digits.count)
    case 51...55: digits.count == 16
    case 22...27: digits.count == 16 && 2221...2720 ~= first
    case 34, 37: digits.count == 15
    case 35, 60, 62, 64, 65: 16...19 ~= digits.count
    case 30, 36, 38, 39: digits.count == 14
    default: false
    }
  }

  private static func luhn(_ digits: [Int]) -> Int {
    digits.reversed().enumerated().reduce(0) { sum, digit in
      let doubled = digit.offset % 2 == 0 ? digit.element : 2 * digit.element
      return sum + (doubled > 9 ? doubled - 9 : doubled)
    }
  }

  /// Whether a text has an IBAN: the remainder by 97 is 1, letters as 10 to 35 (ISO 13616-1, ISO 7064).
  static func hasIBAN(_ text: String) -> Bool {
    text.utf8.count >= 15
      && text.matches(of: ibans).contains { match in
        let signs = match.output.utf8.filter { $0 != 0x20 }
        guard 15...34 ~= signs.count else { return false }
        return (signs.dropFirst(4) + signs.prefix(4)).reduce(0) { rest, sign in
          sign < 0x41 ? (10 * rest + Int(sign & 15)) % 97 : (100 * rest + Int(sign) - 55) % 97
        } == 1
      }
  }

  /// Whether a text has a Social Security number of a form that the Social Security Administration gives: no area
  /// 000, 666 or from 900, no group 00, no serial 0000.
  static func hasSocialSecurity(_ text: String) -> Bool { text.contains(social) }
}

/// Addresses of computers.
enum NetworkAddress {
  nonisolated(unsafe) private static let four =
    /(?:^|[^\d.])(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)\.){3}(?:25[0-5]|2[0-4]\d|1?\d?\d)(?![\d.])/
  nonisolated(unsafe) private static let hardware =
    /(?:^|[^0-9A-Fa-f:\-])(?:[0-9A-Fa-f]{2}([:\-]))(?:[0-9A-Fa-f]{2}\1){4}[0-9A-Fa-f]{2}(?![0-9A-Fa-f:\-])/

  static func hasIPv4(_ text: String) -> Bool { text.contains(four) }

  /// An EUI-48: six bytes in hexadecimal.
  static func hasMAC(_ text: String) -> Bool { text.contains(hardware) }

  /// Whether a text has an IPv6 address (RFC 4291) with three groups, or a first one of four digits.
  static func hasIPv6(_ text: String) -> Bool {
    text.split { !($0.isLetter || $0.isNumber || $0 == ":" || $0 == ".") }.contains { found in
      // A sentence may end behind it.
      let word = found.last == "." ? found.dropLast() : found
      guard 5...45 ~= word.utf8.count, word.utf8.count(where: { $0 == 0x3A }) >= 2 else {
        return false
      }
      let groups = word.split(separator: ":")
      guard groups.count >= 3 || groups.first?.utf8.count == 4 else { return false }
      var address = in6_addr()
      return inet_pton(AF_INET6, String(word), &address) == 1
    }
  }
}

/// Texts in a text that are encoded.
enum EncodedText {
  nonisolated(unsafe) private static let base64 = /[A-Za-z0-9+\/_\-]{12,}={0,2}/
  nonisolated(unsafe) private static let at = /\s*(?:\(at\)|\[at\]|\{at\}|&#64;|&#x40;|&commat;)\s*/
  nonisolated(unsafe) private static let dot = /\s*(?:\(dot\)|\[dot\]|\{dot\}|&#46;|&period;)\s*/
  nonisolated(unsafe) private static let spoken =
    /(?i)\b([a-z0-9._\-]+) at ([a-z0-9\-]+) dot ([a-z]{2,})\b/

  /// Returns what a text says behind percent signs (RFC 3986), entities of HTML, Base64, hexadecimal digits, and
  /// spellings such as `mira (at) tact.app`.
  static func all(in text: String) -> [String] {
    var found: [String] = []
    if text.utf8.contains(UInt8(ascii: "%")), let decoded = text.removingPercentEncoding {
      found.append(decoded)
    }
    if text.contains(at) {
      found.append(text.replacing(at, with: "@").replacing(dot, with: "."))
    }
    for match in text.matches(of: spoken) {
      found.append("\(match.1)@\(match.2).\(match.3)")
    }
    guard text.utf8.count >= 12 else { return found }
    for match in text.matches(of: base64).prefix(64) {
      for data in [base64Data(match.output), hexadecimalData(match.output)] {
        guard let data, let decoded = String(validating: data, as: UTF8.self),
          decoded.unicodeScalars.allSatisfy({ $0.value >= 0x20 || $0 == "\n" })
        else { continue }
        found.append(decoded)
      }
    }
    return found
  }

  private static func base64Data(_ text: Substring) -> Data? {
    let plain = text.replacing("-", with: "+").replacing("_", with: "/").prefix { $0 != "=" }
    guard plain.utf8.count % 4 != 1 else { return nil }
    return Data(
      base64Encoded: plain + String(repeating: "=", count: (4 - plain.utf8.count % 4) % 4))
  }

  private static func hexadecimalData(_ text: Substring) -> Data? {
    let digits = text.utf8.compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
    guard digits.count == text.utf8.count, digits.count % 2 == 0 else { return nil }
    return Data(
      stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) })
  }
}

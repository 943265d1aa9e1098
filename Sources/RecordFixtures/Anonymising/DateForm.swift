import Foundation

/// The form of a date in a text, by the letters of Unicode's date patterns: `dd.MM.yyyy HH:mm`.
///
/// `y`, `M`, `d`, `H`, `m` and `s` are digits, as many as letters; one letter is one digit or two. `S` is a
/// fraction of a second, and `X` is `Z` or a distance from UTC. All else stands for itself.
struct DateForm: Hashable {
  let pattern: String

  /// The form without a name: `2019-03-04T05:06:07Z`.
  static let iso = DateForm(pattern: "yyyy-MM-ddTHH:mm:ssX")

  /// The forms that are looked for in texts.
  static let known = [
    iso.pattern, "yyyy-MM-ddTHH:mm:ss.SSSX", "yyyy-MM-ddTHH:mm:ss", "yyyy-MM-ddTHH:mm:ss.SSS",
    "yyyy-MM-ddTHH:mm", "yyyy-MM-dd HH:mm:ss", "yyyy-MM-dd HH:mm", "yyyy-MM-dd", "yyyy-MM",
    "HH:mm:ss", "HH:mm", "MM/dd/yyyy", "dd/MM/yyyy", "M/d/yyyy", "d/M/yyyy", "dd.MM.yyyy",
    "d.M.yyyy",
  ].map { DateForm(pattern: $0) }

  init(pattern: String) { self.pattern = pattern }

  /// - Returns: nil for a text without a year or an hour, or with other letters.
  init?(_ text: String) {
    let letters = Set(text.filter(\.isLetter))
    guard text.count <= 64, letters.isSubset(of: "yMdHmsSXTZ"),
      letters.contains("y") || letters.contains("H")
    else { return nil }
    pattern = text
  }

  /// Whether the texts have the order of the dates.
  var isSortable: Bool {
    "yyyy-MM-ddTHH:mm:ss.SSSX".hasPrefix(pattern.replacing(" ", with: "T")) || self == .iso
  }

  /// The parts of the pattern: letters of one kind, or another character.
  private var parts: [Substring] {
    var parts: [Substring] = []
    var rest = pattern[...]
    while let first = rest.first {
      let part = rest.prefix { $0 == first }
      parts.append("yMdHmsSX".contains(first) ? part : rest.prefix(1))
      rest = rest.dropFirst(parts.last?.count ?? 1)
    }
    return parts
  }

  /// The text of a date in UTC.
  ///
  /// - Parameter fraction: The thousandths of the second.
  func text(of date: Date, fraction: Int) -> String {
    // 2019-03-04T05:06:07Z
    let iso = date.ISO8601Format()
    func digits(_ start: Int, _ part: Substring) -> String {
      let digits = iso.dropFirst(start).prefix(start == 0 ? 4 : 2)
      if start == 0 { return String(digits.suffix(max(2, part.count))) }
      return part.count == 1 && digits.hasPrefix("0") ? String(digits.dropFirst()) : String(digits)
    }
    return parts.map { part in
      switch part.first {
      case "y": digits(0, part)
      case "M": digits(5, part)
      case "d": digits(8, part)
      case "H": digits(11, part)
      case "m": digits(14, part)
      case "s": digits(17, part)
      case "S": String("\(1000 + fraction)000000".dropFirst().prefix(part.count))
      case "X": "Z"
      default: String(part)
      }
    }.joined()
  }

  func matches(_ text: String) -> Bool {
    var rest = text[...]
    for part in parts {
      guard let letter = part.first, Self.take(letter, part.count, &rest) else { return false }
    }
    return rest.isEmpty
  }

  private static let ranges: [Character: ClosedRange<Int>] = [
    "y": 0...9999, "M": 1...12, "d": 1...31, "H": 0...23, "m": 0...59, "s": 0...60,
    "S": 0...Int.max,
  ]

  private static func take(_ letter: Character, _ count: Int, _ rest: inout Substring) -> Bool {
    if letter == "X" {
      guard let found = rest.prefixMatch(of: /Z|[+\-]\d\d:?\d\d/) else { return false }
      rest = rest[found.range.upperBound...]
      return true
    }
    guard let range = ranges[letter] else {
      guard rest.first == letter else { return false }
      rest.removeFirst()
      return true
    }
    let digits = rest.prefix { $0.isASCII && $0.isNumber }.prefix(
      max(count, letter == "y" ? 2 : letter == "S" ? 9 : 2))
    guard count == 1 || letter == "S" || digits.count == count, let number = Int(digits),
      range.contains(number)
    else { return false }
    rest = rest.dropFirst(digits.count)
    return true
  }
}

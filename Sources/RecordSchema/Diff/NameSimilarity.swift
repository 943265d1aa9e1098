/// The similarity of two names, from 0 (nothing in common) to 1 (the same letters).
package enum NameSimilarity {
  /// The maximum number of characters compared.
  private static let maxLength = 64

  package static func between(_ a: String, _ b: String) -> Double {
    let (x, y) = (letters(a), letters(b))
    guard x != y else { return 1 }
    let longest = max(x.count, y.count, 1)
    let edits = 1 - Double(EditDistance.between(x, y)) / Double(longest)
    return max(edits, words(of: a, and: b), isWithin(x, y) ? 0.6 : 0)
  }

  private static func letters(_ name: String) -> [UInt8] {
    Array(name.lowercased().utf8.filter { $0 != UInt8(ascii: "_") }.prefix(maxLength))
  }

  /// Whether one name contains the other, which is common in renames: text, messageText. Names of
  /// two letters are ignored: id, wideImage.
  private static func isWithin(_ x: [UInt8], _ y: [UInt8]) -> Bool {
    let (short, long) = x.count <= y.count ? (x, y) : (y, x)
    guard short.count >= 3 else { return false }
    return long.starts(with: short) || long.reversed().starts(with: short.reversed())
      || (0...(long.count - short.count)).contains { long[$0...].starts(with: short) }
  }

  /// A common first word (photoData, photoAsset) counts more than a common last word (dueDate,
  /// startDate).
  private static func words(of a: String, and b: String) -> Double {
    let (x, y) = (words(a), words(b))
    guard let first = x.first, let last = x.last, x.count > 1, y.count > 1 else { return 0 }
    if first.utf8.count > 2, first == y.first { return 0.6 }
    return last.utf8.count > 2 && last == y.last ? 0.45 : 0
  }

  /// Returns the words of a name in `camelCase` or `snake_case`.
  private static func words(_ name: String) -> [String] {
    var words: [String] = []
    var wasUpper = true
    for letter in name.unicodeScalars.prefix(maxLength) {
      let isUpper = ("A"..."Z").contains(letter)
      if letter == "_" || words.isEmpty || isUpper && !wasUpper { words.append("") }
      if letter != "_" { words[words.count - 1].unicodeScalars.append(letter) }
      wasUpper = isUpper
    }
    return words.map { $0.lowercased() }.filter { !$0.isEmpty }
  }
}

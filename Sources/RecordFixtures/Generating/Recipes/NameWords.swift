/// The words of a name in camel case or with underscores, in lower case: `createdAt` has `created`
/// and `at`.
struct NameWords {
  let words: [String]
  /// The words without anything between them.
  let joined: String

  init(_ name: String) {
    var words: [String] = []
    var word = ""
    var wasLower = false
    let scalars = Array(name.unicodeScalars.prefix(200))
    for (index, scalar) in scalars.enumerated() {
      guard scalar.isASCII, scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) else {
        if !word.isEmpty { words.append(word) }
        (word, wasLower) = ("", false)
        continue
      }
      let isUpper = ("A"..."Z").contains(scalar)
      let isNextLower =
        index + 1 < scalars.count && ("a"..."z").contains(scalars[index + 1])
      if isUpper, !word.isEmpty, wasLower || isNextLower {
        words.append(word)
        word = ""
      }
      word.unicodeScalars.append(scalar)
      wasLower = !isUpper
    }
    if !word.isEmpty { words.append(word) }
    self.words = words.map { $0.lowercased() }
    joined = self.words.joined()
  }

  var first: String { words.first ?? "" }
  var last: String { words.last ?? "" }

  /// Whether one of the words is among these.
  func has(_ list: String...) -> Bool { words.contains { list.contains($0) } }

  /// Whether the last word is among these.
  func ends(_ list: String...) -> Bool { list.contains(last) }

  /// Whether the name contains one of these, across its words.
  func contains(_ list: String...) -> Bool { list.contains { joined.contains($0) } }
}

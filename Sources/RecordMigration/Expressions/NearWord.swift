/// Finds what somebody may have meant.
enum NearWord {
  /// `; did you mean 'x'?`, or nothing.
  static func hint(_ word: String, among known: some Sequence<String>) -> String {
    let letters = Array(word.lowercased().utf8.prefix(64))
    var best: (word: String, distance: Int)?
    for candidate in known.sorted() {
      let distance = distance(letters, Array(candidate.lowercased().utf8.prefix(64)))
      if distance < best?.distance ?? .max { best = (candidate, distance) }
    }
    guard let best, best.distance <= max(letters.count > 3 ? 2 : 1, letters.count / 3) else {
      return ""
    }
    return "; did you mean '\(best.word)'?"
  }

  /// How many letters must be put in, taken out or replaced.
  static func distance(_ a: [UInt8], _ b: [UInt8]) -> Int {
    if a.isEmpty || b.isEmpty { return max(a.count, b.count) }
    var row = Array(0...b.count)
    for (i, letter) in a.enumerated() {
      var diagonal = row[0]
      row[0] = i + 1
      for (j, other) in b.enumerated() {
        let replaced = diagonal + (letter == other ? 0 : 1)
        diagonal = row[j + 1]
        row[j + 1] = min(replaced, min(row[j], row[j + 1]) + 1)
      }
    }
    return row[b.count]
  }
}

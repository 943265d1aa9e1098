import RecordSchema

/// Finds what somebody may have meant.
enum NearWord {
  /// `; did you mean 'x'?`, or nothing.
  static func hint(_ word: String, among known: some Sequence<String>) -> String {
    let letters = Array(word.lowercased().utf8.prefix(64))
    var best: (word: String, distance: Int)?
    for candidate in known.sorted() {
      let distance = EditDistance.between(
        letters, Array(candidate.lowercased().utf8.prefix(64)))
      if distance < best?.distance ?? .max { best = (candidate, distance) }
    }
    guard let best, best.distance <= max(letters.count > 3 ? 2 : 1, letters.count / 3) else {
      return ""
    }
    return "; did you mean '\(best.word)'?"
  }
}

import RecordSchema

/// Suggests corrections for misspelled words.
enum NearWord {
  /// Returns a suggestion, if any, and the list of known words.
  ///
  /// - Parameter also: An addition to the list.
  static func advice(
    _ word: String, among known: some Sequence<String>, also others: String? = nil
  ) -> String {
    let hint = hint(word, among: known)
    let list = (known + [others].compactMap { $0 }).joined(separator: ", ")
    return hint.isEmpty ? "; there are \(list)" : "\(hint) There are \(list)"
  }

  /// Returns `; did you mean 'x'?`, or an empty string.
  static func hint(_ word: String, among known: some Sequence<String>) -> String {
    let letters = Array(word.lowercased().utf8.prefix(64))
    var best: (word: String, distance: Int)?
    for candidate in known.sorted() {
      let others = Array(candidate.lowercased().utf8.prefix(64))
      let isBeginning = letters.count >= 3 && others.starts(with: letters)
      let distance = isBeginning ? 1 : EditDistance.between(letters, others)
      if distance < best?.distance ?? .max { best = (candidate, distance) }
    }
    guard let best, best.distance <= max(letters.count > 3 ? 2 : 1, letters.count / 3) else {
      return ""
    }
    return "; did you mean '\(best.word)'?"
  }
}

import RecordSchema

/// Suggests corrections for misspelled words.
package enum NearWord {
  /// Returns a suggestion, if any, and the list of known words.
  ///
  /// - Parameter also: An addition to the list.
  package static func advice(
    _ word: String, among known: some Sequence<String>, also others: String? = nil
  ) -> String {
    let hint = hint(word, among: known)
    let list = (known + [others].compactMap { $0 }).joined(separator: ", ")
    return hint.isEmpty ? "; use one of \(list)" : "\(hint) There are \(list)"
  }

  /// Returns `; did you mean 'x'?`, or an empty string.
  package static func hint(_ word: String, among known: some Sequence<String>) -> String {
    let length = min(word.utf8.count, 64)
    let edits = max(length > 3 ? 2 : 1, length / 3)
    return NearNames.nearest(to: word, among: known.sorted(), maxEdits: edits)
      .map { "; did you mean '\($0)'?" } ?? ""
  }
}

/// Finds the names that a misspelled name may stand for. ASCII letters match in either case.
package struct NearNames {
  private let wanted: [UInt8]
  private let maxEdits: Int
  private let maxCount: Int
  private var found: [(distance: Int, name: String)] = []

  /// - Parameters:
  ///   - maxEdits: The maximum number of edits. `nil` allows one to three, depending on the length.
  ///   - maxCount: The maximum number of names to find.
  package init(_ wanted: String, maxEdits: Int? = nil, maxCount: Int = 3) {
    self.wanted = Self.folded(wanted.utf8.prefix(255))
    self.maxEdits = maxEdits ?? max(1, min(3, self.wanted.count / 4))
    self.maxCount = maxCount
  }

  /// Returns the nearest of several names; of equally near ones the first.
  package static func nearest(
    to wanted: String, among names: some Sequence<String>, maxEdits: Int? = nil
  ) -> String? {
    var near = NearNames(wanted, maxEdits: maxEdits, maxCount: 1)
    for name in names { near.add(name) }
    return near.best.first
  }

  /// Returns `; did you mean 'x'?`, or an empty string if no known word is near.
  package static func hint(_ word: String, among known: some Sequence<String>) -> String {
    let length = min(word.utf8.count, 64)
    let edits = max(length > 3 ? 2 : 1, length / 3)
    return nearest(to: word, among: known.sorted(), maxEdits: edits)
      .map { "; did you mean '\($0)'?" } ?? ""
  }

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

  /// The best names, nearest first.
  package var best: [String] { found.map(\.name) }

  /// `; did you mean 'a' or 'b'?`, or an empty string if there are no near names.
  package var hint: String {
    found.isEmpty ? "" : "; did you mean \(best.map { "'\($0)'" }.joined(separator: " or "))?"
  }

  package mutating func add(_ name: String) {
    guard let distance = distance(to: name),
      found.count < maxCount || distance < found[found.count - 1].distance,
      !found.contains(where: { $0.name == name })
    else { return }
    let place = found.firstIndex { distance < $0.distance } ?? found.count
    found.insert((distance, name), at: place)
    if found.count > maxCount { found.removeLast() }
  }

  /// Returns the number of edits to a name, or `nil` if it is not near. A name that begins with the
  /// wanted one counts as one edit, because people type the beginning of a UUID.
  private func distance(to name: String) -> Int? {
    if wanted.count >= 3, Self.folded(name.utf8.prefix(wanted.count)) == wanted { return 1 }
    guard abs(name.utf8.count - wanted.count) <= maxEdits else { return nil }
    let distance = EditDistance.between(wanted, Self.folded(name.utf8), max: maxEdits)
    return distance <= maxEdits ? distance : nil
  }

  private static func folded(_ bytes: some Sequence<UInt8>) -> [UInt8] {
    bytes.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
  }
}

/// The number of edits between two words: bytes that are missing, added, replaced, or swapped with
/// their neighbor (optimal string alignment).
package enum EditDistance {
  /// Returns the number of edits, or a larger number than `max` if there are more than that.
  package static func between(_ a: [UInt8], _ b: [UInt8], max: Int = .max) -> Int {
    var before = [Int](repeating: 0, count: b.count + 1)
    var row = Array(0...b.count)
    var next = row
    for (i, byte) in a.enumerated() {
      next[0] = i + 1
      for (j, other) in b.enumerated() {
        var least = min(row[j] + (byte == other ? 0 : 1), row[j + 1] + 1, next[j] + 1)
        if i > 0, j > 0, byte == b[j - 1], a[i - 1] == other {
          least = min(least, before[j - 1] + 1)
        }
        next[j + 1] = least
      }
      (before, row, next) = (row, next, before)
      if max < .max, row.min() ?? 0 > max, before.min() ?? 0 > max { return max + 1 }
    }
    return row[b.count]
  }
}

/// Finds names similar to an unknown one.
struct NearNames {
  private let wanted: [UInt8]
  private var found: [(distance: Int, name: String)] = []

  private static let most = 3

  init(_ wanted: String) {
    self.wanted = Array(wanted.utf8.prefix(255))
  }

  /// The most similar names, nearest first.
  var best: [String] { found.map(\.name) }

  /// `; did you mean 'a' or 'b'?`; empty if no name is similar.
  var hint: String {
    found.isEmpty
      ? "" : "; did you mean \(best.map { "'\($0)'" }.joined(separator: " or "))?"
  }

  mutating func add(_ name: String) {
    guard let distance = distance(to: Array(name.utf8)),
      found.count < Self.most || distance < found[found.count - 1].distance,
      !found.contains(where: { $0.name == name })
    else { return }
    let place = found.firstIndex { distance < $0.distance } ?? found.count
    found.insert((distance, name), at: place)
    if found.count > Self.most { found.removeLast() }
  }

  /// The edit distance to a name; nil if it is more than a typo. A name that starts with the wanted
  /// one has distance 1, as people type the beginning of a UUID.
  private func distance(to name: [UInt8]) -> Int? {
    if wanted.count >= 3, Self.folded(name).starts(with: Self.folded(wanted)) { return 1 }
    let most = max(1, min(3, wanted.count / 4))
    guard abs(name.count - wanted.count) <= most else { return nil }
    let distance = Self.edits(Self.folded(wanted), Self.folded(name), most: most)
    return distance <= most ? distance : nil
  }

  private static func folded(_ bytes: [UInt8]) -> [UInt8] {
    bytes.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
  }

  /// The edit distance with transpositions (optimal string alignment). Stops early above `most`.
  private static func edits(_ a: [UInt8], _ b: [UInt8], most: Int) -> Int {
    var before = [Int](repeating: 0, count: b.count + 1)
    var row = Array(0...b.count)
    for (i, byte) in a.enumerated() {
      var next = [i + 1]
      next.reserveCapacity(row.count)
      for (j, other) in b.enumerated() {
        var least = min(row[j] + (byte == other ? 0 : 1), row[j + 1] + 1, next[j] + 1)
        if i > 0, j > 0, byte == b[j - 1], a[i - 1] == other {
          least = min(least, before[j - 1] + 1)
        }
        next.append(least)
      }
      (before, row) = (row, next)
      if row.min() ?? 0 > most, before.min() ?? 0 > most { return most + 1 }
    }
    return row[b.count]
  }
}

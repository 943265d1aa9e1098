/// Finds names that may have been meant.
struct NearNames {
  private let wanted: [UInt8]
  private var found: [(distance: Int, name: String)] = []

  private static let most = 3

  init(_ wanted: String) {
    self.wanted = Array(wanted.utf8.prefix(255))
  }

  /// The best names, the nearest first.
  var best: [String] { found.map(\.name) }

  mutating func add(_ name: String) {
    guard let distance = distance(to: Array(name.utf8)),
      found.count < Self.most || distance < found[found.count - 1].distance,
      !found.contains(where: { $0.name == name })
    else { return }
    let place = found.firstIndex { distance < $0.distance } ?? found.count
    found.insert((distance, name), at: place)
    if found.count > Self.most { found.removeLast() }
  }

  /// The number of edits between the names; nil where that is more than a slip. What begins with
  /// the wanted name counts as one edit: people type the beginning of a UUID.
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

  /// Levenshtein's distance, given up where it is more than `most`.
  private static func edits(_ a: [UInt8], _ b: [UInt8], most: Int) -> Int {
    var row = Array(0...b.count)
    for (i, byte) in a.enumerated() {
      var diagonal = row[0]
      row[0] = i + 1
      var least = row[0]
      for (j, other) in b.enumerated() {
        let above = row[j + 1]
        row[j + 1] = min(diagonal + (byte == other ? 0 : 1), above + 1, row[j] + 1)
        diagonal = above
        least = min(least, row[j + 1])
      }
      if least > most { return least }
    }
    return row[b.count]
  }
}

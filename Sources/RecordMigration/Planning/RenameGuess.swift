import RecordSchema

/// Guesses which of two lists of names are the same thing under another name.
enum RenameGuess {
  /// Pairs of removed and added things, the likeliest first; each stands in one pair.
  ///
  /// - Parameter likeness: 0 to 1; pairs below one half are not made.
  static func pairs<T>(
    _ removed: [T], _ added: [T], name: (T) -> String, likeness: (T, T) -> Double
  ) -> [(from: T, to: T, likeness: Double)] {
    var candidates: [(from: Int, to: Int, likeness: Double)] = []
    for (i, from) in removed.enumerated() {
      for (j, to) in added.enumerated() {
        let value = likeness(from, to)
        if value >= 0.5 { candidates.append((i, j, value)) }
      }
    }
    candidates.sort {
      if $0.likeness != $1.likeness { return $0.likeness > $1.likeness }
      return ($0.from, $0.to) < ($1.from, $1.to)
    }
    var (usedFrom, usedTo): (Set<Int>, Set<Int>) = ([], [])
    return candidates.compactMap { pair in
      guard !usedFrom.contains(pair.from), !usedTo.contains(pair.to) else { return nil }
      usedFrom.insert(pair.from)
      usedTo.insert(pair.to)
      return (removed[pair.from], added[pair.to], pair.likeness)
    }
  }

  /// How alike two names are: 1 for the same letters, 0 for nothing in common.
  static func likeness(_ a: String, _ b: String) -> Double {
    let (x, y) = (Array(a.lowercased().utf8.prefix(64)), Array(b.lowercased().utf8.prefix(64)))
    let longest = max(x.count, y.count, 1)
    let edits = 1 - Double(EditDistance.between(x, y)) / Double(longest)
    // One name within the other is a common way to rename: text, messageText.
    let isWithin =
      a.lowercased().contains(b.lowercased()) || b.lowercased().contains(a.lowercased())
    return max(edits, isWithin ? 0.6 : 0)
  }

  /// How alike two record types are: by the fields they have in common, and by name.
  static func likeness(_ a: Schema.RecordType, _ b: Schema.RecordType) -> Double {
    let own = Dictionary(
      a.userFields.map { ($0.name, $0.type.shape) }, uniquingKeysWith: { first, _ in first })
    let others = Dictionary(
      b.userFields.map { ($0.name, $0.type.shape) }, uniquingKeysWith: { first, _ in first })
    let common = own.filter { others[$0.key] == $0.value }.count
    let all = Set(own.keys).union(others.keys).count
    guard all > 0 else { return likeness(a.name, b.name) }
    return 0.7 * Double(common) / Double(all) + 0.3 * likeness(a.name, b.name)
  }

  /// How alike two fields are: of one type, or of one that the values can become; by name; and by
  /// being the only ones.
  static func likeness(
    _ a: Schema.Field, _ b: Schema.Field, areOnlyOnes: Bool, values: FieldStatistics.Field?
  ) -> Double {
    var shape = 0.0
    if a.type.shape == b.type.shape {
      shape = 0.5
    } else if let values, values.count > 0, a.type.primitive == .string, !a.type.isList {
      switch b.type.primitive {
      case .int64 where values.integers * 10 >= values.count * 9: shape = 0.4
      case .double where values.numbers * 10 >= values.count * 9: shape = 0.4
      case .timestamp where values.dates * 10 >= values.count * 9: shape = 0.4
      default: break
      }
    } else if a.type.primitive == b.type.primitive
      || a.type.primitive == .bytes && b.type.primitive == .asset
    {
      shape = 0.3
    }
    guard shape > 0 else { return 0 }
    return shape + 0.4 * likeness(a.name, b.name) + (areOnlyOnes ? 0.1 : 0)
  }
}

import RecordSchema

/// Guesses which removed elements were renamed to which added ones.
enum RenameGuess {
  /// A removed and an added element with the reasons for the guess.
  struct Pair<Element> {
    var from: Element
    var to: Element
    /// The likelihood, from 0 to 1.
    var likeness: Double
    /// The reasons for the guess.
    var reasons: [String] = []
  }

  /// The minimum likelihood of a guess.
  static let threshold = 0.48
  /// The maximum number of pairs to compare. Above this, no guess is made, because it would take
  /// too long.
  private static let maximumPairs = 1 << 16

  /// Returns pairs in their original order, chosen by descending likelihood so that each element is
  /// in at most one pair.
  static func chosen<T>(_ removed: [T], _ added: [T], rate: (T, T) -> Pair<T>) -> [Pair<T>] {
    guard removed.count * added.count <= maximumPairs else { return [] }
    var candidates: [(from: Int, to: Int, pair: Pair<T>)] = []
    for (i, from) in removed.enumerated() {
      for (j, to) in added.enumerated() {
        let pair = rate(from, to)
        if pair.likeness >= threshold { candidates.append((i, j, pair)) }
      }
    }
    candidates.sort {
      if $0.pair.likeness != $1.pair.likeness { return $0.pair.likeness > $1.pair.likeness }
      return ($0.from, $0.to) < ($1.from, $1.to)
    }
    var (usedFrom, usedTo): (Set<Int>, Set<Int>) = ([], [])
    let chosen = candidates.filter { candidate in
      guard !usedFrom.contains(candidate.from), !usedTo.contains(candidate.to) else { return false }
      usedFrom.insert(candidate.from)
      usedTo.insert(candidate.to)
      return true
    }
    return chosen.sorted { $0.from < $1.from }.map(\.pair)
  }

  /// Returns guesses for record types, based on common fields and similar names.
  static func types(
    _ removed: [Schema.RecordType], _ added: [Schema.RecordType]
  ) -> [Pair<Schema.RecordType>] {
    chosen(removed, added) { a, b in
      let own = shapes(of: a)
      let others = shapes(of: b)
      let common = own.filter { others[$0.key] == $0.value }.count
      let all = Set(own.keys).union(others.keys).count
      let name = NameLikeness.between(a.name, b.name)
      guard all > 0 else { return Pair(from: a, to: b, likeness: name) }
      // Half of the fields is sufficient by itself, as in the rule PROBABLE_RENAME.
      let share = Double(common) / Double(all)
      return Pair(
        from: a, to: b, likeness: max(share, 0.7 * share + 0.3 * name),
        reasons: ["\(common) of their \(all) fields are the same"])
    }
  }

  private static func shapes(of type: Schema.RecordType) -> [String: Schema.FieldType] {
    Dictionary(
      type.userFields.map { ($0.name, $0.type.shape) }, uniquingKeysWith: { first, _ in first })
  }

  /// Returns guesses for fields, based on equal or convertible types, similar names, common values,
  /// and being the only candidates. Repeats for the remaining fields until there are no more
  /// guesses.
  ///
  /// - Parameters:
  ///   - old: The statistics of the removed fields.
  ///   - new: The statistics of the added fields, if the sample includes records of the new
  ///     version.
  static func fields(
    _ removed: [Schema.Field], _ added: [Schema.Field], old: [String: FieldStatistics.Field]?,
    new: [String: FieldStatistics.Field]?
  ) -> [Pair<Schema.Field>] {
    guard removed.count * added.count <= maximumPairs else { return [] }
    var pairs: [Pair<Schema.Field>] = []
    while true {
      let left = removed.filter { field in !pairs.contains { $0.from.name == field.name } }
      let open = added.filter { field in !pairs.contains { $0.to.name == field.name } }
      let found = likely(left, open, old: old, new: new)
      if found.isEmpty { return pairs.sorted { $0.from.name < $1.from.name } }
      pairs += found
    }
  }

  private static func likely(
    _ removed: [Schema.Field], _ added: [Schema.Field], old: [String: FieldStatistics.Field]?,
    new: [String: FieldStatistics.Field]?
  ) -> [Pair<Schema.Field>] {
    let nearness = removed.map { a in
      added.map { TypeChange(from: a.type, to: $0.type, values: old?[a.name]).nearness }
    }
    let indices = { (names: [Schema.Field]) in
      Dictionary(names.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
    }
    let (rows, columns) = (indices(removed), indices(added))
    return chosen(removed, added) { a, b in
      var pair = Pair(from: a, to: b, likeness: 0)
      guard let row = rows[a.name], let column = columns[b.name] else { return pair }
      let near = nearness[row][column]
      guard near > 0 else { return pair }
      pair.likeness = 0.4 * near
      let name = NameLikeness.between(a.name, b.name)
      if name >= 0.4 {
        pair.likeness += 0.4 * name
        pair.reasons.append("their names are alike")
      }
      let isOnlyOne =
        nearness[row].count(where: { $0 >= near }) == 1
        && nearness.count(where: { $0[column] >= near }) == 1
      if isOnlyOne {
        pair.likeness += 0.15
        pair.reasons.append("no other removed or added field fits as well")
      }
      if let own = old?[a.name], let others = new?[b.name] {
        let (common, count) = own.sample.common(with: others.sample)
        // Fields with few distinct values, such as flags, are often equal by chance.
        if common >= 3 {
          let weight = min(1, Double(common) / 6)
          pair.likeness += 0.4 * weight * Double(common) / Double(count)
          pair.reasons.append("\(common) of \(count) distinct values occur in both")
        }
      }
      pair.likeness = min(1, pair.likeness)
      return pair
    }
  }
}

import RecordSchema

extension RenameGuess {
  /// Returns guesses for fields, based on equal or convertible types, similar names, common values,
  /// and being the only candidates. Repeats for the remaining fields until there are no more
  /// guesses.
  ///
  /// - Parameters:
  ///   - old: The statistics of the removed fields.
  ///   - new: The statistics of the added fields, if the sample includes records of the new
  ///     version.
  static func fields(
    _ removed: [CloudSchema.Field], _ added: [CloudSchema.Field],
    old: [String: FieldStatistics.Field]?,
    new: [String: FieldStatistics.Field]?
  ) -> [Pair<CloudSchema.Field>] {
    guard removed.count * added.count <= maxPairs else { return [] }
    var pairs: [Pair<CloudSchema.Field>] = []
    while true {
      let left = removed.filter { field in !pairs.contains { $0.from.name == field.name } }
      let open = added.filter { field in !pairs.contains { $0.to.name == field.name } }
      let found = likely(left, open, old: old, new: new)
      if found.isEmpty { return pairs.sorted { $0.from.name < $1.from.name } }
      pairs += found
    }
  }

  private static func likely(
    _ removed: [CloudSchema.Field], _ added: [CloudSchema.Field],
    old: [String: FieldStatistics.Field]?,
    new: [String: FieldStatistics.Field]?
  ) -> [Pair<CloudSchema.Field>] {
    let nearness = removed.map { a in
      added.map { TypeChange(from: a.type, to: $0.type, values: old?[a.name]).nearness }
    }
    let (rows, columns) = (Array(removed.enumerated()), Array(added.enumerated()))
    let pairs = chosen(rows, columns) { a, b in
      let (from, to) = (a.element, b.element)
      var pair = Pair(from: a, to: b)
      let near = nearness[a.offset][b.offset]
      guard near > 0 else { return pair }
      pair.likeness = 0.4 * near
      let name = NameSimilarity.between(from.name, to.name)
      if name >= 0.4 {
        pair.likeness += 0.4 * name
        pair.reasons.append("their names are alike")
      }
      let isOnlyOne =
        nearness[a.offset].count(where: { $0 >= near }) == 1
        && nearness.count(where: { $0[b.offset] >= near }) == 1
      if isOnlyOne {
        pair.likeness += 0.15
        pair.reasons.append("no other removed or added field fits as well")
      }
      if let own = old?[from.name], let others = new?[to.name] {
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
    return pairs.map { $0.map(\.element) }
  }
}

import RecordModel

extension RecipeLearner {
  /// Returns the parents of types: those of most of their records.
  func parents(of names: [String]) -> [String: String] {
    var parents: [String: String] = [:]
    for name in names { parents[name] = parent(of: name, parents) }
    // Trees that are too deep are cut.
    for name in names where ancestors(of: name, parents).count > RecipeCheck.maxDepth {
      parents[name] = nil
    }
    return parents
  }

  func ancestors(of type: String, _ parents: [String: String]) -> [String] {
    Array(sequence(first: type) { parents[$0] }.dropFirst())
  }

  /// Returns the type of which most parents are, unless it is below this type itself.
  private func parent(of type: String, _ parents: [String: String]) -> String? {
    guard let census = types[type], !census.parents.isEmpty else { return nil }
    var counts: [UInt16: Int] = [:]
    for (hash, count) in census.parents {
      if let place = typePlaces[hash] { counts[place, default: 0] += count }
    }
    guard let most = counts.max(by: { ($0.value, $1.key) < ($1.value, $0.key) }),
      2 * most.value > census.records
    else { return nil }
    let found = base.types[Int(most.key)].name
    return found == type || ancestors(of: found, parents).contains(type) ? nil : found
  }

  /// Returns the type of which most of the records are that a field refers to.
  func target(of field: FieldCensus) -> String? {
    var counts: [UInt16: Int] = [:]
    for hash in field.targets {
      if let place = typePlaces[hash] { counts[place, default: 0] += 1 }
    }
    return counts.max { ($0.value, $1.key) < ($1.value, $0.key) }
      .map { base.types[Int($0.key)].name }
  }
}

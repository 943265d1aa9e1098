import RecordSchema

extension RenameGuess {
  /// Returns renames so that each new name is free when its turn comes. In a circle, one element gets
  /// another name first. Takes linear time.
  ///
  /// - Parameters:
  ///   - names: The names that the other name in a circle must not be.
  static func inOrder<Element>(
    _ pairs: [Pair<Element>], by name: WritableKeyPath<Element, String>, besides names: Set<String>
  ) -> [Pair<Element>] {
    let next = Dictionary(pairs.map { ($0.from[keyPath: name], $0) }) { first, _ in first }
    var ordered: [Pair<Element>] = []
    var done: Set<String> = []
    for pair in pairs where done.insert(pair.from[keyPath: name]).inserted {
      var chain = [pair]
      while let after = next[chain[chain.count - 1].to[keyPath: name]],
        done.insert(after.from[keyPath: name]).inserted
      {
        chain.append(after)
      }
      if chain[chain.count - 1].to[keyPath: name] == pair.from[keyPath: name] {
        var free = pair.from
        repeat { free[keyPath: name] += "_" } while names.contains(free[keyPath: name])
        ordered.append(Pair(from: pair.from, to: free))
        chain[0].from = free
      }
      ordered += chain.reversed()
    }
    return ordered
  }
}

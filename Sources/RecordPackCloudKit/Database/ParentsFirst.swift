#if canImport(CloudKit)
  import RecordModel

  extension [DraftRecord] {
    /// Returns the drafts with each parent before its children, and else in their order.
    func parentsFirst() -> [DraftRecord] {
      let places = Dictionary(
        enumerated().map { ($1.recordID, $0) }, uniquingKeysWith: { first, _ in first })
      var result: [DraftRecord] = []
      var isVisited = [Bool](repeating: false, count: count)
      for place in indices {
        var chain: [Int] = []
        var next: Int? = place
        // Ends at a record that is already there, or at one of the chain if the parents go round.
        while let current = next, !isVisited[current] {
          isVisited[current] = true
          chain.append(current)
          next = self[current].parent.flatMap { places[$0.recordID] }
        }
        result += chain.reversed().map { self[$0] }
      }
      return result
    }
  }
#endif

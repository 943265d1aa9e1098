import RecordMigration

extension PlanNode {
  /// Reads a distribution: a number, a range, or a mapping with `poisson`, `zipf` or `weights`.
  ///
  /// - Parameter allowed: The smallest and the greatest number.
  func count(_ what: String, in allowed: ClosedRange<Int>) throws -> CountRule {
    guard node.mapping != nil else { return .init(try integers(what, in: allowed)) }
    let members = try members(what)
    guard let rule = try members.countRule(what, in: allowed) else {
      throw error(
        "\(what) is a number, a range, or has one of \(CountRule.keys.joined(separator: ", "))")
    }
    try members.allow(CountRule.keys + CountRule.modifiers, in: what)
    return rule
  }
}

extension CountRule {
  static let keys = ["poisson", "zipf", "weights"]
  static let modifiers = ["exponent", "from", "to"]

  init(_ range: ClosedRange<Int>) {
    self = range.lowerBound == range.upperBound ? .fixed(range.lowerBound) : .range(range)
  }
}

extension PlanMembers {
  /// Reads a distribution from the members of a mapping; nil if they have none.
  func countRule(_ what: String, in allowed: ClosedRange<Int>) throws -> CountRule? {
    func refuse(_ names: [String], _ owner: String) throws {
      for name in names {
        if let node = self[name] { throw node.error("'\(name)' belongs to '\(owner)'") }
      }
    }
    let given = CountRule.keys.filter { self[$0] != nil }
    if given.count > 1 {
      throw self[given[1]]!.error("\(what) has '\(given[0])' or '\(given[1])', not both")
    }
    if let node = self["poisson"] {
      try refuse(["exponent"], "zipf")
      let mean = try node.number("poisson")
      guard mean > 0, mean <= CountRule.maxMean else {
        throw node.error("the mean of a Poisson distribution is above 0, at most 10000")
      }
      let numbers = max(0, allowed.lowerBound)...max(0, allowed.upperBound)
      let low = try self["from"]?.integer("from", in: numbers) ?? numbers.lowerBound
      let end = CountRule.poissonEnd(mean)
      let high = try self["to"]?.integer("to", in: numbers) ?? min(numbers.upperBound, end)
      guard low <= high, low <= end else {
        throw node.error("\(what): there are no numbers from \(low) to \(high)")
      }
      return .poisson(mean: mean, within: low...min(high, end))
    }
    try refuse(["from", "to"], "poisson")
    if let node = self["zipf"] {
      let range = try node.integers("zipf", in: allowed)
      guard range.size <= CountRule.maxZipf else {
        throw node.error("the range of 'zipf' has at most \(CountRule.maxZipf) numbers")
      }
      guard let power = self["exponent"] else { return .zipf(range, exponent: 1) }
      let exponent = try power.number("exponent")
      guard (0...8).contains(exponent),
        (exponent / CountRule.exponentStep).rounded()
          * CountRule.exponentStep == exponent
      else { throw power.error("exponent is a multiple of 0.25 from 0 to 8") }
      return .zipf(range, exponent: exponent)
    }
    try refuse(["exponent"], "zipf")
    guard let node = self["weights"] else { return nil }
    let pairs = try node.members("weights").pairs
    guard !pairs.isEmpty else { throw node.error("weights: there is no number") }
    let weights = try pairs.map { key, value in
      CountRule.Weight(range: try key.integers(what, in: allowed), weight: try value.weight())
    }
    guard weights.contains(where: { $0.weight > 0 }) else {
      throw node.error("weights: at least one is above 0")
    }
    return .weights(weights)
  }
}

extension PlanNode {
  func weight() throws -> Double {
    let weight = try number("a weight")
    guard weight >= 0, weight <= 1e12 else { throw error("a weight is from 0 to 1e12") }
    return weight
  }
}

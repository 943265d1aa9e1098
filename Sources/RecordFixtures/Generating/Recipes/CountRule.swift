/// A distribution of whole numbers: how many there are of something, or the values of a field.
indirect enum CountRule: Sendable, Hashable {
  /// Always the same number.
  case fixed(Int)
  /// All numbers of a range with the same probability.
  case range(ClosedRange<Int>)
  /// A Poisson distribution, cut off at both ends.
  case poisson(mean: Double, within: ClosedRange<Int>)
  /// The n-th number of the range has a probability in proportion to 1 / n^exponent.
  case zipf(ClosedRange<Int>, exponent: Double)
  /// Ranges with their weights; all numbers of one have the same probability.
  case weights([Weight])

  /// A range and its weight.
  struct Weight: Sendable, Hashable {
    var range: ClosedRange<Int>
    var weight: Double
  }

  /// The greatest mean of a Poisson distribution.
  static let maxMean = 10_000.0
  /// The greatest number of values of a Zipf distribution: each has an entry in a table.
  static let maxZipf = 100_000
  /// The exponents of Zipf distributions are multiples of this, so that square roots, which are the
  /// same on every machine, make the powers.
  static let exponentStep = 0.25

  /// A number so far above the mean of a Poisson distribution that nothing is beyond it.
  static func poissonEnd(_ mean: Double) -> Int { Int(mean + 20 * mean.squareRoot()) + 40 }

  /// The smallest and the greatest number.
  var bounds: ClosedRange<Int> {
    switch self {
    case .fixed(let number): number...number
    case .range(let range), .poisson(_, let range), .zipf(let range, _): range
    case .weights(let weights):
      Self.bounds(of: weights.filter { $0.weight > 0 }.map(\.range))
    }
  }

  private static func bounds(of ranges: [ClosedRange<Int>]) -> ClosedRange<Int> {
    (ranges.map(\.lowerBound).min() ?? 0)...(ranges.map(\.upperBound).max() ?? 0)
  }

  /// The ends, for edge cases: those of the rule, or numbers far from the mean that still come.
  var ends: ClosedRange<Int> {
    guard case .poisson(let mean, let range) = self else { return bounds }
    let far = 5 * mean.squareRoot()
    // An end that no recipe says is only where the table ends.
    let low = range.lowerBound == 0 ? Int(max(0, mean - far).rounded(.up)) : range.lowerBound
    let high = range.upperBound == Self.poissonEnd(mean) ? Int(mean + far) : range.upperBound
    let first = min(low, range.upperBound)
    return first...max(first, min(high, range.upperBound))
  }

  /// The distribution as recipes have it.
  var yaml: String {
    switch self {
    case .fixed(let number): "\(number)"
    case .range(let range): Self.text(range)
    case .poisson(let mean, let range):
      "{poisson: \(Self.text(mean)), from: \(range.lowerBound), to: \(range.upperBound)}"
    case .zipf(let range, let exponent):
      exponent == 1
        ? "{zipf: \(Self.text(range))}"
        : "{zipf: \(Self.text(range)), exponent: \(Self.text(exponent))}"
    case .weights(let weights):
      "{weights: {"
        + weights.map { "\(Self.text($0.range)): \(Self.text($0.weight))" }.joined(separator: ", ")
        + "}}"
    }
  }

  private static func text(_ range: ClosedRange<Int>) -> String {
    range.size == 1 ? "\(range.lowerBound)" : "\(range.lowerBound)..\(range.upperBound)"
  }

  static func text(_ number: Double) -> String {
    Int(exactly: number).map { "\($0)" } ?? "\(number)"
  }
}

import RecordPlatform

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

/// Draws numbers of a distribution.
///
/// Tables are made by additions, multiplications, divisions and square roots, which IEEE 754 rounds
/// in one way on every machine; logarithms and powers of the system differ in their last bits.
final class CountSampler: Sendable {
  private enum Form: Sendable {
    case fixed(Int)
    case range(ClosedRange<Int>)
    case table
  }

  private let form: Form
  private let table: CumulativeTable
  /// The numbers of the table's entries; empty if the n-th entry is the number `low + n`.
  private let ranges: [ClosedRange<Int>]
  private let low: Int

  init(_ rule: CountRule) {
    var weights: [Double] = []
    var ranges: [ClosedRange<Int>] = []
    var low = 0
    switch rule {
    case .fixed(let number): form = .fixed(number)
    case .range(let range): form = range.size == 1 ? .fixed(range.lowerBound) : .range(range)
    case .poisson(let mean, let range):
      form = .table
      low = range.lowerBound
      weights = Self.poisson(mean, range)
    case .zipf(let range, let exponent):
      form = .table
      low = range.lowerBound
      weights = (1...range.count).map { 1 / Self.power(Double($0), exponent) }
    case .weights(let list):
      form = .table
      ranges = list.map(\.range)
      weights = list.map(\.weight)
    }
    self.low = low
    self.ranges = ranges
    table = CumulativeTable(weights)
  }

  @inline(__always)
  func sample(_ random: inout SeededNumbers) -> Int {
    switch form {
    case .fixed(let number): return number
    case .range(let range): return random.number(in: range)
    case .table:
      let entry = table.sample(&random)
      return ranges.isEmpty ? low &+ entry : random.number(in: ranges[entry])
    }
  }

  /// Returns the weights of the numbers of a range, relative to that of the nearest to the mean.
  private static func poisson(_ mean: Double, _ range: ClosedRange<Int>) -> [Double] {
    let mode = min(max(Int(mean), range.lowerBound), range.upperBound)
    var weights = [Double](repeating: 0, count: range.count)
    var weight = 1.0
    for number in mode...range.upperBound {
      if number > mode { weight = weight * mean / Double(number) }
      weights[number - range.lowerBound] = weight
    }
    weight = 1
    for number in stride(from: mode, to: range.lowerBound, by: -1) {
      weight = weight * Double(number) / mean
      weights[number - 1 - range.lowerBound] = weight
    }
    return weights
  }

  /// Returns a power whose exponent is a multiple of ``CountRule/exponentStep``.
  static func power(_ base: Double, _ exponent: Double) -> Double {
    var result = 1.0
    for _ in 0..<Int(exponent) { result *= base }
    let quarters = Int((exponent - exponent.rounded(.down)) * 4)
    let root = base.squareRoot()
    if quarters & 2 != 0 { result *= root }
    if quarters & 1 != 0 { result *= root.squareRoot() }
    return result
  }
}

/// Weights, and a fast way to choose by them.
final class CumulativeTable: @unchecked Sendable {
  // Never written after initialization.
  private let sums: UnsafeMutableBufferPointer<Double>
  /// The first entry that a part of all weights may choose, by the part's first eight bits.
  private let guide: UnsafeMutablePointer<Int>
  private static let parts = 256

  init(_ weights: [Double]) {
    sums = .allocate(capacity: weights.count)
    guide = .allocate(capacity: Self.parts + 1)
    let total = weights.reduce(0, +)
    var sum = 0.0
    for (index, weight) in weights.enumerated() {
      sum += weight
      sums.initializeElement(at: index, to: sum / total)
    }
    var entry = 0
    for part in 0...Self.parts {
      while entry < weights.count - 1, sums[entry] <= Double(part) / Double(Self.parts) {
        entry += 1
      }
      (guide + part).initialize(to: entry)
    }
  }

  deinit {
    sums.deallocate()
    guide.deallocate()
  }

  @inline(__always)
  func sample(_ random: inout SeededNumbers) -> Int {
    let place = random.fraction()
    let part = Int(place * Double(Self.parts))
    var (low, high) = (guide[part], guide[part + 1])
    while low < high {
      let middle = (low + high) / 2
      if sums[middle] <= place { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

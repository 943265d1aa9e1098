import RecordPlatform

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

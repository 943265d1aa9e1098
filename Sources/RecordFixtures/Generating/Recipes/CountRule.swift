import RecordPlatform

/// A distribution of whole numbers: how many there are of something, or the values of a field.
enum CountRule: Sendable, Hashable {
  /// Always the same number.
  case fixed(Int)
  /// All numbers of a range with the same probability.
  case range(ClosedRange<Int>)
  /// Ranges with their weights; all numbers of one have the same probability.
  case weights([Weight])

  /// A range and its weight.
  struct Weight: Sendable, Hashable {
    var range: ClosedRange<Int>
    var weight: Double
  }

  init(_ range: ClosedRange<Int>) {
    self = range.lowerBound == range.upperBound ? .fixed(range.lowerBound) : .range(range)
  }

  /// The smallest and the greatest number.
  var bounds: ClosedRange<Int> {
    switch self {
    case .fixed(let number): return number...number
    case .range(let range): return range
    case .weights(let weights):
      let ranges = weights.filter { $0.weight > 0 }.map(\.range)
      return (ranges.map(\.lowerBound).min() ?? 0)...(ranges.map(\.upperBound).max() ?? 0)
    }
  }

  /// The distribution as recipes have it.
  var yaml: String {
    switch self {
    case .fixed(let number): "\(number)"
    case .range(let range): Self.text(range)
    case .weights: "{weights: \(weightsYAML)}"
    }
  }

  /// The ranges of ``weights(_:)`` as recipes have them.
  var weightsYAML: String {
    guard case .weights(let weights) = self else { return "{}" }
    return "{"
      + weights.map { "\(Self.text($0.range)): \(Self.text($0.weight))" }.joined(separator: ", ")
      + "}"
  }

  private static func text(_ range: ClosedRange<Int>) -> String {
    range.size == 1 ? "\(range.lowerBound)" : "\(range.lowerBound)..\(range.upperBound)"
  }

  static func text(_ number: Double) -> String {
    Int(exactly: number).map { "\($0)" } ?? "\(number)"
  }
}

/// Draws numbers of a distribution.
struct CountSampler: Sendable {
  private let ranges: [ClosedRange<Int>]
  /// Chooses among several ranges.
  private let table: CumulativeTable?

  init(_ rule: CountRule) {
    guard case .weights(let list) = rule else {
      (ranges, table) = ([rule.bounds], nil)
      return
    }
    ranges = list.map(\.range)
    table = CumulativeTable(list.map(\.weight))
  }

  @inline(__always)
  func sample(_ random: inout SeededNumbers) -> Int {
    let range = ranges[table?.sample(&random) ?? 0]
    return range.lowerBound == range.upperBound ? range.lowerBound : random.number(in: range)
  }
}

/// Weights, and a fast way to choose by them.
struct CumulativeTable: Sendable {
  private var sums: [Double] = []
  /// The first entry that a part of all weights may choose, by the part's first eight bits.
  private var guide: [Int] = []
  private static let parts = 256

  init(_ weights: [Double]) {
    let total = weights.reduce(0, +)
    var sum = 0.0
    for weight in weights {
      sum += weight
      sums.append(sum / total)
    }
    var entry = 0
    for part in 0...Self.parts {
      while entry < weights.count - 1, sums[entry] <= Double(part) / Double(Self.parts) {
        entry += 1
      }
      guide.append(entry)
    }
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

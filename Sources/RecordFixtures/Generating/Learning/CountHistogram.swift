/// How often numbers came, in ranges that grow with them: what a recipe says of a source's lengths
/// and sizes.
struct CountHistogram: Sendable {
  private var counts: [Int: Int] = [:]
  private(set) var total = 0

  /// Counts a number, which is not negative.
  mutating func add(_ number: Int, times: Int = 1) {
    guard times > 0 else { return }
    counts[Self.range(of: number).lowerBound, default: 0] += times
    total += times
  }

  /// Returns the range of a number: single numbers to 8, then two ranges for each power of two.
  static func range(of number: Int) -> ClosedRange<Int> {
    guard number > 8 else { return max(0, number)...max(0, number) }
    let power = 1 << (Int.bitWidth - 1 - (number - 1).leadingZeroBitCount)
    let half = power + power / 2
    return number <= half ? power + 1...half : half + 1...(power > 1 << 60 ? .max : 2 * power)
  }

  /// The distribution, with numbers from `least` to `most`; nil if nothing was counted.
  func rule(within bounds: ClosedRange<Int> = 0...Int.max) -> CountRule? {
    var weights: [CountRule.Weight] = []
    for (low, count) in counts.sorted(by: { $0.key < $1.key }) {
      let range = Self.range(of: low).clamped(to: bounds)
      // A tenth of a per cent is enough.
      let weight = max(1, (Double(count) * 1000 / Double(total)).rounded())
      if weights.last?.range == range {
        weights[weights.count - 1].weight += weight
      } else {
        weights.append(CountRule.Weight(range: range, weight: weight))
      }
    }
    guard let first = weights.first else { return nil }
    return weights.count == 1 ? CountRule(first.range) : .weights(weights)
  }
}

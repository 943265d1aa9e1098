import RecordCoding
import RecordPlatform

/// Whole numbers of a distribution, for integers and doubles.
final class IntegerGenerator: FieldGenerator {
  private let sampler: CountSampler
  private let bounds: ClosedRange<Int>
  private let ends: ClosedRange<Int>
  private let isDouble: Bool
  private let hasEdges: Bool
  private let shuffle: Shuffle?

  init(_ rule: CountRule, isDouble: Bool, hasEdges: Bool, unique: Shuffle?) {
    sampler = CountSampler(rule)
    bounds = rule.bounds
    ends = rule.ends
    self.isDouble = isDouble
    self.hasEdges = hasEdges
    shuffle = unique
  }

  override func append(_ context: RecordContext, to buffer: ByteBuffer) -> Bool {
    let number =
      shuffle.map { bounds.lowerBound &+ $0.place(of: context.number) }
      ?? sampler.sample(&context.random)
    append(number, to: buffer)
    return true
  }

  private func append(_ number: Int, to buffer: ByteBuffer) {
    if isDouble {
      _ = CanonicalNumber.append(Double(number), to: buffer)
    } else {
      buffer.appendInteger(Int64(number))
    }
  }

  private static let edges = [0, 1, -1, .max, .min, 1 << 31, -1 << 31 - 1, 1 << 53 + 1]

  override func appendEdge(_ context: RecordContext, to buffer: ByteBuffer) -> Bool {
    guard shuffle == nil else { return false }
    guard hasEdges else {
      append(context.random.next() & 1 == 0 ? ends.lowerBound : ends.upperBound, to: buffer)
      return true
    }
    append(Self.edges[context.random.below(Self.edges.count)], to: buffer)
    return true
  }
}

/// Decimal numbers of a range.
final class DecimalGenerator: FieldGenerator {
  private let units: ClosedRange<Int>
  private let scale: Double
  private let hasEdges: Bool
  private let shuffle: Shuffle?

  init(_ units: ClosedRange<Int>, places: Int, hasEdges: Bool, unique: Shuffle?) {
    self.units = units
    scale = Double(FieldRule.powersOfTen[places])
    self.hasEdges = hasEdges
    shuffle = unique
  }

  override func append(_ context: RecordContext, to buffer: ByteBuffer) -> Bool {
    let number =
      shuffle.map { units.lowerBound &+ $0.place(of: context.number) }
      ?? context.random.number(in: units)
    return CanonicalNumber.append(Double(number) / scale, to: buffer)
  }

  private static let edges: [Double] = [
    0, -0.0, 0.1 + 0.2, Double.leastNonzeroMagnitude, Double.greatestFiniteMagnitude,
    -Double.greatestFiniteMagnitude, 1e21, 1e-7,
    9_007_199_254_740_992, 0.1,
  ]

  override func appendEdge(_ context: RecordContext, to buffer: ByteBuffer) -> Bool {
    guard shuffle == nil else { return false }
    guard hasEdges else {
      let end = context.random.next() & 1 == 0 ? units.lowerBound : units.upperBound
      return CanonicalNumber.append(Double(end) / scale, to: buffer)
    }
    return CanonicalNumber.append(
      Self.edges[context.random.below(Self.edges.count)], to: buffer)
  }
}

/// Numbers that grow: over all records of the type, or over the children of a parent.
final class SequenceGenerator: FieldGenerator {
  private let start: Int
  private let step: Int
  private let isPosition: Bool
  private let isDouble: Bool

  init(from start: Int, step: Int, isPosition: Bool, isDouble: Bool) {
    (self.start, self.step, self.isPosition, self.isDouble) = (start, step, isPosition, isDouble)
  }

  override func append(_ context: RecordContext, to buffer: ByteBuffer) -> Bool {
    let number =
      start &+ (isPosition ? context.spot.position : context.number) &* step
    if isDouble { return CanonicalNumber.append(Double(number), to: buffer) }
    buffer.appendInteger(Int64(number))
    return true
  }
}

/// An order of the numbers below a size in which each occurs once, without a table.
struct Shuffle {
  private let size: UInt64
  private let factor: UInt64
  private let offset: UInt64

  /// - Parameter size: Above 0.
  init(size: UInt64, key: UInt64) {
    self.size = size
    var random = SeededNumbers(seed: key)
    offset = random.next() % size
    // A factor without a common divisor makes the product of each number another one.
    var factor = size / 2 + random.next() % (size / 2 + 1) | 1
    while Self.divisor(factor, size) != 1 { factor &+= 1 }
    self.factor = factor % size == 0 ? 1 : factor % size
  }

  func place(of number: Int) -> Int {
    let product = (UInt64(number) % size).multipliedFullWidth(by: factor)
    let rest = size.dividingFullWidth(product).remainder
    // Both are below the size, which is at most 2^63.
    return Int((rest &+ offset) % size)
  }

  private static func divisor(_ a: UInt64, _ b: UInt64) -> UInt64 {
    var (a, b) = (a, b)
    while b != 0 { (a, b) = (b, a % b) }
    return a
  }
}

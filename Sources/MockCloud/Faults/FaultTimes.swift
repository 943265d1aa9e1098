/// Which of the calls that a fault is meant for it happens to. An integer literal is the number of
/// times.
public struct FaultTimes: Sendable, Hashable, ExpressibleByIntegerLiteral {
  private enum Choice: Hashable {
    case first(Int)
    case nth(Int)
    case all
    case random(probability: Double, seed: UInt64)
  }

  private let choice: Choice

  /// The first calls, this many.
  public init(integerLiteral count: Int) { choice = .first(count) }

  private init(_ choice: Choice) { self.choice = choice }

  /// The first call.
  public static let once: FaultTimes = 1

  /// Every call.
  public static let always = FaultTimes(.all)

  /// The first calls.
  public static func times(_ count: Int) -> FaultTimes { FaultTimes(.first(count)) }

  /// One call only.
  ///
  /// - Parameter number: the number of the call among those that the fault is meant for, from 1.
  public static func nth(_ number: Int) -> FaultTimes { FaultTimes(.nth(number)) }

  /// Each call with a probability; the same calls for the same seed.
  ///
  /// - Parameters:
  ///   - probability: from 0 (never) to 1 (always).
  ///   - seed: the seed of the random numbers.
  public static func probability(_ probability: Double, seed: UInt64) -> FaultTimes {
    FaultTimes(.random(probability: probability, seed: seed))
  }

  /// Whether the fault happens to a call.
  ///
  /// - Parameter number: the number of the call among those that the fault is meant for, from 1.
  func contains(_ number: Int) -> Bool {
    switch choice {
    case .first(let count): number <= count
    case .nth(let only): number == only
    case .all: true
    case .random(let probability, let seed):
      Self.first(seed, number) < probability
    }
  }

  private static func first(_ seed: UInt64, _ call: Int) -> Double {
    var random = FaultRandom(seed: seed, call: call)
    return random.next()
  }
}

/// The random numbers of one call, which depend only on a seed and the call's number (SplitMix64).
struct FaultRandom {
  private var state: UInt64

  init(seed: UInt64, call: Int) {
    state = seed
    state = word() ^ UInt64(truncatingIfNeeded: call)
    state = word()
  }

  private mutating func word() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var word = state
    word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
    return word ^ (word >> 31)
  }

  /// Returns a number from 0 up to 1.
  mutating func next() -> Double { Double(word() >> 11) * 0x1p-53 }

  /// Returns a number from 0 up to `bound`, which is positive.
  mutating func below(_ bound: Int) -> Int { Int(word() % UInt64(bound)) }
}

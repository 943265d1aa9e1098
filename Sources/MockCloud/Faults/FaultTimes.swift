import RecordPlatform

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
    var random = SeededNumbers(seed: seed, call: call)
    return random.fraction()
  }
}

extension SeededNumbers {
  /// The random numbers of one call, which depend only on a seed and the call's number.
  init(seed: UInt64, call: Int) {
    self.init(seed: seed, stream: UInt64(truncatingIfNeeded: call))
  }
}

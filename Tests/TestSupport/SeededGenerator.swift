import Foundation

/// Numbers that are the same in every run and on every machine (SplitMix64).
package struct SeededGenerator: RandomNumberGenerator, Sendable {
  private var state: UInt64

  package init(_ seed: UInt64) { state = seed }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var word = state
    word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
    return word ^ (word >> 31)
  }

  /// Returns a number from 0 up to `bound`.
  package mutating func below(_ bound: Int) -> Int { Int(next() >> 1) % bound }

  /// Returns true once in `part` times.
  package mutating func chance(_ part: Int) -> Bool { below(part) == 0 }

  package mutating func pick<T>(_ list: [T]) -> T { list[below(list.count)] }

  /// Returns the seeds of a test of random sequences: `count` if the environment variable
  /// `RECORDPACK_ALL_TESTS` is set, as in CI, and a quarter of them without it.
  ///
  /// The environment variable `RECORDPACK_MODEL_SEEDS` gives another number.
  package static func seeds(_ count: UInt64) -> Range<UInt64> {
    let environment = ProcessInfo.processInfo.environment
    if let text = environment["RECORDPACK_MODEL_SEEDS"], let number = UInt64(text) {
      return 0..<number
    }
    return 0..<(TestAmount.isFull ? count : (count + 3) / 4)
  }
}

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

  /// Returns the seeds of a test of random sequences: as many as the environment variable
  /// `RECORDPACK_MODEL_SEEDS` says, otherwise `count`.
  package static func seeds(_ count: UInt64) -> Range<UInt64> {
    let text = ProcessInfo.processInfo.environment["RECORDPACK_MODEL_SEEDS"]
    return 0..<(text.flatMap(UInt64.init) ?? count)
  }
}

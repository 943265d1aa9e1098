/// Random numbers that depend only on a seed, the same on every machine (SplitMix64).
///
/// Users keep seeds, so the numbers of a seed must not change.
package struct SeededNumbers: RandomNumberGenerator, Sendable {
  @usableFromInline var state: UInt64

  @inlinable
  package init(seed: UInt64) { state = seed }

  /// The numbers of one of many things with the same seed.
  ///
  /// - Parameter stream: what the numbers are for; those of each are independent.
  package init(seed: UInt64, stream: UInt64) {
    var outer = SeededNumbers(seed: seed)
    var inner = SeededNumbers(seed: outer.next() ^ stream)
    state = inner.next()
  }

  @inlinable
  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var word = state
    word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
    return word ^ (word >> 31)
  }

  /// Returns a number from 0 up to, not including, 1.
  @inlinable
  package mutating func fraction() -> Double { Double(next() >> 11) * 0x1p-53 }

  /// Returns a number from 0 up to, not including, `bound`, which is positive.
  @inlinable
  package mutating func below(_ bound: Int) -> Int {
    // The upper half of the product: a multiple of `bound` parts of equal size.
    Int(truncatingIfNeeded: next().multipliedFullWidth(by: UInt64(bound)).high)
  }
}

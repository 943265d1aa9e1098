/// A small random number generator whose numbers depend on the seed alone.
struct SplitMix64: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  /// A generator for one record: the same whatever was generated before.
  init(seed: UInt64, stream: UInt64, index: Int) {
    state = seed ^ stream &* 0xD6E8_FEB8_6659_FD93 ^ UInt64(index) &* 0xA076_1D64_78BD_642F
    _ = next()
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// A number below `bound`, which must be positive.
  mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }

  /// Whether something happens that happens `percent` times in a hundred.
  mutating func happens(_ percent: Int) -> Bool { below(100) < percent }

  /// A double from 0 up to 1.
  mutating func unit() -> Double { Double(next() >> 11) * 0x1p-53 }
}

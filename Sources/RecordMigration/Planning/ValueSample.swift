/// A sample of the distinct values of a field: those with the smallest hashes.
///
/// Two samples estimate how many values two fields have in common, without storing any values.
struct ValueSample: Sendable {
  /// The number of hashes in a full sample.
  static let size = 256

  private var hashes: Set<UInt64> = []
  /// Larger hashes are ignored.
  private var limit = UInt64.max

  /// Adds a value by its text.
  mutating func add(_ text: String) {
    let hash = Self.hash(text)
    guard hash <= limit else { return }
    hashes.insert(hash)
    guard hashes.count >= 4 * Self.size else { return }
    let kept = hashes.sorted().prefix(Self.size)
    hashes = Set(kept)
    limit = kept.last ?? .max
  }

  /// Returns the number of common values, and the number of comparable values of the field that has
  /// fewer.
  func common(with other: ValueSample) -> (common: Int, of: Int) {
    let (own, others) = (smallest, other.smallest)
    // Above the largest hash of a full sample, a missing hash does not mean a missing value.
    let end = min(
      own.count == Self.size ? own.last ?? .max : .max,
      others.count == Self.size ? others.last ?? .max : .max)
    let (a, b) = (Set(own.filter { $0 <= end }), Set(others.filter { $0 <= end }))
    return (a.intersection(b).count, min(a.count, b.count))
  }

  private var smallest: [UInt64] { Array(hashes.sorted().prefix(Self.size)) }

  /// Returns a hash that is stable across machines and runs, unlike `Hasher`: FNV-1a with a final
  /// mix.
  private static func hash(_ text: String) -> UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
    hash = (hash ^ (hash >> 30)) &* 0xBF58_476D_1CE4_E5B9
    hash = (hash ^ (hash >> 27)) &* 0x94D0_49BB_1331_11EB
    return hash ^ (hash >> 31)
  }
}

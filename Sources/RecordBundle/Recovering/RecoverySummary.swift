/// The summary of a scan of a damaged file.
struct RecoverySummary: Sendable, Hashable {
  /// A part of the file without an intact frame.
  struct Damage: Sendable, Hashable {
    let range: Range<UInt64>
    /// The problem at the beginning of the part.
    let reason: String
  }

  var frameCount = 0
  /// The first ``maxDamage`` damaged parts, in order, none adjacent to another.
  private(set) var damage: [Damage] = []
  private(set) var damageCount = 0
  private(set) var damagedBytes: UInt64 = 0

  /// The maximum number of damaged parts in ``damage``; all are counted.
  static let maxDamage = 1000

  mutating func add(damage range: Range<UInt64>, reason: String) {
    damageCount += 1
    damagedBytes += range.upperBound - range.lowerBound
    if damage.count < Self.maxDamage { damage.append(Damage(range: range, reason: reason)) }
  }
}

/// The summary of a scan of a damaged file.
struct RecoverySummary: Sendable, Hashable {
  /// A part of the file without an intact frame.
  struct Damage: Sendable, Hashable {
    let range: Range<UInt64>
    /// The problem at the beginning of the part.
    let reason: String
  }

  private(set) var frameCount = 0
  private(set) var contentSize: UInt64 = 0
  /// The number of seek tables; more than one means that files were joined.
  var seekTables = 0
  /// The first ``maxListed`` damaged parts, in order, none adjacent to another.
  private(set) var damage: [Damage] = []
  private(set) var damageCount = 0
  private(set) var damagedBytes: UInt64 = 0

  /// The maximum number of damaged parts in ``damage``; all are counted.
  static let maxListed = 1000

  mutating func add(_ content: FrameContent) {
    frameCount += 1
    contentSize += UInt64(content.bytes.count)
  }

  mutating func add(damage range: Range<UInt64>, reason: String) {
    damageCount += 1
    damagedBytes += range.upperBound - range.lowerBound
    if damage.count < Self.maxListed { damage.append(Damage(range: range, reason: reason)) }
  }
}

/// What a walk through a damaged file found.
struct RecoverySummary: Sendable, Hashable {
  /// A part of the file that holds no intact frame.
  struct Damage: Sendable, Hashable {
    /// Bytes from the file's beginning.
    let range: Range<UInt64>
    /// What was wrong at the part's beginning.
    let reason: String
  }

  /// Intact frames.
  private(set) var frameCount = 0
  /// Bytes of their contents.
  private(set) var contentSize: UInt64 = 0
  /// Seek tables. One is right; two or more mean that files were joined.
  var seekTables = 0
  /// The first ``maxListed`` damaged parts, in order, none touching another.
  private(set) var damage: [Damage] = []
  /// How many damaged parts there are.
  private(set) var damageCount = 0
  /// Bytes of all damaged parts.
  private(set) var damagedBytes: UInt64 = 0

  /// No more damaged parts than this are listed; all are counted.
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

/// What was saved out of a damaged bundle.
public struct RecoveryReport: Sendable, Hashable {
  /// A part of the file that holds no intact frame.
  public struct Damage: Sendable, Hashable {
    /// Where it begins, in bytes from the file's beginning.
    public var start: UInt64
    /// Where it ends.
    public var end: UInt64
    /// What is wrong there.
    public var reason: String
  }

  /// Frames that are intact.
  public internal(set) var frames = 0
  /// Parts of the file that are not, at most 1,000.
  public internal(set) var damage: [Damage] = []
  /// The number of damaged parts.
  public internal(set) var damageCount = 0
  /// Bytes of the damaged parts.
  public internal(set) var damagedBytes: UInt64 = 0
  /// Whether the header was found; without it the container's description is lost.
  public internal(set) var hasHeader = false
  /// Whether the index was found; without it frames may be missing that nothing tells of.
  public internal(set) var hasIndex = false
  /// Lines saved, by their kind.
  public internal(set) var saved: [LineKind: Int] = [:]
  /// Zones that had to be made up, because their lines were lost and records lie in them.
  public internal(set) var restoredZones = 0
  /// Assets that are left out because pieces of them are lost.
  public internal(set) var incompleteAssets: [String] = []
  /// Lines in intact frames that are left out, with the reason; at most 100.
  public internal(set) var leftOut: [String] = []
  /// The number of such lines.
  public internal(set) var leftOutCount = 0
  /// What was written.
  public internal(set) var summary: BundleSummary?

  /// Whether nothing was lost.
  public var isComplete: Bool {
    damageCount == 0 && hasHeader && hasIndex && restoredZones == 0 && incompleteAssets.isEmpty
      && leftOutCount == 0
  }

  mutating func leaveOut(_ reason: String) {
    leftOutCount += 1
    if leftOut.count < 100 { leftOut.append(reason) }
  }
}

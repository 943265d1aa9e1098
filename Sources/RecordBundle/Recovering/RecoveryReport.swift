/// What was saved out of a damaged bundle, and what was lost.
public struct RecoveryReport: Sendable, Hashable {
  /// A part of a file that holds no intact frame.
  public struct Damage: Sendable, Hashable {
    /// The file.
    public var source: String
    /// Where the part begins, in bytes from the file's beginning.
    public var start: UInt64
    /// Where it ends.
    public var end: UInt64
    /// What is wrong there.
    public var reason: String
  }

  /// A frame that the index lists and that is not there.
  public struct LostFrame: Sendable, Hashable {
    /// The file.
    public var source: String
    /// The number of the frame, from 0.
    public var frame: Int
    /// The number of its lines.
    public var lines: Int
    /// What the lines were, as far as the index tells.
    public var content: String
  }

  /// The files that were read, in order.
  public internal(set) var sources: [String] = []
  /// Frames that are intact.
  public internal(set) var frames = 0
  /// Parts of the files that are not, at most 1,000 of each file.
  public internal(set) var damage: [Damage] = []
  /// The number of damaged parts.
  public internal(set) var damageCount = 0
  /// Bytes of the damaged parts.
  public internal(set) var damagedBytes: UInt64 = 0
  /// Lines saved, by their kind.
  public internal(set) var saved: [LineKind: Int] = [:]

  /// Frames that are lost, at most 1,000.
  public internal(set) var lostFrames: [LostFrame] = []
  /// The number of lines in all frames that are known to be lost.
  public internal(set) var lostLines = 0
  /// What is lost besides, each in a sentence: files of the bundle, assets, the header.
  public internal(set) var losses: [String] = []
  /// What cannot be known, because what would tell is lost itself, each in a sentence.
  public internal(set) var unknowns: [String] = []
  /// Zones that had to be made up, because their lines were lost and records lie in them.
  public internal(set) var restoredZones = 0
  /// Assets that records refer to and of which bytes are lost, by their SHA-256.
  public internal(set) var missingAssets: [String] = []
  /// What is in intact frames and was left out, a line or a frame, with the reason; at most 100.
  public internal(set) var leftOut: [String] = []
  /// The number of lines that were left out.
  public internal(set) var leftOutCount = 0
  /// What is worth knowing and no loss, each in a sentence: files that lie beside those of the bundle
  /// and are of another one, files that another program compressed again.
  public internal(set) var notes: [String] = []
  /// Lines that nothing proves, of damaged frames and of frames that the index does not list, which
  /// were written apart.
  public internal(set) var unverifiedLines = 0
  /// What was written.
  public internal(set) var summary: BundleSummary?

  /// Whether it is known that nothing was lost.
  public var isComplete: Bool {
    lostLines == 0 && losses.isEmpty && unknowns.isEmpty && restoredZones == 0
      && missingAssets.isEmpty && leftOutCount == 0
  }

  mutating func leaveOut(_ reason: String, lines: Int = 1) {
    leftOutCount += lines
    if leftOut.count < 100 { leftOut.append(reason) }
  }

  mutating func lose(_ frame: LostFrame) {
    lostLines += frame.lines
    if lostFrames.count < 1000 { lostFrames.append(frame) }
  }
}

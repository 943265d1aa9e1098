/// The result of recovering a damaged bundle: what was saved and what was lost.
public struct RecoveryReport: Sendable, Hashable {
  /// A part of a file without an intact frame.
  package struct Damage: Sendable, Hashable {
    /// The name of the file.
    package var source: String
    /// The offset of the part in the file, in bytes.
    package var start: UInt64
    /// The offset of its end.
    package var end: UInt64
    /// The problem at the beginning of the part.
    package var reason: String
  }

  /// A frame that the index lists but that was not found.
  package struct LostFrame: Sendable, Hashable {
    /// The name of the file.
    package var source: String
    /// The number of the frame, from 0.
    package var frame: Int
    /// The number of lines in the frame.
    package var lines: Int
    /// A description of the lines, as far as the index tells.
    package var content: String
  }

  /// The names of the files that were read, in order.
  package internal(set) var sources: [String] = []
  /// The number of intact frames.
  package internal(set) var frames = 0
  /// The damaged parts of the files, at most 1,000 per file.
  package internal(set) var damage: [Damage] = []
  /// The number of damaged parts.
  package internal(set) var damageCount = 0
  /// The size of the damaged parts in bytes.
  package internal(set) var damagedBytes: UInt64 = 0
  /// The number of saved lines of each kind.
  public internal(set) var saved: [LineKind: Int] = [:]

  /// The lost frames, at most 1,000.
  package internal(set) var lostFrames: [LostFrame] = []
  /// The number of lines that are known to be lost.
  public internal(set) var lostLines = 0
  /// Other losses, such as files of the bundle or the header; each is a sentence.
  public internal(set) var losses: [String] = []
  /// The unresolved questions, because the information itself is lost; each is a sentence.
  public internal(set) var unknowns: [String] = []
  /// The number of zones that were created for records whose zone line was lost.
  package internal(set) var restoredZones = 0
  /// The SHA-256 of the assets that records refer to and that are incomplete.
  public internal(set) var missingAssets: [String] = []
  /// The reasons for lines and frames that are intact but were left out; at most 100.
  package internal(set) var leftOut: [String] = []
  /// The number of lines that were left out.
  package internal(set) var leftOutCount = 0
  /// Remarks that are not losses, such as files of another bundle in the same directory, or files
  /// that another program compressed again; each is a sentence.
  public internal(set) var notes: [String] = []
  /// The number of unverified lines, of damaged frames and of frames that the index does not list,
  /// that were written to a separate file.
  package internal(set) var unverifiedLines = 0
  /// The summary of the new bundle.
  public internal(set) var summary: BundleSummary?

  /// Whether it is known that nothing was lost.
  public var isComplete: Bool {
    lostLines == 0 && losses.isEmpty && unknowns.isEmpty && restoredZones == 0
      && missingAssets.isEmpty && leftOutCount == 0
  }

  mutating func addDamage(_ range: Range<UInt64>, of source: String, _ reason: String) {
    damageCount += 1
    damagedBytes += range.upperBound - range.lowerBound
    guard damage.count < 1000 else { return }
    damage.append(
      Damage(source: source, start: range.lowerBound, end: range.upperBound, reason: reason))
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

import RecordModel
import RecordPlatform

/// The identity of a zone across databases.
struct ZoneKey: Hashable {
  let database: DatabaseScope
  let zoneID: ZoneID
}

/// Checks that every file of a split bundle repeats the zone lines of the first.
struct ZoneLineCheck {
  private var lines: [SHA256Digest] = []
  /// Whether the lines are those of the first file.
  private(set) var isInFirstFile = true
  private var count = 0
  private var hasProblem = false

  /// Adds a zone line.
  ///
  /// - Returns: the difference from the first file, once per file; nil otherwise.
  mutating func add(_ line: SHA256Digest) -> String? {
    defer { count += 1 }
    if isInFirstFile {
      lines.append(line)
      return nil
    }
    guard !hasProblem, count >= lines.count || lines[count] != line else { return nil }
    hasProblem = true
    return count < lines.count
      ? "zone line \(count + 1) differs from that of the first file"
      : "the file has more zone lines than the first file"
  }

  /// Ends the current file.
  ///
  /// - Returns: the problem, if the file has too few zone lines; nil otherwise.
  mutating func endFile() -> String? {
    defer {
      isInFirstFile = false
      count = 0
      hasProblem = false
    }
    guard !hasProblem, count < lines.count else { return nil }
    return "the file has \(count) zone lines, and the first file has \(lines.count)"
  }
}

import RecordBundle
import RecordCoding
import RecordModel

/// Something in which two bundles or containers differ.
public enum ArchiveChange: Sendable, Hashable {
  /// What is known of the container differs; the names of what does.
  case info([String])
  /// A zone is only in the second, only in the first, or described otherwise.
  case zone(Kind, ZoneID, DatabaseScope)
  /// A subscription is only in the second, only in the first, or watches something else.
  case subscription(Kind, String, DatabaseScope)
  /// A record is only in the second.
  case recordAdded(ResultRecord, DatabaseScope)
  /// A record is only in the first.
  case recordRemoved(ResultRecord, DatabaseScope)
  /// A record is in both, and differs.
  case recordChanged(RecordDifference, recordType: String, DatabaseScope)
  /// The trace of a deleted record is only in the second, only in the first, or other.
  case tombstone(Kind, RecordID, DatabaseScope)
  /// The trace of a deleted zone is only in the second or only in the first.
  case zoneTombstone(Kind, ZoneID, DatabaseScope)
  /// An asset's bytes are only in the second or only in the first.
  case asset(Kind, sha256: String, size: Int)

  /// How something differs.
  public enum Kind: String, Sendable, Hashable {
    case added, removed, changed
  }
}

/// How much two bundles or containers differ.
public struct ArchiveDifference: Sendable, Hashable {
  /// Records that are only in the second.
  public var added = 0
  /// Records that are only in the first.
  public var removed = 0
  /// Records that are in both and differ.
  public var changed = 0
  /// Records that are in both and the same.
  public var unchanged = 0
  /// Differences in all that is no record.
  public var others = 0

  /// Whether nothing differs.
  public var isEmpty: Bool { added + removed + changed + others == 0 }
}

/// Compares two bundles or containers, whichever each of them is.
public struct ArchiveComparison: Sendable {
  let first: ArchiveSource
  let second: ArchiveSource
  /// Which part is compared.
  public var filter = RecordFilter.all
  /// System fields that are not compared, by their names in `SystemFields`.
  public var ignoredSystemFields: Set<String> = []
  /// Whether only records are compared.
  public var recordsOnly = false
  /// Called now and then with the records of both sides that were looked at; what it throws calls
  /// the comparison off.
  public var progress: (@Sendable (ArchiveProgress) throws -> Void)?

  /// Prepares a comparison.
  public init(_ first: ArchiveSource, _ second: ArchiveSource) {
    self.first = first
    self.second = second
  }

  /// Compares, in the order of a bundle and in bounded memory.
  ///
  /// - Parameter body: gets each difference.
  /// - Returns: how many there are.
  public func run(_ body: (ArchiveChange) throws -> Void) throws -> ArchiveDifference {
    var difference = ArchiveDifference()
    if !recordsOnly {
      try first.read { left in
        try second.read { right in
          try compareOthers(left, right) {
            difference.others += 1
            try body($0)
          }
        }
      }
    }
    try compareRecords(&difference, body)
    return difference
  }

  private func compareRecords(
    _ difference: inout ArchiveDifference, _ body: (ArchiveChange) throws -> Void
  ) throws {
    let left = try RecordStream(first, filter)
    defer { left.stop() }
    let right = try RecordStream(second, filter)
    defer { right.stop() }
    var done = ArchiveProgress(records: 0, bytes: 0)
    if progress != nil {
      let sections = try first.sections(filter) + second.sections(filter)
      done.totalRecords = sections.reduce(0) { $0 + $1.records }
    }
    let reader = RecordJSONReader()
    while left.current != nil || right.current != nil {
      let (a, b) = (left.current, right.current)
      let order = Self.order(a, b)
      if order < 0, let a {
        difference.removed += 1
        try body(.recordRemoved(reader.read(a.dictionary), a.section.database))
      } else if order > 0, let b {
        difference.added += 1
        try body(.recordAdded(reader.read(b.dictionary), b.section.database))
      } else if let a, let b, let change = try change(from: a, to: b, reader) {
        difference.changed += 1
        let section = b.section
        try body(.recordChanged(change, recordType: section.recordType, section.database))
      } else {
        difference.unchanged += 1
      }
      if order <= 0 { try left.advance() }
      if order >= 0 { try right.advance() }
      done.records += order == 0 ? 2 : 1
      if done.records & 1023 < 2 { try progress?(done) }
    }
  }

  /// In what two records differ; those of the same bytes are not decoded.
  private func change(
    from before: RecordStream.Element, to after: RecordStream.Element, _ reader: RecordJSONReader
  ) throws -> RecordDifference? {
    if compareBytes(before.dictionary, after.dictionary) == 0 { return nil }
    let (before, after) = (try reader.read(before.dictionary), try reader.read(after.dictionary))
    guard before != after else { return nil }
    var change = RecordDifference(from: before, to: after)
    change.system.removeAll { ignoredSystemFields.contains($0.name) }
    return change.isEmpty ? nil : change
  }

  /// Which of two records comes first in a bundle: negative for the left one.
  private static func order(_ a: RecordStream.Element?, _ b: RecordStream.Element?) -> Int {
    guard let a else { return 1 }
    guard let b else { return -1 }
    if a.section != b.section { return a.section.precedes(b.section) ? -1 : 1 }
    return compareBytes(a.name, b.name)
  }
}

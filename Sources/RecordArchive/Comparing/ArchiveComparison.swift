import RecordBundle
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
    let left = RecordStream(first, filter)
    let right = RecordStream(second, filter)
    defer {
      left.stop()
      right.stop()
    }
    var done = ArchiveProgress(records: 0, bytes: 0)
    if progress != nil {
      let sections = try first.sections(filter) + second.sections(filter)
      done.totalRecords = sections.reduce(0) { $0 + $1.records }
    }
    var (a, b) = (try left.next(), try right.next())
    while a != nil || b != nil {
      let order = Self.order(a, b)
      if order < 0, let (database, record) = a {
        difference.removed += 1
        try body(.recordRemoved(record, database))
      } else if order > 0, let (database, record) = b {
        difference.added += 1
        try body(.recordAdded(record, database))
      } else if let (database, before) = a, let after = b?.record {
        if let change = change(from: before, to: after) {
          difference.changed += 1
          try body(.recordChanged(change, recordType: after.recordType, database))
        } else {
          difference.unchanged += 1
        }
      }
      if order <= 0 { a = try left.next() }
      if order >= 0 { b = try right.next() }
      done.records += order == 0 ? 2 : 1
      if done.records & 1023 < 2 { try progress?(done) }
    }
  }

  private func change(from before: ResultRecord, to after: ResultRecord) -> RecordDifference? {
    guard before != after else { return nil }
    var change = RecordDifference(from: before, to: after)
    change.system.removeAll { ignoredSystemFields.contains($0.name) }
    return change.isEmpty ? nil : change
  }

  /// Which of two records comes first in a bundle: negative for the left one.
  private static func order(_ a: RecordStream.Element?, _ b: RecordStream.Element?) -> Int {
    guard let a else { return 1 }
    guard let b else { return -1 }
    if a.database != b.database { return a.database < b.database ? -1 : 1 }
    let (left, right) = (a.record.recordID, b.record.recordID)
    if left.zoneID != right.zoneID { return left.zoneID < right.zoneID ? -1 : 1 }
    let types = compareUTF8(a.record.recordType, b.record.recordType)
    return types != 0 ? types : compareUTF8(left.recordName, right.recordName)
  }
}

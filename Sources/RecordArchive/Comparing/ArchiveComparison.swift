import RecordBundle
import RecordCoding
import RecordModel

/// A difference between two bundles or containers.
public enum ArchiveChange: Sendable, Hashable {
  /// The container's info differs, in these members.
  case info([MemberChange])
  /// A zone was added, removed or changed, then in these members.
  case zone(Kind, ZoneID, DatabaseScope, [MemberChange])
  /// A subscription was added, removed or changed, then in these members.
  case subscription(Kind, String, DatabaseScope, [MemberChange])
  /// A record exists only in the second.
  case recordAdded(ResultRecord, DatabaseScope)
  /// A record exists only in the first.
  case recordRemoved(ResultRecord, DatabaseScope)
  /// A record differs.
  case recordChanged(RecordDifference, recordType: String, DatabaseScope)
  /// The tombstone of a record was added, removed or changed, then in these members.
  case tombstone(Kind, RecordID, DatabaseScope, [MemberChange])
  /// The tombstone of a zone was added, removed or changed, then in these members.
  case zoneTombstone(Kind, ZoneID, DatabaseScope, [MemberChange])
  /// The bytes of an asset were added or removed.
  case asset(Kind, sha256: String, size: Int)

  /// The kind of a difference: `added` exists only in the second, `removed` only in the first.
  public enum Kind: String, Sendable, Hashable {
    case added, removed, changed
  }
}

/// A member of a JSON object that differs.
public struct MemberChange: Sendable, Hashable {
  /// The name of the member, as in a bundle's lines.
  public var name: String
  /// The old value; nil if there was none.
  public var before: RawJSON?
  /// The new value; nil if there is none.
  public var after: RawJSON?
}

/// The number of differences between two bundles or containers.
public struct ArchiveDifference: Sendable, Hashable {
  /// The number of records that exist only in the second.
  public var added = 0
  /// The number of records that exist only in the first.
  public var removed = 0
  /// The number of records that differ.
  public var changed = 0
  /// The number of equal records.
  public var unchanged = 0
  /// The number of differences in everything except records.
  public var others = 0

  /// Whether there are no differences.
  public var isEmpty: Bool { added + removed + changed + others == 0 }
}

/// A comparison of two bundles or containers, in any combination.
///
/// ```swift
/// let comparison = try ArchiveComparison(.open(["a.recordpack"]), .open(["b.sqlite"]))
/// let difference = try comparison.run { change in print(change) }
/// print(difference.isEmpty)
/// ```
public struct ArchiveComparison: Sendable {
  private(set) var first: ArchiveSource
  private(set) var second: ArchiveSource
  /// The part that is compared.
  public var filter = RecordFilter.all
  /// The system fields to ignore, by their names in `SystemFields`.
  public var ignoredSystemFields: Set<RecordDifference.SystemField> = []
  /// The names of the fields to ignore.
  public var ignoredFields: Set<String> = []
  /// Whether only records are compared.
  public var recordsOnly = false
  /// Called periodically with the number of compared records on both sides. If it throws, the
  /// comparison ends with that error.
  public var progress: (@Sendable (ArchiveProgress) throws -> Void)?

  /// Creates a comparison.
  public init(_ first: ArchiveSource, _ second: ArchiveSource) {
    self.first = first
    self.second = second
  }

  /// Containers in memory are copied first. Each has one connection, and two threads that had one
  /// of each would wait for the other's.
  private init(settled comparison: Self) throws {
    self = comparison
    first = try comparison.first.settled()
    second = try comparison.second.settled()
  }

  /// Compares in the order of a bundle, in bounded memory.
  ///
  /// - Parameter body: Called with each difference.
  /// - Returns: The number of differences of each kind.
  public func run(_ body: (ArchiveChange) throws -> Void) throws -> ArchiveDifference {
    var difference = ArchiveDifference()
    try ArchiveComparison(settled: self).run(&difference, body)
    return difference
  }

  private func run(
    _ difference: inout ArchiveDifference, _ body: (ArchiveChange) throws -> Void
  ) throws {
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

  /// The difference of two records. Records with equal bytes are not decoded.
  private func change(
    from before: RecordStream.Element, to after: RecordStream.Element, _ reader: RecordJSONReader
  ) throws -> RecordDifference? {
    if compareBytes(before.dictionary, after.dictionary) == 0 { return nil }
    let (before, after) = (try reader.read(before.dictionary), try reader.read(after.dictionary))
    guard before != after else { return nil }
    var change = RecordDifference(from: before, to: after)
    change.ignore(ignoredSystemFields, fields: ignoredFields)
    return change.isEmpty ? nil : change
  }

  /// Compares the positions of two records in a bundle: negative if the left one comes first.
  private static func order(_ a: RecordStream.Element?, _ b: RecordStream.Element?) -> Int {
    guard let a else { return 1 }
    guard let b else { return -1 }
    if a.section != b.section { return a.section.precedes(b.section) ? -1 : 1 }
    return compareBytes(a.name, b.name)
  }
}

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

  /// Compares everything except records.
  func compareOthers(
    _ left: ArchiveReader, _ right: ArchiveReader, _ body: (ArchiveChange) throws -> Void
  ) throws {
    if filter == .all { try compareInfo(body) }
    try compare(
      zones(left), zones(right), precedes: { $0.zoneID < $1.zoneID }
    ) { try body(.zone($0.kind, $0.value.zoneID, $0.database, $0.members())) }
    try compare(
      left.subscriptions(filter).map { ($0.database, $0.subscription) },
      right.subscriptions(filter).map { ($0.database, $0.subscription) },
      precedes: { compareUTF8($0.subscriptionID, $1.subscriptionID) < 0 }
    ) { try body(.subscription($0.kind, $0.value.subscriptionID, $0.database, $0.members())) }
    try compare(
      tombstones(left), tombstones(right), precedes: { $0.recordID < $1.recordID }
    ) { try body(.tombstone($0.kind, $0.value.recordID, $0.database, $0.members())) }
    try compare(
      left.zoneTombstones(filter).map { ($0.database, $0.tombstone) },
      right.zoneTombstones(filter).map { ($0.database, $0.tombstone) },
      precedes: { $0.zoneID < $1.zoneID }
    ) { try body(.zoneTombstone($0.kind, $0.value.zoneID, $0.database, $0.members())) }
    try compare(
      assets(left), assets(right),
      precedes: { compareUTF8($0.sha256, $1.sha256) < 0 }
    ) { try body(.asset($0.kind, sha256: $0.value.sha256, size: $0.value.size)) }
  }

  private func compareInfo(_ body: (ArchiveChange) throws -> Void) throws {
    let (a, b) = (try first.info(), try second.info())
    var changes: [MemberChange] = []
    func add(_ name: String, _ a: RawJSON?, _ b: RawJSON?) {
      if a != b { changes.append(MemberChange(name: name, before: a, after: b)) }
    }
    func add(_ name: String, _ a: String?, _ b: String?) {
      add(name, a.map { JSONValue.string($0).raw }, b.map { JSONValue.string($0).raw })
    }
    add("container", a.identifier, b.identifier)
    add("environment", a.environment?.rawValue, b.environment?.rawValue)
    add("schema", a.schema, b.schema)
    add("schemaVersion", a.schemaVersion, b.schemaVersion)
    add("currentUser", a.currentUserRecordName, b.currentUserRecordName)
    try add("accounts", a.accounts.json()?.raw, b.accounts.json()?.raw)
    let others = Set((a.otherMembers + b.otherMembers).map { ExactString($0.name) }).sorted()
    for name in others.map(\.string) { add(name, a.otherMembers[name], b.otherMembers[name]) }
    if !changes.isEmpty { try body(.info(changes)) }
  }

  private func zones(_ reader: ArchiveReader) throws -> [(DatabaseScope, RecordZone)] {
    try reader.zones().filter { filter.contains(database: $0.database, zoneID: $0.zone.zoneID) }
      .map { ($0.database, $0.zone) }
  }

  private func tombstones(_ reader: ArchiveReader) throws -> [(DatabaseScope, DeletedRecord)] {
    var found: [(DatabaseScope, DeletedRecord)] = []
    try reader.forEachTombstone(filter) { tombstone, database in
      // Part of the history, which is not compared.
      var tombstone = tombstone
      tombstone.recordChangeTag = nil
      if ignoredSystemFields.contains(.modified) { tombstone.deletionDate = nil }
      found.append((database, tombstone))
    }
    return found
  }

  /// The assets with stored bytes that the compared records refer to.
  private func assets(
    _ reader: ArchiveReader
  ) throws -> [(DatabaseScope, ArchiveSource.StoredAsset)] {
    var stored = try reader.storedAssets()
    if filter != .all, !stored.isEmpty {
      var used: Set<String> = []
      try reader.forEachRecord(filter) { record, _ in used.formUnion(record.assetDigests) }
      stored.removeAll { !used.contains($0.sha256) }
    }
    return stored.map { (.public, $0) }
  }

  /// Merges two lists in the same order.
  private func compare<T: Equatable>(
    _ left: [(DatabaseScope, T)], _ right: [(DatabaseScope, T)],
    precedes: (T, T) -> Bool, _ body: (ListChange<T>) throws -> Void
  ) throws {
    func isBefore(_ a: (DatabaseScope, T), _ b: (DatabaseScope, T)) -> Bool {
      a.0 != b.0 ? a.0 < b.0 : precedes(a.1, b.1)
    }
    var (i, j) = (0, 0)
    while i < left.count || j < right.count {
      if j == right.count || i < left.count && isBefore(left[i], right[j]) {
        try body(ListChange(kind: .removed, database: left[i].0, value: left[i].1))
        i += 1
      } else if i == left.count || isBefore(right[j], left[i]) {
        try body(ListChange(kind: .added, database: right[j].0, value: right[j].1))
        j += 1
      } else {
        if left[i].1 != right[j].1 {
          try body(
            ListChange(
              kind: .changed, database: right[j].0, value: right[j].1, old: left[i].1))
        }
        i += 1
        j += 1
      }
    }
  }
}

/// A difference between two lists of zones, subscriptions, tombstones or assets.
struct ListChange<Value> {
  let kind: ArchiveChange.Kind
  let database: DatabaseScope
  let value: Value
  /// The old value, if it was changed.
  var old: Value?
}

extension ListChange where Value: JSONConvertible {
  /// The members of the JSON that differ, if the value was changed.
  func members() throws -> [MemberChange] {
    guard let old = try old?.jsonValue().members, let new = try value.jsonValue().members else {
      return []
    }
    let names = Set((old + new).map { ExactString($0.name) }).sorted().map(\.string)
    func text(_ members: [JSONValue.Member], _ name: String) -> RawJSON? {
      members.first { $0.name.sameScalars(as: name) }?.value.raw
    }
    return names.compactMap { name in
      let change = MemberChange(name: name, before: text(old, name), after: text(new, name))
      return change.before == change.after ? nil : change
    }
  }
}

import RecordBundle
import RecordCoding
import RecordModel

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
  /// The conditions of the records of the two sources: only records that meet one of them, on either
  /// side, are compared, and nothing else. Nil for none.
  package var conditions: (first: ArchiveCondition, second: ArchiveCondition)?
  /// Called periodically with the number of compared records on both sides. If it throws, the
  /// comparison ends with that error.
  public var progress: (@Sendable (ArchiveProgress) throws -> Void)?

  /// Creates a comparison.
  public init(_ first: ArchiveSource, _ second: ArchiveSource) {
    self.first = first
    self.second = second
  }

  /// Compares in the order of a bundle, in bounded memory: items except assets, records, assets.
  ///
  /// - Parameter body: Called with each difference.
  /// - Returns: The number of differences of each kind.
  public func run(_ body: (ArchiveChange) throws -> Void) throws -> ArchiveDifference {
    var comparison = self
    // Containers in memory have one connection, and two threads that had one of each would wait
    // for the other's.
    comparison.first = try first.copiedIfInMemory()
    comparison.second = try second.copiedIfInMemory()
    var difference = ArchiveDifference()
    try comparison.run(&difference, body)
    return difference
  }

  private func run(
    _ difference: inout ArchiveDifference, _ body: (ArchiveChange) throws -> Void
  ) throws {
    func report(_ changes: [ArchiveChange]) throws {
      difference.others += changes.count
      try changes.forEach(body)
    }
    if recordsOnly || conditions != nil {
      return try _ = compareRecords(&difference, collectsAssets: false, body)
    }
    let (before, after) = (try items(first), try items(second))
    try report(changes(before.items, after.items))
    try compareTombstones { try report([$0]) }
    try report(changes(before.deletedZones, after.deletedZones))
    let (left, right) = (try assets(first), try assets(second))
    let used = try compareRecords(
      &difference, collectsAssets: filter != .all && !(left.isEmpty && right.isEmpty), body)
    try report(
      changes(
        intact(left.filter { used?.first.contains($0.item.name) != false }, in: first),
        intact(right.filter { used?.second.contains($0.item.name) != false }, in: second)))
  }

  // MARK: Items

  private typealias Entry = (item: ArchiveChange.Item, json: RawJSON)

  /// The items of a source that are compared, except its assets and deleted records.
  private func items(
    _ source: ArchiveSource
  ) throws -> (items: [Entry], deletedZones: [Entry]) {
    try source.read { reader in
      try reader.checkMetadata()
      var entries: [Entry] = []
      func entry(
        _ kind: ArchiveChange.Item.Kind, _ database: DatabaseScope, _ zoneID: ZoneID?,
        _ value: some JSONConvertible, name: String = ""
      ) throws -> Entry {
        let item = ArchiveChange.Item(kind: kind, database: database, zoneID: zoneID, name: name)
        return (item, try value.jsonValue().raw)
      }
      if filter == .all {
        entries.append((.init(kind: .container), try reader.info().comparedJSON.raw))
      }
      for (database, zone) in try reader.zones(filter) {
        entries.append(try entry(.zone, database, zone.zoneID, zone))
      }
      for (database, subscription) in try reader.subscriptions(filter) {
        entries.append(
          try entry(
            .subscription, database, nil, subscription, name: subscription.subscriptionID))
      }
      let deletedZones = try reader.zoneTombstones(filter).map { database, tombstone in
        try entry(.zoneTombstone, database, tombstone.zoneID, tombstone)
      }
      return (entries, deletedZones)
    }
  }

  /// Compares the deleted records of both sources, which are read in the same order.
  private func compareTombstones(_ body: (ArchiveChange) throws -> Void) throws {
    let (left, right) = (try tombstones(of: first), try tombstones(of: second))
    defer {
      left.stop()
      right.stop()
    }
    while left.current != nil || right.current != nil {
      let (a, b) = (try left.current.map(entry), try right.current.map(entry))
      let isFirst = if let a, let b { a.item.precedes(b.item) } else { b == nil }
      let isSecond = if let a, let b { b.item.precedes(a.item) } else { a == nil }
      for change in try changes(
        [isSecond ? nil : a].compactMap(\.self), [isFirst ? nil : b].compactMap(\.self))
      { try body(change) }
      if !isSecond { try left.advance() }
      if !isFirst { try right.advance() }
    }
  }

  private typealias Tombstone = (tombstone: DeletedRecord, database: DatabaseScope)

  private func tombstones(of source: ArchiveSource) throws -> LineStream<Tombstone> {
    try LineStream(source, LineSelection([.tombstone], filter)) { batch, position in
      guard position < batch.items.count,
        case .tombstone(let tombstone, let database) = batch.items[position].item
      else { return nil }
      return (tombstone, database)
    }
  }

  private func entry(of deleted: Tombstone) throws -> Entry {
    // Part of the history, which is not compared.
    var tombstone = deleted.tombstone
    tombstone.recordChangeTag = nil
    if ignoredSystemFields.contains(.modified) { tombstone.deletionDate = nil }
    let recordID = tombstone.recordID
    let item = ArchiveChange.Item(
      kind: .tombstone, database: deleted.database, zoneID: recordID.zoneID,
      name: recordID.recordName)
    return (item, try tombstone.jsonValue().raw)
  }

  /// The assets with stored bytes.
  private func assets(_ source: ArchiveSource) throws -> [Entry] {
    try source.assets().map { asset in
      let item = ArchiveChange.Item(kind: .asset, name: asset.sha256, size: asset.size)
      return (item, JSONValue.object([.init("size", .integer(asset.size))]).raw)
    }
  }

  /// The assets whose bytes have their SHA-256. The bytes of a bundle were read before, with the checksums
  /// of its frames.
  private func intact(_ assets: [Entry], in source: ArchiveSource) throws -> [Entry] {
    if assets.isEmpty { return [] }
    return try source.read { reader in
      guard case .snapshot(let snapshot, _) = reader.content else { return assets }
      return try assets.filter { try snapshot.isIntact(asset: $0.item.name) }
    }
  }

  /// Merges two lists in the same order.
  private func changes(_ left: [Entry], _ right: [Entry]) throws -> [ArchiveChange] {
    var changes: [ArchiveChange] = []
    var (i, j) = (0, 0)
    while i < left.count || j < right.count {
      if j == right.count || i < left.count && left[i].item.precedes(right[j].item) {
        changes.append(.item(.removed, left[i].item, []))
        i += 1
      } else if i == left.count || right[j].item.precedes(left[i].item) {
        changes.append(.item(.added, right[j].item, []))
        j += 1
      } else {
        if left[i].json != right[j].json {
          let members = try MemberChange.all(from: left[i].json, to: right[j].json)
          changes.append(.item(.changed, right[j].item, members))
        }
        i += 1
        j += 1
      }
    }
    return changes
  }

  // MARK: Records

  /// - Returns: The digests of the assets of the records on both sides, if they are collected.
  private func compareRecords(
    _ difference: inout ArchiveDifference, collectsAssets: Bool,
    _ body: (ArchiveChange) throws -> Void
  ) throws -> (first: Set<String>, second: Set<String>)? {
    var done = ArchiveProgress(records: 0, bytes: 0)
    if progress != nil {
      // Before the streams: a container can have one connection, which its stream keeps.
      let sections = try first.sections(filter) + second.sections(filter)
      done.totalRecords = sections.reduce(0) { $0 + $1.records }
    }
    let left = try RecordElement.stream(first, filter)
    defer { left.stop() }
    let right = try RecordElement.stream(second, filter)
    defer { right.stop() }
    var used: (first: Set<String>, second: Set<String>) = ([], [])
    let reader = RecordJSONReader()
    while left.current != nil || right.current != nil {
      let (a, b) = (left.current, right.current)
      let order = Self.order(a, b)
      if try !isCompared(order <= 0 ? a : nil, order >= 0 ? b : nil, reader) {
        // Neither side meets the condition.
      } else if order < 0, let a {
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
      if collectsAssets {
        if order <= 0, let a {
          AssetReferences.forEach(in: a.dictionary) { used.first.insert($0.description) }
        }
        if order >= 0, let b {
          AssetReferences.forEach(in: b.dictionary) { used.second.insert($0.description) }
        }
      }
      if order <= 0 { try left.advance() }
      if order >= 0 { try right.advance() }
      done.records += order == 0 ? 2 : 1
      if done.records & 1023 < 2 { try progress?(done) }
    }
    return collectsAssets ? used : nil
  }

  private func isCompared(
    _ before: RecordElement?, _ after: RecordElement?, _ reader: RecordJSONReader
  ) throws -> Bool {
    guard let conditions else { return true }
    if let before,
      try conditions.first(reader.read(before.dictionary), before.section.database)
    {
      return true
    }
    guard let after else { return false }
    return try conditions.second(reader.read(after.dictionary), after.section.database)
  }

  /// The difference of two records. Records with equal bytes are not decoded.
  private func change(
    from before: RecordElement, to after: RecordElement, _ reader: RecordJSONReader
  ) throws -> RecordDifference? {
    if compareBytes(before.dictionary, after.dictionary) == 0 { return nil }
    let (before, after) = (try reader.read(before.dictionary), try reader.read(after.dictionary))
    guard before != after else { return nil }
    var change = RecordDifference(from: before, to: after)
    change.ignore(ignoredSystemFields, fields: ignoredFields)
    return change.isEmpty ? nil : change
  }

  /// Compares the positions of two records in a bundle: negative if the left one comes first.
  private static func order(_ a: RecordElement?, _ b: RecordElement?) -> Int {
    guard let a else { return 1 }
    guard let b else { return -1 }
    if a.section != b.section { return a.section.precedes(b.section) ? -1 : 1 }
    return compareBytes(a.name, b.name)
  }
}

extension ContainerInfo {
  /// The members that are compared.
  fileprivate var comparedJSON: JSONValue {
    get throws {
      let texts = [
        ("container", identifier), ("environment", environment?.rawValue), ("schema", schema),
        ("schemaVersion", schemaVersion), ("currentUser", currentUserRecordName),
      ]
      var members = texts.compactMap { name, text in
        text.map { JSONValue.Member(name, .string($0)) }
      }
      if let accounts = try accounts.json() { members.append(.init("accounts", accounts)) }
      for member in otherMembers {
        members.append(.init(member.name, try JSONParser.parse(member.value.text)))
      }
      return .object(members)
    }
  }
}

extension MemberChange {
  /// The members of two JSON objects that differ, in the order of their names.
  fileprivate static func all(from old: RawJSON, to new: RawJSON) throws -> [MemberChange] {
    let old = try JSONParser.parse(old.text).members ?? []
    let new = try JSONParser.parse(new.text).members ?? []
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

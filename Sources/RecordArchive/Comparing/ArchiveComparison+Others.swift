import RecordCoding
import RecordModel

extension ArchiveComparison {
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
    let others = Set((a.otherMembers + b.otherMembers).map { NameKey($0.name) }).sorted()
    for name in others.map(\.string) { add(name, a.otherMembers[name], b.otherMembers[name]) }
    if !changes.isEmpty { try body(.info(changes)) }
  }

  private func zones(_ reader: ArchiveReader) throws -> [(DatabaseScope, RecordZone)] {
    try reader.zones().filter { filter.contains(database: $0.database, zoneID: $0.zone.zoneID) }
      .map { ($0.database, $0.zone) }
  }

  private func tombstones(_ reader: ArchiveReader) throws -> [(DatabaseScope, Tombstone)] {
    var found: [(DatabaseScope, Tombstone)] = []
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

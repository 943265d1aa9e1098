import RecordModel

extension ArchiveComparison {
  /// Compares everything except records.
  func compareOthers(
    _ left: ArchiveReader, _ right: ArchiveReader, _ body: (ArchiveChange) throws -> Void
  ) throws {
    if filter == .all { try compareInfo(body) }
    try compare(
      zones(left), zones(right), precedes: { $0.zoneID < $1.zoneID }
    ) { try body(.zone($0, $1.zoneID, $2)) }
    try compare(
      left.subscriptions(filter).map { ($0.database, $0.subscription) },
      right.subscriptions(filter).map { ($0.database, $0.subscription) },
      precedes: { compareUTF8($0.subscriptionID, $1.subscriptionID) < 0 }
    ) { try body(.subscription($0, $1.subscriptionID, $2)) }
    try compare(
      tombstones(left), tombstones(right), precedes: { $0.recordID < $1.recordID }
    ) { try body(.tombstone($0, $1.recordID, $2)) }
    try compare(
      left.zoneTombstones(filter).map { ($0.database, $0.tombstone) },
      right.zoneTombstones(filter).map { ($0.database, $0.tombstone) },
      precedes: { $0.zoneID < $1.zoneID }
    ) { try body(.zoneTombstone($0, $1.zoneID, $2)) }
    // With a filter, asset differences show in the records.
    guard filter == .all else { return }
    try compare(
      left.storedAssets().map { (.public, $0) }, right.storedAssets().map { (.public, $0) },
      precedes: { compareUTF8($0.sha256, $1.sha256) < 0 }
    ) { kind, asset, _ in try body(.asset(kind, sha256: asset.sha256, size: asset.size)) }
  }

  private func compareInfo(_ body: (ArchiveChange) throws -> Void) throws {
    let (a, b) = (try first.info(), try second.info())
    var names: [String] = []
    if a.identifier != b.identifier { names.append("container") }
    if a.environment != b.environment { names.append("environment") }
    if a.schema != b.schema { names.append("schema") }
    if a.schemaVersion != b.schemaVersion { names.append("schemaVersion") }
    if a.currentUserRecordName != b.currentUserRecordName { names.append("currentUser") }
    if a.accounts != b.accounts { names.append("accounts") }
    let others = Set((a.otherMembers + b.otherMembers).map { NameKey($0.name) }).sorted()
    names += others.map(\.string).filter { a.otherMembers[$0] != b.otherMembers[$0] }
    if !names.isEmpty { try body(.info(names)) }
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
      found.append((database, tombstone))
    }
    return found
  }

  /// Merges two lists in the same order.
  private func compare<T: Equatable>(
    _ left: [(DatabaseScope, T)], _ right: [(DatabaseScope, T)],
    precedes: (T, T) -> Bool, _ body: (ArchiveChange.Kind, T, DatabaseScope) throws -> Void
  ) throws {
    func isBefore(_ a: (DatabaseScope, T), _ b: (DatabaseScope, T)) -> Bool {
      a.0 != b.0 ? a.0 < b.0 : precedes(a.1, b.1)
    }
    var (i, j) = (0, 0)
    while i < left.count || j < right.count {
      if j == right.count || i < left.count && isBefore(left[i], right[j]) {
        try body(.removed, left[i].1, left[i].0)
        i += 1
      } else if i == left.count || isBefore(right[j], left[i]) {
        try body(.added, right[j].1, right[j].0)
        j += 1
      } else {
        if left[i].1 != right[j].1 { try body(.changed, right[j].1, right[j].0) }
        i += 1
        j += 1
      }
    }
  }
}

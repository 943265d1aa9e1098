import RecordCoding
import RecordModel
import RecordPlatform

extension ContainerChecker {
  func checkRecords() throws {
    var found: [SectionKey: SectionExtent] = [:]
    try rows("SELECT id, \(CheckedTable.record.columns) FROM record ORDER BY id") { row in
      let name = row.bytes(3)
      guard let zone = zones[row.int64(1)], let type = types[row.int64(2)] else {
        return try fault("record '\(row.string(3))'", "its zone or its type is missing")
      }
      let key = RecordKey(zoneID: zone.id, recordType: type, name: name)
      let payload = row.bytes(6)
      try checkRecord(payload, key, zone, row)
      found[SectionKey(zone: row.int64(1), type: row.int64(2)), default: SectionExtent()]
        .append(id: row.int64(0), name: name, bytes: payload.count)
      try count(records: 1, bytes: payload.count)
    }
    try checkSections(found)
  }

  private func checkRecord(
    _ payload: UnsafeRawBufferPointer, _ key: RecordKey, _ zone: Zone, _ row: SQLiteStatement
  ) throws {
    func place() -> String { snapshot.place(of: key.recordID, in: zone.scope) }
    let record: ResultRecord
    do {
      try snapshot.check(payload, of: key, in: zone.scope)
      record = try snapshot.reader.read(payload)
    } catch let error as ContainerStoreError {
      hasDamagedRecords = true
      return try fault(place(), "it cannot be read: \(error.detail ?? error.description)")
    }
    guard row.isIntact(.record, from: 1) else {
      hasDamagedRecords = true
      return try fault(place(), ContainerStoreError.otherChecksum)
    }
    buffer.reset()
    try writer.write(record, to: buffer)
    if compareBytes(buffer.bytes, payload) != 0 { try fault(place(), "its JSON is not canonical") }
    if record.isShare, !Share.canBe(in: key.zoneID, of: zone.scope) {
      try fault(place(), "it is a share, which only other zones of private databases have")
    }
    let change = row.int64(4)
    try checkChange(change, zone.scope, place())
    if change > zone.lastChange {
      try fault(place(), "its change \(change) is after the last of its zone, \(zone.lastChange)")
    }
    let modified = record.modificationDate?.timeIntervalSinceReferenceDate
    if (modified == nil) != row.isNull(5) || !isNear(modified ?? 0, row.double(5) ?? 0) {
      try fault(place(), "its modification date differs between table and JSON")
    }
    try checkUses(of: row.int64(0), payload, place)
    try checkEntries(of: record, row)
  }

  /// Whether two dates are equal within the precision of a number of seconds.
  private func isNear(_ a: Double, _ b: Double) -> Bool { abs(a - b) <= max(0.0005, 4 * a.ulp) }

  /// Checks that the stored references of a record to assets match its JSON.
  private func checkUses(
    of row: Int64, _ payload: UnsafeRawBufferPointer, _ place: () -> String
  ) throws {
    var named: Set<SHA256Digest> = []
    AssetReferences.forEach(in: payload) { named.insert($0) }
    let uses = try SQLiteStatement.cached(
      """
      SELECT \(StoredAsset.digest) FROM assetUse LEFT JOIN asset ON asset.id = assetUse.asset
      WHERE record = ?
      """, in: snapshot.db)
    uses.bind(1, row)
    defer { uses.reset() }
    while try uses.step() {
      guard let digest = SHA256Digest(bytes: uses.bytes(0)), named.remove(digest) != nil else {
        return try fault(place(), "it has a stored reference to an asset that its JSON lacks")
      }
    }
    if let missing = named.first {
      try fault(place(), "the reference to its asset \(missing) is not stored")
    }
  }

  private func checkSections(_ found: [SectionKey: SectionExtent]) throws {
    var missing = found
    let hasOrderIndex = try snapshot.hasIndex("recordOrder")
    try rows("\(CheckedTable.section.select) ORDER BY zone, type") { row in
      let stored = SectionExtent(row, from: 2)
      let found = missing.removeValue(forKey: SectionKey(zone: row.int64(0), type: row.int64(1)))
      let place = place(ofSection: row.int64(0), row.int64(1))
      try checkRow(row, .section, place)
      let (records, bytes) = (found?.records ?? 0, found?.bytes ?? 0)
      guard stored.records == records, stored.bytes == bytes else {
        return try fault(
          place,
          "it has \(records) records of \(bytes) bytes; the table of sections counts "
            + "\(stored.records) of \(stored.bytes) bytes")
      }
      guard let found else { return }
      guard stored.includes(found) else {
        return try fault(place, "the table of sections has wrong bounds of its records")
      }
      if !stored.isScannable && !hasOrderIndex {
        try fault(place, "the index of its order is missing")
      }
    }
    for key in missing.keys.sorted(by: { ($0.zone, $0.type) < ($1.zone, $1.type) }) {
      try fault(place(ofSection: key.zone, key.type), "the table of sections does not have it")
    }
  }

  private func place(ofSection zone: Int64, _ type: Int64) -> String {
    guard let zone = zones[zone], let type = types[type] else { return "a section without a zone" }
    return snapshot.place("type '\(type)' of the zone '\(zone.id)'", in: zone.scope)
  }
}

/// An index that is being checked.
struct IndexCheck {
  let stored: StoredIndex
  /// The number of entries that the records should have.
  var expected: Int64 = 0
  /// The first record that has no entry.
  var missing: String?
}

extension ContainerChecker {
  func readIndexes() throws {
    do {
      indexes = try StoredIndex.all(in: snapshot.db).map { IndexCheck(stored: $0) }
    } catch let error as ContainerStoreError {
      try fault("the indexes", "\(error)")
    }
  }

  /// Checks that a record is in the indexes where it should be.
  ///
  /// - Parameter row: The row of the record: its `id`, `zone` and `type`.
  func checkEntries(of record: ResultRecord, _ row: SQLiteStatement) throws {
    for place in indexes.indices where indexes[place].stored.covers(row.int64(2)) {
      let stored = indexes[place].stored
      let name = record.recordID.recordName
      for key in stored.index.keys(of: record) {
        indexes[place].expected += 1
        guard indexes[place].missing == nil else { continue }
        let found = try snapshot.db.integer(
          """
          SELECT record FROM indexEntry
          WHERE recordIndex = ? AND zone = ? AND key = ? AND name = ?
          """, [stored.id, row.int64(1), key, name])
        if found != row.int64(0) { indexes[place].missing = name }
      }
    }
  }

  /// Checks that the indexes have all records, and nothing else.
  func checkIndexes() throws {
    for check in indexes {
      let count =
        try snapshot.db.integer(
          "SELECT count(*) FROM indexEntry WHERE recordIndex = ?", [check.stored.id]) ?? 0
      let place = "\(check.stored.index)"
      if let name = check.missing {
        try fault(place, "it does not have the record '\(name)' as it is; \(StoredIndex.remedy)")
      } else if count != check.expected && !hasDamagedRecords {
        try fault(
          place,
          "it has \(count) entries, and the records have \(check.expected); \(StoredIndex.remedy)")
      }
    }
    try rows(
      "SELECT count(*) FROM indexEntry WHERE recordIndex NOT IN (SELECT id FROM recordIndex)"
    ) { row in
      guard row.int64(0) > 0 else { return }
      try fault(
        "the indexes", "\(row.int64(0)) entries belong to no index; \(StoredIndex.remedy)")
    }
  }
}

extension ContainerChecker {
  func checkAssets() throws {
    try rows("SELECT id, \(StoredAsset.digest), size, stored FROM asset ORDER BY id") { row in
      guard let digest = SHA256Digest(bytes: row.bytes(1)) else {
        return try fault("an asset", "it has no SHA-256")
      }
      let place = "asset \(digest)"
      let isUsed = try snapshot.db.integer(
        "SELECT 1 FROM assetUse WHERE asset = ?", [row.int64(0)])
      let size = row.isNull(2) ? nil : row.int64(2)
      if isUsed == nil {
        try fault(place, "no record refers to it")
      } else if size == nil {
        try fault(place, "a record refers to it, but its bytes are missing")
      }
      if row.int64(3) != size ?? 0 {
        try fault(place, "\(row.int64(3)) of \(size ?? 0) bytes are marked as stored")
      }
      try checkContent(of: row.int64(0), digest, size, place)
    }
    try rows(
      "SELECT count(*) FROM assetChunk WHERE asset NOT IN (SELECT id FROM asset)"
    ) { row in
      if row.int64(0) > 0 { try fault("the assets", "\(row.int64(0)) chunks belong to no asset") }
    }
    try rows(
      "SELECT count(*) FROM assetUse WHERE record NOT IN (SELECT id FROM record)"
    ) { row in
      if row.int64(0) > 0 { try fault("the assets", "\(row.int64(0)) uses belong to no record") }
    }
  }

  private func checkContent(
    of asset: Int64, _ digest: SHA256Digest, _ size: Int64?, _ place: String
  ) throws {
    var hash = SHA256()
    var bytes: Int64 = 0
    var number: Int64 = 0
    try rows("SELECT data, number FROM assetChunk WHERE asset = ? ORDER BY number", [asset]) {
      row in
      let chunk = row.bytes(0)
      if row.int64(1) != number {
        try fault(place, "its chunk \(row.int64(1)) follows chunk \(number &- 1)")
      }
      number = row.int64(1) &+ 1
      hash.update(chunk)
      bytes &+= Int64(chunk.count)
      try count(bytes: chunk.count)
    }
    guard let size else {
      if bytes > 0 { try fault(place, "it has content, but no size") }
      return
    }
    guard bytes == size else {
      return try fault(place, "\(bytes) of \(size) bytes are stored")
    }
    let found = hash.finalize()
    if found != digest { try fault(place, "its content has the SHA-256 \(found)") }
    try count(assets: 1, bytes: 0)
  }
}

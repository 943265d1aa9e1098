import RecordModel

/// Reads the records that may match a query in one snapshot, and checks them.
struct QueryRows {
  let snapshot: ContainerSnapshot
  let db: SQLiteConnection
  let request: QueryPageRequest
  /// The row of the record type.
  let type: Int64
  /// The zones with records of the type, in order, with their rows.
  let zones: [(row: Int64, id: ZoneID)]
  private let indexes: [StoredIndex]
  private let recordInRow: SQLiteStatement

  /// - Returns: nil if there are no records of the type.
  init?(_ snapshot: ContainerSnapshot, _ request: QueryPageRequest) throws {
    self.snapshot = snapshot
    self.request = request
    db = try snapshot.db
    let find = "SELECT id FROM recordType WHERE name = ?"
    guard let type = try db.integer(find, [request.match.recordType]) else { return nil }
    self.type = type
    zones = try db.all(
      """
      SELECT zone.id, zone.name, zone.owner FROM zone JOIN section ON section.zone = zone.id
      WHERE zone.scope = ? AND section.type = ? AND section.records > 0
      """, [request.scope.rank, type]
    ) { ($0.int64(0), ZoneID(zoneName: $0.string(1), ownerName: $0.string(2))) }
    .filter { request.searches($0.1) }
    .sorted { $0.1 < $1.1 }
    indexes = try StoredIndex.all(in: db)
    recordInRow = try .make("SELECT \(ContainerSnapshot.columns) FROM record WHERE id = ?", in: db)
    if zones.isEmpty { return nil }
  }

  /// Returns an index.
  ///
  /// - Throws: `MissingIndex`.
  func index(_ kind: RecordIndex.Kind, field: String = "") throws -> StoredIndex {
    let index = RecordIndex(kind, of: request.match.recordType, field: field)
    guard let stored = indexes.first(where: { $0.index == index }) else {
      throw MissingIndex(index: index, type: type)
    }
    return stored
  }

  /// Returns the record of an index entry.
  func record(_ entry: IndexEntry, of index: StoredIndex) throws -> ResultRecord {
    let record = try self.record(inRow: entry.record)
    guard let record, record.recordID == entry.recordID else {
      throw damage(of: index, entry.recordID, entry.record)
    }
    return record
  }

  /// Returns the record of the current row of `IndexStream.records()`.
  func record(
    _ row: SQLiteStatement, of index: StoredIndex, in zone: (row: Int64, id: ZoneID)
  ) throws -> ResultRecord {
    let record = row.isNull(0) ? nil : try read(row)
    guard let record, record.storage.zoneID == zone.id, record.storage.hasName(row.bytes(7)) else {
      throw damage(of: index, row.recordID(7, in: zone.id), row.int64(8))
    }
    return record
  }

  private func damage(
    of index: StoredIndex, _ recordID: RecordID, _ row: Int64
  ) -> ContainerStoreError {
    .damaged(
      detail: "\(index.index) has '\(recordID)', which is not in its row \(row); "
        + StoredIndex.remedy)
  }

  /// Returns the record in a row; nil if there is none.
  func record(inRow row: Int64) throws -> ResultRecord? {
    defer { recordInRow.reset() }
    recordInRow.bind(1, row)
    return try recordInRow.step() ? read(recordInRow) : nil
  }

  /// Reads a record from the columns of its row; nil if it is in none of the zones.
  private func read(_ row: SQLiteStatement) throws -> ResultRecord? {
    guard let zone = zones.first(where: { $0.row == row.int64(0) }) else { return nil }
    return try snapshot.record(of: row, inZone: zone.id, of: request.scope)
  }

  /// Returns the place of a record among the results; nil if it does not match, is not after the
  /// last page, or is not for the user.
  func position(of record: ResultRecord) throws -> QueryPosition? {
    try includes(record) ? request.match.position(of: record) : nil
  }

  /// Whether a record is one of the results after the last page, and is for the user.
  func includes(_ record: ResultRecord) throws -> Bool {
    if let end = request.modifiedUntil, let date = record.modificationDate, date > end {
      return false
    }
    guard request.match.matches(record) else { return false }
    if let after = request.after,
      !request.match.precedes(after, request.match.position(of: record))
    {
      return false
    }
    return try request.includes(record)
  }

  /// Calls `body` with each record of the type in the zones, without an index.
  func forEachRecord(_ body: (ResultRecord, Int64) throws -> Void) throws {
    try db.forEachRow(
      "SELECT \(ContainerSnapshot.columns), id FROM record NOT INDEXED WHERE type = ?", [type]
    ) { row in
      guard let record = try read(row) else { return }
      try body(record, row.int64(7))
    }
  }
}

import RecordModel

/// A record that may match a query.
enum QueryCandidate {
  case intact(ResultRecord)
  /// A damaged record, and its key in the index that the results are sorted by; nil if there is none.
  case damaged(RecordID, key: IndexKey?, ContainerStoreError)

  var recordID: RecordID {
    switch self {
    case .intact(let record): record.recordID
    case .damaged(let recordID, _, _): recordID
    }
  }
}

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
    ) { ($0.int64(0), $0.zoneID(1)) }
    .filter { request.searches($0.1) }
    .sorted { $0.1 < $1.1 }
    indexes = try StoredIndex.intact(in: db)
    recordInRow = try .make("\(CheckedTable.record.select) WHERE id = ?", in: db)
    if zones.isEmpty { return nil }
  }

  /// Returns an index.
  ///
  /// - Throws: `MissingIndex`.
  func index(_ kind: RecordIndex.Kind, field: String = "") throws -> StoredIndex {
    let index = RecordIndex(kind, of: request.match.recordType, field: field)
    guard let stored = indexes.first(where: { $0.index == index }) else {
      throw MissingIndex.records([(index, type)])
    }
    return stored
  }

  /// Returns the zones in which an index has damaged records.
  func zonesWithUnreadable(in index: StoredIndex) throws -> [(row: Int64, id: ZoneID)] {
    try zones.filter { zone in
      try db.integer(
        "SELECT 1 FROM indexEntry WHERE recordIndex = ? AND zone = ? AND key >= ? LIMIT 1",
        [index.id, zone.row, IndexKey.unreadable]) != nil
    }
  }

  /// Returns the record of an index entry.
  ///
  /// - Throws: `DamagedIndex` if the entry is not that of the record.
  func candidate(_ entry: IndexEntry, of index: StoredIndex) throws -> QueryCandidate {
    do {
      let record = try self.record(inRow: entry.record)
      guard let record, record.recordID == entry.recordID else {
        throw DamagedIndex()
      }
      return .intact(record)
    } catch let error as ContainerStoreError where error.recordID != nil {
      return .damaged(entry.recordID, key: entry.key, error)
    }
  }

  /// Returns the record of the current row of `IndexStream.records()`.
  func candidate(
    _ row: SQLiteStatement, of index: StoredIndex, in zone: (row: Int64, id: ZoneID)
  ) throws -> QueryCandidate {
    do {
      let record = row.isNull(0) ? nil : try read(row)
      guard let record, record.storage.zoneID == zone.id, record.storage.hasName(row.bytes(7))
      else { throw DamagedIndex() }
      return .intact(record)
    } catch let error as ContainerStoreError where error.recordID != nil {
      let key = IndexKey(bytes: Array(row.bytes(9)))
      return .damaged(row.recordID(7, in: zone.id), key: key, error)
    }
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

  /// Returns the result for a candidate; nil for a record that does not match, is not after the last
  /// page, or is not for the user.
  ///
  /// The result is an error for a damaged record, and for a record whose access depends on a damaged
  /// record.
  func result(of candidate: QueryCandidate) throws -> QueryPage.Result? {
    if case .intact(let record) = candidate {
      if let end = request.modifiedUntil, let date = record.modificationDate, date > end {
        return nil
      }
      guard request.match.matches(record) else { return nil }
    }
    if let after = request.after, !request.match.precedes(after, position(of: candidate)) {
      return nil
    }
    switch candidate {
    case .damaged(_, _, let error): return .failure(error)
    case .intact(let record):
      do {
        return try request.includes(record) ? .success(record) : nil
      } catch let error as ContainerStoreError where error.recordID != nil {
        return .failure(error)
      }
    }
  }

  /// Returns the place of a candidate among the results.
  func position(of candidate: QueryCandidate) -> QueryPosition {
    switch candidate {
    case .intact(let record): request.match.position(of: record)
    case .damaged(let recordID, let key?, _) where request.match.sort.count == 1:
      QueryPosition(keys: [key], recordID: recordID)
    case .damaged(let recordID, _, _): request.match.positionOfUnreadable(recordID)
    }
  }

  /// Calls `body` with each record of the type in the zones and its row, without an index.
  func forEachCandidate(_ body: (QueryCandidate, Int64) throws -> Void) throws {
    try db.forEachRow(
      "SELECT \(CheckedTable.record.columns), id FROM record NOT INDEXED WHERE type = ?", [type]
    ) { row in
      guard let zone = zones.first(where: { $0.row == row.int64(0) }) else { return }
      let candidate: QueryCandidate
      do {
        candidate = .intact(try snapshot.record(of: row, inZone: zone.id, of: request.scope))
      } catch let error as ContainerStoreError where error.recordID != nil {
        candidate = .damaged(row.recordID(2, in: zone.id), key: nil, error)
      }
      try body(candidate, row.int64(7))
    }
  }

  // MARK: Stored types

  /// The number of rows that are read for a stored value, if no index has one.
  private static let maxSample = 1_000

  /// Returns a field that a filter compares, from a record that has it: by the index of the comparison,
  /// or from the first rows of the type.
  func storedField(of filter: CompiledFilter) throws -> Field? {
    if let candidates = QueryCandidates(filter),
      let index = try? index(candidates.kind, field: candidates.field)
    {
      for zone in zones {
        let row = try db.integer(
          """
          SELECT record FROM indexEntry
          WHERE recordIndex = ? AND zone = ? AND key > ? AND key < ? LIMIT 1
          """, [index.id, zone.row, IndexKey.missing, IndexKey.unreadable])
        let record = try row.flatMap { row in
          try Self.intact { try self.record(inRow: row) }
        }
        if let field = record?.field(named: filter.field) { return field }
      }
    }
    return try sampledField(filter.field)
  }

  private func sampledField(_ name: String) throws -> Field? {
    var left = Self.maxSample
    for zone in zones where left > 0 {
      let rows = try SQLiteStatement.make(
        """
        \(CheckedTable.record.select) NOT INDEXED
        WHERE id >= (SELECT firstID FROM section WHERE zone = ?1 AND type = ?2) ORDER BY id LIMIT ?3
        """, in: db)
      rows.bind(1, zone.row)
      rows.bind(2, type)
      rows.bind(3, Int64(left))
      defer { rows.reset() }
      while try rows.step() {
        left -= 1
        guard rows.int64(0) == zone.row, rows.int64(1) == type else { continue }
        if let field = try Self.intact({ try read(rows) })?.field(named: name) { return field }
      }
    }
    return nil
  }

  /// Returns a record; nil for a damaged one.
  private static func intact(_ record: () throws -> ResultRecord?) throws -> ResultRecord? {
    do {
      return try record()
    } catch let error as ContainerStoreError where error.recordID != nil {
      return nil
    }
  }
}

extension ContainerSnapshot {
  /// Returns a field that a filter compares, from a record that a query searches; nil if no such record
  /// was found among the entries of an index and the first rows.
  package func storedField(
    of filter: CompiledFilter, searchedBy request: QueryPageRequest
  ) throws -> Field? {
    try QueryRows(self, request)?.storedField(of: filter)
  }
}

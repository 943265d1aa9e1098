import RecordModel

extension ContainerSnapshot {
  /// Whether the rows can be read by which records are found: the types, the sections, and the names of
  /// the zones. Without them, ``ContainerRecovery`` finds the records.
  package func hasReadableSections() throws -> Bool {
    var isReadable = true
    try db.forEachRow(CheckedTable.recordType.select) {
      if !$0.isIntact(.recordType) { isReadable = false }
    }
    try db.forEachRow(CheckedTable.zone.select) { row in
      // A zone whose JSON cannot be read has the names of its columns.
      guard !row.isIntact(.zone) else { return }
      let zone = try? StoreCoding.read(RecordZone.self, from: row.bytes(6), name: "")
      if zone != nil || row.scope(1) == nil {
        isReadable = false
      }
    }
    var records = [Int64](repeating: 0, count: DatabaseScope.allCases.count)
    try db.forEachRow(
      """
      SELECT section.zone, section.type, \(SectionExtent.columns), section.hash, zone.scope,
        recordType.id
      FROM section LEFT JOIN zone ON zone.id = section.zone
        LEFT JOIN recordType ON recordType.id = section.type
      """
    ) { row in
      guard row.isIntact(.section), !row.isNull(9), !row.isNull(10),
        0...Int64.max / 4 ~= row.int64(2),
        records.indices.contains(Int(clamping: row.int64(9)))
      else { return isReadable = false }
      records[Int(row.int64(9))] &+= row.int64(2)
    }
    for scope in DatabaseScope.allCases {
      let expected = try? DatabaseRow.read(scope, from: db).counts[.records]
      if let expected, expected != records[scope.rank] { isReadable = false }
    }
    return isReadable
  }

  /// Returns the rows that a copy of everything that is intact lacks: `3 of 37 records of the private
  /// database`.
  package func losses(in copy: ContainerSnapshot) throws -> [String] {
    try DatabaseScope.allCases.flatMap { scope -> [String] in
      guard let expected = try? DatabaseRow.read(scope, from: db).counts else {
        return ["an unknown number of rows of the \(scope.rawValue) database"]
      }
      let found = try DatabaseRow.read(scope, from: copy.db).counts
      return CountedTable.allCases.filter { found[$0] < expected[$0] }.map { table in
        "\(expected[table] - found[table]) of \(expected[table]) \(table.rows) of the "
          + "\(scope.rawValue) database"
      }
    }
  }

  /// Looks for rows that the change feed of a database does not find: it has no error for them.
  ///
  /// - Parameter withRecords: whether to count records and deleted records, not zones only.
  package func checkFeed(of scope: DatabaseScope, withRecords: Bool) throws {
    // The shared database shows zones of the private one.
    for scope in scope == .shared ? [.private, .shared] : [scope] {
      let counts = try RowCounts.counted(in: scope, db)
      for table in [CountedTable.zones, .zoneTombstones] {
        try checkCount(Int(counts[table]), of: table, in: scope, leaveOut)
      }
      guard withRecords else { continue }
      try checkCount(Int(counts[.tombstones]), of: .tombstones, in: scope, leaveOut)
      let records = try db.integer(
        "SELECT count(*) FROM record WHERE zone IN (SELECT id FROM zone WHERE scope = ?)",
        [scope.rank])
      try checkCount(Int(records ?? 0), of: .records, in: scope, leaveOut)
    }
  }

  /// Returns the numbers of subscriptions, deleted records and deleted zones of a database, which the
  /// file has; they are not counted.
  package func storedCounts(
    in scope: DatabaseScope
  ) throws -> (subscriptions: Int, tombstones: Int, zoneTombstones: Int) {
    guard hasCounts else {
      let counts = try RowCounts.counted(in: scope, db)
      return (
        Int(counts[.subscriptions]), Int(counts[.tombstones]), Int(counts[.zoneTombstones])
      )
    }
    do {
      _ = try DatabaseRow.read(scope, from: db)
    } catch let error as ContainerStoreError {
      try leaveOut(error)
    }
    let counts = try DatabaseRow.readable(scope, from: db).counts
    return (Int(counts[.subscriptions]), Int(counts[.tombstones]), Int(counts[.zoneTombstones]))
  }
}

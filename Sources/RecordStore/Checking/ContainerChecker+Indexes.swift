import RecordModel

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
      } else if count != check.expected {
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

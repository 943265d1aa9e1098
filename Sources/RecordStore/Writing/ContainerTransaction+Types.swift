import RecordModel

extension ContainerTransaction {
  /// Gives record types whose rows are damaged or missing the names that their records have.
  func repairTypes() throws {
    guard !hasRepairedTypes else { return }
    hasRepairedTypes = true
    let damaged = try db.all("SELECT id, name, hash FROM recordType") { row in
      row.isIntact(0..<2) ? nil : row.int64(0)
    }.compactMap(\.self)
    for id in damaged { try db.run("DELETE FROM recordType WHERE id = ?", [id]) }
    let lost = try db.all(
      "SELECT DISTINCT type FROM section WHERE type NOT IN (SELECT id FROM recordType)"
    ) { $0.int64(0) }
    if damaged.isEmpty && lost.isEmpty { return }
    for id in lost {
      guard let name = try intactRecord("type", id)?.recordType else { continue }
      try db.runHashed(
        "INSERT OR IGNORE INTO recordType (id, name, hash) VALUES (?, ?, ?)", [id, name])
    }
    forgetTypes()
  }

  /// Returns the number of a record type; nil if there is none, or if its row is damaged.
  func intactType(_ name: String) throws -> Int64? {
    try db.first("SELECT id, name, hash FROM recordType WHERE name = ?", [name]) { row in
      row.isIntact(0..<2) ? row.int64(0) : nil
    } ?? nil
  }

  /// Returns the first intact record with a number in a column.
  func intactRecord(_ column: String, _ id: Int64) throws -> ResultRecord? {
    let rows = try SQLiteStatement.make(
      "SELECT \(Self.columns) FROM record NOT INDEXED WHERE \(column) = ?", in: db)
    defer { rows.reset() }
    rows.bind(1, id)
    while try rows.step() {
      if rows.isIntact(0..<6), let record = try? reader.read(rows.bytes(5)) { return record }
    }
    return nil
  }
}

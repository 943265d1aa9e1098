import RecordCoding
import RecordModel

/// The entries of an index that is being made, in temporary tables of the connection that writes.
///
/// Records are read in steps, between which other threads get the connection. The draft has the checksums
/// of the records that it has read: the last step reads those again that have changed since.
struct IndexDraft {
  let index: StoredIndex
  let db: SQLiteConnection
  let reader: RecordJSONReader
  /// The names of the tables of entries and of records that were read; no records if there is one step.
  private let entries: String
  private let records: String?

  /// The number of records of a step: some 5 ms.
  private static let step: Int64 = 500

  /// - Parameter hasSteps: whether there is more than one step. Only one such draft may exist at a time.
  init(
    _ index: StoredIndex, _ db: SQLiteConnection, by reader: RecordJSONReader,
    hasSteps: Bool = false
  ) {
    (self.index, self.db, self.reader) = (index, db, reader)
    entries = hasSteps ? "temp.draftEntry" : "temp.newEntry"
    records = hasSteps ? "temp.draftRecord" : nil
  }

  func create() throws {
    try remove()
    try db.execute("CREATE TABLE \(entries) (zone INTEGER, key BLOB, name TEXT, record INTEGER)")
    if let records {
      try db.execute("CREATE TABLE \(records) (id INTEGER PRIMARY KEY, hash INTEGER)")
    }
  }

  func remove() throws {
    for table in [entries, records].compactMap(\.self) {
      try db.execute("DROP TABLE IF EXISTS \(table)")
    }
  }

  /// Reads the records of the next step.
  ///
  /// - Parameter id: the row of the last record that was read.
  /// - Returns: the row of the last record; nil after the last one.
  func read(after id: Int64) throws -> Int64? {
    let end = try db.integer(
      "SELECT id FROM record WHERE id > ? ORDER BY id LIMIT 1 OFFSET ?", [id, Self.step])
    let (condition, range) = ("id > ? AND id <= ?", [id, end ?? .max])
    if let records {
      try db.run("INSERT INTO \(records) SELECT id, hash FROM record WHERE \(condition)", range)
    }
    try read(condition, range)
    return end
  }

  /// Adds the entries of records.
  func read(_ condition: String = "TRUE", _ values: [any ColumnValue] = []) throws {
    let insert = try SQLiteStatement.make(
      "INSERT INTO \(entries) (zone, key, name, record) VALUES (?, ?, ?, ?)", in: db)
    try db.forEachRow(
      """
      SELECT \(CheckedTable.record.columns), id FROM record NOT INDEXED
      WHERE \(condition) AND (\(index.condition))
      """, values
    ) { row in
      try db.checkStopped()
      for key in keys(of: row) {
        insert.bind(1, row.int64(0))
        try key.bind(to: insert, at: 2)
        try insert.bindText(3, row.bytes(2), isCopied: true)
        insert.bind(4, row.int64(7))
        try insert.run()
      }
    }
  }

  /// Reads the records again that have changed since their step, and those that are new.
  func update() throws {
    guard let records else { return }
    let changed = """
      SELECT draft.id FROM \(records) AS draft LEFT JOIN record ON record.id = draft.id
      WHERE record.hash IS NOT draft.hash
      """
    try db.run("DELETE FROM \(entries) WHERE record IN (\(changed))")
    try db.run("DELETE FROM \(records) WHERE id IN (\(changed))")
    try read("id NOT IN (SELECT id FROM \(records))")
  }

  /// Adds the entries to the container. Sorting them first is ten times as fast as adding one by one.
  func insert() throws {
    try db.run(
      """
      INSERT INTO indexEntry (recordIndex, zone, key, name, record)
      SELECT ?, zone, key, name, record FROM \(entries) ORDER BY zone, key, name
      """, [index.id])
  }

  /// A damaged record has the key ``IndexKey/unreadable``, so that no query leaves it out. A deletion
  /// finds the records that go with it by the indexes of links. They leave damaged records out, so that
  /// a damaged record does not keep others from being deleted. A save that replaces it adds it.
  private func keys(of row: SQLiteStatement) -> [IndexKey] {
    if row.isIntact(.record), let record = try? reader.read(row.bytes(5)) {
      return index.index.keys(of: record)
    }
    switch index.index.kind {
    case .parent, .owner, .share, .reference: return []
    case .name: return [.missing]
    case .value, .element, .word, .participant: return [.unreadable]
    }
  }
}

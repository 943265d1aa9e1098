import RecordCoding
import RecordModel

/// Makes the indexes of a container and keeps them up to date, in the transaction that changes the
/// records.
final class IndexWriter {
  private let db: SQLiteConnection
  private let reader: RecordJSONReader
  private var stored: [StoredIndex]
  /// Whether there are no indexes to keep up to date.
  @exclusivity(unchecked) private(set) var isEmpty: Bool

  /// - Parameter isNew: Whether the container has no indexes.
  init(_ db: SQLiteConnection, by reader: RecordJSONReader, isNew: Bool) throws {
    self.db = db
    self.reader = reader
    // A cached statement; most containers have no index while records are saved.
    let hasIndexes = try !isNew && db.integer("SELECT EXISTS (SELECT 1 FROM recordIndex)") == 1
    stored = []
    isEmpty = !hasIndexes
    do {
      if hasIndexes { stored = try StoredIndex.all(in: db) }
    } catch is ContainerStoreError {
      // They are made again when they are needed.
      try dropAll()
    }
  }

  // MARK: Records

  /// Updates the indexes for a record that is added, replaced or removed.
  ///
  /// - Parameters:
  ///   - id: The row of the record.
  ///   - removed: The record that is removed, if any, and if it is not damaged.
  ///   - new: The payload that is added, if any.
  func update(
    _ id: Int64, in zone: ZoneState, type: Int64, old removed: ResultRecord?,
    new: UnsafeRawBufferPointer?
  ) throws {
    let indexes = stored.filter { $0.covers(type) }
    guard !indexes.isEmpty else { return }
    let added = try new.map(reader.read)
    guard let name = (added ?? removed)?.recordID.recordName else { return }
    for index in indexes {
      let before = removed.map(index.index.keys) ?? []
      let after = added.map(index.index.keys) ?? []
      if before == after { continue }
      for key in before where !after.contains(key) {
        try db.run(
          "DELETE FROM indexEntry WHERE recordIndex = ? AND zone = ? AND key = ? AND name = ?",
          [index.id, zone.id, key, name])
      }
      for key in after where !before.contains(key) {
        try db.run(
          """
          INSERT OR REPLACE INTO indexEntry (recordIndex, zone, key, name, record)
          VALUES (?, ?, ?, ?, ?)
          """, [index.id, zone.id, key, name, id])
      }
    }
  }

  /// Removes all entries of a record whose old content is not known.
  func removeEntries(of id: Int64, in zone: ZoneState) throws {
    try db.run("DELETE FROM indexEntry WHERE zone = ? AND record = ?", [zone.id, id])
  }

  /// Removes the records of a zone.
  func removeZone(_ zone: Int64) throws {
    for index in stored {
      try db.run("DELETE FROM indexEntry WHERE recordIndex = ? AND zone = ?", [index.id, zone])
    }
  }

  // MARK: Indexes

  /// Removes all indexes; for writers that do not keep them up to date.
  func dropAll() throws {
    guard !isEmpty else { return }
    try db.run("DELETE FROM indexEntry")
    try db.run("DELETE FROM recordIndex")
    stored = []
    isEmpty = true
  }

  /// Returns an index, which is made if the container does not have it.
  ///
  /// - Parameter type: The row of the record type; 0 for an index of all types.
  func index(_ index: RecordIndex, type: Int64) throws -> StoredIndex {
    if let known = stored.first(where: { $0.index == index }) { return known }
    let id = (try db.integer("SELECT max(id) FROM recordIndex") ?? 0) + 1
    try db.insert([id, index.kind.rawValue, type, index.field], into: .recordIndex)
    let new = StoredIndex(id: id, type: type, index: index)
    try db.stoppable { try fill(new) }
    stored.append(new)
    isEmpty = false
    return new
  }

  /// Adds the entries of all records. Sorting them first is ten times as fast as adding one by one.
  ///
  /// A damaged record has the key ``IndexKey/unreadable``, so that no query leaves it out. A deletion
  /// finds the records that go with it by the indexes of links. They leave damaged records out, so that
  /// a damaged record does not keep others from being deleted. A save that replaces it adds it.
  private func fill(_ index: StoredIndex) throws {
    try db.run("DELETE FROM indexEntry WHERE recordIndex = ?", [index.id])
    if index.index.kind == .name {
      // The names are columns: no record has to be read for them.
      return try db.run(
        """
        INSERT INTO indexEntry (recordIndex, zone, key, name, record)
        SELECT ?, zone, ?, name, id FROM record NOT INDEXED WHERE type = ? ORDER BY zone, name
        """, [index.id, IndexKey.missing, index.type])
    }
    try db.execute(
      """
      DROP TABLE IF EXISTS temp.newEntry;
      CREATE TEMP TABLE newEntry (zone INTEGER, key BLOB, name TEXT, record INTEGER);
      """)
    let insert = try SQLiteStatement.make(
      "INSERT INTO temp.newEntry (zone, key, name, record) VALUES (?, ?, ?, ?)", in: db)
    try db.forEachRow(
      "SELECT \(CheckedTable.record.columns), id FROM record NOT INDEXED WHERE \(index.condition)"
    ) { row in
      try db.checkStopped()
      for key in keys(of: row, in: index.index) {
        insert.bind(1, row.int64(0))
        try key.bind(to: insert, at: 2)
        try insert.bindText(3, row.bytes(2), isCopied: true)
        insert.bind(4, row.int64(7))
        try insert.run()
      }
    }
    try db.run(
      """
      INSERT INTO indexEntry (recordIndex, zone, key, name, record)
      SELECT ?, zone, key, name, record FROM temp.newEntry ORDER BY zone, key, name
      """, [index.id])
    try db.execute("DROP TABLE temp.newEntry")
  }

  private func keys(of row: SQLiteStatement, in index: RecordIndex) -> [IndexKey] {
    if row.isIntact(.record), let record = try? reader.read(row.bytes(5)) {
      return index.keys(of: record)
    }
    switch index.kind {
    case .parent, .owner, .share, .reference: return []
    case .name: return [.missing]
    case .value, .element, .word, .participant: return [.unreadable]
    }
  }
}

extension StoredIndex {
  /// The condition for the records that may be in the index.
  var condition: String {
    func contains(_ text: String) -> String { "instr(json, CAST('\"\(text)\"' AS BLOB))" }
    return switch index.kind {
    case .parent: contains("parent")
    case .owner: contains("DELETE_SELF")
    case .share: contains("share")
    case .reference: "instr(json, CAST('\"REFERENCE' AS BLOB))"
    // Damaged shares, too: their bytes may not show participants any more.
    case .participant:
      "type IN (SELECT id FROM recordType WHERE name = '\(Share.recordType)')"
    case .value, .element, .word, .name: "type = \(type)"
    }
  }
}

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
  /// - Parameters:
  ///   - type: The row of the record type; 0 for an index of all types.
  ///   - draft: Its entries, as far as they were read before.
  func index(
    _ index: RecordIndex, type: Int64, from draft: (StoredIndex) -> IndexDraft? = { _ in nil }
  ) throws -> StoredIndex {
    if let known = stored.first(where: { $0.index == index }) { return known }
    let id = (try db.integer("SELECT max(id) FROM recordIndex") ?? 0) + 1
    try db.insert([id, index.kind.rawValue, type, index.field], into: .recordIndex)
    let new = StoredIndex(id: id, type: type, index: index)
    try db.stoppable { try fill(new, draft(new)) }
    stored.append(new)
    isEmpty = false
    return new
  }

  /// Adds the entries of all records.
  private func fill(_ index: StoredIndex, _ draft: IndexDraft?) throws {
    try db.run("DELETE FROM indexEntry WHERE recordIndex = ?", [index.id])
    if index.index.kind == .name {
      // The names are columns: no record has to be read for them.
      return try db.run(
        """
        INSERT INTO indexEntry (recordIndex, zone, key, name, record)
        SELECT ?, zone, ?, name, id FROM record NOT INDEXED WHERE type = ? ORDER BY zone, name
        """, [index.id, IndexKey.missing, index.type])
    }
    if let draft {
      try draft.update()
      return try draft.insert()
    }
    let whole = IndexDraft(index, db, by: reader)
    try whole.create()
    try whole.read()
    try whole.insert()
    try whole.remove()
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

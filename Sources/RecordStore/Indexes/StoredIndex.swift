import RecordModel

/// An index that the container file has.
struct StoredIndex {
  /// The row in the table `recordIndex`.
  let id: Int64
  /// The row of the record type; 0 for an index of all types.
  let type: Int64
  let index: RecordIndex

  /// Whether the index has records of a type.
  func covers(_ type: Int64) -> Bool { self.type == 0 || self.type == type }

  /// Reads the indexes of a container.
  static func all(in db: SQLiteConnection) throws -> [StoredIndex] {
    try db.all(
      """
      SELECT recordIndex.id, recordIndex.kind, recordIndex.type, recordIndex.field,
        recordIndex.hash, recordType.name
      FROM recordIndex LEFT JOIN recordType ON recordType.id = recordIndex.type
      ORDER BY recordIndex.id
      """
    ) { row in
      guard row.isIntact(0..<4), let kind = RecordIndex.Kind(rawValue: row.int64(1)),
        kind.isOfAllTypes || !row.isNull(5)
      else {
        throw ContainerStoreError.damaged(
          detail: "the index number \(row.int64(0)) is not readable; \(Self.remedy)")
      }
      return StoredIndex(
        id: row.int64(0), type: row.int64(2),
        index: RecordIndex(kind, of: row.string(5), field: row.string(3)))
    }
  }

  /// Returns the names of the records of a zone that have a key, sorted by their UTF-8 bytes.
  func names(of key: IndexKey, zone: Int64, in db: SQLiteConnection) throws -> [String] {
    try db.all(
      """
      SELECT name FROM indexEntry WHERE recordIndex = ? AND zone = ? AND key = ? ORDER BY name
      """, [id, zone, key]
    ) { $0.string(0) }
  }

  /// What to do about a damaged index.
  static let remedy =
    "delete all indexes with 'DELETE FROM recordIndex; DELETE FROM indexEntry', and they are made "
    + "again when they are needed"
}

extension IndexKey: ColumnValue {
  func bind(to statement: SQLiteStatement, at index: Int32) throws {
    try bytes.withUnsafeBytes { try statement.bindBlob(index, $0, isCopied: true) }
  }

  func add(to hash: inout RowHash) { bytes.withUnsafeBytes { hash.add($0) } }
}

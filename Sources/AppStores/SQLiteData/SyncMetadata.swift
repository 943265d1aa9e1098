import Foundation
import RecordCoding
import RecordModel
import RecordStore

/// The metadata database of a sync engine of SQLiteData, which has a row for each record.
struct SyncMetadata {
  /// The state of a record.
  struct State {
    var zoneID: ZoneID
    var parent: String?
    /// The time of the last change.
    var time: Int64
    /// Whether the server has the record, and the app has not deleted it.
    var isKnown: Bool
    var systemFields: SystemFields?
    /// The fields of the server's record, as of the last contact; nil if they are not stored.
    var fields: [Field]?
    var share: ResultRecord?
  }

  static let isKnown = "lastKnownServerRecord NOT NULL AND NOT _isDeleted"

  let path: String
  let db: SQLiteConnection
  /// Whether the engine knows a share.
  let hasShares: Bool
  private let query: String

  init(_ db: SQLiteConnection, path: String) throws {
    (self.db, self.path) = (db, path)
    (query, hasShares) = try Self.translating(path) {
      let columns = try db.all("SELECT name FROM pragma_table_xinfo('sqlitedata_icloud_metadata')")
      {
        $0.string(0)
      }
      // The first versions of SQLiteData do not have these.
      let others = ["_lastKnownServerRecordAllFields", "share"].map {
        columns.contains($0) ? $0 : "NULL"
      }
      let query = """
        SELECT zoneName, ownerName, parentRecordName, userModificationTime, \(Self.isKnown),
          lastKnownServerRecord, \(others.joined(separator: ", "))
        FROM sqlitedata_icloud_metadata WHERE recordPrimaryKey = ? AND recordType = ?
        """
      let hasShares = try db.integer(
        "SELECT EXISTS (SELECT 1 FROM sqlitedata_icloud_metadata WHERE \(others[1]) NOT NULL)")
      return (query, hasShares == 1)
    }
  }

  private static func translating<R>(_ path: String, _ body: () throws -> R) throws -> R {
    do { return try body() } catch let error as SQLiteError {
      throw CoreDataStore.translated(error, path)
    }
  }

  func translating<R>(_ body: (SQLiteConnection) throws -> R) throws -> R {
    try Self.translating(path) { try body(db) }
  }

  /// The tables that the engine synchronizes; it notes them when it first finds an account.
  func tables() throws -> [String] {
    try translating {
      try $0.all("SELECT tableName FROM sqlitedata_icloud_recordTypes") { $0.string(0) }
    }
  }

  /// Counts the records that the server has, by their types.
  func knownCounts() throws -> [(type: String, count: Int)] {
    try translating {
      try $0.all(
        """
        SELECT recordType, count(*) FROM sqlitedata_icloud_metadata WHERE \(Self.isKnown)
        GROUP BY recordType ORDER BY recordType
        """
      ) { ($0.string(0), Int($0.int64(1))) }
    }
  }

  func isKnown(_ key: String, in table: String) throws -> Bool {
    try translating {
      try $0.integer(
        """
        SELECT \(Self.isKnown) FROM sqlitedata_icloud_metadata
        WHERE recordPrimaryKey = ? AND recordType = ?
        """, [key, table]) == 1
    }
  }

  /// Returns the state of a row's record; nil if the engine does not know the row.
  ///
  /// - Parameter columns: The columns of the table.
  func state(
    of key: String, in table: String, columns: [String], _ losses: inout [StoreLoss: Int]
  ) throws -> State? {
    try translating { db in
      try db.first(query, [key, table]) { row in
        guard !row.string(0).isEmpty, !row.string(1).isEmpty else {
          throw AppStoreError(
            .damaged, path,
            "the row of 'sqlitedata_icloud_metadata' with the recordPrimaryKey '\(key)' and the "
              + "recordType '\(table)' has an empty zoneName or ownerName; set both, or move the file "
              + "away to read the rows without their zones, times and change tags")
        }
        var state = State(
          zoneID: ZoneID(zoneName: row.string(0), ownerName: row.string(1)).shared(),
          parent: row.isNull(2) ? nil : row.string(2), time: row.int64(3),
          isKnown: row.int64(4) != 0)
        let reader = ArchiveReader(row: row, key: key, table: table)
        state.systemFields = reader.record(5, .noSystemFields, &losses)?.systemFields
        if let record = reader.record(6, .noServerRecord, &losses) {
          state.fields = record.fields
          reader.note(record.unsupportedFieldNames, columns, &losses)
        }
        if let share = reader.record(7, .noShare, &losses) {
          state.share = ResultRecord(systemFields: share.systemFields, fields: share.fields)
        } else if row.isNull(7), let share = state.systemFields?.share {
          losses.add(
            .noShare, table,
            example:
              "row '\(key)': the metadata database does not have '\(share.recordID.recordName)'")
        }
        return state
      }
    }
  }
}

/// Reads the archives of a row, and counts those that cannot be read.
private struct ArchiveReader {
  let row: SQLiteStatement
  let key: String
  let table: String

  /// Returns the record in a column; nil for NULL, and for an archive that cannot be read.
  func record(
    _ column: Int32, _ reason: StoreLoss.Reason, _ losses: inout [StoreLoss: Int]
  ) -> ArchivedRecord? {
    guard !row.isNull(column) else { return nil }
    do {
      return try ArchivedRecord(keyedArchive: Data(row.bytes(column)))
    } catch {
      losses.add(reason, table, example: "row '\(key)': \(error)")
      return nil
    }
  }

  /// Counts the fields of the server's record whose values cannot be read. The app has those of its
  /// columns, but not their times.
  func note(_ fields: [String], _ columns: [String], _ losses: inout [StoreLoss: Int]) {
    let own = columns.flatMap { [$0, ServerFields.time(of: $0)] } + [ServerFields.time]
    let (known, others) = (fields.filter(own.contains), fields.filter { !own.contains($0) })
    for field in others { losses.add(.noServerValue, "\(table).\(field)") }
    if let field = known.first {
      losses.add(
        .noServerRecord, table,
        example: "row '\(key)': the value of '\(field)' has an unknown form")
    }
  }
}

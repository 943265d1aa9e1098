import GRDB
import RecordModel

/// The references between records of one zone that a deletion must know: of children to their
/// parents, and of records to their owners (`DELETE_SELF`).
///
/// They are in a temporary table of the connection that writes. It is filled by a scan of all
/// records when it is first needed, and triggers keep it up to date; a change by another connection
/// leads to another scan. The container file has nothing of it.
///
/// References to other zones are not among them: CloudKit has none.
package struct RecordLinks {
  /// What a reference says about its record.
  package enum Kind: Int64, Sendable {
    /// The record is a child of the target.
    case parent = 0
    /// The record is deleted with the target.
    case owner = 1
  }

  private let db: Database

  /// Brings the table up to date; within a transaction that writes.
  init(_ db: Database) throws {
    self.db = db
    let version = try db.integer("PRAGMA data_version") ?? 0
    let known = try db.integer(
      "SELECT 1 FROM sqlite_temp_master WHERE type = 'table' AND name = 'recordLink'")
    if known != nil, try db.integer("SELECT version FROM temp.recordLinkState") == version {
      return
    }
    try Self.drop(from: db)
    try db.execute(sql: Self.tables)
    try db.run("INSERT INTO temp.recordLinkState (version) VALUES (?)", [version])
  }

  /// Removes the table; a large import is faster without.
  static func drop(from db: Database) throws {
    try db.execute(
      sql: """
        DROP TRIGGER IF EXISTS temp.recordLinkInsert;
        DROP TRIGGER IF EXISTS temp.recordLinkUpdate;
        DROP TRIGGER IF EXISTS temp.recordLinkDelete;
        DROP TABLE IF EXISTS temp.recordLink;
        DROP TABLE IF EXISTS temp.recordLinkState;
        """)
  }

  /// Returns the names of the records that refer to a record, sorted by their UTF-8 bytes.
  func names(of kind: Kind, to name: String, in zone: ZoneState) throws -> [String] {
    try db.all(
      """
      SELECT record.name FROM temp.recordLink AS link JOIN main.record ON record.id = link.record
      WHERE kind = ? AND link.zone = ? AND target = ? ORDER BY record.name
      """, [kind.rawValue, zone.id, name]
    ) { $0.string(0) }
  }

  /// Adds the links of records.
  ///
  /// - Parameters:
  ///   - record: the name of the row with the record.
  ///   - table: the table to read rows from; nil for the row of a trigger.
  private static func insert(linksOf record: String, from table: String? = nil) -> String {
    let json = "CAST(\(record).json AS TEXT)"
    func mayContain(_ text: String) -> String {
      "instr(\(record).json, CAST('\(text)' AS BLOB))"
    }
    return """
      INSERT OR IGNORE INTO recordLink (kind, zone, target, record)
      SELECT \(Kind.parent.rawValue), \(record).zone,
        json_extract(\(json), '$.parent.recordName'), \(record).id
      \(table.map { "FROM \($0)" } ?? "")
      WHERE \(mayContain("\"parent\""))
        AND json_type(\(json), '$.parent.recordName') = 'text'
        AND json_type(\(json), '$.parent.zoneID') IS NULL
      UNION ALL
      SELECT \(Kind.owner.rawValue), \(record).zone, json_extract(node.value, '$.recordName'),
        \(record).id
      FROM \(table.map { "\($0), " } ?? "")json_tree(\(json), '$.fields') AS node
      WHERE \(mayContain("\"DELETE_SELF\"")) AND node.type = 'object'
        AND json_extract(node.value, '$.action') = 'DELETE_SELF'
        AND json_type(node.value, '$.recordName') = 'text'
        AND json_type(node.value, '$.zoneID') IS NULL;
      """
  }

  private static let tables = """
    CREATE TEMP TABLE recordLinkState (version INTEGER NOT NULL);
    CREATE TEMP TABLE recordLink (
      kind INTEGER NOT NULL,
      zone INTEGER NOT NULL,
      target TEXT NOT NULL,
      record INTEGER NOT NULL,
      PRIMARY KEY (kind, zone, target, record)
    ) WITHOUT ROWID;
    \(insert(linksOf: "record", from: "main.record"))
    CREATE INDEX temp.recordLinkOfRecord ON recordLink (record);
    CREATE TEMP TRIGGER recordLinkInsert AFTER INSERT ON main.record BEGIN
      \(insert(linksOf: "NEW"))
    END;
    CREATE TEMP TRIGGER recordLinkUpdate AFTER UPDATE OF json ON main.record BEGIN
      DELETE FROM recordLink WHERE record = OLD.id;
      \(insert(linksOf: "NEW"))
    END;
    CREATE TEMP TRIGGER recordLinkDelete AFTER DELETE ON main.record BEGIN
      DELETE FROM recordLink WHERE record = OLD.id;
    END;
    """
}

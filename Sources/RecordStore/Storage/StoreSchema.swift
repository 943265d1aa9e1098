import Foundation
import RecordModel

/// The tables of a container file, and its marks in the header.
///
/// The documentation page *The container file* describes each table.
enum StoreSchema {
  /// The `application_id` in the header of every container file: "RPck".
  static let applicationID: UInt32 = 0x5250_636B
  /// The layout version that this code writes (`user_version`).
  static let version: Int32 = 1
  /// The page size in bytes. Measured on 600-byte records: pages of 4 KiB make a load 1.8 times and
  /// a scan 2.5 times slower; above 16 KiB nothing is gained, and small saves write more.
  static let pageSize = 16_384

  /// The index that makes names unique in a zone; a bulk load builds it last.
  static let identityIndex = """
    CREATE UNIQUE INDEX recordIdentity ON record (zone, name)
    """
  static let dropIdentityIndex = "DROP INDEX IF EXISTS recordIdentity"

  /// The index in export order. It is created once the rows of a section are not in that order (see
  /// ``SectionExtent/isScannable``): a container loaded from a bundle does not need it.
  static let orderIndex = """
    CREATE INDEX IF NOT EXISTS recordOrder ON record (zone, type, name)
    """
  static let dropOrderIndex = "DROP INDEX IF EXISTS recordOrder"

  /// The indexes of the change feed, which are created when changes are first fetched. Records
  /// without a tag have the same number, and are read by name.
  static let changeIndexes = """
    CREATE INDEX IF NOT EXISTS recordChange ON record (zone, change, name);
    CREATE INDEX IF NOT EXISTS tombstoneChange ON tombstone (zone, change, name);
    """
  static let dropRecordChangeIndex = "DROP INDEX IF EXISTS recordChange"

  private static let tables = """
    CREATE TABLE setting (
      name TEXT PRIMARY KEY NOT NULL,
      value TEXT NOT NULL,
      hash INTEGER
    ) WITHOUT ROWID;

    CREATE TABLE database (
      scope INTEGER PRIMARY KEY,
      lastChange INTEGER NOT NULL,
      loadedChange INTEGER NOT NULL,
      contentID INTEGER NOT NULL,
      historyID INTEGER NOT NULL,
      firstSharedChange INTEGER NOT NULL,
      zones INTEGER NOT NULL,
      zoneTombstones INTEGER NOT NULL,
      subscriptions INTEGER NOT NULL,
      tombstones INTEGER NOT NULL,
      records INTEGER NOT NULL,
      hash INTEGER
    );

    CREATE TABLE zone (
      id INTEGER PRIMARY KEY,
      scope INTEGER NOT NULL,
      name TEXT NOT NULL,
      owner TEXT NOT NULL,
      lastChange INTEGER NOT NULL,
      firstChange INTEGER NOT NULL,
      json BLOB NOT NULL,
      hash INTEGER,
      UNIQUE (scope, name, owner)
    );

    CREATE TABLE recordType (
      id INTEGER PRIMARY KEY,
      name TEXT NOT NULL UNIQUE,
      hash INTEGER
    );

    CREATE TABLE section (
      zone INTEGER NOT NULL,
      type INTEGER NOT NULL,
      records INTEGER NOT NULL,
      bytes INTEGER NOT NULL,
      firstID INTEGER NOT NULL,
      lastID INTEGER NOT NULL,
      lastName TEXT NOT NULL,
      inOrder INTEGER NOT NULL,
      hash INTEGER,
      PRIMARY KEY (zone, type)
    ) WITHOUT ROWID;

    CREATE TABLE record (
      id INTEGER PRIMARY KEY,
      zone INTEGER NOT NULL,
      type INTEGER NOT NULL,
      name TEXT NOT NULL,
      change INTEGER NOT NULL,
      modified REAL,
      json BLOB NOT NULL,
      hash INTEGER
    );

    CREATE TABLE tombstone (
      zone INTEGER NOT NULL,
      name TEXT NOT NULL,
      change INTEGER NOT NULL,
      json BLOB NOT NULL,
      hash INTEGER,
      PRIMARY KEY (zone, name)
    ) WITHOUT ROWID;

    CREATE TABLE zoneTombstone (
      scope INTEGER NOT NULL,
      name TEXT NOT NULL,
      owner TEXT NOT NULL,
      change INTEGER NOT NULL,
      reason TEXT NOT NULL,
      hash INTEGER,
      PRIMARY KEY (scope, name, owner)
    ) WITHOUT ROWID;

    CREATE TABLE subscription (
      scope INTEGER NOT NULL,
      id TEXT NOT NULL,
      change INTEGER NOT NULL,
      json BLOB NOT NULL,
      hash INTEGER,
      PRIMARY KEY (scope, id)
    ) WITHOUT ROWID;

    CREATE TABLE accessChange (
      zone INTEGER NOT NULL,
      account TEXT NOT NULL,
      name TEXT NOT NULL,
      change INTEGER NOT NULL,
      hash INTEGER,
      PRIMARY KEY (zone, account, name)
    ) WITHOUT ROWID;

    CREATE TABLE lostZone (
      account TEXT NOT NULL,
      name TEXT NOT NULL,
      owner TEXT NOT NULL,
      change INTEGER NOT NULL,
      hash INTEGER,
      PRIMARY KEY (account, name, owner)
    ) WITHOUT ROWID;

    CREATE TABLE recordIndex (
      id INTEGER PRIMARY KEY,
      kind INTEGER NOT NULL,
      type INTEGER NOT NULL,
      field TEXT NOT NULL,
      hash INTEGER,
      UNIQUE (kind, type, field)
    );

    CREATE TABLE indexEntry (
      recordIndex INTEGER NOT NULL,
      zone INTEGER NOT NULL,
      key BLOB NOT NULL,
      name TEXT NOT NULL,
      record INTEGER NOT NULL,
      PRIMARY KEY (recordIndex, zone, key, name)
    ) WITHOUT ROWID;

    CREATE TABLE asset (
      id INTEGER PRIMARY KEY,
      sha256 BLOB UNIQUE,
      size INTEGER,
      stored INTEGER NOT NULL
    );

    CREATE TABLE assetChunk (
      asset INTEGER NOT NULL,
      number INTEGER NOT NULL,
      data BLOB NOT NULL,
      PRIMARY KEY (asset, number)
    );

    CREATE TABLE assetUse (
      record INTEGER NOT NULL,
      asset INTEGER NOT NULL,
      PRIMARY KEY (record, asset)
    ) WITHOUT ROWID;

    CREATE INDEX assetUseByAsset ON assetUse (asset);
    """

  /// The definition of each table and index that every container has, as SQLite stores it.
  static let definitions: [(name: String, sql: String)] =
    (tables.components(separatedBy: ";") + [identityIndex]).compactMap { statement in
      let sql = statement.trimmingCharacters(in: .whitespacesAndNewlines)
      guard sql.hasPrefix("CREATE"),
        let place = sql.firstRange(of: "TABLE ") ?? sql.firstRange(of: "INDEX ")
      else { return nil }
      return (String(sql[place.upperBound...].prefix { $0.isLetter }), sql)
    }

  /// The names of the tables that every container has, and whether their rows have numbers.
  static var tableNames: [(name: String, hasNumbers: Bool)] {
    definitions.filter { $0.sql.hasPrefix("CREATE TABLE") }.map {
      ($0.name, !$0.sql.hasSuffix("WITHOUT ROWID"))
    }
  }

  /// The names of all tables, indexes and views that a container of this layout may have.
  static let names = Set(
    definitions.map(\.name)
      + ["recordOrder", "recordChange", "tombstoneChange", "listing"]
      + ["records", "zones", "deletions", "assets"])

  /// Returns the definitions of the tables, indexes and views of a database, by name.
  static func stored(in db: SQLiteConnection) throws -> [String: String] {
    let rows = try db.all("SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL") {
      ($0.string(0), $0.string(1))
    }
    return Dictionary(rows) { $1 }
  }

  /// Creates the tables of an empty container in a new database.
  ///
  /// - Parameters:
  ///   - hasViews: whether other programs can open the database.
  ///   - hasIdentityIndex: whether names have their index, which a load builds at its end.
  static func create(in db: SQLiteConnection, hasViews: Bool, hasIdentityIndex: Bool) throws {
    try db.execute(tables)
    if hasIdentityIndex { try db.execute(identityIndex) }
    for scope in DatabaseScope.allCases {
      try DatabaseRow().write(scope, to: db)
    }
    try ContainerInfo().write(to: db)
    if hasViews { try db.execute(StoreViews.all) }
    try db.execute("PRAGMA application_id = \(applicationID)")
    try db.execute("PRAGMA user_version = \(version)")
  }
}

/// The views of a container file for use with any SQLite tool, with names instead of numbers, and
/// ISO 8601 dates. RecordPack itself reads the tables.
enum StoreViews {
  static let all = """
    CREATE VIEW records AS
    SELECT \(database) AS database, zone.name AS zone, zone.owner AS owner,
      recordType.name AS type, record.name AS name,
      json_extract(CAST(record.json AS TEXT), '$.recordChangeTag') AS changeTag,
      \(date("json_extract(CAST(record.json AS TEXT), '$.created.timestamp')")) AS created,
      json_extract(CAST(record.json AS TEXT), '$.created.userRecordName') AS createdBy,
      \(date("json_extract(CAST(record.json AS TEXT), '$.modified.timestamp')")) AS modified,
      json_extract(CAST(record.json AS TEXT), '$.modified.userRecordName') AS modifiedBy,
      json_extract(CAST(record.json AS TEXT), '$.parent.recordName') AS parent,
      length(record.json) AS bytes, CAST(record.json AS TEXT) AS json
    FROM record JOIN zone ON zone.id = record.zone JOIN recordType ON recordType.id = record.type;

    CREATE VIEW zones AS
    SELECT \(database) AS database, zone.name AS zone, zone.owner AS owner,
      coalesce((SELECT sum(records) FROM section WHERE section.zone = zone.id), 0) AS records,
      coalesce((SELECT sum(bytes) FROM section WHERE section.zone = zone.id), 0) AS bytes,
      CAST(zone.json AS TEXT) AS json
    FROM zone;

    CREATE VIEW deletions AS
    SELECT \(database) AS database, zone.name AS zone, zone.owner AS owner,
      json_extract(CAST(tombstone.json AS TEXT), '$.recordType') AS type, tombstone.name AS name,
      \(date("json_extract(CAST(tombstone.json AS TEXT), '$.deleted')")) AS deleted
    FROM tombstone JOIN zone ON zone.id = tombstone.zone
    UNION ALL
    SELECT \(database) AS database, zone.name AS zone, zone.owner AS owner, NULL, NULL, NULL
    FROM zoneTombstone AS zone;

    CREATE VIEW assets AS
    SELECT lower(hex(sha256)) AS sha256, size,
      (SELECT count(*) FROM assetUse WHERE assetUse.asset = asset.id) AS records
    FROM asset WHERE sha256 IS NOT NULL;
    """

  private static let database =
    "CASE zone.scope WHEN 0 THEN 'public' WHEN 1 THEN 'private' ELSE 'shared' END"

  /// Returns the SQL for a time in milliseconds since 1970 as `2024-11-16T05:33:20.125Z`.
  private static func date(_ milliseconds: String) -> String {
    "strftime('%Y-%m-%dT%H:%M:%fZ', \(milliseconds) / 1000.0, 'unixepoch')"
  }
}

import AppStores
import Foundation
import RecordModel
import RecordStore
import TestSupport
import Testing

@Suite struct SQLiteDataStoreTests {
  private static let id = "6b1d7a40-51c5-4a0e-9f4e-1d2c3b4a5968"

  private func makeDatabase(in folder: TestFolder) throws -> String {
    let db = try SQLiteConnection(folder.path("app.sqlite"), creates: true)
    try db.execute(
      """
      CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
      CREATE TABLE lists (id TEXT PRIMARY KEY NOT NULL, title TEXT NOT NULL) STRICT;
      CREATE TABLE reminders (id TEXT PRIMARY KEY NOT NULL, title TEXT NOT NULL, isDone INTEGER,
        photo BLOB, listID TEXT REFERENCES lists(id) ON DELETE CASCADE) STRICT;
      CREATE TABLE pairs (a INTEGER, b INTEGER, PRIMARY KEY (a, b));
      INSERT INTO lists VALUES ('l1', 'Größe');
      INSERT INTO reminders VALUES ('\(Self.id)', 'Call', 1, X'FFD8', 'l1');
      """)
    try db.close()
    return folder.path("app.sqlite")
  }

  @Test func `rows are records as the sync engine sends them`() throws {
    let folder = try TestFolder()
    let path = try makeDatabase(in: folder)
    #expect(AppStoreFile.isStore(path))
    let store = try ReadStore(path)
    #expect(store.facts.library == "SQLiteData")
    #expect(store.facts.entities.map(\.name) == ["lists", "reminders"])
    let reminder = try #require(store.records.first { $0.recordType == "reminders" })
    let zone = ZoneID(zoneName: "co.pointfree.SQLiteData.defaultZone")
    #expect(
      reminder.recordID == RecordID(recordName: "\(Self.id):reminders", zoneID: zone))
    #expect(reminder.encryptedValues["title"] as? String == "Call")
    #expect(reminder.encryptedValues["isDone"] as? Int == 1)
    #expect((reminder["photo"] as? Asset)?.size == 2)
    #expect((reminder.encryptedValues["photo_hash"] as? Data)?.count == 32)
    #expect(reminder.parent?.recordID.recordName == "l1:lists")
  }

  @Test func `the metadata database has the zones, times and states`() throws {
    let folder = try TestFolder()
    let path = try makeDatabase(in: folder)
    let db = try SQLiteConnection(
      folder.path(".app.metadata-iCloud.com.example.sqlite"), creates: true)
    try db.execute(
      """
      CREATE TABLE sqlitedata_icloud_recordTypes (tableName TEXT NOT NULL PRIMARY KEY);
      INSERT INTO sqlitedata_icloud_recordTypes VALUES ('reminders');
      CREATE TABLE sqlitedata_icloud_metadata (recordPrimaryKey TEXT NOT NULL,
        recordType TEXT NOT NULL, zoneName TEXT NOT NULL, ownerName TEXT NOT NULL,
        parentRecordName TEXT, lastKnownServerRecord BLOB, userModificationTime INTEGER NOT NULL,
        _isDeleted INTEGER NOT NULL DEFAULT 0, PRIMARY KEY (recordPrimaryKey, recordType));
      INSERT INTO sqlitedata_icloud_metadata VALUES
        ('\(Self.id)', 'reminders', 'shared', '_kenji', 'l9:lists', X'00', 1700000000, 0),
        ('gone', 'reminders', 'shared', '_kenji', NULL, NULL, 1, 1);
      """)
    try db.close()
    let store = try ReadStore(path)
    let reminder = try #require(store.records.first { $0.recordType == "reminders" })
    #expect(store.records.count == 1)
    #expect(reminder.recordID.zoneID == ZoneID(zoneName: "shared", ownerName: "_kenji"))
    #expect(reminder.parent?.recordID.recordName == "l9:lists")
    let time = reminder.encryptedValues["sqlitedata_icloud_userModificationTime_title"] as? Int
    #expect(time == 1_700_000_000)
    #expect(store.facts.mirroring?.needsCloudDelete == 1)
    // The system fields are damaged.
    #expect(store.losses == [StoreLoss(.noSystemFields, "reminders"): 1])
  }

  private func make(_ sql: String, in folder: TestFolder, _ name: String = "app.sqlite") throws {
    let db = try SQLiteConnection(folder.path(name), creates: true)
    try db.execute("CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);" + sql)
    try db.close()
  }

  private static let metadata = """
    CREATE TABLE sqlitedata_icloud_recordTypes (tableName TEXT PRIMARY KEY);
    CREATE TABLE sqlitedata_icloud_metadata (recordPrimaryKey TEXT, recordType TEXT, zoneName TEXT,
      ownerName TEXT, parentRecordName TEXT, lastKnownServerRecord BLOB,
      userModificationTime INTEGER, _isDeleted INTEGER DEFAULT 0);
    """

  @Test func `an engine that never found an account has all tables`() throws {
    let folder = try TestFolder()
    try make("CREATE TABLE a (id TEXT PRIMARY KEY); INSERT INTO a VALUES ('k')", in: folder)
    try make(Self.metadata, in: folder, ".app.metadata-iCloud.x.sqlite")
    #expect(try ReadStore(folder.path("app.sqlite")).records.map(\.recordType) == ["a"])
  }

  @Test func `rows of a table without a key of one column are counted`() throws {
    let folder = try TestFolder()
    try make(
      """
      CREATE TABLE pairs (a TEXT, b TEXT, PRIMARY KEY (a, b)); INSERT INTO pairs VALUES (1, 2);
      CREATE TABLE logs (text TEXT); INSERT INTO logs VALUES ('x'), ('y');
      CREATE TABLE a (id INTEGER PRIMARY KEY, text TEXT); INSERT INTO a VALUES (1, 'x');
      CREATE VIRTUAL TABLE search USING fts5(text); INSERT INTO search VALUES ('hello');
      """, in: folder)
    let store = try ReadStore(folder.path("app.sqlite"))
    #expect(store.records.map(\.recordType) == ["a"])
    #expect(
      store.losses == [
        StoreLoss(.notSynchronized, "pairs"): 1, StoreLoss(.notSynchronized, "logs"): 2,
      ])
  }

  @Test(arguments: [
    ("DECIMAL(10,2)", "1.25", "DOUBLE"), ("NUMERIC", "7", "INT64"),
    ("NUMERIC", "7), (1.5", "DOUBLE"),
    ("", "'text'", "STRING"), ("DATE", "'2026-01-01'", "STRING"), ("BLOB", "'text'", "STRING"),
    ("INTEGER", "1), (1.5", "DOUBLE"), ("TEXT", "'a'", "STRING"), ("DATETIME", "NULL", "STRING"),
  ])
  func `the type of a field is that of its cells`(_ type: String, _ cells: String, _ field: String)
    throws
  {
    let folder = try TestFolder()
    try make(
      """
      CREATE TABLE a (id INTEGER PRIMARY KEY, value \(type)); INSERT INTO a (value) VALUES (\(cells))
      """, in: folder)
    let store = try ReadStore(folder.path("app.sqlite"))
    let line = store.schema.split(separator: "\n").first { $0.contains(" value ") }
    let words = line?.split(whereSeparator: { " ,".contains($0) }).joined(separator: " ")
    #expect(words == "value ENCRYPTED \(field)")
    let types = Set(store.records.flatMap(\.fields).filter { $0.name == "value" }.map(\.value.type))
    let expected: [String: ValueType] = ["DOUBLE": .double, "INT64": .int64, "STRING": .string]
    #expect(types == (cells == "NULL" ? [] : [expected[field]]))
  }

  @Test func `a page that hides a row is an error, in each of the two databases`() throws {
    for damaged in ["app.sqlite", ".app.metadata-iCloud.x.sqlite"] {
      let folder = try TestFolder()
      let rows = "WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < 2000)"
      try make(
        "CREATE TABLE a (id INTEGER PRIMARY KEY, t TEXT); INSERT INTO a \(rows) SELECT i, hex(i) FROM c",
        in: folder)
      try make(
        Self.metadata + "INSERT INTO sqlitedata_icloud_metadata \(rows) "
          + "SELECT i, 'a', 'z', '_b', NULL, NULL, 1, 0 FROM c", in: folder,
        ".app.metadata-iCloud.x.sqlite")
      let file = URL(fileURLWithPath: folder.path(damaged))
      let db = try SQLiteConnection(file.path, isReadOnly: true)
      let page = try #require(
        try db.integer("SELECT max(rootpage) FROM sqlite_master WHERE type = 'table'"))
      try db.close()
      var bytes = try Data(contentsOf: file)
      let cells = Int(page - 1) * 4096 + 12
      // Two pointers of an interior page lead to one child.
      let child = Int(bytes[cells + 8]) << 8 | Int(bytes[cells + 9])
      let other = Int(bytes[cells + 10]) << 8 | Int(bytes[cells + 11])
      let start = Int(page - 1) * 4096
      bytes.replaceSubrange(
        (start + other)..<(start + other + 4), with: bytes[(start + child)..<(start + child + 4)])
      try bytes.write(to: file)
      let error = #expect(throws: AppStoreError.self) {
        _ = try ReadStore(folder.path("app.sqlite"))
      }
      #expect(error?.code == .damaged)
      #expect(error?.path == file.path)
    }
  }

  @Test func `a store behind a symbolic link has its metadata`() throws {
    let folder = try TestFolder()
    try make("CREATE TABLE a (id TEXT PRIMARY KEY); INSERT INTO a VALUES ('k')", in: folder)
    try make(
      Self.metadata + "INSERT INTO sqlitedata_icloud_metadata VALUES "
        + "('k', 'a', 'shared', '_bob', NULL, NULL, 1, 0)", in: folder,
      ".app.metadata-iCloud.x.sqlite")
    let link = folder.path("link.sqlite")
    try FileManager.default.createSymbolicLink(
      atPath: link, withDestinationPath: folder.path("app.sqlite"))
    let record = try #require(try ReadStore(link).records.first)
    #expect(record.recordID.zoneID == ZoneID(zoneName: "shared", ownerName: "_bob"))
  }

  @Test(arguments: ["DELETE", "WAL"])
  func `a store that the app writes to while it is read is an error`(mode: String) throws {
    let folder = try TestFolder()
    try make(
      "PRAGMA journal_mode = \(mode); CREATE TABLE a (id TEXT PRIMARY KEY); "
        + "PRAGMA wal_checkpoint(TRUNCATE)", in: folder)
    let path = folder.path("app.sqlite")
    let error = #expect(throws: AppStoreError.self) {
      try AppStoreFile.withContents(of: path, copyingTo: { folder.path }) { _ in
        let app = try SQLiteConnection(path)
        try app.execute("INSERT INTO a VALUES ('k')")
        try app.close()
      }
    }
    #expect(error?.problems.first?.contains("quit the app") == true)
  }
}

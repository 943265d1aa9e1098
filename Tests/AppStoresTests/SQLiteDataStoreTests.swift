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
    #expect(store.undecoded == ["reminders.lastKnownServerRecord": 1])
  }
}

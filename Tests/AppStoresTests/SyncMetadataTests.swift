import AppStores
import Foundation
import RecordModel
import RecordStore
import TestSupport
import Testing

@testable import RecordCoding

/// Databases of SQLiteData beside which the metadata of the sync engine is.
@Suite struct SyncMetadataTests {
  private static let zone = ZoneID(zoneName: "co.pointfree.SQLiteData.defaultZone")

  /// Makes an app's database and its metadata, whose rows have a server's record.
  private static func make(
    in folder: TestFolder, _ tables: String, _ rows: [(key: String, type: String, Row)],
    container: String = "x"
  ) throws -> String {
    let app = try SQLiteConnection(folder.path("app.sqlite"), creates: true)
    try app.execute(tables)
    try app.close()
    let db = try SQLiteConnection(
      folder.path(".app.metadata-iCloud.\(container).sqlite"), creates: true)
    try db.execute(
      """
      CREATE TABLE sqlitedata_icloud_recordTypes (tableName TEXT PRIMARY KEY);
      CREATE TABLE sqlitedata_icloud_metadata (recordPrimaryKey TEXT, recordType TEXT, zoneName TEXT,
        ownerName TEXT, parentRecordName TEXT, lastKnownServerRecord BLOB,
        _lastKnownServerRecordAllFields BLOB, share BLOB, userModificationTime INTEGER,
        _isDeleted INTEGER DEFAULT 0, PRIMARY KEY (recordPrimaryKey, recordType));
      """)
    for (key, type, row) in rows {
      try db.run(
        """
        INSERT INTO sqlitedata_icloud_metadata
        VALUES (?, ?, ?, '__defaultOwner__', NULL, ?, ?, ?, 200, 0)
        """,
        [key, type, row.zone, row.system ?? Data(), row.all ?? Data(), row.share ?? Data()])
      for (name, value) in [
        ("lastKnownServerRecord", row.system), ("_lastKnownServerRecordAllFields", row.all),
        ("share", row.share),
      ] where value == nil {
        try db.run(
          "UPDATE sqlitedata_icloud_metadata SET \(name) = NULL WHERE recordPrimaryKey = ?", [key])
      }
    }
    try db.close()
    return folder.path("app.sqlite")
  }

  private struct Row {
    var zone = SyncMetadataTests.zone.zoneName
    var system: Data?
    var all: Data?
    var share: Data?
  }

  private static func system(_ name: String, share: String? = nil) throws -> Data {
    func id(_ name: String) -> RecordID { RecordID(recordName: name, zoneID: zone) }
    return try SystemFields(
      recordID: id(name), recordType: "notes", recordChangeTag: "t",
      share: share.map { Reference(recordID: id($0)) }
    ).encodeSystemFields()
  }

  /// A value as CloudKit archives it, encrypted: a message of Protocol Buffers.
  private static func encrypted(_ name: String, _ message: [UInt8]) -> KeyedArchiveContent {
    .object(
      class: [name, "CKEncryptedData", "NSObject"],
      members: [("EncryptedData", .data(Data(message)))])
  }

  private static func text(_ text: String) -> KeyedArchiveContent {
    encrypted("CKEncryptedString", [0x32, UInt8(text.utf8.count)] + Array(text.utf8))
  }

  private static func number(_ number: UInt8) -> KeyedArchiveContent {
    encrypted("CKEncryptedLongLong", [0x18, number])
  }

  /// The whole record of a row `a` of `notes`.
  private static func record(_ fields: [(String, KeyedArchiveContent)]) -> Data {
    var writer = KeyedArchiveWriter()
    writer.add("RecordType", .string("notes"))
    writer.add("RecordID", .recordID(RecordID(recordName: "a:notes", zoneID: zone)))
    writer.add("ETag", .string("t"))
    let values = KeyedArchiveContent.object(
      class: ["NSMutableDictionary", "NSDictionary", "NSObject"],
      members: [
        ("NS.keys", .list(fields.map { .string($0.0) })), ("NS.objects", .list(fields.map(\.1))),
      ])
    writer.add(
      "EncryptedValueStore",
      .object(
        class: ["CKEncryptedRecordValueStore", "CKRecordValueStore", "NSObject"],
        members: [("RecordValues", values)]))
    return writer.data()
  }

  private static let notes = """
    CREATE TABLE notes (id TEXT PRIMARY KEY, title TEXT, n INTEGER, made TEXT, photo BLOB, gone TEXT);
    INSERT INTO notes VALUES ('a', 'x', 8, '2026-12-01 08:30:00.250', X'01', NULL);
    """

  @Test func `an equal value keeps its time, and fields that only the server has stay`() throws {
    let folder = try TestFolder()
    let time = "sqlitedata_icloud_userModificationTime"
    // 1 December 2026, 08:30:00.25, in seconds since 2001.
    let date = withUnsafeBytes(of: Double(817_806_600.25).bitPattern.littleEndian) { [UInt8]($0) }
    let hash = Data(base64Encoded: "S/USLzRFVMU73i67jNK349FgCtYxw4Wl18ziPHeFRZo=") ?? Data()
    let all = Self.record([
      ("id", Self.text("a")), ("title", Self.text("x")), ("n", Self.number(7)),
      ("made", Self.encrypted("CKEncryptedDate", [0x2A, 9, 9] + date)),
      (
        "photo_hash",
        .object(
          class: ["CKEncryptedData", "NSObject"], members: [("EncryptedData", .data(hash))])
      ),
      ("gone", Self.text("old")), ("future", Self.text("later")), (time, Self.number(120)),
      (time + "_id", Self.number(100)), (time + "_title", Self.number(101)),
      (time + "_n", Self.number(102)), (time + "_made", Self.number(103)),
      (time + "_photo", Self.number(104)), (time + "_gone", Self.number(105)),
      (time + "_future", Self.number(106)),
    ])
    let path = try Self.make(
      in: folder, Self.notes, [("a", "notes", Row(system: Self.system("a:notes"), all: all))])
    let store = try ReadStore(path)
    #expect(store.losses.isEmpty, "\(store.losses)")
    let record = try #require(store.records.first)
    let times = Dictionary(
      uniqueKeysWithValues: record.fields.filter { $0.name.hasPrefix(time) }.map {
        (String($0.name.dropFirst(time.count)), $0.value)
      })
    #expect(
      times == [
        "": .int64(200), "_id": .int64(100), "_title": .int64(101), "_n": .int64(200),
        "_made": .int64(103), "_photo": .int64(104), "_gone": .int64(200), "_future": .int64(106),
      ])
    #expect(record.encryptedValues["future"] as? String == "later")
    #expect(record.encryptedValues["n"] as? Int == 8)
    #expect(record.encryptedValues["gone"] == nil)
    #expect((record["photo"] as? Asset)?.size == 1)
    #expect(record.recordChangeTag == "t")
  }

  /// Archives that cannot be read, with the loss.
  @Test(arguments: [
    ("lastKnownServerRecord", StoreLoss.Reason.noSystemFields),
    ("_lastKnownServerRecordAllFields", .noServerRecord), ("share", .noShare),
  ])
  func `an archive that cannot be read is a loss that names the first row`(
    column: String, reason: StoreLoss.Reason
  ) throws {
    let folder = try TestFolder()
    var row = Row(system: try Self.system("a:notes"))
    let damaged = Data([0xDE, 0xAD])
    switch reason {
    case .noSystemFields: row.system = damaged
    case .noServerRecord: row.all = damaged
    default: row.share = damaged
    }
    let store = try ReadStore(Self.make(in: folder, Self.notes, [("a", "notes", row)]))
    #expect(store.losses == [StoreLoss(reason, "notes"): 1])
    #expect(store.losses.keys.first?.example?.hasPrefix("row 'a': found bytes that") == true)
    #expect(store.records.count == 1)
  }

  @Test func `values of the server's record in an unknown form are counted`() throws {
    let folder = try TestFolder()
    let cipher = KeyedArchiveContent.object(
      class: ["CKEncryptedString", "CKEncryptedData", "NSObject"],
      members: [("EncryptedData", .null), ("ReallyEncryptedData", .data(Data([1])))])
    let all = Self.record([("title", cipher), ("future", cipher)])
    let store = try ReadStore(
      Self.make(
        in: folder, Self.notes,
        [("a", "notes", Row(system: Self.system("a:notes"), all: all))]))
    #expect(
      store.losses == [
        StoreLoss(.noServerRecord, "notes"): 1, StoreLoss(.noServerValue, "notes.future"): 1,
      ])
  }

  @Test func `records without a row are counted, and hide no row that was never exported`() throws {
    let folder = try TestFolder()
    let path = try Self.make(
      in: folder, Self.notes,
      [
        ("gone", "notes", Row(system: Self.system("gone:notes"))),
        ("z", "newTable", Row(system: Self.system("z:newTable"))),
        // The app has deleted it before its first export.
        ("early", "notes", Row()),
      ])
    let store = try ReadStore(path)
    #expect(
      store.losses == [StoreLoss(.noRow, "notes"): 1, StoreLoss(.noRow, "newTable"): 1])
    let state = try #require(store.facts.mirroring)
    #expect(state.neverExported == 1 && state.withoutObject == 2 && state.needsCloudDelete == 0)
  }

  @Test func `a share is a record, and a missing one is a loss`() throws {
    let folder = try TestFolder()
    var systemFields = SystemFields(
      recordID: RecordID(recordName: "share-a:notes", zoneID: Self.zone),
      recordType: Share.recordType, recordChangeTag: "s")
    var info = Share()
    info.publicPermission = .readOnly
    systemFields.setShareInfo(info)
    let share = try systemFields.encodeSystemFields()
    let system = try Self.system("a:notes", share: "share-a:notes")
    var store = try ReadStore(
      Self.make(in: folder, Self.notes, [("a", "notes", Row(system: system, share: share))]))
    #expect(store.losses.isEmpty, "\(store.losses)")
    let record = try #require(store.records.first { $0.recordType == Share.recordType })
    #expect(record.recordID == store.records.first { $0.recordType == "notes" }?.share?.recordID)
    #expect(record.shareInfo?.publicPermission == .readOnly)
    #expect(store.schema.contains(#"RECORD TYPE "cloudkit.share""#))
    let other = try TestFolder()
    store = try ReadStore(Self.make(in: other, Self.notes, [("a", "notes", Row(system: system))]))
    #expect(store.losses == [StoreLoss(.noShare, "notes"): 1])
    #expect(!store.schema.contains("cloudkit.share"))
  }

  @Test func `the metadata databases of two containers are an error that names both`() throws {
    let folder = try TestFolder()
    let path = try Self.make(in: folder, Self.notes, [], container: "b")
    try FileManager.default.copyItem(
      atPath: folder.path(".app.metadata-iCloud.b.sqlite"),
      toPath: folder.path(".app.metadata-iCloud.a.sqlite"))
    #expect(AppStoreFile.isStore(path))
    let error = #expect(throws: AppStoreError.self) { try ReadStore(path) }
    for name in [".app.metadata-iCloud.a.sqlite", ".app.metadata-iCloud.b.sqlite"] {
      #expect(error?.description.contains(name) == true, "\(String(describing: error))")
    }
  }

  @Test(arguments: [
    (notes, "", "the recordPrimaryKey 'a' and the recordType 'notes' has an empty zoneName"),
    (
      "CREATE TABLE notes (id PRIMARY KEY, title TEXT); INSERT INTO notes VALUES (7, 'x'), ('7', 'y')",
      "z", "the table 'notes' has several rows whose id is '7' as text"
    ),
  ])
  func `rows that cannot be one record each are errors with their key`(
    tables: String, zone: String, text: String
  ) throws {
    let folder = try TestFolder()
    let path = try Self.make(in: folder, tables, [("a", "notes", Row(zone: zone))])
    let error = #expect(throws: AppStoreError.self) { try ReadStore(path) }
    #expect(error?.description.contains(text) == true, "\(String(describing: error))")
  }
}

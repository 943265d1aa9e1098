import Foundation
import RecordStore
import Testing

@Suite struct AppStoreToolTests {
  private func withStores(_ body: (String) async throws -> Void) async throws {
    try await withFolder { folder in
      try SampleStore.make("default.store", in: folder)
      try SampleStore.make("Empty.store", in: folder, isEmpty: true)
      try await body(folder)
    }
  }

  /// Commands that take a store where they take a bundle, with a text of their output.
  @Test(arguments: [
    ("query default.store --type CD_Note", "Plans"),
    ("query default.store --type CD_Note --where title='Letter'", "Letter"),
    ("inspect default.store", "Draft: 1"),
    ("inspect default.store --json", "SwiftData"),
    ("report default.store -o report.html", ""),
    ("diff default.store default.store", ""),
    ("validate default.store", ""),
    ("schema print default.store", "RECORD TYPE CD_Note"),
    ("schema draw default.store", "CD_Note"),
    ("schema diff default.store default.store", "steps"),
    ("import default.store New.sqlite", "12"),
    ("fixture extract default.store --type CD_Folder -o part.recordpack", ""),
    ("export default.store -o app.recordpack", "app.recordpack"),
    ("export default.store -o app.json --to web-services", "app.json"),
  ])
  func `a command takes a store as a source`(line: String, text: String) async throws {
    try await withStores { folder in
      let before = try Data(contentsOf: URL(fileURLWithPath: folder + "/default.store"))
      let result = try await ToolProcess.run(line: line, in: folder)
      // Core Data cannot mirror the relationship 'steps', which has no inverse.
      #expect(result.code == (line.hasPrefix("schema diff") ? 1 : 0), "\(result.errors)")
      #expect(
        text.isEmpty || (result.output + result.errors).contains(text),
        "\(result.output) \(result.errors)")
      let names = try FileManager.default.contentsOfDirectory(atPath: folder)
      #expect(!names.contains { $0.hasPrefix("default.store-") })
      #expect(try Data(contentsOf: URL(fileURLWithPath: folder + "/default.store")) == before)
    }
  }

  @Test func `a state of the sync engine that cannot be read is a warning with its row`()
    async throws
  {
    try await withFolder { folder in
      let db = try SQLiteConnection(folder + "/app.sqlite", creates: true)
      try db.execute("CREATE TABLE notes (id TEXT PRIMARY KEY); INSERT INTO notes VALUES ('a')")
      try db.close()
      let metadata = try SQLiteConnection(folder + "/.app.metadata-iCloud.x.sqlite", creates: true)
      try metadata.execute(
        """
        CREATE TABLE sqlitedata_icloud_recordTypes (tableName TEXT PRIMARY KEY);
        CREATE TABLE sqlitedata_icloud_metadata (recordPrimaryKey TEXT, recordType TEXT, zoneName TEXT,
          ownerName TEXT, parentRecordName TEXT, lastKnownServerRecord BLOB,
          userModificationTime INTEGER, _isDeleted INTEGER DEFAULT 0);
        INSERT INTO sqlitedata_icloud_metadata VALUES
          ('a', 'notes', 'Z', '__defaultOwner__', NULL, X'DEADBEEF', 1, 0),
          ('b', 'later', 'Z', '__defaultOwner__', NULL, X'DEADBEEF', 1, 0);
        """)
      try metadata.close()
      let export = try await ToolProcess.run(line: "export app.sqlite -o a.recordpack", in: folder)
      #expect(export.code == 1)
      for text in ["(the first: row 'a': found bytes that start with 0xde", "1 record of 'later'"] {
        #expect(export.errors.contains(text), "\(export.errors)")
      }
      #expect(!export.errors.contains("are kept"))
      let inspect = try await ToolProcess.run(line: "inspect app.sqlite --json", in: folder)
      #expect(inspect.code == 1)
      for text in [#""noRow":[{"table":"later","records":1}]"#, #""withoutObject":1"#] {
        #expect(
          inspect.output.filter { !$0.isWhitespace }.contains(text), "\(inspect.output)")
      }
    }
  }

  @Test func `an exported store fills a copy of an empty one`() async throws {
    try await withStores { folder in
      for line in [
        "export default.store -o app.recordpack",
        "export app.recordpack --to core-data --into Empty.store -o Seed.store",
        "diff default.store Seed.store --json",
      ] {
        let result = try await ToolProcess.run(line: line, in: folder)
        #expect(result.code == 0 || line.hasPrefix("diff"), "\(line): \(result.errors)")
      }
      let query = try await ToolProcess.run(
        line: "query Seed.store --type CD_Note --fields title --format csv", in: folder)
      #expect(query.output.contains("Grüße"), "\(query.output) \(query.errors)")
    }
  }

  /// Records that do not fit, with a part of the error.
  @Test(arguments: [
    (#"{"CD_entityName":"Other"}"#, "the model has the entities Draft, Folder, Note, Step, Tag"),
    (#"{"CD_entityName":"Note","CD_title":3}"#, "needs a STRING"),
    (#"{"CD_entityName":"Note","CD_isPinned":2}"#, "the INT64 2"),
    (#"{"CD_entityName":"Note","CD_folder":"nobody"}"#, "leads to 'nobody'"),
    (#"{"CD_entityName":"Note","CD_other":"x"}"#, "has no property for it"),
  ])
  func `records that do not fit are errors, and nothing is written`(
    fields: String, text: String
  ) async throws {
    try await withStores { folder in
      let values = try #require(
        try JSONSerialization.jsonObject(with: Data(fields.utf8)) as? [String: Any])
      let typed = values.mapValues { value -> [String: Any] in
        value is String
          ? ["type": "STRING", "value": value] : ["type": "INT64", "value": value]
      }
      let response: [String: Any] = [
        "records": [
          [
            "recordName": "one", "recordType": "CD_Note", "fields": typed,
            "zoneID": ["zoneName": "com.apple.coredata.cloudkit.zone"],
          ]
        ]
      ]
      try JSONSerialization.data(withJSONObject: response)
        .write(to: URL(fileURLWithPath: folder + "/r.json"))
      let result = try await ToolProcess.run(
        line: "export r.json --from web-services --to core-data --into Empty.store -o Seed.store",
        in: folder)
      #expect(result.code == 2)
      #expect(result.errors.contains(text), "\(result.errors)")
      #expect(!FileManager.default.fileExists(atPath: folder + "/Seed.store"))
    }
  }

  @Test func `data made for the model of a store fills it`() async throws {
    try await withStores { folder in
      let db = try SQLiteConnection(folder + "/Empty.store")
      try db.execute("DROP INDEX Z_Tag_UNIQUE_name")
      try db.close()
      for line in [
        "fixture generate --schema Empty.store --per-type 20 -o made.recordpack",
        "export made.recordpack --to core-data --into Empty.store -o Made.store",
        "fixture generate --schema Empty.store --per-type 20 --into Empty.store -o One.store",
        "diff Made.store One.store",
      ] {
        let result = try await ToolProcess.run(line: line, in: folder)
        #expect(result.code == 0, "\(line): \(result.errors)")
      }
    }
  }

  /// Values that are not decoded, with the text that names them.
  @Test(arguments: [
    (
      "ZPHOTO = X'0241414141414141412D414141412D414141412D414141412D414141414141414141414141'",
      "photo"
    ),
    ("ZTITLE = X'FF'", "title"), ("ZEDITED = 9e999", "edited"),
  ])
  func `a value that cannot be decoded is named by each command that reads it`(
    change: String, attribute: String
  ) async throws {
    try await withStores { folder in
      let db = try SQLiteConnection(folder + "/default.store")
      try db.execute("UPDATE ZNOTE SET \(change) WHERE Z_PK = 1")
      try db.close()
      for line in [
        "export default.store -o app.recordpack", "query default.store --count",
        "import default.store New.sqlite", "inspect default.store",
        "diff default.store default.store",
      ] {
        let result = try await ToolProcess.run(line: line, in: folder)
        #expect(result.code == 1, "\(line): \(result.errors)")
        #expect(
          result.errors.contains("1 value of 'Note.\(attribute)'"), "\(line): \(result.errors)")
      }
    }
  }

  /// Files that are not what a command takes, with a part of the error.
  @Test(arguments: [
    ("inspect Other.store", "no column Z_UUID, so it is not a store of Core Data"),
    ("schema print Other.store", "no column Z_UUID"),
    ("verify default.store", "'recordpack validate' reads all of its objects"),
    ("fixture generate --schema default.store --into default.store -o -", "name a file"),
  ])
  func `a wrong file is told in plain words`(line: String, text: String) async throws {
    try await withStores { folder in
      let db = try SQLiteConnection(folder + "/Other.store", creates: true)
      try db.execute(
        "CREATE TABLE Z_METADATA (a); CREATE TABLE Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_MAX)")
      try db.close()
      let result = try await ToolProcess.run(line: line, in: folder)
      #expect(result.code != 0 && result.errors.contains(text), "\(result.code) \(result.errors)")
    }
  }
}

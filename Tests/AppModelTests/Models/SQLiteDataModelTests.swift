import RecordSchema
import Testing

@testable import AppModel

@Suite("SQLiteData models")
struct SQLiteDataModelTests {
  private func read(_ sources: String...) -> MirroredModel {
    var all = SwiftModelSources()
    for (number, source) in sources.enumerated() { all.add("\(number).swift", Array(source.utf8)) }
    return all.sqliteData(named: "Models")
  }

  private func fields(_ model: MirroredModel, _ table: String) -> [String] {
    (model.fullSchema.recordType(named: table)?.userFields ?? [])
      .filter { !$0.name.hasPrefix("sqlitedata_icloud_userModificationTime_") }
      .map { "\($0.name) \($0.type)" }
  }

  @Test("each column is an encrypted value beside the time of its change, and bytes are an asset")
  func columns() {
    let model = read(
      """
      @Table struct Reminder: Identifiable {
        let id: UUID
        var title = ""
        @Column("is_done") var isDone = false
        var dueDate: Date?
        var weight: Double = 1
        var cover: Data?
        var link: URL?
        var priority: Priority?
        var listID: RemindersList.ID
        @Column(as: [String].JSONRepresentation.self) var notes: [String] = []
        @Column(as: Date.UnixTimeRepresentation.self) var seen: Date
        @Column(generated: .virtual) let length: Int
        @Ephemeral var cache: Color = .red
        static let shared = 1
        var computed: Color { .red }
        @Columns var times: Times
      }
      enum Priority: Int, QueryBindable { case low, high }
      @Selection struct Times { var createdAt: Date; var updatedAt: Date? }
      @Table("lists") struct RemindersList { let id: UUID; var name = "" }
      """)
    #expect(model.problems == [])
    #expect(
      fields(model, "reminders") == [
        "cover ASSET", "cover_hash ENCRYPTED BYTES", "createdAt ENCRYPTED TIMESTAMP",
        "dueDate ENCRYPTED TIMESTAMP", "id ENCRYPTED STRING", "is_done ENCRYPTED INT64",
        "link ENCRYPTED STRING", "listID ENCRYPTED STRING", "notes ENCRYPTED STRING",
        "priority ENCRYPTED INT64", "seen ENCRYPTED INT64",
        "sqlitedata_icloud_userModificationTime ENCRYPTED INT64", "title ENCRYPTED STRING",
        "updatedAt ENCRYPTED TIMESTAMP", "weight ENCRYPTED DOUBLE",
      ])
    #expect(fields(model, "lists").count == 3)
    let time = model.fullSchema.recordType(named: "reminders")?.field(
      named: "sqlitedata_icloud_userModificationTime_cover")
    #expect(time?.type == .encrypted(.int64))
  }

  @Test(
    "the name of a table is the plural of the type's",
    arguments: [
      ("Reminder", "reminders"), ("RemindersList", "remindersLists"), ("Category", "categories"),
      ("Status", "statuses"), ("Day", "days"), ("Box", "boxes"), ("Match", "matches"),
      ("URLItem", "urlItems"), ("Path", "paths"),
    ])
  func names(_ type: String, _ table: String) {
    #expect(SQLiteDataModelReader.plural(of: type) == table)
  }

  @Test("only the tables of the sync engine are synced")
  func engine() {
    let model = read(
      "@Table struct A { let id: UUID }\n@Table struct B { let id: UUID }\n@Table struct C { let id: UUID }",
      "let e = try SyncEngine(for: database, tables: A.self, privateTables: C.self)")
    #expect(model.entities.map(\.name) == ["as", "cs"])
  }

  @Test("a column of an unknown type is a problem")
  func unknownColumn() {
    let model = read("@Table struct A { let id: UUID; var b: Color; var c: [String] }")
    #expect(model.problems.map(\.property) == ["b", "c"])
  }

  @Test("the statements of migrations say what the engine refuses")
  func migrations() {
    let model = read(
      "@Table struct Tag { let id: UUID; var title = \"\"; var parentID: UUID? }",
      #"""
      try #sql("""
        CREATE TABLE "tags" ("id" TEXT PRIMARY KEY NOT NULL ON CONFLICT REPLACE DEFAULT (uuid()),
          "parentID" TEXT REFERENCES "tags"("id")) STRICT
        """).execute(db)
      try db.execute(sql: "ALTER TABLE tags ADD COLUMN title TEXT NOT NULL DEFAULT ''")
      try db.execute(sql: "CREATE UNIQUE INDEX i ON tags(title)")
      try db.execute(sql: "CREATE TABLE \(name) (id INTEGER)")
      """#)
    #expect(model.entities.first?.uniqueConstraints == [["title"]])
    #expect(model.entities.first?.relationships.map(\.deniesDeletion) == [true])
    #expect(model.problems.map(\.rule) == ["MODEL_NOT_READ"])
  }

  @Test("statements of SQL are applied in their order")
  func statements() {
    let model = SQLiteDataModel.read(
      """
      -- the first version
      CREATE TABLE IF NOT EXISTS main."notes" (
        id TEXT NOT NULL PRIMARY KEY, /* a key */
        "text" TEXT NOT NULL DEFAULT 'a, b);', [size] INTEGER CHECK (size > 0), ratio REAL,
        data BLOB, done BOOLEAN, when_at DATETIME, full TEXT GENERATED ALWAYS AS (id || 'x') STORED,
        folder TEXT REFERENCES folders(id) ON DELETE SET NULL,
        FOREIGN KEY (folder) REFERENCES folders(id) ON DELETE CASCADE
      ) STRICT;
      CREATE TABLE folders (id TEXT PRIMARY KEY);
      CREATE TABLE gone (id TEXT PRIMARY KEY);
      CREATE TABLE sqlite_sequence (name, seq);
      ALTER TABLE notes RENAME COLUMN ratio TO share;
      ALTER TABLE notes ADD "late" INTEGER;
      ALTER TABLE notes DROP COLUMN done;
      ALTER TABLE folders RENAME TO binders;
      DROP TABLE IF EXISTS gone;
      CREATE INDEX i ON notes(text); SELECT 1;
      """, file: "a.sql", named: "a.sql")
    #expect(model.problems == [])
    #expect(model.entities.map(\.name) == ["notes", "binders"])
    #expect(
      properties(model, "notes").filter { !$0.contains("→") } == [
        "id textOrDate", "text textOrDate", "size? integer", "share? double", "data? binary",
        "when_at? textOrDate", "folder? textOrDate", "late? integer",
      ])
  }

  @Test("a column of text accepts texts and dates in production")
  func textOrDate() throws {
    let model = SQLiteDataModel.read(
      "CREATE TABLE notes (id TEXT PRIMARY KEY, at TEXT)", file: "a.sql", named: "a.sql")
    var production = model.fullSchema
    let position = try #require(production.recordTypes.firstIndex { $0.name == "notes" })
    for index in production.recordTypes[position].fields.indices
    where production.recordTypes[position].fields[index].name == "at" {
      production.recordTypes[position].fields[index].type = .encrypted(.timestamp)
    }
    let report = try SchemaChecker().compare(
      from: SchemaDocument(production, name: "p"), to: SchemaDocument(model), kind: .drift)
    #expect(report.findings == [])
  }
}

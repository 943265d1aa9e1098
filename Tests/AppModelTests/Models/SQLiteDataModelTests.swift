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
    #expect(model.notes == [])
    #expect(read("@Table struct A { let id: UUID }").notes.count == 1)
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
      );
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

  @Test(
    "SQLite says what statements leave, whatever their form",
    arguments: [
      ("CREATE UNIQUE INDEX i ON t(slug); DROP INDEX i", [], []),
      ("CREATE UNIQUE INDEX i ON t(slug)", [["slug"]], []),
      ("CREATE UNIQUE INDEX i ON t(lower(slug))", [["an expression"]], []),
      ("ALTER TABLE t ADD COLUMN a TEXT UNIQUE", [], ["MODEL_NOT_READ"]),
      (
        "DROP TABLE t; CREATE TABLE t (id TEXT PRIMARY KEY, slug TEXT, UNIQUE(\"slug\" COLLATE NOCASE))",
        [["slug"]], []
      ),
      (
        "DROP TABLE t; CREATE TABLE t (id TEXT PRIMARY KEY, a TEXT, slug TEXT, UNIQUE(slug, a))",
        [["slug", "a"]], []
      ),
      (
        "CREATE TABLE n (id TEXT PRIMARY KEY, slug TEXT UNIQUE); DROP TABLE t; ALTER TABLE n RENAME TO t",
        [["slug"]], []
      ),
      ("CREATE TABLE t (id TEXT PRIMARY KEY, slug TEXT UNIQUE)", [["slug"]], []),
      (
        "ALTER TABLE t RENAME COLUMN slug TO name; CREATE UNIQUE INDEX i ON t(name)", [["name"]], []
      ),
      (
        "CREATE INDEX i ON t(slug COLLATE swift); CREATE TRIGGER g AFTER INSERT ON t BEGIN "
          + "DELETE FROM t; END; PRAGMA user_version = 1; ATTACH 'x' AS y", [], []
      ),
      ("CREATE TABLE u (a TEXT CHECK (length(mine(a)) > 0), id TEXT PRIMARY KEY)", [], []),
      ("CREATE VIRTUAL TABLE f USING fts5(a); CREATE TEMP TABLE x (a UNIQUE)", [], []),
      (
        "CREATE TABLE a AS WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x FROM c) SELECT x FROM c",
        [], ["MODEL_NOT_READ"]
      ),
      ("CREATE TABLE a AS SELECT zeroblob(1000000000)", [], ["MODEL_NOT_READ"]),
    ])
  func statementForms(_ sql: String, _ uniques: [[String]], _ problems: [String]) {
    let model = SQLiteDataModel.read(
      "CREATE TABLE t (id TEXT PRIMARY KEY DEFAULT (uuid()), slug TEXT); " + sql, file: "a.sql",
      named: "a")
    #expect(model.entities.first { $0.name == "t" }?.uniqueConstraints == uniques)
    #expect(Set(model.problems.map(\.rule.rawValue)).isSubset(of: problems + ["MODEL_PRIMARY_KEY"]))
    #expect(problems.isEmpty || !model.problems.isEmpty)
  }

  @Test("statements in files of any order, with interpolated defaults and split texts, are read")
  func swiftStatements() {
    let model = read(
      #"try db.execute(sql: "ALTER TABLE tags ADD COLUMN more TEXT")"#,
      #"""
      @Table struct Tag {
        let id: UUID
        @Column(as: Color.HexRepresentation.self) var color: Color = .red
        var mood: Mood?
      }
      try #sql("""
        CREATE TABLE "tags" ("id" TEXT PRIMARY KEY NOT NULL DEFAULT (uuid()),
          "color" INTEGER NOT NULL DEFAULT \(raw: 0x4a99ef_ff), "mood" TEXT,
          "kind" TEXT NOT NULL DEFAULT '\(raw: Kind.a.rawValue)') STRICT
        """).execute(db)
      try db.execute(sql: "CREATE UNIQUE INDEX i " + "ON tags(\"color\")")
      Button("Create table") { }; Text("Drop table"); print("create table"); Text("Alter table now")
      """#)
    #expect(model.problems == [])
    #expect(model.entities.first?.uniqueConstraints == [["color"]])
    #expect(fields(model, "tags").contains("color ENCRYPTED INT64"))
    #expect(fields(model, "tags").contains("mood ENCRYPTED STRING"))
  }

  private static let tags = """
    @Table struct Tag { let id: UUID; var title = "" }
    @Table struct Other { let id: UUID }
    """

  /// The statements of a migration of the table `tags`, whose name is interpolated.
  private func migration(of name: String) -> String {
    """
    enum Names { static let tags = "tags"; static var more: String { "tags" } }
    extension Tag {
      static func migrate(_ db: Database, name: String) throws {
        let local = "tags"
        try #sql(#"CREATE TABLE \(name) ("id" TEXT PRIMARY KEY, "title" TEXT)"#).execute(db)
        try #sql("CREATE UNIQUE INDEX i ON tags(title)").execute(db)
        try #sql("ALTER TABLE tags ADD COLUMN late TEXT").execute(db)
        try #sql("ALTER TABLE tags ADD COLUMN later TEXT").execute(db)
      }
    }
    """
  }

  @Test(
    "a name in a statement that the code tells is read",
    arguments: [
      ##""\#(raw: Self.tableName)""##, ##""\#(raw: Tag.tableName)""##, ##"\#(Tag.self)"##,
      ##"\#(raw: Names.tags)"##, ##"\#(raw: Names.more)"##, ##"\#(raw: local)"##,
    ])
  func interpolatedNames(_ name: String) {
    let model = read(Self.tags, migration(of: name))
    #expect(model.problems == [])
    #expect(model.entities.first?.uniqueConstraints == [["title"]])
  }

  @Test("a statement that is not told is one problem, with what depends on it")
  func computedName() {
    for name in [##"\#(raw: name)"##, ##"\#(raw: prefix + "s")"##] {
      #expect(read(Self.tags, migration(of: name)).problems.map(\.rule) == ["MODEL_NOT_READ"])
    }
  }

  @Test("the statements of tables that are not synced are no problem")
  func localTables() {
    let statements = """
      let e = try SyncEngine(for: database, tables: Tag.self)
      try #sql("CREATE TABLE others (id TEXT PRIMARY KEY, kind \\(raw: type))").execute(db)
      try #sql("CREATE INDEX i ON missing(kind)").execute(db)
      """
    #expect(read(Self.tags, statements).problems == [])
    let other = statements.replacing("others", with: "tags")
    #expect(read(Self.tags, other).problems.map(\.rule) == ["MODEL_NOT_READ"])
  }

  @Test(
    "a statement that may concern a synced table is a problem",
    arguments: [
      (
        #"CREATE TABLE new (id TEXT, \(raw: type)); DROP TABLE tags; ALTER TABLE new RENAME TO tags"#,
        ""
      ),
      (#"CREATE TABLE others (id TEXT); CREATE TABLE tags (id TEXT, \(raw: type))"#, ""),
      (#"-- the table of others, don't ask\nCREATE TABLE tags (id TEXT, \(raw: type))"#, ""),
      (#"/* TABLE others */ CREATE TABLE main."Tags"(id TEXT, \(raw: type))"#, ""),
      (#"CREATE INDEX i ON [tags](\(raw: type))"#, ""),
      // The name is that of a parameter, whatever a constant of another type is.
      (#"CREATE TABLE \(raw: table) (id TEXT PRIMARY KEY)"#, ""),
      // What is not read of other tables does not explain that this one is missing.
      (#"CREATE TABLE others (id TEXT, \(raw: type))"#, "ALTER TABLE tags ADD COLUMN title TEXT"),
      (#"CREATE TABLE others (id TEXT, \(raw: type))"#, "ALTER TABLE others RENAME TO tags"),
    ])
  func syncedTables(_ statement: String, _ next: String) {
    let code = """
      enum Other { static let table = "others" }
      let e = try SyncEngine(for: database, tables: Tag.self)
      func migrate(_ db: Database, table: String) throws {
        try #sql(\"\"\"
          \(statement.replacing(#"\n"#, with: "\n    "))
          \"\"\").execute(db)
        try #sql("\(next)").execute(db)
      }
      """
    #expect(read(Self.tags, code).problems.map(\.rule) == ["MODEL_NOT_READ"])
  }

  @Test("a table with a name of several words is the one that a statement is about")
  func quotedNames() {
    let code = """
      @Table("my tags") struct MyTag { let id: UUID }
      let e = try SyncEngine(for: database, tables: MyTag.self)
      try #sql(#"CREATE TABLE "my others" (id TEXT, \\#(raw: type))"#).execute(db)
      """
    #expect(read(code).problems == [])
    let other = code.replacing("others", with: "tags")
    #expect(read(other).problems.map(\.rule) == ["MODEL_NOT_READ"])
  }

  @Test("the tables of GRDB's calls are read")
  func grdb() {
    let model = read(
      "@Table struct Book { let id: UUID; var title = \"\"; var shelfId: UUID?; var isbn = \"\" }",
      """
      migrator.registerMigration("1") { db in
        try db.create(table: "books", options: [.ifNotExists, .strict]) { t in
          t.uniqueKey(["title", "isbn"])
          t.primaryKey("id", .text)
          t.column("title", .text).notNull().defaults(to: "")
          t.column("isbn", .text).notNull().unique(onConflict: .replace)
          t.belongsTo("shelf", inTable: "shelves", onDelete: .restrict)
        }
        try db.create(table: "shelves") { $0.autoIncrementedPrimaryKey("id") }
        try db.alter(table: "books") { t in
          t.add(column: "late", .integer)
          t.rename(column: "late", to: "later")
        }
        try db.create(index: "i", on: "books", columns: ["later"], options: .unique)
        try db.create(index: "j", on: "books", columns: ["title"])
        try db.create(table: "old") { t in t.column("a") }
        try db.drop(table: "old")
      }
      """)
    #expect(model.problems == [])
    let book = model.entities.first
    #expect(
      Set(book?.uniqueConstraints ?? []) == [["title", "isbn"], ["isbn"], ["later"]])
    #expect(book?.relationships.map(\.deniesDeletion) == [true])
    let computed = read(
      "@Table struct A { let id: UUID }\ntry db.create(table: name) { t in t.column(\"a\") }")
    #expect(computed.problems.map(\.rule) == ["MODEL_NOT_READ"])
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

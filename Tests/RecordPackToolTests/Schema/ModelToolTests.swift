import Foundation
import Testing

@Suite("recordpack with models")
struct ModelToolTests {
  private static let book = """
    import SwiftData

    @Model final class Book {
      var title: String = ""
      var pages: Int = 0
      var added: Date?
      init() {}
    }
    """

  private func write(_ text: String, _ path: String, in folder: String) throws {
    let parent = (folder + "/" + path as NSString).deletingLastPathComponent
    try FileManager.default.createDirectory(atPath: parent, withIntermediateDirectories: true)
    try Samples.write(Data(text.utf8), path, in: folder)
  }

  private func entity(_ attributes: String) -> String {
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
    <entity name="Book">\(attributes)</entity>
    <entity name="Cache"/>
    <configuration name="Cloud"><memberEntity name="Book"/></configuration>
    </model>
    """
  }

  @Test("A folder without a model is an error in every command that takes a schema")
  func emptyFolder() async throws {
    try await withFolder { folder in
      try FileManager.default.createDirectory(
        atPath: folder + "/App", withIntermediateDirectories: false)
      try Samples.write(Data(Samples.schema.utf8), "s.ckdb", in: folder)
      for line in [
        "schema print App", "schema diff s.ckdb App", "schema validate App", "schema draw App",
        "schema deploy App x.sqlite --create", "schema protection App",
        "schema scan . --schema App",
        "schema generate App --swift Out", "fixture recipe App", "migrate plan s.ckdb App",
        "fixture generate --schema App -o x",
      ] {
        let result = try await ToolProcess.run(line: line, in: folder)
        #expect(result.code == 2, "\(line)")
        let isSaid = result.errors.contains("no model") || result.errors.contains("no Swift file")
        #expect(isSaid, "\(line): \(result.errors)")
      }
    }
  }

  @Test("a schema that is printed of a model needs nothing; without a field, its place is told")
  func printAndDiff() async throws {
    try await withFolder { folder in
      try write(Self.book, "App/Models/Book.swift", in: folder)
      let printed = try await ToolProcess.run("schema", "print", "App/Models", in: folder)
      #expect(printed.code == 0, "\(printed.errors)")
      #expect(printed.errors.contains("'App/Models' is a model of SwiftData: 1 class in 1 file"))
      try write(printed.output, "full.ckdb", in: folder)
      for path in ["App/Models", "App", "App/Models/Book.swift"] {
        let same = try await ToolProcess.run("schema", "diff", "full.ckdb", path, in: folder)
        #expect(same.code == 0 && same.output.contains("nothing found"), "\(same.output)")
      }
      let added = printed.output.split(separator: "\n", omittingEmptySubsequences: false)
        .filter { !$0.contains("CD_added") }.joined(separator: "\n")
      try write(added, "production.ckdb", in: folder)
      let missing = try await ToolProcess.run(
        "schema", "diff", "production.ckdb", "App/Models", in: folder)
      #expect(missing.code == 1)
      #expect(
        missing.output.contains(
          "App/Models/Book.swift:6:7: error: FIELD_NOT_DEPLOYED CD_Book.CD_added"))
      // To deploy a model is to add its fields to production's.
      let deploy = try await ToolProcess.run(
        "schema", "diff", "production.ckdb", "App/Models", "--mode", "deploy", in: folder)
      #expect(deploy.code == 0)
      #expect(deploy.output.contains("FIELD_ADDED CD_Book.CD_added"))
      #expect(
        deploy.output.hasSuffix("\nDeploy what the model adds before you release the app.\n"))
    }
  }

  @Test("a version of a model is named behind a number sign, or is the current one")
  func versions() async throws {
    try await withFolder { folder in
      let title = #"<attribute name="title" optional="YES" attributeType="String"/>"#
      let pages = #"<attribute name="pages" optional="YES" attributeType="Integer 16"/>"#
      try write(entity(title), "A.xcdatamodeld/A.xcdatamodel/contents", in: folder)
      try write(entity(title + pages), "A.xcdatamodeld/A 2.xcdatamodel/contents", in: folder)
      func fields(_ arguments: String...) async throws -> (
        code: Int32, output: String, errors: String
      ) {
        let result = try await ToolProcess.run(["schema", "print"] + arguments, in: folder)
        return (result.code, result.output, result.errors)
      }
      #expect(try await fields("A.xcdatamodeld").code == 2)
      try write(
        "<plist><dict><key>_XCCurrentVersionName</key><string>A 2.xcdatamodel</string></dict></plist>",
        "A.xcdatamodeld/.xccurrentversion", in: folder)
      #expect(try await fields("A.xcdatamodeld").output.contains("CD_pages"))
      let binary = try PropertyListSerialization.data(
        fromPropertyList: ["_XCCurrentVersionName": "A.xcdatamodel"], format: .binary, options: 0)
      let file = URL(fileURLWithPath: folder + "/A.xcdatamodeld/.xccurrentversion")
      let text = try Data(contentsOf: file)
      try binary.write(to: file)
      let first = try await fields("A.xcdatamodeld")
      #expect(first.output.contains("CD_title") && !first.output.contains("CD_pages"))
      try text.write(to: file)
      #expect(try await fields("A.xcdatamodeld/").output.contains("CD_pages"))
      #expect(try await fields(".").output.contains("CD_pages"))
      #expect(try await fields("A.xcdatamodeld#A").output.contains("CD_title"))
      #expect(try await !fields("A.xcdatamodeld#A").output.contains("CD_pages"))
      #expect(try await !fields("A.xcdatamodeld/A.xcdatamodel").output.contains("CD_pages"))
      #expect(
        try await fields("A.xcdatamodeld#B").errors.contains("has no version 'B.xcdatamodel'"))
      #expect(try await fields("A.xcdatamodeld").output.contains("CD_Cache"))
      let cloud = try await fields("A.xcdatamodeld", "--model-configuration", "Cloud")
      #expect(!cloud.output.contains("CD_Cache") && cloud.output.contains("CD_Book"))
      let none = try await fields("A.xcdatamodeld", "--model-configuration", "None")
      #expect(none.code == 1 && none.output.isEmpty)
      #expect(none.errors.contains("the model has no configuration 'None'"))
      let plan = try await ToolProcess.run(
        "migrate", "plan", "A.xcdatamodeld#A", "A.xcdatamodeld", in: folder)
      #expect(plan.code == 0 && plan.output.contains("CD_pages"), "\(plan.errors)")
    }
  }

  @Test("a model with one version needs no name in its .xccurrentversion")
  func onlyVersion() async throws {
    try await withFolder { folder in
      let title = #"<attribute name="title" optional="YES" attributeType="String"/>"#
      try write(entity(title), "A.xcdatamodeld/A.xcdatamodel/contents", in: folder)
      try write("<plist><dict/></plist>", "A.xcdatamodeld/.xccurrentversion", in: folder)
      let one = try await ToolProcess.run("schema", "print", "A.xcdatamodeld", in: folder)
      #expect(one.code == 0 && one.output.contains("CD_title"), "\(one.errors)")
      try write(entity(title), "A.xcdatamodeld/B.xcdatamodel/contents", in: folder)
      let two = try await ToolProcess.run("schema", "print", "A.xcdatamodeld", in: folder)
      #expect(two.code == 2 && two.errors.contains("its .xccurrentversion names none"))
    }
  }

  @Test("a model comes before a test's alias of the same name")
  func aliasOfTest() async throws {
    try await withFolder { folder in
      let container = "\nlet container = try ModelContainer(for: Book.self)\n"
      try write(Self.book + container, "App/Book.swift", in: folder)
      try write("private typealias Book = App.Book", "App/Tests.swift", in: folder)
      try write("typealias Book = Int", "App/Other.swift", in: folder)
      let printed = try await ToolProcess.run("schema", "print", "App", in: folder)
      #expect(printed.code == 0 && printed.output.contains("CD_Book"), "\(printed.errors)")
    }
  }

  @Test("of a model that is not mirrored, no type of production is said to be left over")
  func unmirrored() async throws {
    try await withFolder { folder in
      let container = """
        let container = try ModelContainer(
          for: Book.self, configurations: ModelConfiguration(cloudKitDatabase: .none))
        """
      try write(Self.book + "\n" + container, "App/Book.swift", in: folder)
      try Samples.write(Data(Samples.schema.utf8), "s.ckdb", in: folder)
      let diff = try await ToolProcess.run("schema", "diff", "s.ckdb", "App", in: folder)
      #expect(diff.code == 1 && diff.output.contains("MODEL_NOT_MIRRORED"))
      #expect(!diff.output.contains("PRODUCTION_DIFFERS"), "\(diff.output)")
      #expect(diff.output.contains("Nothing was checked"))
      let summary = try await report("App", as: "markdown", in: folder)
      #expect(summary.contains("**❌ The model has errors.** 1 error\n"), "\(summary)")
    }
  }

  private static let formats = ["text", "markdown", "github", "sarif", "junit", "html"]

  /// The report of a comparison in a format; `json` is one.
  private func report(_ app: String, as format: String, in folder: String) async throws -> String {
    let options = format == "json" ? ["--json"] : ["--format", format]
    return try await ToolProcess.run(["schema", "diff", "s.ckdb", app] + options, in: folder).output
  }

  @Test("a report names the container of CloudKit, which the code or the nearest entitlements name")
  func containerNames() async throws {
    try await withFolder { folder in
      try Samples.write(Data(Samples.schema.utf8), "s.ckdb", in: folder)
      let container = """

        let id = "iCloud.other"
        let container = try ModelContainer(for: Book.self, configurations: ModelConfiguration(
          cloudKitDatabase: .private("iCloud.books")))
        """
      try write(Self.book + container, "Code/Book.swift", in: folder)
      for format in Self.formats + ["json"] {
        let text = try await report("Code", as: format, in: folder)
        #expect(text.contains("iCloud.books") && !text.contains("iCloud.other"), "\(format)")
        #expect(text.contains("Book.swift"), "\(format)")
      }
      #expect(
        try await report("Code", as: "text", in: folder).contains(
          "\nSwiftData mirrors the model to iCloud.books (Code/Book.swift:11:30)\n"))
      func entitlements(_ name: String) -> String {
        """
        <plist><dict><key>com.apple.developer.icloud-container-identifiers</key>
        <array><string>iCloud.\(name)</string><string>iCloud.more</string></array>
        <key>com.apple.developer.icloud-services</key><array/></dict></plist>
        """
      }
      try write(Self.book, "Apps/A/Models/Book.swift", in: folder)
      try write(entitlements("a"), "Apps/A/A.entitlements", in: folder)
      try write(entitlements("b"), "Apps/B/B.entitlements", in: folder)
      let text = try await report("Apps", as: "text", in: folder)
      #expect(text.contains("mirrors the model to iCloud.a (Apps/A/A.entitlements)\n"), "\(text)")
    }
  }

  @Test("the entitlements nearest to the model decide, and a project without entitlements is told")
  func nearestEntitlements() async throws {
    try await withFolder { folder in
      try Samples.write(Data(Samples.schema.utf8), "s.ckdb", in: folder)
      try write(Self.book, "Apps/A/Models/Book.swift", in: folder)
      try write("", "Apps/A/A.xcodeproj/project.pbxproj", in: folder)
      let note = "the Xcode project has no .entitlements file"
      let assumed = try await report("Apps", as: "text", in: folder)
      #expect(assumed.components(separatedBy: note).count == 2, "\(assumed)")
      try write(
        "<key>com.apple.developer.icloud-services</key>", "Apps/B/B.entitlements", in: folder)
      try write("<plist/>", "Apps/A/A.entitlements", in: folder)
      let other = try await report("Apps", as: "text", in: folder)
      #expect(other.contains("  Apps/A/A.entitlements: error: MODEL_NOT_MIRRORED schema\n"))
      #expect(!other.contains(note))
      try write(
        "<key>com.apple.developer.icloud-services</key>", "Apps/A/A.entitlements", in: folder)
      try write("<plist/>", "Apps/B/B.entitlements", in: folder)
      #expect(try await !report("Apps", as: "text", in: folder).contains("MODEL_NOT_MIRRORED"))
    }
  }

  @Test("the entitlements of an extension do not hide those of its app")
  func entitlementsOfExtensions() async throws {
    for place in ["Config/App", "App"] {
      try await withFolder { folder in
        try Samples.write(Data(Samples.schema.utf8), "s.ckdb", in: folder)
        try write(Self.book, "Code/App/Models/Book.swift", in: folder)
        try write("<plist/>", "Code/App/Widget/Widget.entitlements", in: folder)
        try write(
          "<key>com.apple.developer.icloud-services</key>", "Code/\(place).entitlements", in: folder
        )
        let text = try await report("Code", as: "text", in: folder)
        #expect(!text.contains("MODEL_NOT_MIRRORED"), "\(place)")
      }
    }
  }

  @Test("a missing container is told in every format, and a folder has no line")
  func missingContainer() async throws {
    try await withFolder { folder in
      try Samples.write(Data(Samples.schema.utf8), "s.ckdb", in: folder)
      try write(Self.book, "App/Book.swift", in: folder)
      for format in Self.formats + ["json"] {
        let text = try await report("App", as: format, in: folder)
        #expect(text.contains("no container of the app was read"), "\(format)")
        #expect(!text.contains("App:1:1") && !text.contains("file=App,line"), "\(format)")
      }
      let text = try await report("App", as: "text", in: folder)
      #expect(text.contains("  App: info: PRODUCTION_DIFFERS"), "\(text)")
      // The report is on the other schema.
      let from = try await ToolProcess.run("schema", "diff", "App", "s.ckdb", in: folder)
      #expect(from.errors.contains("'App': no container of the app was read"), "\(from.errors)")
    }
  }

  @Test("findings of one decision are one, and the model comes before what production lacks")
  func merged() async throws {
    try await withFolder { folder in
      let schema = """
        DEFINE SCHEMA
        RECORD TYPE CD_Book (CD_title STRING, CD_old STRING, CD_older STRING, GRANT WRITE TO "_creator");
        RECORD TYPE CD_Shelf (CD_name STRING, CD_past STRING, GRANT WRITE TO "_creator");
        """
      try write(schema, "s.ckdb", in: folder)
      let classes = """
        @Model final class Book { var title: String = ""; init() {} }
        @Model final class Shelf { var name: String; init() {} }
        let c = try ModelContainer(for: Book.self, Shelf.self)
        """
      try write(classes, "App/Book.swift", in: folder)
      let text = try await report("App", as: "text", in: folder)
      #expect(text.contains("FIELD_NOT_DEPLOYED CD_Book.CD_entityName\n"))
      #expect(text.contains("\n      the same for CD_Shelf.CD_entityName\n"))
      #expect(text.contains("\n      the same for CD_Book.CD_older, CD_Shelf.CD_past\n"))
      let headings = text.split(separator: "\n").filter { $0.contains(" · ") }
      #expect(headings.map { $0.prefix { $0 != " " } } == ["MODEL", "CLIENT", "INFO"], "\(text)")
      #expect(text.contains("\n2 errors, 2 notes, 1 info\n"), "\(text)")
      let valid = try await ToolProcess.run("schema", "validate", "s.ckdb", in: folder)
      #expect(valid.output.contains("\n1 error\n"), "\(valid.output)")
      // A comment allows one of them.
      let allowed = schema.replacing(
        "DEFINE SCHEMA",
        with: "// recordpack:allow ENTITY_NAME_MISSING(CD_Book) by hand\nDEFINE SCHEMA")
      try write(allowed, "s.ckdb", in: folder)
      let rest = try await ToolProcess.run("schema", "validate", "s.ckdb", in: folder)
      #expect(rest.output.contains("error: ENTITY_NAME_MISSING CD_Shelf.CD_entityName"))
      #expect(rest.output.contains("1 error · 1 suppressed"), "\(rest.output)")
      for format in ["json", "sarif"] {
        #expect(try await report("App", as: format, in: folder).contains("CD_Shelf.CD_past"))
      }
    }
  }

  @Test("SwiftData shares no objects, so that production needs no receipt of a move")
  func sharesOfRecords() async throws {
    try await withFolder { folder in
      let code = "\nlet container = try ModelContainer(for: Book.self)\nlet share: CKShare? = nil\n"
      try write(Self.book + code, "App/Book.swift", in: folder)
      let printed = try await ToolProcess.run("schema", "print", "App", in: folder)
      let lines = printed.output.split(separator: "\n").filter { !$0.contains("CD_moveReceipt") }
      try Samples.write(Data(lines.joined(separator: "\n").utf8), "s.ckdb", in: folder)
      let diff = try await ToolProcess.run("schema", "diff", "s.ckdb", "App", in: folder)
      #expect(!diff.output.contains("CD_moveReceipt"), "\(diff.output)")
      #expect(diff.code == 0, "\(diff.output)")
    }
  }

  @Test("the kind is found, and chosen where there are two")
  func kinds() async throws {
    try await withFolder { folder in
      try write(Self.book, "Both/Book.swift", in: folder)
      try write("@Table struct Tag { let id: UUID }", "Both/Tag.swift", in: folder)
      try write("CREATE TABLE \"tags\" (\"id\" TEXT PRIMARY KEY)", "tags.sql", in: folder)
      try write("let a = 1", "None/a.swift", in: folder)
      try write("let e = NSEntityDescription()", "Code/a.swift", in: folder)
      func printed(_ arguments: String...) async throws -> (code: Int32, text: String) {
        let result = try await ToolProcess.run(["schema", "print"] + arguments, in: folder)
        return (result.code, result.output + result.errors)
      }
      let both = try await printed("Both")
      #expect(both.code == 2 && both.text.contains("SQLiteData and SwiftData; choose with --model"))
      #expect(
        try await printed("Both", "--model", "swiftdata").text.contains("RECORD TYPE CD_Book"))
      #expect(try await printed("Both", "--model", "sqlitedata").text.contains("RECORD TYPE tags"))
      #expect(try await printed("Both", "--model", "coredata").code == 2)
      #expect(try await printed("tags.sql").text.contains("ENCRYPTED STRING"))
      #expect(try await printed("None").text.contains("'None' has no model"))
      #expect(
        try await printed("Code").text.contains("makes its model in code, at Code/a.swift:1:9"))
      guard Command.exists("python3") else { return }
      let made = try await ToolProcess.shell(
        """
        python3 -c 'import sqlite3; c = sqlite3.connect("app.db"); \
        c.execute("create table notes (id text primary key, size integer)"); \
        c.execute("create table grdb_migrations (a)"); \
        c.execute("create virtual table search using fts5(title)"); c.commit(); \
        d = sqlite3.connect("core.db"); d.execute("create table Z_METADATA (a)"); \
        d.execute("create table Z_PRIMARYKEY (a)"); d.commit()'
        """, in: folder)
      #expect(made.code == 0, "\(made.errors)")
      let database = try await printed("app.db")
      #expect(database.text.contains("RECORD TYPE notes") && !database.text.contains("grdb"))
      // A database of another program has no records.
      for line in ["schema draw app.db", "migrate plan app.db app.db"] {
        let result = try await ToolProcess.run(line: line, in: folder)
        #expect(result.code == 0, "\(result.errors)")
      }
      #expect(try await printed("core.db").text.contains("no column Z_UUID"))
    }
  }

  @Test("what was not read is exit code 1, and no schema without it is printed")
  func unread() async throws {
    try await withFolder { folder in
      try write("@Model class A {\n  var b: Outside?\n  init() {}\n}\n", "A.swift", in: folder)
      try write("\u{FF}", "Latin.swift", in: folder)
      for command in ["print", "draw"] {
        let result = try await ToolProcess.run("schema", command, "A.swift", in: folder)
        #expect(result.code == 1 && result.output.isEmpty)
        #expect(result.errors.contains("A.swift:2:7: the type of 'b' of 'A' is not known"))
      }
      let report = try await ToolProcess.run("schema", "validate", "A.swift", in: folder)
      #expect(report.code == 1 && report.output.contains("MODEL_NOT_READ CD_A.CD_b"))
      let allowed =
        "@Model class A {\n  // recordpack:allow MODEL_NOT_READ by hand\n  var b: Outside?\n}\n"
      try write(allowed, "A.swift", in: folder)
      #expect(try await ToolProcess.run("schema", "print", "A.swift", in: folder).code == 0)
    }
  }

  @Test(
    "an app that cannot sync has one finding: its container is local, or its entitlements lack iCloud"
  )
  func notMirrored() async throws {
    try await withFolder { folder in
      try Samples.write(Data(Samples.schema.utf8), "s.ckdb", in: folder)
      try write(entity(""), "App/Book.xcdatamodel/contents", in: folder)
      try write(Self.book, "Data/Book.swift", in: folder)
      func findings(_ app: String, _ code: String) async throws -> String {
        try write("import CoreData\n\(code)", app + "/Store.swift", in: folder)
        let diff = try await ToolProcess.run("schema", "diff", "s.ckdb", app, in: folder)
        let scan = try await ToolProcess.run(
          "schema", "scan", app, "--schema", "s.ckdb", in: folder)
        #expect(diff.code == 1 && scan.code == 1)
        let rules = [diff, scan].flatMap { $0.output.split(separator: "\n") }
          .filter { $0.contains("error: ") && !$0.contains("DEPLOYED") }
        return rules.map { $0.split(separator: " ")[2] }.joined(separator: " ")
      }
      let (cloud, options) = (
        "let c = NSPersistentCloudKitContainer(name: \"Book\")",
        "NSPersistentCloudKitContainerOptions(containerIdentifier: \"iCloud.book\")"
      )
      #expect(try await findings("App", cloud) == "MIRRORING_NOT_SCANNED")
      #expect(
        try await findings("App", "let c = NSPersistentContainer(name: \"Book\")")
          == "MODEL_NOT_MIRRORED NO_USE_RECOGNISED")
      #expect(try await findings("Data", "") == "MIRRORING_NOT_SCANNED")
      for app in ["App", "Data"] {
        try write("<plist><dict/></plist>", app + "/App.entitlements", in: folder)
        let code = app == "App" ? cloud : ""
        #expect(try await findings(app, code) == "MODEL_NOT_MIRRORED NO_USE_RECOGNISED")
        #expect(try await findings(app, code + "\n_ = " + options) == "MIRRORING_NOT_SCANNED")
        try write(
          "<key>com.apple.developer.icloud-services</key>", app + "/Mac/Mac.entitlements",
          in: folder)
        #expect(try await findings(app, code) == "MIRRORING_NOT_SCANNED")
      }
      // Its schema would be empty.
      try write("<plist/>", "Data/Mac/Mac.entitlements", in: folder)
      for line in [
        "schema print Data", "migrate plan Data Data -o p.yml",
        "fixture generate --schema Data -o b",
      ] {
        let result = try await ToolProcess.run(line: line, in: folder)
        #expect(result.code == 1, "\(line)")
        #expect(
          result.errors.contains("App.entitlements: ")
            && result.errors.contains("name the classes without this file"), "\(result.errors)")
      }
      // The advice of the error.
      #expect(try await ToolProcess.run(line: "schema draw Data/Book.swift", in: folder).code == 0)
      try write("let c = NSPersistentContainer(name: \"Book\")", "App/Store.swift", in: folder)
      let local = try await ToolProcess.run("schema", "print", "App", in: folder)
      #expect(local.code == 1 && local.errors.contains("name the .xcdatamodeld"))
      // A model that is named itself counts as mirrored.
      try write("<plist/>", "App/Mac/Mac.entitlements", in: folder)
      let named = try await ToolProcess.run(
        "schema", "diff", "s.ckdb", "App/Book.xcdatamodel", in: folder)
      #expect(named.output.contains("RECORD_TYPE_NOT_DEPLOYED"))
    }
  }

  @Test("a model is read through symbolic links, and in a revision")
  func places() async throws {
    try await withFolder { folder in
      try write(Self.book, "Real/Book.swift", in: folder)
      try FileManager.default.createDirectory(
        atPath: folder + "/App", withIntermediateDirectories: false)
      try FileManager.default.createSymbolicLink(
        atPath: folder + "/App/Models", withDestinationPath: "../Real")
      try FileManager.default.createSymbolicLink(
        atPath: folder + "/Link", withDestinationPath: "App")
      for path in ["App", "App/Models", "Link", "Link/"] {
        let printed = try await ToolProcess.run("schema", "print", path, in: folder)
        #expect(printed.output.contains("RECORD TYPE CD_Book"), "\(path): \(printed.errors)")
      }
      let git = """
        git init -q . && git add . && git -c user.name=t -c user.email=t@example.com commit -q -m one
        echo '@Model class Later { var a = 0 }' > Real/Book.swift
        """
      #expect(try await ToolProcess.run("schema", "print", "Real", in: folder).code == 0)
      let made = try await Command("bash", "-c", git, in: URL(fileURLWithPath: folder))
      #expect(made.code == 0)
      for place in ["HEAD:Real", "HEAD:Real/Book.swift", "HEAD:Real#V1"] {
        let printed = try await ToolProcess.run("schema", "validate", place, in: folder)
        if place.contains("#") {
          #expect(printed.output.contains("there is no VersionedSchema 'V1'"))
        } else {
          #expect(printed.code == 0, "\(printed.output)\(printed.errors)")
        }
      }
      let drift = try await ToolProcess.run(
        "schema", "diff", "Real", "HEAD:Real", "--mode", "drift", in: folder)
      #expect(
        drift.output.contains(/Real\/Book.swift:3:\d+: error: RECORD_TYPE_NOT_DEPLOYED CD_Book/))
    }
  }

  @Test("annotations name files from the top of the repository, in any working directory")
  func annotations() async throws {
    try await withFolder { folder in
      try write("@Model class A { var b: Outside? }", "Apps/One/A.swift", in: folder)
      let report = try await Command(
        ToolProcess.path, "schema", "validate", "A.swift", "--format", "github",
        in: URL(fileURLWithPath: folder + "/Apps/One"),
        environment: ["GITHUB_WORKSPACE": folder])
      #expect(report.output.contains("::error file=Apps/One/A.swift,line=1,"), "\(report.output)")
    }
  }

  @Test("a scan says which records it did not see, and which command sees them")
  func scan() async throws {
    try await withFolder { folder in
      try Samples.write(Data(Samples.schema.utf8), "s.ckdb", in: folder)
      func scan(_ code: String) async throws -> (code: Int32, output: String) {
        try write(code, "Sources/A.swift", in: folder)
        let result = try await ToolProcess.run(
          "schema", "scan", "Sources", "--schema", "s.ckdb", in: folder)
        return (result.code, result.output)
      }
      let model = try await scan(Self.book)
      #expect(
        model.code == 1
          && model.output.contains("Sources/A.swift:3:2: error: MIRRORING_NOT_SCANNED"))
      #expect(model.output.contains("recordpack schema diff s.ckdb Sources"))
      #expect(try await scan("let c = NSPersistentCloudKitContainer(name: \"A\")").code == 1)
      #expect(try await scan("let e = try SyncEngine(for: d, tables: A.self)").code == 1)
      let hidden = try await scan("import CloudKit\nlet d = Layer(CKContainer.default())")
      #expect(hidden.code == 1 && hidden.output.contains("NO_USE_RECOGNISED"))
      let local = try await scan(
        Self.book + "\nlet c = try ModelContainer(for: Book.self, configurations: "
          + "ModelConfiguration(cloudKitDatabase: .none))")
      #expect(local.code == 1 && local.output.contains("NO_USE_RECOGNISED"))
      #expect(local.output.contains("so nothing was checked"))
      #expect(try await scan("import CloudKit\nfunc f(m: CKRecord) { m[\"text\"] = 1 }").code == 0)
    }
  }

  @Test("A plan between the models of two checkouts names each by its folder, and is accepted")
  func planOfCheckouts() async throws {
    try await withFolder { folder in
      let old = Self.book.split(separator: "\n").filter { !$0.contains("added") }
      try write(old.joined(separator: "\n"), "old/App/Models/Book.swift", in: folder)
      try write(Self.book, "new/App/Models/Book.swift", in: folder)
      for line in [
        "migrate plan old/App/Models new/App/Models -o plan.yml",
        "fixture generate --schema old/App/Models -o old.recordpack",
        "migrate old.recordpack --plan plan.yml -o new.recordpack",
        "validate new.recordpack --schema new/App/Models",
      ] {
        let result = try await ToolProcess.run(line: line, in: folder)
        // The plan asks for the values of a new field.
        let code = line.contains("--plan") ? 1 : 0
        #expect(result.code == code, "\(line): \(result.errors)")
      }
      let plan = try String(contentsOfFile: folder + "/plan.yml", encoding: .utf8)
      #expect(plan.contains("Models@old") && plan.contains("Models@new"))
    }
  }
}

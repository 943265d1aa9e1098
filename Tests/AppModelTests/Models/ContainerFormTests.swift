import RecordSchema
import Testing

@testable import AppModel

/// The forms in which about 130 public apps make their containers; each occurs at least twice.
@Suite("Forms of containers")
struct ContainerFormTests {
  private static let classes = """
    import SwiftData
    @Model final class Book { var title = ""; var shelf: Shelf?; init() {} }
    @Model final class Shelf { var books: [Book]? = []; init() {} }
    @Model final class Draft { var text = ""; init() {} }
    @Model final class Cache { var data = Data(); init() {} }
    """

  /// The classes of the model beside some code.
  private func names(_ code: String..., classes: String = classes) -> (String, [String]) {
    var sources = SwiftModelSources()
    sources.add("Models.swift", Array(classes.utf8))
    for (number, code) in code.enumerated() {
      sources.add("\(number).swift", Array(("import SwiftData\n" + code).utf8))
    }
    let model = sources.swiftData(named: "Models")
    return (
      model.entities.map(\.name).sorted().joined(separator: " "),
      model.problems.map(\.rule.rawValue)
    )
  }

  @Test(
    "the models of a mirrored container are read in every form",
    arguments: [
      ".modelContainer(for: Book.self)", ".modelContainer(for: [Book.self, Shelf.self])",
      ".modelContainer(for: Book.self, isAutosaveEnabled: true)",
      ".modelContainer(for: Book.self, inMemory: isTesting)",
      ".modelContainer(for: [Book.self]) { result in print(result) }",
      "let c = try! ModelContainer(for: Book.self, Shelf.self)",
      "let c: ModelContainer = try .init(for: Book.self)",
      "init() { self.modelContainer = try .init(for: Schema([Book.self]), configurations: []) }",
      "let c = try ModelContainer.init(for: Book.self, migrationPlan: Plan.self)",
      "let c = try SwiftData.ModelContainer(for: Book.self)",
      "let schema = Schema([Book.self]); let c = try ModelContainer(for: schema)",
      "let schema: Schema = .init([Book.self]); let c = try ModelContainer(for: schema)",
      "let c = try ModelContainer(for: Schema([Book.self], version: Schema.Version(1, 0, 0)))",
      "enum All { static let models: [any PersistentModel.Type] = [Book.self] }\n"
        + "let c = try ModelContainer(for: Schema(All.models))",
      "enum All { static var models: [any PersistentModel.Type] { [Book.self] }\n"
        + "static var schema: Schema { Schema(models) } }\n"
        + "let c = try ModelContainer(for: All.schema, configurations: [])",
      "extension Array where Element == any PersistentModel.Type { static var library: Self { "
        + "[Book.self] } }\nlet c = try ModelContainer(for: Schema(.library))",
      "let synced: [any PersistentModel.Type] = [Book.self]\nfunc f() throws {\n"
        + "let all = synced + []\nlet c = try ModelContainer(for: Schema(all)) }",
      "var all: [any PersistentModel.Type] = []\nall.append(Book.self)\n"
        + "let c = try ModelContainer(for: Schema(all))",
      "struct A { let schema: Schema; init() throws { schema = Schema([Book.self])\n"
        + "container = try ModelContainer(for: schema) } }",
      "struct A { let schema = Schema([Book.self])\nfunc f() throws -> ModelContainer { "
        + "try ModelContainer(for: self.schema, configurations: [config]) } }",
      "enum A { static func make(schema: Schema) throws -> ModelContainer { "
        + "try ModelContainer(for: schema) }\nlet c = try make(schema: Schema([Book.self])) }",
      "func make(_ schema: Schema) throws -> ModelContainer { try ModelContainer(for: schema) }\n"
        + "let c = try make(Schema([Book.self]))",
      "func make(models: Schema = Schema([Book.self]), url: URL) throws -> ModelContainer {\n"
        + "try ModelContainer(for: models) }\nlet c = try make(url: url)",
      "let config = ModelConfiguration(schema: Schema([Book.self]))\n"
        + "let c = try ModelContainer(for: Book.self, configurations: config)",
      "let config = ModelConfiguration(for: Book.self, isStoredInMemoryOnly: false)\n"
        + "let c = try ModelContainer(for: Book.self, config)",
      "let c = try ModelContainer(for: Book.self, configurations: .init(url: url))",
      "let c = try ModelContainer(for: Book.self,\n  configurations: ModelConfiguration(\n"
        + "cloudKitDatabase: ModelConfiguration.CloudKitDatabase.automatic))",
      "let c = try ModelContainer(for: Book.self, configurations: "
        + "ModelConfiguration(cloudKitDatabase: on ? .private(id) : .none))",
      "let db: ModelConfiguration.CloudKitDatabase = on ? .automatic : .none\n"
        + "let c = try ModelContainer(for: Book.self, configurations: "
        + "ModelConfiguration(cloudKitDatabase: db))",
      "func f() { let db: ModelConfiguration.CloudKitDatabase\n"
        + "if on { db = .private(id) } else { db = .none }\n"
        + "let c = try ModelContainer(for: Book.self, configurations: "
        + "ModelConfiguration(cloudKitDatabase: db)) }",
      "func f(cloud: ModelConfiguration.CloudKitDatabase) { let c = try ModelContainer(for: Book.self, "
        + "configurations: ModelConfiguration(cloudKitDatabase: cloud)) }",
      "func f() { let config: ModelConfiguration\nif on { config = ModelConfiguration() } else { "
        + "config = ModelConfiguration(cloudKitDatabase: .none) }\n"
        + "let c = try ModelContainer(for: Book.self, configurations: [config]) }",
      "func config() -> ModelConfiguration { if on { return ModelConfiguration() } else { "
        + "return ModelConfiguration(cloudKitDatabase: .none) } }\n"
        + "let c = try ModelContainer(for: Book.self, configurations: config())",
      "let c = try ModelContainer(for: Book.self, configurations: Settings.configuration)",
      "enum A { static let schema = Schema([Book.self])\nstatic func list() -> [ModelConfiguration] { "
        + "[.init(cloudKitDatabase: .private(id)), ModelConfiguration(cloudKitDatabase: .none)] }\n"
        + "func open() { for one in list() { if let c = try? ModelContainer(for: schema, "
        + "configurations: one) { return } } } }",
      "protocol Plugin {}\nstruct Books: Plugin { var types: [any PersistentModel.Type] { [Book.self] } }\n"
        + "let c = try ModelContainer(for: Schema(plugins.flatMap { $0.types }))",
      "func make(db: ModelConfiguration.CloudKitDatabase = .none) throws -> ModelContainer { "
        + "try ModelContainer(for: Book.self, configurations: ModelConfiguration(cloudKitDatabase: db)) }",
    ])
  func mirrored(_ code: String) {
    #expect(names(code) == ("Book Shelf", []))
  }

  @Test(
    "a member that the app gives a type of SwiftData is followed, in its own file or another",
    arguments: [
      (
        "ModelContainer(for: Schema.app)",
        "extension Schema { static let app = Schema([Book.self]) }"
      ),
      (
        "ModelContainer(for: Schema.app)",
        "extension Schema { static var app: Schema { Schema([Book.self]) } }"
      ),
      (
        "ModelContainer(for: Schema.app)",
        "extension Schema { static var app: Schema { return Schema([Book.self]) } }"
      ),
      (
        "ModelContainer(for: .app)",
        "extension Schema { static var app: Self { .init([Book.self]) } }"
      ),
      (
        "ModelContainer(for: .app, configurations: .app)",
        "extension Schema { static let app = Schema([Book.self]) }\n"
          + "extension ModelConfiguration { static let app = ModelConfiguration(schema: .app) }"
      ),
      (
        "ModelContainer(for: Schema.app())",
        "extension Schema { static func app() -> Self { Self([Book.self]) } }"
      ),
      (
        "ModelContainer(for: SwiftData.Schema.app)",
        "extension SwiftData.Schema { static let app = Schema(all)\n"
          + "static let all: [any PersistentModel.Type] = [Book.self] }"
      ),
      (
        "ModelContainer(for: ModelContainer.schema)",
        "extension ModelContainer { static let schema = Schema([Book.self]) }"
      ),
      (
        "ContentView().modelContainer(.app)",
        "extension ModelContainer { static let app: Self = try! Self(for: Book.self) }"
      ),
      (
        "ContentView().modelContainer(.app)",
        "extension ModelContainer { static let app = try! Self(for: .app, configurations: .app) }\n"
          + "extension Schema { static let app = Schema([Book.self]) }\n"
          + "extension ModelConfiguration { static let app = Self(cloudKitDatabase: .automatic) }"
      ),
      (
        "ModelContainer(for: Book.self, Cache.self, configurations: .app, ModelConfiguration.cache)",
        "extension ModelConfiguration { static var app: Self { Self(schema: Schema([Book.self])) }\n"
          + "static func cache() -> Self { "
          + ".init(schema: Schema([Cache.self]), cloudKitDatabase: .none) } }"
      ),
    ])
  func membersOfLibrary(_ use: String, _ members: String) {
    #expect(names("let c = try \(use)", members) == ("Book Shelf", []))
    #expect(names(members + "\nlet c = try \(use)") == ("Book Shelf", []))
  }

  @Test("an implicit member of a container's argument is not the container of the same name")
  func membersOfOneName() {
    let container = """
      extension ModelContainer {
        static func app() throws -> Self { try Self(for: .app, configurations: .app) }
      }
      """
    let schema = "extension Schema { static let app = Schema([Book.self]) }"
    for database in [".automatic", ".none"] {
      let configuration =
        "extension ModelConfiguration { static let app = Self(cloudKitDatabase: \(database)) }"
      let expected = database == ".none" ? "" : "Book Shelf"
      for files in [
        [container, schema + configuration], [container + schema, configuration],
        [container + configuration, schema], [container + schema + configuration],
      ] {
        let found = names(files[0], files.dropFirst().joined())
        #expect(found.0 == expected, "\(database): \(files)")
        #expect(!found.1.contains("MODEL_NOT_READ"), "\(database): \(files)")
      }
    }
  }

  @Test(
    "a container that is not mirrored removes no class that a mirrored one lists",
    arguments: [
      "func test() throws { let s = Schema([Book.self]); _ = try ModelContainer(for: s, configurations: "
        + "ModelConfiguration(schema: s, isStoredInMemoryOnly: true, cloudKitDatabase: .none)) }",
      "#Preview { ContentView().modelContainer(for: Cache.self) }",
      "#Preview(\"A\") { let c = try! ModelContainer(for: Cache.self); return V().modelContainer(c) }",
      ".modelContainer(for: Cache.self, inMemory: true)",
      "let inMemory = true\nlet x = try ModelContainer(for: Cache.self, configurations: "
        + "ModelConfiguration(isStoredInMemoryOnly: inMemory))",
      "struct P: PreviewProvider { static var previews: some View { V().modelContainer(for: Cache.self) } }",
      "struct P: PreviewModifier { static func makeSharedContext() throws -> ModelContainer { "
        + "try ModelContainer(for: Cache.self) } }",
      "import Testing\nlet c = try ModelContainer(for: Cache.self)",
      "import XCTest\nlet c = try ModelContainer(for: Schema(Cache.self))",
      "func fallback() { let c = try ModelContainer(for: Book.self, configurations: "
        + "ModelConfiguration(cloudKitDatabase: .none)) }",
      "let c: ModelContainer = try .init(for: Book.self, configurations: "
        + ".init(isStoredInMemoryOnly: true))",
      "func preview(_ models: any PersistentModel.Type...) throws { _ = try ModelContainer(for: "
        + "Schema(models), configurations: ModelConfiguration(isStoredInMemoryOnly: true)) }",
    ])
  func beside(_ code: String) {
    #expect(names("let app = try ModelContainer(for: Book.self)", code) == ("Book Shelf", []))
  }

  @Test(
    "a store on the device has its models for itself",
    arguments: [
      "let cloud = ModelConfiguration(schema: Schema([Book.self]), cloudKitDatabase: .private(\"x\"))\n"
        + "let local = ModelConfiguration(\"L\", schema: Schema([Cache.self]), cloudKitDatabase: .none)\n"
        + "let c = try ModelContainer(for: Book.self, Cache.self, configurations: cloud, local)",
      "struct S { static let a = Schema([Book.self]); static let b = Schema([Cache.self])\n"
        + "static var one: ModelConfiguration { ModelConfiguration(schema: Self.a) }\n"
        + "static var two: ModelConfiguration { ModelConfiguration(schema: b, cloudKitDatabase: .none) }\n"
        + "let c = try ModelContainer(for: Schema([Book.self, Cache.self]), configurations: "
        + "[Self.one, Self.two]) }",
      "let local = ModelConfiguration(schema: Schema([Cache.self]), cloudKitDatabase: .none)\n"
        + "let cloud = ModelConfiguration()\n"
        + "let c = try ModelContainer(for: Book.self, Cache.self, configurations: [cloud, local])",
      "let c = try ModelContainer(for: Book.self)\nlet d = try ModelContainer(for: Cache.self, "
        + "configurations: ModelConfiguration(cloudKitDatabase: .none))",
    ])
  func local(_ code: String) {
    #expect(names(code) == ("Book Shelf", []))
  }

  @Test(
    "an app without a mirrored container has no record types, which is a finding",
    arguments: [
      "let c = try ModelContainer(for: Book.self, configurations: "
        + "ModelConfiguration(cloudKitDatabase: .none))",
      "struct S { static let schema = Schema([Book.self])\nlet c = try ModelContainer(for: Self.schema, "
        + "configurations: [ModelConfiguration(schema: Self.schema, cloudKitDatabase: .none)]) }",
      "let db = ModelConfiguration.CloudKitDatabase.none\nlet c = try ModelContainer(for: Book.self, "
        + "configurations: ModelConfiguration(\"A\", groupContainer: .none, cloudKitDatabase: db))",
      "enum A { static func make() throws -> ModelContainer { let s = Schema([Book.self])\n"
        + "let c = url.map { ModelConfiguration(schema: s, url: $0, cloudKitDatabase: .none) }\n"
        + "// Without an app group.\n?? ModelConfiguration(schema: s, cloudKitDatabase: .none)\n"
        + "return try open(schema: s, config: c) }\n"
        + "private static func open(schema: Schema, config: ModelConfiguration) throws -> "
        + "ModelContainer { try ModelContainer(for: schema, configurations: [config]) } }",
      "func start(factory: Factory = standard) throws { let s = Schema([Book.self])\n"
        + "let c = try factory(s, [ModelConfiguration(schema: s, cloudKitDatabase: .none)]) }\n"
        + "private func standard(schema: Schema, configurations: [ModelConfiguration]) throws -> "
        + "ModelContainer { try ModelContainer(for: schema, configurations: configurations) }",
      "enum Mode { static var database: ModelConfiguration.CloudKitDatabase { .none } }\n"
        + "let c = try ModelContainer(for: Book.self, configurations: "
        + "ModelConfiguration(cloudKitDatabase: Mode.database))",
    ])
  func localOnly(_ code: String) {
    #expect(names(code) == ("", ["MODEL_NOT_MIRRORED"]))
  }

  @Test(
    "a mirrored container that cannot be read is a finding, and all classes are checked",
    arguments: [
      "func f(schema: Schema) throws { let c = try ModelContainer(for: schema) }",
      "let c = try ModelContainer(for: Other.self)",
      "let c = try ModelContainer(for: Schema(Feature.models))",
      "let c = try ModelContainer(for: Schema(versionedSchema: V9.self))",
    ])
  func unreadable(_ code: String) {
    #expect(names(code) == ("Book Cache Draft Shelf", ["MODEL_NOT_READ"]))
  }

  @Test("without a container, or with those of previews only, all classes are checked")
  func noContainer() {
    #expect(names() == ("Book Cache Draft Shelf", []))
    #expect(swiftModel(Self.classes).notes.contains { $0.contains("no container") })
    #expect(
      names(
        "let c = try ModelContainer(for: Book.self, configurations: "
          + "ModelConfiguration(isStoredInMemoryOnly: true))") == ("Book Cache Draft Shelf", []))
    #expect(names("let schema = Schema([Book.self])") == ("Book Shelf", []))
  }

  private static let versions = """
    enum V1: VersionedSchema {
      static let versionIdentifier = Schema.Version(1, 0, 0)
      static var models: [any PersistentModel.Type] { [A.self] }
      @Model class A { var x = 0; init() {} }
    }
    enum V2: VersionedSchema {
      static let versionIdentifier = Schema.Version(2, 0, 0)
      static var models: [any PersistentModel.Type] { Common.unchanged + [A.self] }
      @Model class A { var y = 0; init() {} }
    }
    enum V3: VersionedSchema {
      static let versionIdentifier = Schema.Version(3, 0, 0)
      static var models: [any PersistentModel.Type] { V2.models }
    }
    enum Common { static let unchanged: [any PersistentModel.Type] = [B.self] }
    @Model class B { var z = 0; init() {} }
    """

  @Test("what a function adds to a list is read; if no file has it, all classes count")
  func addedLists() {
    let list = "let c = try ModelContainer(for: Schema([Shelf.self] + more()))"
    let function = "func more() -> [any PersistentModel.Type] { [Draft.self] }"
    #expect(names(list + "\n" + function) == ("Book Draft Shelf", []))
    #expect(names(list, function) == ("Book Draft Shelf", []))
    #expect(names(list) == ("Book Cache Draft Shelf", []))
  }

  @Test(
    "a container means the version that it names, through aliases, too",
    arguments: [
      (
        "typealias Current = V1\ntypealias A = Current.A\nlet c = try ModelContainer(for: A.self)",
        "x"
      ),
      ("let c = try ModelContainer(for: V1.A.self)", "x"),
      ("let c = try ModelContainer(for: Schema(V1.models))", "x"),
      ("let c = try ModelContainer(for: Schema(versionedSchema: V1.self))", "x"),
      (
        "typealias Current = V1\nlet c = try ModelContainer(for: Schema(versionedSchema: Current.self))",
        "x"
      ),
      ("let c = try ModelContainer(for: Schema(V2.models))", "yz"),
      ("let c = try ModelContainer(for: Schema(V3.models))", "yz"),
      (
        "typealias Current = V3\nlet s = Schema(Current.models)\nlet c = try ModelContainer(for: s)",
        "yz"
      ),
      ("let c = try ModelContainer(for: Schema(versionedSchema: V2.self))", "yz"),
      (
        "let old = try ModelContainer(for: Schema(versionedSchema: V1.self))\n"
          + "let c = try ModelContainer(for: Schema(versionedSchema: V2.self))", "yz"
      ),
      ("import Testing\nlet old = try ModelContainer(for: Schema(versionedSchema: V1.self))", "yz"),
      ("", "yz"),
    ])
  func version(_ code: String, _ fields: String) {
    let model = swiftModel(Self.versions, code)
    #expect(model.entities.flatMap { $0.attributes.map(\.name) }.sorted().joined() == fields)
    #expect(model.problems == [])
  }
}

import RecordSchema
import Testing

@testable import AppModel

/// The model of Swift code.
func swiftModel(_ sources: String..., version: String? = nil) -> MirroredModel {
  var all = SwiftModelSources()
  for (number, source) in sources.enumerated() { all.add("\(number).swift", Array(source.utf8)) }
  return all.swiftData(named: "Models", version: version)
}

/// The properties of a model: `title string`, `pages? integer`, `shelf? → Shelf`, `books?* → Book`.
func properties(_ model: MirroredModel, _ entity: String? = nil) -> [String] {
  model.entities.filter { entity == nil || $0.name == entity }.flatMap { entity in
    entity.attributes.map { "\($0.name)\($0.isOptional ? "?" : "") \($0.type)" }
      + entity.relationships.map {
        "\($0.name)\($0.isOptional ? "?" : "")\($0.isToMany ? "*" : "") → \($0.destination)"
      }
  }
}

@Suite("SwiftData models")
struct SwiftDataModelTests {
  /// A class with some members.
  private func book(_ members: String, _ others: String = "") -> MirroredModel {
    swiftModel("import SwiftData\n@Model final class Book {\n\(members)\n  init() {}\n}\n\(others)")
  }

  @Test(
    "a class is found however its macro is written",
    arguments: [
      "@Model class Book {", "@SwiftData.Model\nfinal class Book {", "@ Model class Book {",
      "@Model\n@MainActor public final class Book {", "@Model nonisolated class Book {",
      "@Model package final class Book: Identifiable, Hashable {",
      "@available(iOS 17, *) @Model class Book {", "@Model @available(iOS 17, *) class Book {",
      "@Model // a comment\nfinal\nclass Book\n{",
      "/// @Model class Comment {}\n@Model class Book {",
      "#if os(iOS)\n#endif\n@Model final class Book {",
    ])
  func macro(_ declaration: String) {
    let model = swiftModel("\(declaration)\n  var pages = 0\n  init() {}\n}")
    #expect(model.entities.map(\.name) == ["Book"])
    #expect(properties(model) == ["pages integer"])
    #expect(model.problems == [])
  }

  @Test("the word in a comment or a text makes no model")
  func noModel() {
    let sources = [
      "/// @Model class A {}\nclass B { var c = 0 }", "let text = \"@Model class A { var b = 0 }\"",
      "/* @Model /* class A {} */ */ class C {}", "let text = #\"@Model class A {}\"#",
    ]
    for source in sources { #expect(swiftModel(source).entities.isEmpty) }
  }

  @Test(
    "the type of a property is read",
    arguments: [
      ("var a: String = \"\"", "a string"), ("var a: Int?", "a? integer"),
      ("var a: Optional<Int16>", "a? integer"), ("var a: Swift.Bool = false", "a boolean"),
      ("var a: Foundation.Data?", "a? binary"), ("var a: TimeInterval = 0", "a double"),
      ("var a: Float?", "a? double"), ("var a: Decimal = 0", "a decimal"),
      ("var a: Date?", "a? date"), ("var a: UUID = UUID()", "a uuid"), ("var a: URL?", "a? uri"),
      ("var a: [String] = []", "a composite"), ("var a: Swift.Array<Int> = []", "a composite"),
      ("var a: Set<UUID>?", "a? composite"), ("var a: [String: Int] = [:]", "a composite"),
      ("var a: State = State.open", "a composite"), ("var a: Point?", "a? composite"),
      ("var a: Name = \"\"", "a string"), ("var a: MaybeDate", "a? date"),
      ("var a: Box.Kind?", "a? composite"), ("var a: Locale?", "a? composite"),
      ("var a: (Int)?", "a? integer"), ("var a: Int!", "a? integer"),
      ("let a = UUID()", "a uuid"), ("let a: Int", "a integer"),
      ("var a: Color.Resolved", "a composite"),
      ("@Attribute(.transformable(by: T.self)) var a: UIColor?", "a? transformable"),
      ("@Attribute(.externalStorage) var a: Data?", "a? binary"),
      ("@Attribute(originalName: \"b\") public private(set) var a: Int = 0", "a integer"),
      ("@Attribute(\n.spotlight,\nhashModifier: \"x\"\n)\nvar\na\n:\nInt\n=\n0", "a integer"),
    ])
  func declaredTypes(_ member: String, _ expected: String) {
    let others = """
      enum State: String, Codable { case open, done }
      struct Point: Codable { var x = 0 }
      enum Box { enum Kind: Int, Codable { case a } }
      typealias Name = String
      typealias MaybeDate = Optional<Date>
      """
    let model = book("  " + member, others)
    #expect(properties(model) == [expected])
    #expect(model.problems == [])
  }

  @Test(
    "the type is read from the initial value",
    arguments: [
      ("0", "integer"), ("-1_000", "integer"), ("0x1F", "integer"), ("60 * 60", "integer"),
      ("0.5", "double"), ("1e3", "double"), ("2 * 3.0", "double"), ("\"\"", "string"),
      ("#\"a\\b\"#", "string"), ("\"a\\(1)\"", "string"), ("\"\"\"\n  a\n  \"\"\"", "string"),
      ("true", "boolean"), ("Date()", "date"), ("Date.now", "date"),
      ("Foundation.Date.now", "date"),
      ("Date.distantPast", "date"), ("Date(timeIntervalSince1970: 0)", "date"), ("UUID()", "uuid"),
      ("UUID().uuidString", "string"), ("Date().timeIntervalSince1970", "double"),
      ("Data()", "binary"), ("URL(string: \"a\")!", "uri"), ("[String]()", "composite"),
      ("[1, 2]", "composite"), ("[\"a\": 1]", "composite"), ("Int.max", "integer"),
      ("State.open", "composite"), ("Decimal(1)", "decimal"),
      ("String(repeating: \"a\", count: 2)", "string"),
    ])
  func inferredTypes(_ value: String, _ type: String) {
    let model = book("  var a = \(value)", "enum State: String, Codable { case open }")
    #expect(properties(model) == ["a \(type)"])
    #expect(model.problems == [])
  }

  @Test(
    "a type that only the compiler knows is a problem, never left out",
    arguments: [
      "var a: Color?", "var a: Outside.Kind = .x", "var a = Status.active", "var a = make()",
      "var a: [Outside] = []", "var a = .zero", "var a: (Int, Int) = (0, 0)", "var (a, b) = (1, 2)",
      "var a: () -> Void = {}", "@Custom var a: Int = 0", "lazy var a = 0",
      "#makeProperties(\"a\")", "var a: Int = 0 } extra", "@Attribute(.future) var a = 0",
      "@Relationship var a: Int = 0", "var a: [String: Chapter] = [:]", "var a", "var a: = 0",
    ])
  func unknown(_ member: String) {
    let model = book("  " + member, "@Model class Chapter { init() {} }")
    #expect(model.problems.contains { $0.rule == "MODEL_NOT_READ" && $0.location != nil })
  }

  @Test("what is not stored is no problem")
  func notStored() {
    let model = book(
      #"""
        var kept = 0
        var computed: Int { kept + 1 }
        var getter: Color { get { .red } set { kept = 1 } }
        var later: Color
        {
          .red
        }
        static var shared = Book()
        static let other: Color = .red
        class var third: Color { .red }
        @Transient var cache: Color = .red
        @Attribute(.ephemeral) var passing: Color? = nil
        func f(a: Int = { 1 }()) -> Color { var local = 1; let x: Color = .red; return x }
        subscript(i: Int) -> Color { .red }
        convenience init?(a: Int) { var b: Color = .red; self.init() }
        deinit { let c = 1 }
        enum Kind { case a(Color), b; static var c: Color = .red }
        struct Inner { var d: Color }
        typealias Old = Color
        #Index<Book>([\.kept], [\.kept, \.computed])
      """#)
    #expect(properties(model) == ["kept integer"])
    #expect(model.problems == [])
  }

  @Test("several variables of one declaration, observers, and what follows a value are read")
  func bindings() {
    let model = book(
      """
        var a = 0, b: String = "", c: Date?
        var d, e: Int
        var f = 0 { didSet { print(f) } }
        var g: Int = 0 {
          willSet { let hidden = 1 }
        }
        var h = [
          "a",
        ]
        var i: [String] = { var inner = [String](); return inner }()
        var j = 1; var k = 2
        var l = "}"
        var m = #"var no = 0"#
        /* var n = 0 /* nested */ */
        var `class`: Int = 0
      """)
    #expect(
      properties(model) == [
        "a integer", "b string", "c? date", "d integer", "e integer", "f integer", "g integer",
        "h composite", "i composite", "j integer", "k integer", "l string", "m string",
        "class integer",
      ])
    #expect(model.problems == [])
  }

  @Test("both branches of a condition are read, and a property in both counts once")
  func conditions() {
    let model = book(
      """
        #if os(iOS)
        var a = 0
        var b: Int = 0
        #elseif os(macOS) && DEBUG
        var c = 0
        #else
        var a = 1
        var b: String = ""
        #endif
      """)
    #expect(properties(model) == ["a integer", "b integer", "c integer"])
    #expect(model.problems.map(\.property) == ["b"])
  }

  @Test("relationships are told from attributes, and find the ones that lead back")
  func relationships() {
    let model = swiftModel(
      """
      @Model class Shelf {
        @Relationship(deleteRule: .cascade, inverse: \\Book.shelf) var books: [Book]? = []
        @Relationship(deleteRule: .deny) var owner: Person?
      }
      """,
      """
      @Model class Book {
        var shelf: Shelf?
        var authors: Set<Person>?
        @Relationship(inverse: \\Book.sequel) var prequel: Book?
        var sequel: Book?
      }
      @Model class Person { var books: [Book]?; var shelves: [Shelf] = [] }
      """)
    #expect(model.problems == [])
    #expect(
      properties(model) == [
        "books?* → Book", "owner? → Person", "shelf? → Shelf", "authors?* → Person",
        "prequel? → Book", "sequel? → Book", "books?* → Book", "shelves* → Shelf",
      ])
    let inverses = model.entities.flatMap { $0.relationships.map { $0.inverse ?? "none" } }
    #expect(
      inverses == [
        "shelf", "shelves", "books", "books", "sequel", "prequel", "authors", "owner",
      ])
    #expect(model.entities[0].relationships[1].deniesDeletion)
    #expect(model.fullSchema.recordType(named: "CDMR") != nil)
  }

  @Test("where several relationships could lead back, none does")
  func ambiguousInverses() {
    let model = swiftModel(
      """
      @Model class Book { var author: Person?; var editor: Person? }
      @Model class Person { var books: [Book]? }
      """)
    #expect(model.entities.flatMap { $0.relationships.map(\.inverse) } == [nil, nil, nil])
  }

  @Test("options of an attribute are read in any order")
  func options() {
    let model = book(
      """
        @Attribute(.unique, .allowsCloudEncryption) var a = ""
        @Attribute(.externalStorage, .allowsCloudEncryption, originalName: "x") var b: Data?
        @Attribute(Schema.Attribute.Option.unique) var c = 0
        #Unique<Book>([\\.a, \\.b])
      """)
    #expect(model.problems == [])
    #expect(model.entities[0].attributes.map(\.isEncrypted) == [true, true, false])
    #expect(model.entities[0].uniqueConstraints == [["a", "b"], ["a"], ["c"]])
    let type = model.fullSchema.recordType(named: "CD_Book")
    #expect(type?.field(named: "CD_a")?.type == .encrypted(.string))
    #expect(type?.field(named: "CD_b")?.type == .encrypted(.bytes))
  }

  @Test("a subclass is stored in the record type of its root")
  func inheritance() {
    let model = swiftModel(
      "@Model class Trip { var name = \"\" }",
      "@Model final class BusinessTrip: Trip { var costs: Decimal = 0 }\nclass Plain {}",
      "@Model class Other: Plain, Codable { var a = 0 }\nprotocol Named {}\n@Model class Third: Named {}"
    )
    #expect(model.problems == [])
    #expect(model.root(of: "BusinessTrip") == "Trip")
    #expect(
      model.fullSchema.recordTypes.map(\.name) == ["CD_Other", "CD_Third", "CD_Trip", "Users"])
    #expect(
      model.fullSchema.recordType(named: "CD_Trip")?.field(named: "CD_costs")?.type == .double)
  }

  @Test("a class that nobody declares may have properties of its own")
  func unknownSuperclass() {
    let model = swiftModel("@Model class Book: BaseBook { var a = 0 }")
    #expect(model.problems.map(\.rule) == ["MODEL_NOT_READ"])
    #expect(properties(model) == ["a integer"])
  }

  private static let versions = """
    enum SchemaV1: VersionedSchema {
      static var versionIdentifier = Schema.Version(1, 0, 0)
      static var models: [any PersistentModel.Type] { [Item.self, Old.self] }
      @Model class Item { var name = "" }
      @Model class Old { var a = 0 }
    }
    enum SchemaV10: VersionedSchema {
      static let versionIdentifier: Schema.Version = .init(10, 0, 0)
      static var models: [any PersistentModel.Type] { [Item.self, Tag.self] }
      @Model class Item { var title = ""; var tags: [Tag]? }
      @Model class Tag { var item: Item? }
    }
    enum SchemaV2: VersionedSchema {
      static var versionIdentifier: Schema.Version { Schema.Version(2, 0, 0) }
      static var models: [any PersistentModel.Type] { [Item.self] }
      @Model class Item { var label = "" }
    }
    """

  @Test("of several versions, the highest counts")
  func highestVersion() {
    let model = swiftModel(Self.versions)
    #expect(model.entities.map(\.name) == ["Item", "Tag"])
    #expect(properties(model) == ["title string", "tags?* → Tag", "item? → Item"])
    #expect(model.problems == [])
  }

  @Test("an alias names the version, and an option any other")
  func namedVersion() {
    #expect(
      properties(swiftModel(Self.versions, "typealias Item = SchemaV2.Item"), "Item")
        == ["label string"])
    #expect(
      properties(swiftModel(Self.versions, version: "SchemaV1")) == ["name string", "a integer"])
    #expect(
      swiftModel(Self.versions, version: "SchemaV3").problems.map(\.rule) == ["MODEL_NOT_READ"])
    let container = "let c = try ModelContainer(for: Schema(versionedSchema: SchemaV2.self))"
    #expect(properties(swiftModel(Self.versions, container)) == ["label string"])
  }

  @Test(
    "the container has the models",
    arguments: [
      "Schema([Book.self, Shelf.self])", "try ModelContainer(for: Book.self, Shelf.self)",
      "view.modelContainer(for: [Book.self, Shelf.self])", "Schema([Book.self])",
    ])
  func containers(_ code: String) {
    let model = swiftModel(
      """
      @Model class Book { var shelf: Shelf? }
      @Model class Shelf { var books: [Book]? }
      @Model class Local { var a = 0 }
      """, "func f() { let x = \(code) }")
    #expect(model.entities.map(\.name) == ["Book", "Shelf"])
    #expect(model.notes.count == 1 && model.notes[0].hasSuffix("Local"))
  }

  @Test("a list that is computed may have any model")
  func computedList() {
    let model = swiftModel(
      "@Model class Book { var a = 0 }\n@Model class Shelf { var a = 0 }",
      "let schema = Schema(Models.all)\nlet preview = try ModelContainer(for: Book.self)")
    #expect(model.entities.map(\.name) == ["Book", "Shelf"])
    #expect(model.notes == [])
  }

  @Test("a configuration without CloudKit has its models for itself")
  func configurations() {
    let model = swiftModel(
      """
      @Model class Book { var a = 0 }
      @Model class Cache { var a = 0 }
      @Model class Both { var a = 0 }
      """,
      """
      let all = Schema([Book.self, Cache.self, Both.self])
      let local = Schema([Cache.self, Both.self])
      let one = ModelConfiguration(schema: Schema([Book.self, Both.self]), cloudKitDatabase: .private("x"))
      let two = ModelConfiguration("Local", schema: local, cloudKitDatabase: .none)
      let container = try ModelContainer(for: all, configurations: one, two)
      """)
    #expect(model.entities.map(\.name) == ["Book", "Both"])
  }

  @Test("findings are at the property's place, and a comment allows one")
  func places() throws {
    let source = """
      import SwiftData
      @Model class Book {
        var title: String
        // recordpack:allow MODEL_NOT_READ a colour is stored by hand
        var color: Color?
        init() {}
      }
      """
    let document = SchemaDocument(swiftModel(source))
    let report = try SchemaChecker().validate(document)
    #expect(
      report.findings.map { "\($0.rule) \($0.location?.description ?? "")" } == [
        "MODEL_VALUE_REQUIRED 0.swift:3:7"
      ])
    #expect(report.suppressed.count == 1)
  }
}

import RecordSchema
import Testing

@testable import AppModel

/// Databases and configurations of SwiftData that other files declare, or pass to functions.
@Suite struct ContainerArgumentTests {
  @Test(
    "a database may be a constant, a flag or an argument of another file",
    arguments: [
      ("App.database", "enum App { static let database: CloudKitDatabase = .none }", true),
      ("App.database", "enum App { static var database: CloudKitDatabase = .none }", false),
      ("App.database", "enum App { static var database: CloudKitDatabase { .none } }", true),
      ("App.database", "enum App { static let database: CloudKitDatabase = .automatic }", false),
      ("App.database", "enum App { static let database = App.database }", false),
      (
        ".app", "extension ModelConfiguration.CloudKitDatabase { static var app: Self { .none } }",
        true
      ),
      ("App.syncs ? .automatic : .none", "enum App { static let syncs = false }", true),
      ("App.syncs ? .none : .private(App.id)", "enum App { static let syncs: Bool = true }", true),
      ("App.syncs ? .automatic : .none", "enum App { static let syncs = true }", false),
      ("App.syncs ? .automatic : .none", "enum App { static var syncs = false }", false),
      ("App.syncs ? .automatic : .none", "", false),
      ("database", "let c = try Factory.make(database: .none)", true),
      (
        "database",
        "let c = try Factory.make(database: .none); let d = try make(database: .automatic)", false
      ),
      ("database", "func f(x: X) throws { c = try make(database: x.database) }", false),
      ("database", "import Testing\nfunc f() throws { _ = try make(database: .none) }", false),
      ("other", "let c = try make()", true),
      ("other", "let c = try make(cloud: .automatic)", false),
    ])
  func otherFiles(_ database: String, _ other: String, _ isLocal: Bool) {
    let container = """
      import SwiftData
      @Model final class Book { var title: String = "" }
      func make(database: CloudKitDatabase, cloud other: CloudKitDatabase = .none) throws {
        try ModelContainer(
          for: Book.self, configurations: ModelConfiguration(cloudKitDatabase: \(database)))
      }
      """
    for files in [[container, other], [other, container]] {
      var sources = SwiftModelSources()
      for (number, file) in files.enumerated() { sources.add("\(number).swift", Array(file.utf8)) }
      let model = sources.swiftData(named: "App")
      #expect(model.entities.isEmpty == isLocal)
      #expect(model.problems.map(\.rule) == (isLocal ? ["MODEL_NOT_MIRRORED"] : []))
      let scan = SourceScan(
        files: zip(["a", "b"], files.map { Array($0.utf8) }).map { ($0, $1) }, named: "App")
      #expect(
        scan.uses.gaps.map(\.rule) == [isLocal ? "NO_USE_RECOGNISED" : "MIRRORING_NOT_SCANNED"])
    }
  }

  @Test(
    "a configuration may be an argument of another file",
    arguments: [
      ("_ = try Factory.make(configuration: ModelConfiguration(cloudKitDatabase: .none))", true),
      ("_ = try Factory.make(configuration: ModelConfiguration())", false),
      (
        "_ = try make(configuration: ModelConfiguration(cloudKitDatabase: .none)); "
          + "_ = try make(configuration: .init(cloudKitDatabase: .automatic))", false
      ),
      ("_ = try make(configuration: unknown)", false),
      ("", false),
      (
        "let config: ModelConfiguration\nif a { config = ModelConfiguration(url: a, "
          + "cloudKitDatabase: .none) } else { config = ModelConfiguration(cloudKitDatabase: .none) }\n"
          + "_ = try make(configuration: config)", true
      ),
      (
        "func g(config: ModelConfiguration) { try make(configuration: config) }\n"
          + "g(config: ModelConfiguration(cloudKitDatabase: .none))", true
      ),
      (
        "func g(config: ModelConfiguration) { try make(configuration: config) }\n"
          + "g(config: ModelConfiguration())", false
      ),
      (
        "enum App { static let local = ModelConfiguration(cloudKitDatabase: .none) }\n"
          + "_ = try make(configuration: App.local)", true
      ),
      (
        "import Testing\n_ = try make(configuration: ModelConfiguration(cloudKitDatabase: .none))",
        false
      ),
    ])
  func configurationOfOtherFiles(_ other: String, _ isLocal: Bool) {
    let functions = [
      "static func make(configuration: ModelConfiguration) throws",
      "func make(configuration c: ModelConfiguration) throws",
    ]
    for (function, name) in zip(functions, ["configuration", "c"]) {
      let container = """
        import SwiftData
        @Model final class Book { var title: String = "" }
        enum Factory {
          \(function) { try ModelContainer(for: Book.self, configurations: [\(name)]) }
        }
        """
      for files in [[container, other], [other, container]] {
        var sources = SwiftModelSources()
        for (number, file) in files.enumerated() {
          sources.add("\(number).swift", Array(file.utf8))
        }
        #expect(sources.swiftData(named: "App").entities.isEmpty == isLocal)
        let scan = SourceScan(
          files: zip(["a", "b"], files.map { Array($0.utf8) }).map { ($0, $1) }, named: "App")
        #expect(
          scan.uses.gaps.map(\.rule) == [isLocal ? "NO_USE_RECOGNISED" : "MIRRORING_NOT_SCANNED"])
      }
    }
  }

  @Test(
    "a type may get its configuration",
    arguments: [
      ("let configuration: ModelConfiguration", "Store", ".none", true),
      ("let configuration: ModelConfiguration", "Store", ".automatic", false),
      ("let configuration: ModelConfiguration", ".init", ".none", true),
      (
        "let c: ModelConfiguration; init(configuration: ModelConfiguration) { c = configuration }",
        "Store", ".none", true
      ),
      (
        "let c: ModelConfiguration; init(configuration: ModelConfiguration) { c = configuration }",
        "Store.init", ".automatic", false
      ),
    ])
  func configurationOfType(
    _ members: String, _ function: String, _ database: String, _ isLocal: Bool
  ) {
    let name = members.hasPrefix("let c:") ? "c" : "configuration"
    let code = """
      struct Store {
        \(members)
        func make() throws { try ModelContainer(for: Book.self, configurations: \(name)) }
      }
      let store: Store = \(function)(configuration: ModelConfiguration(cloudKitDatabase: \(database)))
      """
    let model = swiftModel(
      "import SwiftData\n@Model final class Book { var title = \"\" }\n" + code)
    #expect(model.entities.isEmpty == isLocal)
    #expect(model.problems.map(\.rule) == (isLocal ? ["MODEL_NOT_MIRRORED"] : []))
  }
}

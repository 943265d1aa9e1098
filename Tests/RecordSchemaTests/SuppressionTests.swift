import Testing

@testable import RecordSchema

@Suite("Letting known findings pass")
struct SuppressionTests {
  static let production = """
    DEFINE SCHEMA
    RECORD TYPE Todo (
      title STRING QUERYABLE, order INT64, done INT64,
      GRANT READ TO "_world");
    RECORD TYPE Tag (name STRING, GRANT READ TO "_world");
    """

  static func deploy(
    _ body: String, _ configuration: SchemaConfiguration = SchemaConfiguration()
  ) throws -> SchemaReport {
    try SchemaChecker(configuration: configuration).compare(
      from: SchemaDocument(parsing: production, name: "from.ckdb"),
      to: SchemaDocument(parsing: body, name: "to.ckdb"))
  }

  /// Deploys a schema in which the field below a comment has lost its index.
  static func deployWithoutIndex(_ comment: String) throws -> SchemaReport {
    try deploy(
      """
      DEFINE SCHEMA
      RECORD TYPE Todo (
        \(comment)
        title STRING, order INT64, done INT64,
        GRANT READ TO "_world");
      RECORD TYPE Tag (name STRING, GRANT READ TO "_world");
      """)
  }

  static func errors(_ report: SchemaReport) -> [String] {
    report.findings.filter { $0.severity == .error }.map { "\($0.rule) \($0.subject)" }
  }

  @Test("a comment above an element lets its findings pass, and they are counted")
  func onAField() throws {
    let report = try Self.deployWithoutIndex("// recordpack:allow INDEX_REMOVED no query uses it")
    #expect(Self.errors(report).isEmpty)
    #expect(report.suppressed.map(\.finding.subject.description) == ["Todo.title"])
    #expect(report.suppressed.map(\.suppression.reason) == ["no query uses it"])
    #expect(report.summary == "nothing found · 1 suppressed")
    #expect(!report.fails(at: .info))
  }

  @Test("on a record type it covers all in it, with a subject in parentheses only that")
  func onAType() throws {
    let report = try Self.deploy(
      """
      DEFINE SCHEMA
      // recordpack:allow INDEX_REMOVED,FIELD_REMOVED(Todo.order) never shipped
      RECORD TYPE Todo (title STRING, GRANT READ TO "_world");
      RECORD TYPE Tag (name STRING, GRANT READ TO "_world");
      """)
    #expect(Self.errors(report) == ["FIELD_REMOVED Todo.done"])
    #expect(report.suppressed.count == 2)
  }

  @Test("in the head of the file it covers the schema")
  func inTheHead() throws {
    let report = try Self.deploy(
      """
      // recordpack:allow RECORD_TYPE_REMOVED(Tag), FIELD_REMOVED old times
      DEFINE SCHEMA
      RECORD TYPE Todo (title STRING QUERYABLE, GRANT READ TO "_world");
      """)
    #expect(Self.errors(report).isEmpty)
    #expect(report.suppressed.count == 3)
  }

  @Test("without a reason or with an unknown rule it has no effect and is reported")
  func malformed() throws {
    let report = try Self.deploy(
      """
      DEFINE SCHEMA
      RECORD TYPE Todo (
        title STRING, // recordpack:allow INDEX_REMOVED
        order INT64, done INT64, GRANT READ TO "_world");
      // recordpack:allow NOTHING because
      RECORD TYPE Tag (name STRING, GRANT READ TO "_world");
      """)
    #expect(Self.errors(report) == ["INDEX_REMOVED Todo.title"])
    #expect(report.findings.count { $0.rule == "SUPPRESSION_MALFORMED" } == 2)
  }

  @Test("one that lets nothing pass is reported, unless its rule was not asked")
  func unused() throws {
    let text = """
      DEFINE SCHEMA
      // recordpack:allow FIELD_REMOVED,INDEX_NOT_DEPLOYED old times
      RECORD TYPE Todo (title STRING QUERYABLE, order INT64, done INT64, GRANT READ TO "_world");
      RECORD TYPE Tag (name STRING, GRANT READ TO "_world");
      """
    let report = try Self.deploy(text)
    #expect(report.findings.map(\.rule) == ["SUPPRESSION_UNUSED"])
    #expect(report.findings[0].message.contains("FIELD_REMOVED on Todo"))
  }

  @Test("comments of the other side count for nothing")
  func otherSide() throws {
    let from = "// recordpack:allow RECORD_TYPE_REMOVED x\n" + Self.production
    let to = "DEFINE SCHEMA RECORD TYPE Tag (name STRING, GRANT READ TO \"_world\");"
    let report = try SchemaChecker().compare(
      from: SchemaDocument(parsing: from), to: SchemaDocument(parsing: to))
    #expect(Self.errors(report) == ["RECORD_TYPE_REMOVED Todo"])
  }

  @Test("the configuration sets severities and an allow list")
  func configuration() throws {
    let configuration = try SchemaConfiguration(
      yaml: """
        version: 1
        schema:
          fail-on: warning
          severities:
            INDEX_REMOVED: note
            NO_GRANT: off
          allow:
            - rule: FIELD_REMOVED
              subject: Todo.*
              reason: never shipped
        """)
    #expect(configuration.failOn == .warning)
    let report = try Self.deploy(
      """
      DEFINE SCHEMA
      RECORD TYPE Todo (title STRING, GRANT READ TO "_world");
      RECORD TYPE Tag (name STRING, GRANT READ TO "_world");
      RECORD TYPE Fresh (name STRING);
      """, configuration)
    #expect(Self.errors(report).isEmpty)
    #expect(report.count(of: .note) == 1)
    #expect(report.suppressed.count == 2)
    #expect(!report.findings.contains { $0.rule == "NO_GRANT" })
    #expect(
      report.suppressed[0].suppression.source == .configuration(file: ".recordpack.yml", line: 8))
  }

  @Test(
    "a configuration that is not understood is an error with its place",
    arguments: [
      ("schema:\n  severitys: {}", "2:3", "severities"),
      ("schema:\n  severities:\n    FIELD_REMOVE: off", "3:5", "FIELD_REMOVED"),
      ("schema:\n  severities:\n    FIELD_REMOVED: fatal", "3:20", "warning"),
      ("schema:\n  allow:\n    - rule: FIELD_REMOVED", "3:7", "reason"),
      ("schema:\n  allow:\n    - reason: x", "3:7", "rule"),
      ("schema:\n  allow: FIELD_REMOVED", "2:10", "list"), ("version: 2", "1:10", "version 1"),
      ("- a", "1:1", "mapping"), ("schema: [", "2:1", "flow node"),
      ("a: &x *x", "1:4", "anchors and aliases"),
    ])
  func configurationErrors(_ yaml: String, _ place: String, _ mention: String) {
    do {
      _ = try SchemaConfiguration(yaml: yaml, file: "c.yml")
      Issue.record("read without an error: \(yaml)")
    } catch {
      let text = "\(error)"
      #expect(text.hasPrefix("c.yml:\(place): error"), "\(text)")
      #expect(text.contains(mention), "\(text)")
    }
  }

  @Test("an empty configuration changes nothing")
  func emptyConfiguration() throws {
    for text in ["", "# nothing\n", "schema: {}"] {
      #expect(try SchemaConfiguration(yaml: text) == SchemaConfiguration())
    }
  }

  @Test("a hostile configuration is refused before the YAML library recurses")
  func hostileConfiguration() {
    for piece in ["[", "{a: ", "- ", "? ", "a:\n "] {
      let yaml = String(repeating: piece, count: 40_000)
      #expect(throws: SchemaError.self, "\(piece)") {
        try SchemaConfiguration(yaml: yaml)
      }
    }
  }

  @Test(
    "a comment that is nearly one has no effect and is reported",
    arguments: [
      "// recordpack:allow INDEX_REMOVED (Todo.order) never shipped",
      "// recordpack:allow INDEX_REMOVED() never shipped",
      "// recordpack:allow INDEX_REMOVED( ) never shipped",
      "/// recordpack:allow INDEX_REMOVED no query uses it",
      "//! recordpack:allow INDEX_REMOVED no query uses it",
      "// recordpack: allow INDEX_REMOVED no query uses it",
      "// RecordPack:allow INDEX_REMOVED no query uses it",
      "// recordpack:allow, INDEX_REMOVED no query uses it",
      "// recordpack:allowINDEX_REMOVED no query uses it",
      "// recordpack:allow INDEX_REMOVED, no query uses it",
      "// the title. recordpack:allow INDEX_REMOVED no query uses it",
    ])
  func nearly(_ comment: String) throws {
    let report = try Self.deployWithoutIndex(comment)
    #expect(Self.errors(report) == ["INDEX_REMOVED Todo.title"])
    #expect(report.findings.count { $0.rule == "SUPPRESSION_MALFORMED" } == 1)
  }

  @Test(
    "tabs and a rectangle of stars are white space",
    arguments: [
      "//\trecordpack:allow\tINDEX_REMOVED\tno query uses it",
      "/**\n * recordpack:allow INDEX_REMOVED no query uses it\n */",
      "// recordpack:allow INDEX_REMOVED (as agreed in March) no query uses it".replacing(
        "(as agreed in March) ", with: ""),
    ])
  func whiteSpace(_ comment: String) throws {
    let report = try Self.deployWithoutIndex(comment)
    #expect(report.findings.isEmpty && report.suppressed.count == 1)
  }

  @Test("at the end of the file or of a type a comment must name its subject")
  func atTheEnd() throws {
    let body = """
      DEFINE SCHEMA
      RECORD TYPE Todo (
        title STRING QUERYABLE, done INT64,
        GRANT READ TO "_world"
        // recordpack:allow FIELD_REMOVED@TYPE never shipped
      );
      // recordpack:allow RECORD_TYPE_REMOVED@FILE never used
      """
    let bare = try Self.deploy(
      body.replacing("@TYPE", with: "").replacing("@FILE", with: ""))
    #expect(Self.errors(bare) == ["RECORD_TYPE_REMOVED Tag", "FIELD_REMOVED Todo.order"])
    #expect(bare.findings.count { $0.rule == "SUPPRESSION_MALFORMED" } == 2)
    let named = try Self.deploy(
      body.replacing("@TYPE", with: "(Todo.order)").replacing("@FILE", with: "(Tag)"))
    #expect(Self.errors(named).isEmpty && named.suppressed.count == 2)
  }

  @Test(
    "an entry of the allow list without a reason or a subject is refused",
    arguments: ["reason: ' '", "reason: \"\\t\\n\"", "reason: x\n      subject: ' '"])
  func blanks(_ line: String) {
    #expect(throws: SchemaError.self) {
      try SchemaConfiguration(
        yaml: "schema:\n  allow:\n    - rule: FIELD_REMOVED\n      \(line)\n")
    }
  }

  @Test("permissions with patterns are counted: beyond a number they have no effect")
  func manyPatterns() throws {
    let permissions = (0..<150).map {
      Suppression(
        rule: "FIELD_REMOVED", subject: $0 == 149 ? "Todo.*" : "x\($0)*", reason: "x",
        source: .configuration(file: "c.yml", line: $0))
    }
    let text = """
      DEFINE SCHEMA
      RECORD TYPE Todo (title STRING QUERYABLE, done INT64, GRANT READ TO "_world");
      RECORD TYPE Tag (name STRING, GRANT READ TO "_world");
      """
    let report = try Self.deploy(text, SchemaConfiguration(suppressions: permissions))
    #expect(Self.errors(report) == ["FIELD_REMOVED Todo.order"])
    #expect(report.findings.count { $0.rule == "SUPPRESSION_MALFORMED" } == 1)
    let few = try Self.deploy(text, SchemaConfiguration(suppressions: permissions.suffix(100)))
    #expect(Self.errors(few).isEmpty)
  }

  @Test("a pattern matches as a person expects")
  func patterns() {
    let field = SchemaSubject.field("order", of: "Todo")
    for pattern in ["Todo.order", "Todo.*", "*.order", "*", "Todo", "T*o", "*do.or*er"] {
      #expect(field.matches(pattern), "\(pattern)")
    }
    for pattern in ["Todo.orde", "odo.order", "Tod", "", "Todo@*", "*x*"] {
      #expect(!field.matches(pattern), "\(pattern)")
    }
  }
}

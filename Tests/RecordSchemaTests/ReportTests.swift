import Foundation
import Testing

@testable import RecordSchema

@Suite("Reports")
struct ReportTests {
  static func sample() throws -> SchemaReport {
    let from = """
      DEFINE SCHEMA
      RECORD TYPE Todo (
        title STRING QUERYABLE, "order" INT64, done INT64,
        GRANT READ TO "_creator");
      RECORD TYPE Tag (name STRING, GRANT READ TO "_world");
      """
    let to = """
      // recordpack:allow RECORD_TYPE_REMOVED(Tag) "quoted" <b>|, 100% & more
      DEFINE SCHEMA
      RECORD TYPE Todo (
        title REFERENCE, done INT64, "a|b`*<&>\\" STRING, due TIMESTAMP,
        GRANT READ TO "_world");
      """
    return try SchemaChecker().compare(
      from: SchemaDocument(parsing: from, name: "main:CloudKit/schema, v 1.ckdb"),
      to: SchemaDocument(parsing: to, name: "CloudKit/schema.ckdb"))
  }

  static func manyReports() throws -> [SchemaReport] {
    var reports = [try sample()]
    for test in RuleFolderTests.cases {
      reports.append(try RuleFolderTests.report(for: test))
    }
    let census = try SchemaInferenceTests.census([
      (
        "T",
        [SchemaInferenceTests.field("f", .int64(1)), SchemaInferenceTests.field("l", .emptyList)]
      )
    ])
    let extended = CloudSchema().extended(by: census)
    var extendedReport = try SchemaChecker().validate(
      census, against: SchemaDocument(extended.schema, name: "the \"extended\" schema"))
    extendedReport.extendedSchema = extended
    reports.append(extendedReport)
    var model = MirroredModel(
      name: "App", kind: .swiftData, entities: [.init("A")],
      problems: [.init("MODEL_NOT_READ", "<not read>", location: SchemaLocation(file: "a, b"))])
    model.notes = ["a \"note\" & more"]
    model.containers = [.init("iCloud.a", location: SchemaLocation(file: "a", span: .start))]
    reports.append(
      try SchemaChecker().compare(
        from: SchemaDocument(.sample, name: "s"), to: SchemaDocument(model), kind: .drift))
    let empty = SchemaDocument(
      parsing: "DEFINE SCHEMA RECORD TYPE T (f INT64, GRANT READ TO \"_world\");")
    reports.append(try SchemaChecker().compare(from: empty, to: empty))
    return reports
  }

  @Test("text is grouped, names file, line and column, and has colours only on request")
  func text() throws {
    let report = try Self.sample()
    let plain = report.text(as: .text)
    #expect(!plain.contains("\u{1B}"))
    #expect(plain.contains("  CloudKit/schema.ckdb:4:9: error: FIELD_TYPE_CHANGED Todo.title\n"))
    #expect(plain.contains("\nDEPLOY · "))
    #expect(plain.contains("1 suppressed"))
    let colored = report.text(as: .text, colored: true)
    #expect(colored.contains("\u{1B}[31merror\u{1B}[0m"))
    #expect(colored.replacing(/\u{1B}\[\d+m/, with: "") == plain)
  }

  @Test("what was made just in time is told, and what was not")
  func extended() throws {
    let report = try #require(try Self.manyReports().first { $0.extendedSchema != nil })
    let text = report.text(as: .text)
    #expect(text.contains("  + RECORD TYPE T (f INT64 QUERYABLE SORTABLE)\n"))
    #expect(text.contains("  ? T.l: only empty lists in 1 record: Notes"))
    #expect(report.text(as: .markdown).contains("- `RECORD TYPE T (f INT64"))
    #expect(report.text(as: .json).contains("\"additions\": ["))
  }

  @Test("findings make a check fail from the severity on that is asked")
  func failing() throws {
    let report = try Self.sample()
    #expect(report.fails(at: .error))
    #expect(!report.fails(at: .off))
    let clean = SchemaReport(
      kind: .validate, to: "x", findings: [], suppressed: [], limitedRules: [])
    #expect(!clean.fails(at: .info))
    #expect(clean.summary == "nothing found")
  }

  @Test("a report with warnings only says what to do, too")
  func warningsOnly() throws {
    let schema = "DEFINE SCHEMA RECORD TYPE T (f NUMBER, GRANT READ TO \"_world\");"
    let report = try SchemaChecker().validate(SchemaDocument(parsing: schema))
    #expect(report.count(of: .warning) > 0 && report.count(of: .error) == 0)
    let steps = SchemaCheckKind.allCases.map { kind in
      var other = report
      other.kind = kind
      return other.nextStep
    }
    #expect(steps.compactMap { $0 }.count == 4)
    let step = try #require(report.nextStep)
    for format in [SchemaReportFormat.text, .markdown, .github] {
      #expect(report.text(as: format).contains(step), "\(format)")
    }
    #expect(report.text(as: .text).hasSuffix(step + "\n"))
  }

  @Test("the category with the most severe finding is first, and each heading stands once")
  func categories() throws {
    func finding(_ category: SchemaCategory, _ severity: SchemaSeverity) -> SchemaFinding {
      SchemaFinding(
        rule: "A", category: category, severity: severity, subject: .schema, message: "")
    }
    let sorted = SchemaFinding.sorted([
      finding(.client, .error), finding(.deploy, .note), finding(.lint, .warning),
      finding(.client, .info), finding(.model, .error), finding(.model, .info),
    ])
    #expect(sorted.map(\.category) == [.model, .model, .client, .client, .lint, .deploy])
    #expect(sorted.map(\.severity) == [.error, .info, .error, .info, .warning, .note])
  }

  @Test("annotations escape what would end them")
  func github() throws {
    let lines = try Self.sample().text(as: .github).split(separator: "\n")
    let annotations = lines.filter { $0.hasPrefix("::") }
    #expect(annotations.count == lines.count - 3)
    #expect(
      annotations.contains(
        "::error file=CloudKit/schema.ckdb,line=4,col=9,title=FIELD_TYPE_CHANGED Todo.title::the "
          + "field 'title' of 'Todo' is STRING in production and REFERENCE here%0A→ keep STRING and "
          + "add a field with another name"))
  }

  @Test("a markdown table has the same number of columns in every row")
  func markdown() throws {
    for report in try Self.manyReports() {
      let rows = report.text(as: .markdown).split(separator: "\n").filter { $0.hasPrefix("|") }
      for row in rows {
        let bars = row.replacing(/\\./, with: "").count { $0 == "|" }
        #expect(bars == 6 || bars == 4, "\(row)")
      }
    }
    #expect(!(try Self.sample().text(as: .markdown)).contains("<b>"))
  }

  @Test("reports are the same every time", arguments: SchemaReportFormat.allCases)
  func deterministic(_ format: SchemaReportFormat) throws {
    let first = try Self.sample().text(as: format)
    for _ in 0..<5 { #expect(try Self.sample().text(as: format) == first) }
  }

  @Test("no line of a report for GitHub begins with text from outside")
  func githubCommands() throws {
    for name in ["::error title=x::y.ckdb", "  ::stop-commands::x", "a ##[error]x.ckdb", "a\n::b"] {
      let document = SchemaDocument(
        parsing: "DEFINE SCHEMA RECORD TYPE T (f NUMBER, GRANT READ TO \"_world\");", name: name)
      let broken = SchemaDocument(parsing: "DEFINE SCHEMA RECORD TYPE T (f BAD);", name: name)
      let text = try SchemaChecker().validate(document).text(as: .github)
      for line in (text + broken.gitHubAnnotations).split(separator: "\n") {
        let command = line.hasPrefix("::warning file=") || line.hasPrefix("::error file=")
        #expect(command || line.hasPrefix("RecordPack: "), "\(line)")
        #expect(command || !line.contains("##["), "\(line)")
        #expect(line.matches(of: /::/).count <= 2 || !command, "\(line)")
      }
    }
  }

  @Test("every result of a SARIF log has suppressions, or none has")
  func sarifSuppressions() throws {
    for report in try Self.manyReports() {
      let text = report.text(as: .sarif)
      let results = text.matches(of: /"ruleId"/).count
      let suppressions = text.matches(of: /"suppressions"/).count
      #expect(suppressions == (report.suppressed.isEmpty ? 0 : results))
    }
  }

  @Test("marks that turn text around or break lines are shown as such in every format")
  func directionMarks() throws {
    let marks = ["\u{202E}", "\u{2066}", "\u{200F}", "\u{2028}", "\u{2029}", "\u{85}", "\u{9B}"]
    for mark in marks {
      let document = SchemaDocument(
        parsing: "DEFINE SCHEMA RECORD TYPE \"a\(mark)b\" (f STRING);", name: "x\(mark)y.ckdb")
      let report = try SchemaChecker().validate(document)
      #expect(!report.findings.isEmpty)
      for format in SchemaReportFormat.allCases {
        let scalars = report.text(as: format).unicodeScalars
        #expect(!scalars.contains(mark.unicodeScalars.first ?? " "), "\(format)")
      }
    }
  }

  @Test("a name makes no link, no mention and no formula in markdown")
  func markdownLinks() throws {
    let document = SchemaDocument(
      parsing: "DEFINE SCHEMA RECORD TYPE T (\"https://x.y\" STRING, \"www.x.y\" STRING, "
        + "\"$x$~~y~~\" STRING, GRANT READ TO \"_world\");")
    let text = try SchemaChecker().validate(document).text(as: .markdown)
    let outsideCode = text.replacing(/`[^`]*`/, with: "")
    for mark in ["https://", " 'www.", "$x$", "~~"] { #expect(!outsideCode.contains(mark)) }
  }

  @Test("the heading names the environment that was asked about")
  func environment() throws {
    let reports = try Self.manyReports()
    let extended = try #require(reports.first { $0.extendedSchema != nil })
    #expect(extended.heading.contains("development") && !extended.heading.contains("production"))
    let census = RecordCensus(source: "a")
    let plain = try SchemaChecker().validate(
      census, against: SchemaDocument(CloudSchema.sample, name: "s"))
    #expect(plain.heading == "a → s: would production accept the records?")
  }

  // MARK: - Judged by others

  @Sendable private static func hasPython() async -> Bool {
    await Command.pythonHas("jsonschema, xml.dom.minidom")
  }

  @Test(
    "JSON and SARIF are valid by their JSON Schemas",
    .enabled("needs python3 with jsonschema", hasPython),
    arguments: [
      (SchemaReportFormat.sarif, "Tests/RecordSchemaTests/Outside/sarif-2.1.0-part.schema.json"),
      (.json, "Schemas/recordpack-report-1.schema.json"),
    ])
  func jsonSchemas(_ format: SchemaReportFormat, _ schema: String) async throws {
    let documents = try Self.manyReports().map { $0.text(as: format) }
    let program = """
      import json, sys, jsonschema
      schema = json.load(open(sys.argv[1]))
      jsonschema.Draft7Validator.check_schema(schema)
      validator = jsonschema.Draft7Validator(schema)
      documents = [json.loads(text) for text in sys.stdin.read().split("\\x00")]
      for document in documents:
          validator.validate(document)
          for run in document.get("runs", []):
              for result in run["results"]:
                  rule = run["tool"]["driver"]["rules"][result["ruleIndex"]]
                  assert rule["id"] == result["ruleId"]
      print(len(documents))
      """
    let input = Data(documents.joined(separator: "\0").utf8)
    let result = try await Command(
      "python3", "-c", program, Place.inPackage(schema), input: input)
    #expect(result.code == 0, "\(result.output)")
    #expect(result.output == "\(documents.count)\n")
  }

  @Test(
    "JUnit is well-formed XML whose counts are right",
    .enabled("needs python3 with jsonschema", hasPython))
  func junit() async throws {
    let documents = try Self.manyReports().map { $0.text(as: .junit) }
    let program = """
      import sys, xml.etree.ElementTree as tree
      for text in sys.stdin.read().split("\\x00"):
          root = tree.fromstring(text.encode())
          suite = root.find("testsuite")
          cases = suite.findall("testcase")
          failed = [case for case in cases if case.find("failure") is not None]
          assert int(suite.get("tests")) == len(cases) > 5
          assert int(suite.get("failures")) == len(failed) == int(root.get("failures"))
          print(len(failed))
      """
    let input = Data(documents.joined(separator: "\0").utf8)
    let result = try await Command("python3", "-c", program, input: input)
    #expect(result.code == 0, "\(result.output)")
    let failures = result.output.split(separator: "\n").compactMap { Int($0) }
    let expected = try Self.manyReports().map { report in
      Set(report.findings.filter { $0.severity == .error }.map(\.rule)).count
    }
    #expect(failures == expected)
  }
}

extension CloudSchema {
  fileprivate static let sample = CloudSchema(
    recordTypes: [RecordType("T", fields: [Field("f", .string)], grants: Grant.defaults)])
}

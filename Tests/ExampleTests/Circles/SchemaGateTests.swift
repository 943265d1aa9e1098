import Foundation
import Testing

/// Examples/SchemaGate, as it would run for a pull request.
@Suite(
  "The gate for pull requests",
  .enabled(if: Command.exists("git") && Command.exists("bash"), "git and bash are needed"))
struct SchemaGateTests {
  static let schema = """
    DEFINE SCHEMA

        RECORD TYPE Todo (
            order INT64 QUERYABLE SORTABLE,
            title STRING QUERYABLE,
            GRANT WRITE TO "_creator",
            GRANT CREATE TO "_icloud",
            GRANT READ TO "_world"
        );

    """

  /// Runs the gate in a repository whose branch main has ``schema``.
  static func gate(
    _ proposal: String, environment: [String: String] = [:], summary: String? = nil
  ) throws -> Command {
    let folder = try TestFolder()
    let root = URL(fileURLWithPath: folder.path(""))
    let file = folder.path("schema.ckdb")
    try schema.write(toFile: file, atomically: true, encoding: .utf8)
    try #require(try Command("git", "init", "-q", "-b", "main", ".", in: root).code == 0)
    try Command("git", "add", ".", in: root)
    try Command(
      "git", "-c", "user.name=t", "-c", "user.email=t@example.com", "commit", "-q", "-m", "one",
      in: root)
    try proposal.write(toFile: file, atomically: true, encoding: .utf8)
    let tool = URL(fileURLWithPath: try #require(Place.program("recordpack")))
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    var environment = environment
    environment["PATH"] = tool.deletingLastPathComponent().path + ":" + path
    for name in ["GITHUB_ACTIONS", "GITHUB_STEP_SUMMARY"] where environment[name] == nil {
      environment[name] = ""
    }
    return try Command(
      "bash", Place.inPackage("Examples/SchemaGate/schema-gate"), "main:schema.ckdb",
      "schema.ckdb", in: root, environment: environment)
  }

  @Test("an addition passes")
  func passes() throws {
    let more = Self.schema.replacing(
      "title STRING", with: "tag   STRING,\n        title STRING")
    let result = try Self.gate(more)
    #expect(result.code == 0, "\(result.output)")
    #expect(result.output.contains("FIELD_ADDED Todo.tag"))
  }

  @Test("a removal does not, and GitHub shows where and why")
  func refuses() throws {
    let less = Self.schema.replacing("        order INT64 QUERYABLE SORTABLE,\n", with: "")
    let folder = try TestFolder()
    let summary = folder.path("summary.md")
    let result = try Self.gate(
      less, environment: ["GITHUB_ACTIONS": "true", "GITHUB_STEP_SUMMARY": summary])
    #expect(result.code == 1, "\(result.output)")
    #expect(
      result.output.contains(
        "::error file=schema.ckdb,line=3,col=17,title=FIELD_REMOVED Todo.order::"))
    #expect(try String(contentsOfFile: summary, encoding: .utf8).contains("`FIELD_REMOVED`"))
  }

  @Test(
    "a schema in another form than the export's does not pass, and a broken one cannot be judged")
  func form() throws {
    #expect(try Self.gate(Self.schema.replacing("title ", with: "title  ")).code == 1)
    #expect(try Self.gate(String(Self.schema.dropLast(20))).code == 2)
    #expect(try Self.gate("").code == 2)
  }

  @Test("the workflow runs the script on the file that it watches")
  func workflow() throws {
    let path = Place.inPackage("Examples/SchemaGate/.github/workflows/schema-gate.yml")
    let text = try String(contentsOfFile: path, encoding: .utf8)
    #expect(text.contains("- CloudKit/schema.ckdb\n"))
    #expect(
      text.contains("./schema-gate \"origin/$BASE:CloudKit/schema.ckdb\" CloudKit/schema.ckdb"))
  }
}

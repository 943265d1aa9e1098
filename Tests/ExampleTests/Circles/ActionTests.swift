import Foundation
import Testing

/// The GitHub Action at the root, as it runs for a pull request.
@Suite(
  "The action for pull requests",
  .enabled(
    if: ["git", "bash", "curl", "tar", "xz"].allSatisfy(Command.exists),
    "git, bash, curl, tar and xz are needed"))
struct ActionTests {
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

  /// A clone whose branch main has ``schema``, a proposal in its working tree, and a release.
  struct PullRequest {
    let folder: TestFolder
    var summary: String { folder.path("summary.md") }
    var releases: URL { URL(fileURLWithPath: folder.path("releases")) }

    init(_ proposal: String) async throws {
      folder = try TestFolder()
      let script = """
        set -e
        git init -q -b main origin; cd origin
        cp ../old.ckdb schema.ckdb; git add .
        git -c user.name=t -c user.email=t@example.com commit -q -m one
        git checkout -q -b work; cp ../new.ckdb schema.ckdb; git add .
        git -c user.name=t -c user.email=t@example.com commit -q -m two --allow-empty
        cd ..; git clone -q --depth 1 --branch work "file://$PWD/origin" clone
        version=$(sed -n 's/^let recordPackVersion = "\\(.*\\)"$/\\1/p' "$1/Sources/RecordPackTool/Version.swift")
        mkdir -p packed releases/v$version
        printf '#!/bin/sh\\nexec "%s" "$@"\\n' "$2" > packed/recordpack; chmod +x packed/recordpack
        for system in linux-x86_64 linux-aarch64 macos-universal; do
          tar -cJf releases/v$version/recordpack-$version-$system.tar.xz packed
        done
        cd releases/v$version; (sha256sum *.tar.xz || shasum -a 256 *.tar.xz) > SHA256SUMS 2>/dev/null
        """
      try ActionTests.schema.write(
        toFile: folder.path("old.ckdb"), atomically: true, encoding: .utf8)
      try proposal.write(toFile: folder.path("new.ckdb"), atomically: true, encoding: .utf8)
      let made = try await Command(
        "bash", "-c", script, "bash", Place.inPackage("."),
        try #require(Place.program("recordpack")), in: URL(fileURLWithPath: folder.path("")))
      try #require(made.code == 0, "\(made.output)")
    }

    func check(_ inputs: [String: String] = [:]) async throws -> Command {
      var environment = inputs
      environment["SCHEMA"] = environment["SCHEMA"] ?? "schema.ckdb"
      environment["RELEASES"] = environment["RELEASES"] ?? releases.absoluteString
      environment["RUNNER_TEMP"] = folder.path("runner")
      environment["GITHUB_STEP_SUMMARY"] = summary
      environment["GITHUB_BASE_REF"] = environment["GITHUB_BASE_REF"] ?? "main"
      return try await Command(
        "bash", Place.inPackage(".github/check-schema"),
        in: URL(fileURLWithPath: folder.path("clone")), environment: environment)
    }
  }

  @Test(
    "a workflow to copy has an event, and inputs that the action has",
    arguments: ["README.md", "Sources/RecordPack/Documentation.docc/Guides/CIRecipes.md"])
  func workflow(_ page: String) throws {
    let text = try String(contentsOfFile: Place.inPackage(page), encoding: .utf8)
    let action = try String(contentsOfFile: Place.inPackage("action.yml"), encoding: .utf8)
    let blocks = text.matches(of: /(?m)^```yaml\n((?:.*\n)*?)```/).map(\.1)
    let workflow = try #require(blocks.first { $0.contains("RecordPack@v") })
    #expect(workflow.hasPrefix("on: pull_request\njobs:\n"))
    #expect(workflow.split(separator: "\n").count == 6)
    let inputs = try #require(workflow.firstMatch(of: /with: {([^}]*)}/)?.1)
    for input in inputs.split(separator: ",") {
      let name = input.prefix { $0 != ":" }.trimmingCharacters(in: .whitespaces)
      #expect(action.contains("\n  \(name):\n"), "\(name)")
    }
  }

  @Test("an addition passes")
  func passes() async throws {
    let more = Self.schema.replacing(
      "title STRING", with: "tag   STRING,\n        title STRING")
    let result = try await PullRequest(more).check()
    #expect(result.code == 0, "\(result.output)")
    #expect(result.output.contains("FIELD_ADDED Todo.tag"))
  }

  @Test("a schema or a model that the pull request adds is new, and passes")
  func added() async throws {
    let request = try await PullRequest(Self.schema)
    try Self.schema.write(
      toFile: request.folder.path("clone/added.ckdb"), atomically: true, encoding: .utf8)
    let result = try await request.check(["SCHEMA": "added.ckdb"])
    #expect(result.code == 0, "\(result.output)")
    #expect(result.output.contains("the branch 'main' has no 'added.ckdb', so all of it is new"))
    #expect(result.output.contains("RECORD_TYPE_ADDED Todo"))
    try "@Model class Note { var title = \"\" }".write(
      toFile: request.folder.path("clone/Note.swift"), atomically: true, encoding: .utf8)
    let model = try await request.check(["SCHEMA": "Note.swift"])
    #expect(model.code == 0, "\(model.output)")
    #expect(
      model.output.contains(
        "RecordPack: Deploy what the model adds before you release the app.\n"))
    let missing = try await request.check(["SCHEMA": "missing.ckdb"])
    #expect(missing.code == 2)
    #expect(missing.output.contains("::error title=RecordPack::there is no file 'missing.ckdb'"))
    let summary = try String(contentsOfFile: request.summary, encoding: .utf8)
    #expect(summary.contains("### RecordPack: nothing deployed → added.ckdb: can it be deployed?"))
    #expect(summary.contains("| info | `Todo` | `RECORD_TYPE_ADDED` |"))
    #expect(
      summary.contains("**❌ The schemas cannot be compared.**\n\n    recordpack: error: there"))
  }

  @Test("a field that production lacks fails for a model, and for a schema if drift is asked")
  func drift() async throws {
    let request = try await PullRequest(Self.schema)
    func write(_ text: String, _ name: String) throws {
      try text.write(
        toFile: request.folder.path("clone/" + name), atomically: true, encoding: .utf8)
    }
    try write("@Model class Note { var title = \"\" }", "Note.swift")
    try write(Self.schema, "production.ckdb")
    try write(Self.schema.replacing("title STRING", with: "tag STRING,\ntitle STRING"), "new.ckdb")
    for (schema, mode, code, rule) in [
      ("Note.swift", "", 1, "RECORD_TYPE_NOT_DEPLOYED CD_Note"),
      ("Note.swift", "deploy", 0, "RECORD_TYPE_ADDED CD_Note"),
      ("new.ckdb", "", 0, "FIELD_ADDED Todo.tag"),
      ("new.ckdb", "drift", 1, "FIELD_NOT_DEPLOYED Todo.tag"),
    ] as [(String, String, Int32, String)] {
      let result = try await request.check([
        "SCHEMA": schema, "PRODUCTION": "production.ckdb", "MODE": mode,
      ])
      #expect(result.code == code, "\(schema) \(mode): \(result.output)")
      #expect(result.output.contains(rule), "\(schema) \(mode): \(result.output)")
    }
  }

  @Test("a summary does not praise a schema whose warnings fail the check")
  func warnings() async throws {
    let open = Self.schema.replacing("WRITE TO \"_creator\"", with: "WRITE TO \"_icloud\"")
    let request = try await PullRequest(open)
    #expect(try await request.check().code == 1)
    #expect(try await request.check(["FAIL_ON": "error"]).code == 0)
    let summary = try String(contentsOfFile: request.summary, encoding: .utf8)
    let verdicts = summary.split(separator: "\n").filter { $0.hasPrefix("**") }
    #expect(verdicts.count == 2)
    #expect(verdicts.first?.contains("findings that fail the check (warning or worse)") == true)
    #expect(verdicts.last?.contains("It can be deployed") == true)
  }

  @Test("a removal fails, with an annotation at its line and a summary")
  func removal() async throws {
    let less = Self.schema.replacing("        order INT64 QUERYABLE SORTABLE,\n", with: "")
    let request = try await PullRequest(less)
    let result = try await request.check()
    #expect(result.code == 1, "\(result.output)")
    #expect(
      result.output.contains(
        "::error file=schema.ckdb,line=3,col=17,title=FIELD_REMOVED Todo.order::"))
    #expect(
      try String(contentsOfFile: request.summary, encoding: .utf8).contains("`FIELD_REMOVED`"))
    #expect(try await request.check(["FAIL_ON": "off"]).code == 0)
    #expect(try await request.check(["MODE": "drift"]).code == 0)
  }

  @Test("a broken schema cannot be compared")
  func broken() async throws {
    #expect(try await PullRequest(String(Self.schema.dropLast(20))).check().code == 2)
    #expect(try await PullRequest("").check().code == 2)
  }

  @Test("a release that is missing or changed, and a missing base, are errors")
  func download() async throws {
    let request = try await PullRequest(Self.schema)
    let missing = try await request.check(["RELEASES": request.releases.absoluteString + "-none"])
    #expect(missing.code == 2)
    #expect(missing.output.contains("::error title=RecordPack::cannot download"))
    let release = try #require(
      FileManager.default.contentsOfDirectory(atPath: request.releases.path).first)
    let sums = request.releases.appending(path: "\(release)/SHA256SUMS")
    let text = try String(contentsOf: sums, encoding: .utf8)
    try text.replacing(/(?m)^[0-9a-f]{4}/, with: "0000")
      .write(to: sums, atomically: true, encoding: .utf8)
    let changed = try await request.check()
    #expect(changed.code == 2)
    #expect(changed.output.contains("is not the one in SHA256SUMS"))
    try text.write(to: sums, atomically: true, encoding: .utf8)
    let outside = try await request.check(["GITHUB_BASE_REF": ""])
    #expect(outside.code == 2)
    #expect(outside.output.contains("the input 'production' is required"))
  }

  @Test("the action passes each of its inputs to the script")
  func inputs() throws {
    let action = try String(contentsOfFile: Place.inPackage("action.yml"), encoding: .utf8)
    let parts = action.components(separatedBy: "\nruns:\n")
    let inputs = parts[0].matches(of: /(?m)^  ([a-z-]+):$/).map { String($0.1) }
    #expect(inputs.count == 6)
    for input in inputs { #expect(parts[1].contains("${{ inputs.\(input) }}"), "\(input)") }
  }
}

import Foundation
import RecordSchema
import Testing

@Suite("recordpack schema")
struct SchemaToolTests {
  static let production = """
    DEFINE SCHEMA

        RECORD TYPE Todo (
            order INT64 QUERYABLE SORTABLE,
            title STRING QUERYABLE,
            GRANT WRITE TO "_creator",
            GRANT CREATE TO "_icloud",
            GRANT READ TO "_world"
        );

    """
  static let shorter = production.replacing(
    "        order INT64 QUERYABLE SORTABLE,\n", with: "")

  static func write(_ text: String, _ name: String, in folder: String) throws {
    try Samples.write(Data(text.utf8), name, in: folder)
  }

  @Test("diff exits with 0, 1 and 2, and reads standard input, bundles and containers")
  func exitCodes() async throws {
    try await withFolder { folder in
      try Self.write(Self.production, "a.ckdb", in: folder)
      try Self.write(Self.shorter, "b.ckdb", in: folder)
      try await Samples.makeBundle(in: folder)
      func code(_ arguments: String..., input: String? = nil) async throws -> Int32 {
        try await ToolProcess.run(
          ["schema", "diff"] + arguments, in: folder, input: input.map { Data($0.utf8) }
        ).code
      }
      #expect(try await code("a.ckdb", "a.ckdb") == 0)
      #expect(try await code("a.ckdb", "b.ckdb") == 1)
      #expect(try await code("a.ckdb", "b.ckdb", "--fail-on", "off") == 0)
      #expect(try await code("b.ckdb", "a.ckdb") == 0)
      #expect(try await code("b.ckdb", "a.ckdb", "--fail-on", "info") == 1)
      #expect(try await code("b.ckdb", "a.ckdb", "--mode", "drift") == 1)
      #expect(try await code("a.ckdb", "b.ckdb", "--mode", "drift") == 0)
      #expect(try await code("a.ckdb", "-", input: Self.production) == 0)
      #expect(try await code("-", "b.ckdb", input: Self.production) == 1)
      for input in ["", "// nothing\n", "DEFINE SCHEMA", String(Self.production.dropLast(30))] {
        #expect(try await code("-", "a.ckdb", input: input) == 2, "\(input)")
        #expect(try await code("a.ckdb", "-", input: input) == 2, "\(input)")
      }
      #expect(try await code("Tact.recordpack", "Tact.sqlite") == 0)
      #expect(try await code("a.ckdb", "Tact.sqlite") == 1)
      #expect(try await code("a.ckdb", "none.ckdb") == 2)
      #expect(try await code("a.ckdb", ".") == 2)
      #expect(try await code("-", "-") == 2)
      // A pipe has a path too, as with the shell's <(…), and can be read once only.
      #expect(try await code("/dev/stdin", "b.ckdb", input: Self.production) == 1)
      let piped = try await ToolProcess.shell(
        "cat a.ckdb | recordpack schema diff /dev/stdin a.ckdb", in: folder)
      #expect(piped.code == 0, "\(piped.errors)")
      #expect(try await code("a.ckdb", "b.ckdb", "--format", "xml") == 2)
    }
  }

  @Test(
    "a revision of git is a side",
    .enabled(if: Command.exists("git"), "git is missing"))
  func git() async throws {
    try await withFolder { folder in
      try FileManager.default.createDirectory(
        atPath: folder + "/CloudKit", withIntermediateDirectories: false)
      try Self.write(Self.production, "CloudKit/schema.ckdb", in: folder)
      let setUp = try await ToolProcess.shell(
        """
        git init -q -b main . && git add . &&
        git -c user.name=t -c user.email=t@example.com commit -q -m one
        """, in: folder)
      #expect(setUp.code == 0, "\(setUp.errors)")
      try Self.write(Self.shorter, "CloudKit/schema.ckdb", in: folder)
      let result = try await ToolProcess.run(
        "schema", "diff", "main:CloudKit/schema.ckdb", "CloudKit/schema.ckdb", in: folder)
      #expect(result.code == 1)
      #expect(
        result.output.contains("CloudKit/schema.ckdb:3:17: error: FIELD_REMOVED Todo.order"))
      #expect(result.output.contains("in main:CloudKit/schema.ckdb:4:9"))
      for name in ["main:other.ckdb", "nothing:CloudKit/schema.ckdb", "--help:x"] {
        let failure = try await ToolProcess.run(
          "schema", "diff", "--", name, "CloudKit/schema.ckdb", in: folder)
        #expect(failure.code == 2 && failure.errors.contains(name), "\(failure.errors)")
      }
    }
  }

  @Test("a damaged schema is shown with its line under a caret, and as annotations")
  func syntax() async throws {
    try await withFolder { folder in
      try Self.write(
        Self.production.replacing("INT64", with: "INTEGER"), "a.ckdb", in: folder)
      for command in [["validate", "a.ckdb"], ["print", "a.ckdb"], ["diff", "a.ckdb", "a.ckdb"]] {
        let result = try await ToolProcess.run(["schema"] + command, in: folder)
        #expect(result.code == 2 && result.output.isEmpty)
        #expect(result.errors.contains("a.ckdb:4:15: error:") && result.errors.contains("^~~~"))
      }
      let result = try await ToolProcess.run(
        "schema", "validate", "a.ckdb", "--format", "github", in: folder)
      #expect(result.code == 2)
      #expect(result.output.hasPrefix("::error file=a.ckdb,line=4,col=15,title=SYNTAX::"))
    }
  }

  @Test("every format is written, and none has colours unless they are asked for")
  func formats() async throws {
    try await withFolder { folder in
      try Self.write(Self.production, "a.ckdb", in: folder)
      try Self.write(Self.shorter, "b.ckdb", in: folder)
      func output(_ format: String, _ more: String...) async throws -> String {
        let option = format == "json" ? ["--json"] : ["--format", format]
        let result = try await ToolProcess.run(
          ["schema", "diff", "a.ckdb", "b.ckdb"] + option + more, in: folder)
        #expect(result.code == 1 && result.errors.isEmpty)
        return result.output
      }
      #expect(try await Samples.json(output("json"))["question"] as? String == "deploy")
      #expect(try await Samples.json(output("sarif"))["version"] as? String == "2.1.0")
      #expect(try await output("markdown").contains("| 🔴 error | `FIELD_REMOVED` |"))
      #expect(try await output("github").hasPrefix("::error file=b.ckdb,line=3,"))
      #expect(try await output("junit").contains("failures=\"1\""))
      #expect(try await !output("text").contains("\u{1B}"))
      #expect(try await output("text", "--color", "always").contains("\u{1B}[31merror"))
    }
  }

  @Test("known findings pass by comment and by configuration, and are counted")
  func suppression() async throws {
    try await withFolder { folder in
      try Self.write(Self.production, "a.ckdb", in: folder)
      try Self.write(Self.shorter, "b.ckdb", in: folder)
      let rules = "schema:\n  allow:\n    - rule: FIELD_REMOVED\n      reason: never shipped\n"
      try Self.write(rules, ".recordpack.yml", in: folder)
      func run(_ more: String...) async throws -> ToolProcess.Result {
        try await ToolProcess.run(["schema", "diff", "a.ckdb", "b.ckdb"] + more, in: folder)
      }
      #expect(try await run().code == 0)
      #expect(try await run().output.hasSuffix("nothing found · 1 suppressed\n"))
      #expect(try await run("--no-config").code == 1)
      try Self.write("schema:\n  severities:\n    FIELD_REMOVED: note\n", "soft.yml", in: folder)
      #expect(try await run("--config", "soft.yml").code == 0)
      #expect(try await run("--config", "soft.yml", "--fail-on", "note").code == 1)
      #expect(try await run("--config", "none.yml").code == 2)
      try Self.write("schema:\n  fail-on: info\n  severitys: {}\n", "bad.yml", in: folder)
      let bad = try await run("--config", "bad.yml")
      #expect(bad.code == 2 && bad.errors.contains("bad.yml:3:3"))
      try Self.write(
        "// recordpack:allow FIELD_REMOVED(Todo.order) was never shipped\n" + Self.shorter,
        "b.ckdb", in: folder)
      #expect(try await run("--no-config").code == 0)
    }
  }

  @Test("print writes the export form, checks it, and writes it in place")
  func printing() async throws {
    try await withFolder { folder in
      let loose = Self.production.replacing("        ", with: "  ")
      try Self.write(loose, "loose.ckdb", in: folder)
      try Self.write(Self.production, "a.ckdb", in: folder)
      let printed = try await ToolProcess.run("schema", "print", "loose.ckdb", in: folder)
      #expect(printed.code == 0 && printed.output == Self.production)
      #expect(
        try await ToolProcess.run("schema", "print", "--check", "a.ckdb", in: folder).code == 0)
      let check = try await ToolProcess.run(
        "schema", "print", "--check", "a.ckdb", "loose.ckdb", in: folder)
      #expect(check.code == 1 && check.output.contains("loose.ckdb"))
      #expect(!check.output.hasPrefix("a.ckdb"))
      #expect(try Samples.read("loose.ckdb", in: folder) == Data(loose.utf8))
      let write = try await ToolProcess.run("schema", "print", "--write", "loose.ckdb", in: folder)
      #expect(write.code == 0 && write.output == "loose.ckdb written\n")
      #expect(try Samples.read("loose.ckdb", in: folder) == Data(Self.production.utf8))
      #expect(
        try await ToolProcess.run("schema", "print", "--write", "a.ckdb", in: folder).output == "")
      #expect(
        try await ToolProcess.run("schema", "print", "a.ckdb", "loose.ckdb", in: folder).code == 2)
      // One broken file, and none is written.
      try Self.write(loose, "loose.ckdb", in: folder)
      try Self.write("DEFINE", "broken.ckdb", in: folder)
      let broken = try await ToolProcess.run(
        "schema", "print", "--write", "loose.ckdb", "broken.ckdb", in: folder)
      #expect(broken.code == 2)
      #expect(try Samples.read("loose.ckdb", in: folder) == Data(loose.utf8))
      try Samples.makeContainer(in: folder)
      #expect(
        try await ToolProcess.run("schema", "print", "--write", "Tact.sqlite", in: folder).code == 2
      )
    }
  }

  @Test("explain prints a rule's page, lists all, and helps with slips of the pen")
  func explain() async throws {
    try await withFolder { folder in
      let page = try await ToolProcess.run("schema", "explain", "RECORD_FIELD_UNKNOWN", in: folder)
      #expect(page.code == 0 && page.output.hasPrefix("# RECORD_FIELD_UNKNOWN\n"))
      #expect(page.output.contains("## Evidence"))
      let list = try await ToolProcess.run("schema", "explain", in: folder)
      #expect(list.output.contains("DATA · ") && list.output.contains("INDEX_REMOVED"))
      let slip = try await ToolProcess.run("schema", "explain", "FIELD_REMOVE", in: folder)
      #expect(slip.code == 2 && slip.errors.contains("FIELD_REMOVED"))
    }
  }

  @Test("a bundle that comes through a pipe has its schema read")
  func pipe() async throws {
    try await withFolder { folder in
      try await Samples.makeBundle(in: folder)
      let bundle = try Data(contentsOf: URL(filePath: folder + "/Tact.recordpack"))
      let piped = try await ToolProcess.run("schema", "print", "-", in: folder, input: bundle)
      let named = try await ToolProcess.run("schema", "print", "Tact.recordpack", in: folder)
      #expect(piped.code == 0 && piped.output == named.output, "\(piped.errors)")
      let script = "cat Tact.recordpack > fifo & recordpack schema print fifo"
      let tool = ToolProcess(["-c", "mkfifo fifo; \(script)"], in: folder, program: "/bin/sh")
      try tool.start()
      let result = await tool.finish()
      #expect(result.code == 0 && result.output == named.output, "\(result.errors)")
    }
  }

  @Test("diff counts the stored records that break under the new schema, by example")
  func records() async throws {
    try await withFolder { folder in
      try await Samples.makeBundle(in: folder)
      let shorter = Samples.schema.replacing("number INT64 QUERYABLE SORTABLE,\n", with: "")
      try Self.write(shorter, "b.ckdb", in: folder)
      let result = try await ToolProcess.run(
        "schema", "diff", "Tact.sqlite", "b.ckdb", "--records", "Tact.recordpack", "--json",
        in: folder)
      #expect(result.code == 1)
      let report = try Samples.json(result.output)
      let findings = try #require(report["findings"] as? [[String: Any]])
      #expect(findings.map { $0["rule"] as? String } == ["FIELD_REMOVED", "RECORD_FIELD_UNKNOWN"])
      let records = try #require(findings.last?["records"] as? [String: Any])
      #expect(records["count"] as? Int == 2)
      let examples = try #require(records["examples"] as? [[String: String]])
      #expect(examples.map { $0["recordName"] } == ["message-1", "message-2"])
    }
  }

  static func mode(_ name: String, in folder: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: folder + "/" + name)[.posixPermissions] as? Int
  }

  @Test("print --write keeps owner and permissions, follows links, and changes all files or none")
  func writeInPlace() async throws {
    try await withFolder { folder in
      let loose = Self.production.replacing("        ", with: "  ")
      for name in ["a.ckdb", "b.ckdb"] {
        try Self.write(loose, name, in: folder)
        chmod(folder + "/" + name, 0o640)
      }
      try FileManager.default.createSymbolicLink(
        atPath: folder + "/link.ckdb", withDestinationPath: "b.ckdb")
      if geteuid() == 0 { chown(folder + "/a.ckdb", 1234, 4321) }
      try await Samples.makeBundle(in: folder)
      let latin = Array(loose.utf8) + Array("// caf".utf8) + [0xE9, 0x0A]
      try Samples.write(Data(latin), "latin.ckdb", in: folder)
      for last in ["Tact.recordpack", "latin.ckdb", "none.ckdb"] {
        let result = try await ToolProcess.run(
          "schema", "print", "--write", "a.ckdb", last, in: folder)
        #expect(result.code == 2 && result.output.isEmpty, "\(last)")
        #expect(try Samples.read("a.ckdb", in: folder) == Data(loose.utf8), "\(last)")
      }
      #expect(try Samples.read("latin.ckdb", in: folder) == Data(latin))
      #expect(try await ToolProcess.run("schema", "print", "latin.ckdb", in: folder).code == 2)
      let written = try await ToolProcess.run(
        "schema", "print", "--write", "a.ckdb", "link.ckdb", in: folder)
      #expect(written.code == 0, "\(written.errors)")
      for name in ["a.ckdb", "b.ckdb"] {
        #expect(try Samples.read(name, in: folder) == Data(Self.production.utf8))
        #expect(try Self.mode(name, in: folder) == 0o640)
      }
      var status = stat()
      #expect(stat(folder + "/a.ckdb", &status) == 0)
      #expect(status.st_uid == (geteuid() == 0 ? 1234 : geteuid()))
      let link = try FileManager.default.destinationOfSymbolicLink(atPath: folder + "/link.ckdb")
      #expect(link == "b.ckdb")
      let files = try FileManager.default.contentsOfDirectory(atPath: folder)
      #expect(!files.contains { $0.hasSuffix(".partial") })
    }
  }

  @Test("options that do not apply are refused")
  func inapplicableOptions() async throws {
    try await withFolder { folder in
      try Self.write(Self.production, "a.ckdb", in: folder)
      try Samples.write(Samples.response(records: 1), "r.json", in: folder)
      for arguments in [
        ["infer", "a.recordpack", "--force"],
        ["infer", "--from", "web-services", "r.json", "--threads", "2"],
        [
          "infer", "--from", "web-services", "r.json", "--database", "private", "--database",
          "public",
        ],
        ["diff", "a.ckdb", "a.ckdb", "--threads", "2"],
        ["validate", "a.ckdb", "--json", "--color", "always"],
      ] {
        let result = try await ToolProcess.run(["schema"] + arguments, in: folder)
        #expect(result.code == 2 && result.output.isEmpty, "\(arguments)")
        #expect(result.errors.contains("--"), "\(result.errors)")
      }
    }
  }

  @Test("for GitHub, neither stream has a line that begins with text of a file or its name")
  func gitHubStreams() async throws {
    try await withFolder { folder in
      let name = "::error title=x::y.ckdb"
      try Self.write(Self.production.replacing("INT64", with: "INTEGER"), name, in: folder)
      let broken = try await ToolProcess.run(
        "schema", "validate", name, "--format", "github", in: folder)
      #expect(broken.code == 2 && broken.output.hasPrefix("::error file=%3A%3Aerror title"))
      // A combining mark is part of the character before it.
      let marked = "a:\u{301},\u{301}b##[\u{301}.ckdb"
      try SchemaToolTests.write("DEFINE SCHEMA", marked, in: folder)
      let text = try await ToolProcess.run(
        "schema", "validate", marked, "--format", "github", in: folder)
      #expect(text.output.contains("file=a%3A\u{301}%2C\u{301}b##[\u{301}.ckdb,"))
      #expect(text.errors.range(of: "##[", options: .literal) == nil)
      for line in broken.errors.split(separator: "\n") { #expect(line.hasPrefix("recordpack: ")) }
      try Self.write(Self.production, name, in: folder)
      let fine = try await ToolProcess.run(
        "schema", "validate", name, "--format", "github", in: folder)
      for line in fine.output.split(separator: "\n") { #expect(line.hasPrefix("RecordPack: ")) }
    }
  }
}

@Suite("Schemas and rules as JSON")
struct SchemaJSONTests {
  private let schema = """
    DEFINE SCHEMA
        RECORD TYPE Note (
            tags  LIST<STRING> QUERYABLE,
            title ENCRYPTED STRING,
            GRANT WRITE TO "_creator"
        );
    """

  private func json(
    _ line: String, in folder: String, code: Int32 = 0
  ) async throws -> [String: Any] {
    let result = try await ToolProcess.run(line: line + " --json", in: folder)
    #expect(result.code == code, "\(line): \(result.errors)")
    return try Samples.json(result.output)
  }

  @Test("print has each type with its fields and grants")
  func printed() async throws {
    try await withFolder { folder in
      try Samples.write(Data(schema.utf8), "s.ckdb", in: folder)
      let document = try await json("schema print s.ckdb", in: folder)
      #expect(document["format"] as? String == "recordpack.schema")
      let types = (document["schema"] as? [String: Any])?["recordTypes"] as? [[String: Any]]
      let note = try #require(types?.first)
      #expect(note["name"] as? String == "Note")
      let fields = try #require(note["fields"] as? [[String: Any]])
      let title = try #require(fields.first { $0["name"] as? String == "title" })
      #expect(title["isEncrypted"] as? Bool == true && title["isList"] as? Bool == false)
      let tags = try #require(fields.first { $0["name"] as? String == "tags" })
      #expect(tags["isList"] as? Bool == true && tags["indexes"] as? [String] == ["QUERYABLE"])
      let grants = try #require(note["grants"] as? [[String: Any]])
      #expect(grants.first?["permissions"] as? [String] == ["WRITE"])
      let odd = try await json("schema print --check s.ckdb", in: folder, code: 1)
      #expect(odd["unprinted"] as? [String] == ["s.ckdb"])
      let written = try await json("schema print --write s.ckdb", in: folder)
      #expect(written["written"] as? [String] == ["s.ckdb"])
      #expect(
        try await json("schema print --check s.ckdb", in: folder)["unprinted"] as? [String] == [])
    }
  }

  @Test("infer has the schema, its text and the notes; explain has the rules")
  func inferred() async throws {
    try await withFolder { folder in
      try Samples.makeContainer(in: folder)
      let document = try await json("schema infer Tact.sqlite", in: folder)
      let text = try await ToolProcess.run(line: "schema infer Tact.sqlite --quiet", in: folder)
        .output
      #expect(document["text"] as? String == text)
      #expect(document["notes"] is [Any] && document["schema"] is [String: Any])
      _ = try await json("schema infer Tact.sqlite -o out.ckdb", in: folder)
      #expect(try Samples.read("out.ckdb", in: folder) == Data(text.utf8))
      let rules = try await json("schema explain", in: folder)["rules"] as? [[String: Any]]
      #expect(rules?.count == SchemaRule.all.count)
      let one =
        try await json("schema explain field_removed", in: folder)["rules"] as? [[String: Any]]
      #expect(one?.map { $0["rule"] as? String } == ["FIELD_REMOVED"])
    }
  }
}

import Foundation
import Testing

@testable import RecordPackTool

@Suite("Options")
struct OptionTests {
  /// A way a command runs, with the options that say something in it and those that do not.
  struct Mode: Sendable, CustomTestStringConvertible {
    var name: String
    /// The command line, without the options in question.
    var arguments: [String]
    var applicable: [String]
    var inapplicable: [String]

    /// The command and its subcommand.
    var command: [String] {
      Array(arguments.prefix(["migrate", "schema"].contains(arguments[0]) ? 2 : 1))
    }

    var testDescription: String { name }
  }

  private static let everywhere = ["--color", "--help", "--version"]
  private static let selection = ["--database", "--zone", "--type", "--since", "--until"]
  private static let condition = ["--where"]
  private static let choice = ["--name", "--where", "--limit", "--raw"]
  private static let query = [
    "--fields", "--sort", "--format", "--count", "--show-encrypted", "--assets",
  ]
  private static let format = ["--json"]
  private static let log = ["--operation", "--failed", "--limit"]
  private static let validation = ["--schema", "--environment"]
  private static let bundle = ["--level", "--frame-size", "--split-size", "--threads"]

  static let modes: [Mode] = [
    Mode(
      name: "export to a bundle", arguments: ["export", "Tact.sqlite", "-o", "x.recordpack"],
      applicable: selection + condition + format + bundle + [
        "--from", "--to", "--output", "--force", "--validate", "--quiet",
      ],
      inapplicable: validation + ["--into"]),
    Mode(
      name: "export to a checked bundle",
      arguments: ["export", "Tact.sqlite", "-o", "x.recordpack", "--validate"],
      applicable: selection + condition + format + bundle + validation
        + ["--from", "--to", "--output", "--force", "--validate", "--quiet"],
      inapplicable: ["--into"]),
    Mode(
      name: "export to standard output", arguments: ["export", "Tact.sqlite", "-o", "-"],
      applicable: selection + condition + format + ["--level", "--frame-size", "--threads"]
        + ["--from", "--to", "--output", "--validate", "--quiet"],
      inapplicable: validation + ["--force", "--split-size", "--into"]),
    Mode(
      name: "export to a response",
      arguments: ["export", "Tact.sqlite", "-o", "x.json", "--to", "web-services"],
      applicable: selection + condition + format + [
        "--from", "--to", "--output", "--force", "--validate", "--quiet",
      ],
      inapplicable: bundle + validation + ["--into"]),
    Mode(
      name: "export to another dialect",
      arguments: ["export", "Tact.sqlite", "-o", "x.json", "--to", "canopy"],
      applicable: selection + condition + format + [
        "--from", "--to", "--output", "--force", "--validate", "--quiet",
      ],
      inapplicable: bundle + validation + ["--into"]),
    Mode(
      name: "import of bundles", arguments: ["import", "Tact.recordpack", "x.sqlite"],
      applicable: selection + format
        + ["--from", "--on-conflict", "--plan", "--validate", "--threads", "--quiet"],
      inapplicable: validation + ["--to-version", "--as-user"]),
    Mode(
      name: "import of responses",
      arguments: ["import", "--from", "web-services", "1.json", "x.sqlite"],
      applicable: selection + format
        + ["--from", "--as-user", "--on-conflict", "--validate", "--quiet"],
      inapplicable: validation + ["--plan", "--to-version", "--threads"]),
    Mode(
      name: "import of another dialect",
      arguments: ["import", "--from", "canopy", "mocks.json", "x.sqlite"],
      applicable: selection + format
        + ["--from", "--as-user", "--on-conflict", "--validate", "--quiet"],
      inapplicable: validation + ["--plan", "--to-version", "--threads"]),
    Mode(
      name: "inspect", arguments: ["inspect", "Tact.recordpack"],
      applicable: format + ["--format"], inapplicable: []),
    Mode(
      name: "query for assets", arguments: ["query", "Tact.recordpack", "--assets"],
      applicable: selection + choice.filter { $0 != "--raw" } + format + ["--assets", "--format"],
      inapplicable: ["--raw"] + query.filter { !["--assets", "--format"].contains($0) }),
    Mode(
      name: "query", arguments: ["query", "Tact.recordpack"],
      applicable: selection + choice + format + query, inapplicable: []),
    Mode(
      name: "query for CSV", arguments: ["query", "Tact.recordpack", "--format", "csv"],
      applicable: selection + choice + query.filter { $0 != "--count" },
      inapplicable: format + ["--count"]),
    Mode(
      name: "query for a count", arguments: ["query", "Tact.recordpack", "--count"],
      applicable: selection + choice.filter { $0 != "--limit" } + format
        + ["--count"],
      inapplicable: ["--limit"] + query.filter { $0 != "--count" }),
    Mode(
      name: "log", arguments: ["calls", "x.recording"], applicable: format + log + ["--format"],
      inapplicable: ["--show-encrypted"]),
    Mode(
      name: "calls as JSON", arguments: ["calls", "x.recording", "--json"],
      applicable: format + log + ["--show-encrypted"], inapplicable: ["--format"]),
    Mode(
      name: "show a record", arguments: ["show", "Tact.recordpack", "chat-1"],
      applicable: selection + format + ["--show-encrypted", "--raw"],
      inapplicable: ["--output", "--force", "--asset"]),
    Mode(
      name: "show an asset",
      arguments: ["show", "Tact.recordpack", "--asset", "9f86d081", "-o", "note.txt"],
      applicable: ["--asset", "--output", "--force"],
      inapplicable: selection + format + ["--show-encrypted", "--raw"]),
    Mode(
      name: "put a record", arguments: ["put", "Tact.sqlite", "--type", "Chat", "title=x"],
      applicable: put + format + [
        "--name", "--unset", "--replace", "--create-only", "--ignore-change-tags",
      ],
      inapplicable: validation + ["--container"]),
    Mode(
      name: "put into a new container",
      arguments: ["put", "x.sqlite", "--create", "--type", "Chat", "title=x"],
      applicable: put + format + [
        "--name", "--unset", "--replace", "--create-only", "--ignore-change-tags", "--environment",
        "--container",
      ],
      inapplicable: ["--schema"]),
    Mode(
      name: "put what must be new",
      arguments: ["put", "Tact.sqlite", "--create-only", "--type", "Chat", "title=x"],
      applicable: put + format + ["--name", "--create-only"],
      inapplicable: validation + ["--container", "--replace", "--unset", "--ignore-change-tags"]),
    Mode(
      name: "delete records", arguments: ["delete", "Tact.sqlite", "chat-1"],
      applicable: selection + format + ["--all", "--ignore-missing", "--dry-run", "--quiet"],
      inapplicable: condition + ["--with-records"]),
    Mode(
      name: "delete by a condition", arguments: ["delete", "Tact.sqlite", "--where", "has text"],
      applicable: selection + condition + format + ["--dry-run", "--quiet"],
      inapplicable: ["--all", "--ignore-missing", "--with-records"]),
    Mode(
      name: "delete a zone", arguments: ["delete", "Tact.sqlite", "--zone", "Chats"],
      applicable: ["--database", "--zone", "--with-records", "--dry-run", "--quiet"] + condition
        + format,
      inapplicable: ["--all", "--ignore-missing", "--type", "--since", "--until"]),
    Mode(
      name: "what would be deleted", arguments: ["delete", "Tact.sqlite", "chat-1", "--dry-run"],
      applicable: selection + format + ["--all", "--ignore-missing", "--dry-run"],
      inapplicable: condition + ["--with-records", "--quiet"]),
    Mode(
      name: "schema print", arguments: ["schema", "print", "s.ckdb"],
      applicable: format
        + ["--check", "--write", "--keep-order", "--model", "--model-configuration"],
      inapplicable: []),
    Mode(
      name: "schema explain", arguments: ["schema", "explain", "FIELD_REMOVED"],
      applicable: format, inapplicable: []),
    Mode(
      name: "schema infer", arguments: ["schema", "infer", "Tact.recordpack"],
      applicable: selection + format
        + ["--from", "--indexes", "--output", "--threads", "--quiet"], inapplicable: ["--force"]),
    Mode(
      name: "diff", arguments: ["diff", "Tact.sqlite", "Tact.recordpack"],
      applicable: selection + condition + format
        + ["--format", "--stat", "--ignore", "--records-only", "--show-encrypted", "--quiet"],
      inapplicable: ["--output", "--force"]),
    Mode(
      name: "diff as a page",
      arguments: ["diff", "Tact.sqlite", "Tact.recordpack", "--format", "html", "-o", "x.html"],
      applicable: selection + condition + [
        "--stat", "--ignore", "--records-only", "--show-encrypted", "--format", "--output",
        "--force",
      ],
      inapplicable: ["--json", "--quiet"]),
    Mode(
      name: "report to a file", arguments: ["report", "Tact.sqlite", "-o", "x.html"],
      applicable: selection + format + [
        "--output", "--force", "--show-names", "--threads", "--quiet",
      ],
      inapplicable: []),
    Mode(
      name: "report to standard output", arguments: ["report", "Tact.sqlite", "-o", "-"],
      applicable: selection + format + ["--output", "--show-names", "--threads", "--quiet"],
      inapplicable: ["--force"]),
    Mode(
      name: "diff in numbers", arguments: ["diff", "Tact.sqlite", "Tact.recordpack", "--stat"],
      applicable: selection + condition + format + [
        "--format", "--stat", "--ignore", "--records-only", "--quiet",
      ],
      inapplicable: ["--show-encrypted", "--output", "--force"]),
    Mode(
      name: "validate", arguments: ["validate", "Tact.recordpack"],
      applicable: selection + format + validation
        + [
          "--format", "--examples", "--threads", "--quiet", "--fail-on", "--config", "--no-config",
          "--model", "--model-configuration",
        ],
      inapplicable: []),
    Mode(
      name: "deploy", arguments: ["schema", "deploy", "s.ckdb", "Production.sqlite"],
      applicable: format
        + ["--format", "--create", "--dry-run", "--fail-on", "--config", "--no-config"],
      inapplicable: []),
    Mode(
      name: "recover to a bundle", arguments: ["recover", "Tact.recordpack", "-o", "x.recordpack"],
      applicable: format + bundle + ["--unverified", "--output", "--force", "--quiet"],
      inapplicable: []),
    Mode(
      name: "recover to standard output", arguments: ["recover", "Tact.recordpack", "-o", "-"],
      applicable: format + [
        "--level", "--frame-size", "--threads", "--unverified", "--output", "--quiet",
      ],
      inapplicable: ["--split-size", "--force"]),
    Mode(
      name: "migrate to a bundle", arguments: migrate + ["-o", "x.recordpack"],
      applicable: migration + bundle + ["--force"], inapplicable: ["--in-place", "--dry-run"]),
    Mode(
      name: "migrate to standard output", arguments: migrate + ["-o", "-"],
      applicable: migration + ["--level", "--frame-size", "--threads"],
      inapplicable: ["--split-size", "--force", "--in-place", "--dry-run"]),
    Mode(
      name: "migrate to a container", arguments: migrate + ["-o", "x.sqlite"],
      applicable: migration + ["--threads"],
      inapplicable: notThreads + ["--force", "--in-place", "--dry-run"]),
    Mode(
      name: "migrate in place", arguments: migrate + ["--in-place"],
      applicable: migration + ["--threads", "--in-place", "--dry-run"],
      inapplicable: notThreads + ["--force"]),
    Mode(
      name: "what a migration would do", arguments: migrate + ["--dry-run"],
      applicable: migration + ["--threads", "--dry-run", "--in-place"],
      inapplicable: notThreads + ["--force"]),
  ]

  private static let put = [
    "--database", "--zone", "--type", "--create-zone", "--unchecked", "--create", "--validate",
    "--dry-run",
    "--quiet",
  ]
  private static let migrate = ["migrate", "run", "Tact.sqlite", "--plan", "p.yml"]
  private static let migration =
    format + ["--plan", "--output", "--reverse", "--from-version", "--to-version", "--quiet"]
  private static let notThreads = ["--level", "--frame-size", "--split-size"]

  /// A value for options that take one.
  private static let values: [String: String] = [
    "--database": "private", "--zone": "Chats", "--type": "Chat", "--since": "2025-01-31",
    "--until": "2025-02-28",
    "--format": "text", "--schema": "s.ckdb", "--environment": "production", "--level": "3",
    "--frame-size": "64KiB", "--split-size": "1MB", "--threads": "2", "--output": "f",
    "--asset": "9f86d081", "--plan": "Plans", "--to-version": "2",
    "--name": "chat-1", "--where": "has text", "--limit": "3", "--fields": "title",
    "--sort": "title",
    "--container": "iCloud.x", "--unset": "title", "--as-user": "_anna",
  ]

  @Test(
    "An option that does not apply is refused by name, and nothing is written", arguments: modes)
  func inapplicable(_ mode: Mode) async throws {
    // Usage is checked before any file is looked at.
    try await withFolder { folder in
      let before = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
      for option in mode.inapplicable {
        let value = Self.values[option].map { [$0] } ?? []
        let message = try await refusal(of: mode.arguments + [option] + value, in: folder)
        // What is said of standard output and of responses needs no option's name.
        let isNamed = message.contains(option)
        let isSaid =
          message.contains("split") || message.contains("responses have no")
          || message.contains("name a record, or an asset") || message.contains("use one of")
        #expect(isNamed || isSaid, "\(option): \(message)")
        let after = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
        #expect(after == before, "\(option)")
      }
    }
  }

  /// Returns the error for arguments: that of parsing, or else that of a process.
  private func refusal(of arguments: [String], in folder: String) async throws -> String {
    do {
      _ = try RecordPackCommand.parseAsRoot(arguments)
    } catch {
      return RecordPackCommand.message(for: error)
    }
    let result = try await ToolProcess.run(arguments, in: folder)
    #expect(result.code == 2, "\(arguments)")
    return result.errors
  }

  @Test("Every option of a command is known to apply or not, in each of its modes")
  func completeness() async throws {
    try await withFolder { folder in
      for (command, modes) in Dictionary(grouping: Self.modes, by: \.command) {
        let names = try await options(of: command, in: folder)
        try #require(names.count > 3)
        for mode in modes {
          let known = Set(mode.applicable + mode.inapplicable + Self.everywhere)
          #expect(names.subtracting(known) == [], "\(mode.name)")
          #expect(known.subtracting(Self.everywhere).subtracting(names) == [], "\(mode.name)")
        }
      }
    }
  }

  private func options(of command: [String], in folder: String) async throws -> Set<String> {
    let result = try await ToolProcess.run(command + ["--experimental-dump-help"], in: folder)
    let document = try Samples.json(result.output)
    let parsed = try #require(document["command"] as? [String: Any])
    let arguments = try #require(parsed["arguments"] as? [[String: Any]])
    let names = arguments.compactMap { argument -> String? in
      let names = argument["names"] as? [[String: Any]] ?? []
      return names.first { $0["kind"] as? String == "long" }?["name"] as? String
    }
    return Set(names.map { "--" + $0 })
  }

  @Test("Values are checked where they stand")
  func values() async throws {
    try await withFolder { folder in
      try await Samples.makeBundle(in: folder)
      let fine = try await ToolProcess.run(
        "export", "Tact.sqlite", "-o", "x.recordpack", "--level", "-7", in: folder)
      #expect(fine.code == 0, "\(fine.errors)")
      for (arguments, word) in [
        (["export", "Tact.sqlite", "-o", "y.recordpack", "--level", "-8"], "-7 to 22"),
        (["export", "Tact.sqlite", "-o", "y.recordpack", "--level", "x"], "'x'"),
        (["query", "Tact.sqlite", "--since", "2023-11-31"], "'2023-11-31'"),
        (["diff", "Tact.sqlite", "a", "--json", "--format", "html"], "does not apply with --json"),
        (["validate", "Tact.sqlite", "--json", "--format", "sarif"], "does not apply with --json"),
        (["report", "Tact.sqlite", "-o", "Tact.sqlite", "--force"], "is an input file"),
        (["report", "Tact.sqlite", "-o", "y.html", "--type", "Mesage"], "'Mesage'"),
        (["diff", "Tact.sqlite", "Tact.recordpack", "--ignore", "nope"], "'nope'"),
        (["diff", "Tact.sqlite", "Tact.recordpack", "--ignore", "crated"], "'created'"),
        (["diff", "Tact.sqlite", "Tact.recordpack", "--zone", "Chast"], "'Chast'"),
        (["export", "Tact.sqlite", "-o", "y.recordpack", "--threads", "-1"], "1 to 256"),
      ] {
        let result = try await ToolProcess.run(arguments, in: folder)
        #expect(result.code == 2, "\(arguments)")
        #expect(result.errors.contains(word), "\(arguments): \(result.errors)")
      }
      #expect(!Samples.exists("y.recordpack", in: folder))
    }
  }

  @Test("--json makes the output of every command JSON")
  func json() async throws {
    try await withFolder { folder in
      try await Samples.makeBundle(in: folder)
      for arguments in [
        ["query", "Tact.sqlite"], ["inspect", "Tact.sqlite"], ["show", "Tact.sqlite", "chat-1"],
        ["diff", "Tact.sqlite", "Tact.recordpack"], ["validate", "Tact.sqlite"],
        ["verify", "Tact.recordpack"], ["query", "Tact.sqlite", "--assets"],
        ["query", "Tact.sqlite"], ["report", "Tact.sqlite"],
        ["schema", "infer", "Tact.sqlite", "--quiet"],
        ["schema", "explain"],
        [
          "put", "Tact.sqlite", "--name", "chat-1", "--zone", "Chats", "--dry-run", "--unset",
          "title",
        ],
        ["delete", "Tact.sqlite", "chat-1", "--dry-run"],
        ["schema", "deploy", "Tact.sqlite", "Production.sqlite", "--create", "--dry-run"],
      ] {
        let result = try await ToolProcess.run(arguments + ["--json"], in: folder)
        for line in result.output.split(separator: "\n") where !line.hasPrefix(" ") {
          #expect("{}[]".contains(line.prefix(1)), "\(arguments)")
        }
        #expect(result.output.hasPrefix("{"), "\(arguments)")
      }
    }
  }

  @Test("Assets are those of the selected records")
  func assets() async throws {
    try await withFolder { folder in
      try await Samples.makeBundle(in: folder)
      for source in ["Tact.sqlite", "Tact.recordpack"] {
        func lines(_ type: String) async throws -> Int {
          let result = try await ToolProcess.run(
            "query", source, "--assets", "--type", type, "--json", in: folder)
          return result.output.split(separator: "\n").count
        }
        #expect(try await lines("Chat") == 1)
        #expect(try await lines("Message") == 0)
      }
    }
  }

  @Test("diff --quiet writes nothing, and its exit code tells")
  func quiet() async throws {
    try await withFolder { folder in
      try await Samples.makeBundle(in: folder)
      try Samples.makeContainer(in: folder, name: "Other.sqlite", text: "Bye")
      for (second, code) in [("Tact.recordpack", 0), ("Other.sqlite", 1)] as [(String, Int32)] {
        let result = try await ToolProcess.run("diff", "Tact.sqlite", second, "-q", in: folder)
        #expect(result.code == code && (result.output + result.errors).isEmpty, "\(second)")
      }
      for option in ["--stat", "--json", "--show-encrypted", "--color always"] {
        let result = try await ToolProcess.shell(
          "recordpack diff Tact.sqlite Other.sqlite --quiet \(option)", in: folder)
        #expect(result.code == 2 && result.errors.contains("with --quiet"), "\(option)")
      }
    }
  }

  @Test("diff --stat counts in JSON, too")
  func statistics() async throws {
    try await withFolder { folder in
      try Samples.makeContainer(in: folder)
      try Samples.makeContainer(in: folder, name: "New.sqlite", text: "Bye", messages: 4)
      let result = try await ToolProcess.run(
        "diff", "Tact.sqlite", "New.sqlite", "--stat", "--json", in: folder)
      let document = try Samples.json(result.output)
      #expect((document["changes"] as? [Any])?.isEmpty == true)
      let statistics = try #require(document["statistics"] as? [[String: Any]])
      #expect(statistics.first?["recordType"] as? String == "Message")
      #expect(statistics.first?["added"] as? Int == 1 && statistics.first?["changed"] as? Int == 2)
    }
  }
}

import Foundation
import Testing

@testable import RecordPackTool

@Suite("recordpack migrate plan")
struct MigratePlanToolTests {
  private func prepare(_ folder: String, plans: Bool = false) throws {
    try FileManager.default.copyItem(
      at: Place.package.appending(path: "Schemas/Tact"), to: URL(fileURLWithPath: folder + "/Tact"))
    if plans { return }
    for version in 2...5 {
      try FileManager.default.removeItem(atPath: "\(folder)/Tact/v\(version).yml")
    }
  }

  private func write(_ text: String, _ path: String) throws {
    try text.write(toFile: path, atomically: true, encoding: .utf8)
  }

  /// Makes the steps that a draft has as comments steps, and deletes the questions.
  private func answer(_ path: String) throws {
    let text = try String(contentsOfFile: path, encoding: .utf8)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).compactMap {
      line -> String? in
      if line.hasPrefix("  # - ") || line.hasPrefix("  #   ") { return "  " + line.dropFirst(4) }
      return line.hasPrefix("  # ") ? nil : String(line)
    }
    try write(lines.joined(separator: "\n"), path)
  }

  @Test(
    "of two neighbouring versions of Tact runs on the older one's bundle",
    arguments: [(1, 2), (2, 3), (3, 4), (4, 5), (2, 1), (3, 2), (4, 3), (5, 4), (1, 5), (5, 1)])
  func neighbours(_ versions: (from: Int, to: Int)) async throws {
    try await withFolder { folder in
      try prepare(folder)
      let (old, new) = ("Tact/v\(versions.from)", "Tact/v\(versions.to)")
      let written = try await ToolProcess.run(
        ["migrate", "plan", old + ".ckdb", new + ".ckdb", "-o", new + ".yml"], in: folder)
      #expect(written.code == 0 && written.output.isEmpty, "\(written.errors)")
      let run = ["migrate", old + ".recordpack", "--plan", new + ".yml", "-o", "out.recordpack"]
      let early = try await ToolProcess.run(run + ["--force"], in: folder)
      if early.code == 1 { #expect(early.errors.contains(" open question"), "\(early.errors)") }
      if early.code == 2 {
        #expect(early.errors.contains(": error: QUESTION "), "\(early.errors)")
      }
      let plan = folder + "/" + new + ".yml"
      let text = try String(contentsOfFile: plan, encoding: .utf8)
      try answer(plan)
      let result = try await ToolProcess.run(run + ["--force"], in: folder)
      if versions == (4, 3) || versions == (5, 1) {
        // "many" was kept elsewhere, which nothing but a person knows.
        #expect(text.contains("'Chat.messageCountText' (STRING) was removed"))
      }
      #expect(result.code == 0, "\(result.errors)\n\(text)")
      let valid = try await ToolProcess.run(
        "validate", "out.recordpack", "--schema", new + ".ckdb", in: folder)
      #expect(valid.code == 0, "\(valid.output)\(valid.errors)")
      guard [3, 4].contains(versions.to), versions.from + 1 == versions.to else { return }
      // These two leave nothing to a person: the result is what the app wrote.
      let compared = try await ToolProcess.run(
        "diff", new + ".recordpack", "out.recordpack", in: folder)
      #expect(compared.code == 0, "\(compared.output)")
    }
  }

  @Test("names its schemas and the JSON Schema from where it lies")
  func places() async throws {
    try await withFolder { folder in
      try prepare(folder)
      for path in ["/a/b", "/Schemas", "/old", "/new"] {
        try FileManager.default.createDirectory(
          atPath: folder + path, withIntermediateDirectories: true)
      }
      let editor = "recordpack-migration-v1.schema.json"
      func plan(_ arguments: String...) async throws -> [String] {
        let result = try await ToolProcess.run(["migrate", "plan"] + arguments, in: folder)
        #expect(result.code == 0, "\(result.errors)")
        let file = arguments.last.map { $0.hasSuffix(".yml") ? $0 : nil } ?? nil
        let text = try file.map { try String(contentsOfFile: folder + "/" + $0, encoding: .utf8) }
        return (text ?? result.output).split(separator: "\n").prefix(4).map(String.init)
          .filter { !$0.hasPrefix("steps") && !$0.hasPrefix("recordpack") }
      }
      let (v1, v2) = ("Tact/v1.ckdb", "Tact/v2.ckdb")
      #expect(try await plan(v1, v2) == ["from: Tact/v1.ckdb", "to: Tact/v2.ckdb"])
      try write("{}", folder + "/Schemas/" + editor)
      #expect(
        try await plan(v1, v2, "-o", "Tact/p.yml") == [
          "# yaml-language-server: $schema=../Schemas/\(editor)", "from: v1", "to: v2",
        ])
      #expect(
        try await plan(v1, v2, "-o", "a/b/p.yml") == [
          "# yaml-language-server: $schema=../../Schemas/\(editor)",
          "from: \"../../Tact/v1.ckdb\"", "to: \"../../Tact/v2.ckdb\"",
        ])
      #expect(
        try await plan("Tact/v1.recordpack", v2, "-o", "Tact/q.yml").dropFirst() == [
          "from: v1", "to: v2",
        ]
      )
      // Two files of one name: each plan is read back.
      try FileManager.default.copyItem(
        atPath: folder + "/Tact/v2.ckdb", toPath: folder + "/old/s.ckdb")
      try FileManager.default.copyItem(
        atPath: folder + "/Tact/v3.ckdb", toPath: folder + "/new/s.ckdb")
      #expect(
        try await plan("old/s.ckdb", "new/s.ckdb", "-o", "new/p.yml").dropFirst() == [
          "from: \"../old/s.ckdb\"", "to: s",
        ])
      let changed = try await ToolProcess.run(
        "migrate", "Tact/v3.recordpack", "--plan", "Tact/p.yml", "--dry-run", in: folder)
      #expect(changed.errors.contains("starts from 'v1'"), "\(changed.errors)")
    }
  }

  @Test("refuses to write over a plan, and what is no schema")
  func refusals() async throws {
    try await withFolder { folder in
      try prepare(folder, plans: true)
      let before = try String(contentsOfFile: folder + "/Tact/v2.yml", encoding: .utf8)
      for (arguments, words) in [
        (["Tact/v1.ckdb", "Tact/v2.ckdb", "-o", "Tact/v2.yml"], "use --force to replace it"),
        (["Tact", "Tact/v2.ckdb"], "has no model"),
        (["Tact/v1.ckdb", "Tact/v2.md"], "v2.md:1:1"),
        (["none.ckdb", "Tact/v2.ckdb"], "there is no file"),
      ] {
        let result = try await ToolProcess.run(["migrate", "plan"] + arguments, in: folder)
        #expect(result.code == 2, "\(arguments)")
        #expect(result.errors.contains(words), "\(arguments): \(result.errors)")
      }
      #expect(try String(contentsOfFile: folder + "/Tact/v2.yml", encoding: .utf8) == before)
      let forced = try await ToolProcess.run(
        "migrate", "plan", "Tact/v1.ckdb", "Tact/v2.ckdb", "-fo", "Tact/v2.yml", in: folder)
      #expect(forced.code == 0, "\(forced.errors)")
    }
  }

  private static let script = """
    import json, sys
    try:
        import jsonschema
    except ImportError:
        print("absent"); sys.exit(0)
    validator = jsonschema.Draft7Validator(json.load(open(sys.argv[1])))
    for line in sys.stdin:
        document = json.loads(line)
        validator.validate(document)
        document["surprise"] = 1
        assert not validator.is_valid(document)
        print(document["format"])
    """

  @Test("of a bundle says how many records a removed type has")
  func counts() async throws {
    try await withFolder { folder in
      try prepare(folder)
      try Samples.write(
        Data("DEFINE SCHEMA RECORD TYPE Other (a STRING);".utf8), "o.ckdb", in: folder)
      let result = try await ToolProcess.run(
        "migrate", "plan", "Tact/v1.recordpack", "o.ckdb", in: folder)
      #expect(result.code == 0, "\(result.errors)")
      #expect(result.output.contains(/'Chat' \(\d+ records?\) was removed/), "\(result.output)")
    }
  }

  @Test("and the reports of migrations are JSON that its JSON Schema takes")
  func json() async throws {
    try await withFolder { folder in
      try prepare(folder, plans: true)
      try Samples.write(Data(Self.script.utf8), "check.py", in: folder)
      var lines = ""
      for arguments in [
        ["plan", "Tact/v1.ckdb", "Tact/v5.ckdb"],
        ["plan", "Tact/v5.ckdb", "Tact/v1.ckdb"], ["plan", "Tact/v2.ckdb", "Tact/v2.ckdb"],
        ["Tact/v1.recordpack", "--plan", "Tact", "--dry-run"],
        ["Tact/v3.recordpack", "--plan", "Tact/v4.yml", "-o", "out.recordpack"],
      ] {
        let result = try await ToolProcess.run(
          ["migrate"] + arguments + ["--json"], in: folder)
        #expect(result.code == 0, "\(result.errors)")
        lines += result.output
      }
      let document = try Samples.json(String(lines.prefix { $0 != "\n" }))
      let plan = try #require(document["plan"] as? String)
      let questions = plan.split(separator: "\n").count { $0.hasPrefix("  # QUESTION ") }
      #expect(document["questions"] as? Int == questions)
      let schema = Place.package.appending(path: "Schemas/recordpack-report-1.schema.json").path
      try Samples.write(Data(lines.utf8), "lines.json", in: folder)
      let checked = try await ToolProcess.shell(
        "command -v python3 >/dev/null || { echo absent; exit; }; python3 check.py '\(schema)' < lines.json",
        in: folder)
      if checked.output.hasPrefix("absent") { return }
      #expect(checked.code == 0, "\(checked.errors)")
      #expect(checked.output.split(separator: "\n").count == 5)
    }
  }
}

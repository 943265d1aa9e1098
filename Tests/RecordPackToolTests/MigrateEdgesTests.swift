import Foundation
import Testing

#if canImport(Glibc)
  import Glibc
#endif

@Suite("recordpack migrate, at its edges")
struct MigrateEdgesTests {
  @Test("writes a container under each name that containers have")
  func containerNames() async throws {
    try await withFolder { folder in
      try Samples.copyPlans(to: folder)
      for name in ["a.sqlite", "b.sqlite3", "c.db", "D.SQLITE"] {
        let result = try await ToolProcess.run(
          line: "migrate Plans/v4.recordpack --plan Plans -o \(name)", in: folder)
        #expect(result.code == 0, "\(result.errors)")
        let start = try Samples.read(name, in: folder).prefix(15)
        #expect(String(decoding: start, as: UTF8.self) == "SQLite format 3", "\(name)")
      }
      let forced = try await ToolProcess.run(
        line:
          "migrate Plans/v4.recordpack --plan Plans --force -o a.sqlite", in: folder)
      #expect(forced.code == 2 && forced.errors.contains("--force"))
    }
  }

  @Test("a source that has the version already is done: 0, and with -o a copy")
  func nothingToMigrate() async throws {
    try await withFolder { folder in
      try Samples.copyPlans(to: folder)
      let copied = try await ToolProcess.run(
        line: "migrate Plans/v5.recordpack --plan Plans -o b.recordpack", in: folder)
      #expect(copied.code == 0, "\(copied.errors)")
      #expect(
        copied.output
          == "'Plans/v5.recordpack' already has the version 'v5': nothing to migrate; copied 88 "
          + "records\n")
      #expect(
        try await ToolProcess.run(line: "diff Plans/v5.recordpack b.recordpack", in: folder).code
          == 0)
      #expect(
        try await ToolProcess.run(line: "import Plans/v5.recordpack c.sqlite", in: folder).code == 0
      )
      let before = try Samples.read("c.sqlite", in: folder)
      for way in ["--in-place", "--dry-run", "--in-place --json"] {
        let result = try await ToolProcess.run(
          line: "migrate c.sqlite --plan Plans \(way)", in: folder)
        #expect(result.code == 0, "\(way): \(result.errors)")
        #expect(result.output.contains("v5"), "\(way): \(result.output)")
      }
      #expect(try Samples.read("c.sqlite", in: folder) == before)
    }
  }

  @Test("relationships of Core Data to objects that are left behind are named, and end with 1")
  func danglingRelationships() async throws {
    try await withFolder { folder in
      try MirroredSample.makeContainer(in: folder)
      let plan = """
        recordpack-migration: 1
        from: v1
        to: v2
        steps:
          - {do: leave-behind, type: CD_Folder, where: "CD_name == 'Work'"}
        """
      try Samples.write(Data(plan.utf8), "plan.yml", in: folder)
      for way in ["--dry-run", "-o b.recordpack", "--in-place"] {
        let result = try await ToolProcess.run(
          line: "migrate Notes.sqlite --plan plan.yml \(way)", in: folder)
        #expect(result.code == 1, "\(way): \(result.errors)")
        #expect(
          result.output.contains("2 relationships to objects that were left behind:")
            && result.output.contains("'CD_folder' leads to"), "\(way): \(result.output)")
      }
    }
  }

  @Test("a dry run in place finds what cannot be saved, and changes nothing")
  func dryRunInPlace() async throws {
    try await withFolder { folder in
      try MirroredSample.makeContainer(in: folder)
      let plan = """
        recordpack-migration: 1
        from: v1
        to: v2
        steps:
          - {do: add-field, type: CD_Folder, field: one, value: BIG}
          - {do: add-field, type: CD_Folder, field: other, value: BIG}
        """
      for (length, code) in [(10, 0), (510_000, 2)] {
        let text = String(repeating: "x", count: length)
        try Samples.write(
          Data(plan.replacingOccurrences(of: "BIG", with: text).utf8), "plan.yml",
          in: folder)
        let before = try Samples.read("Notes.sqlite", in: folder)
        let result = try await ToolProcess.run(
          line: "migrate Notes.sqlite --plan plan.yml --in-place --dry-run", in: folder)
        #expect(result.code == code, "\(result.errors)")
        #expect(
          code == 0
            ? result.output.contains("would become")
            : result.errors.contains("or write another file"), "\(result.errors)")
        #expect(try Samples.read("Notes.sqlite", in: folder) == before)
      }
    }
  }

  @Test("records whose references would lead to another zone are named, and end with 1")
  func crossingReferences() async throws {
    try await withFolder { folder in
      try Samples.copyPlans(to: folder)
      let plan = """
        recordpack-migration: 1
        from: v4
        to: v9
        steps:
          - {do: move, type: Chat, database: private, to-zone: Rooms}
        """
      try Samples.write(Data(plan.utf8), "plan.yml", in: folder)
      for way in ["--dry-run", "-o b.recordpack"] {
        let result = try await ToolProcess.run(
          line: "migrate Plans/v4.recordpack --plan plan.yml \(way)", in: folder)
        #expect(result.code == 1, "\(way): \(result.errors)")
        #expect(
          result.output.contains("records with references to another zone:")
            && result.output.contains("refers to 'Rooms:"), "\(way): \(result.output)")
      }
    }
  }

  @Test("questions of a plan that nobody has answered are counted in a warning, and end with 1")
  func openQuestions() async throws {
    try await withFolder { folder in
      try Samples.copyPlans(to: folder)
      let path = folder + "/Plans/v5.yml"
      let text =
        try String(contentsOfFile: path, encoding: .utf8)
        + "\n  # QUESTION 1: is it so?\n  # QUESTION 2: and so?\n"
      try text.write(toFile: path, atomically: true, encoding: .utf8)
      let warning =
        "recordpack: warning: 'Plans/v5.yml' has 2 open questions: decide each QUESTION in it, and "
        + "delete the comment\n"
      for line in [
        "migrate Plans/v4.recordpack --plan Plans/v5.yml --dry-run",
        "migrate Plans/v3.recordpack --plan Plans -o b.recordpack",
        "migrate b.recordpack --plan Plans --reverse --to-version v4 --dry-run",
        "import Plans/v4.recordpack c.sqlite --plan Plans",
        "import Plans/v4.recordpack d.sqlite --plan Plans/v5.yml",
      ] {
        let result = try await ToolProcess.run(line: line, in: folder)
        #expect(result.code == 1 && result.errors.hasPrefix(warning), "\(line): \(result.errors)")
      }
      let before = try await ToolProcess.run(
        line: "migrate Plans/v1.recordpack --plan Plans --to-version v4 --dry-run", in: folder)
      #expect(before.code == 0 && before.errors.isEmpty)
    }
  }

  @Test("a container of another schema is refused by its own name, in one line")
  func foreignContainer() async throws {
    try await withFolder { folder in
      try Samples.copyPlans(to: folder)
      try Samples.makeContainer(in: folder)
      for way in ["--in-place", "--dry-run"] {
        let result = try await ToolProcess.run(
          line: "migrate Tact.sqlite --plan Plans \(way)", in: folder)
        #expect(result.code == 2)
        #expect(
          result.errors.contains("/Tact.sqlite' does not have the schema of version 'v2': "),
          "\(result.errors)")
        #expect(!result.errors.contains("before.recordpack") && !result.errors.contains("\\n"))
      }
    }
  }

  @Test("records that would get one name fail a dry run, in words and as JSON")
  func collisions() async throws {
    try await withFolder { folder in
      try Samples.copyPlans(to: folder)
      let plan = """
        recordpack-migration: 1
        from: v1
        to: copy
        steps:
          - {do: rename-records, type: Chat, name: "'same'"}
        """
      try plan.write(toFile: folder + "/same.yml", atomically: true, encoding: .utf8)
      let line = "migrate Plans/v1.recordpack --plan same.yml --dry-run"
      let words = try await ToolProcess.run(line: line, in: folder)
      #expect(words.code == 1)
      #expect(words.output.contains("5 results with a duplicate name:"), "\(words.output)")
      let json = try Samples.json(
        try await ToolProcess.run(line: line + " --json", in: folder).output)
      #expect(json["collisions"] as? Int == 5)
      #expect((json["collisionExamples"] as? [String])?.count == 5)
    }
  }

  @Test("a container is migrated without a folder for temporary files")
  func noTestFolder() async throws {
    try await withFolder { folder in
      try LargeContainer.plan.write(
        toFile: folder + "/plan.yml", atomically: true, encoding: .utf8)
      let plain =
        "recordpack-migration: 1\nfrom: a\nto: b\nsteps:\n"
        + "  - {do: rename-field, type: Note, field: text, to: body}\n"
      try plain.write(toFile: folder + "/plain.yml", atomically: true, encoding: .utf8)
      try LargeContainer.make(at: folder + "/A.sqlite")
      func run(_ line: String) async throws -> ToolProcess.Result {
        let tool = ToolProcess(
          ["migrate", "A.sqlite", "--plan"] + line.split(separator: " ").map(String.init),
          in: folder)
        // No folder can be made in a file.
        tool.process.environment?["TMPDIR"] = folder + "/plan.yml"
        try tool.start()
        return await tool.finish()
      }
      for way in [
        "plain.yml -o b.recordpack", "plan.yml -o sorted.recordpack", "plan.yml -o b.sqlite",
        "plan.yml --dry-run", "plan.yml --in-place",
      ] {
        let result = try await run(way)
        #expect(result.code == 0, "\(way): \(result.errors)")
      }
    }
  }

  @Test("Ctrl-C in a dry run of a container leaves no records in the folder for temporary files")
  func interruptedDryRun() async throws {
    try await withFolder { folder in
      try FileManager.default.createDirectory(
        atPath: folder + "/tmp", withIntermediateDirectories: true)
      try LargeContainer.plan.write(
        toFile: folder + "/plan.yml", atomically: true, encoding: .utf8)
      try LargeContainer.make(at: folder + "/A.sqlite")
      let tool = ToolProcess(
        ["migrate", "A.sqlite", "--plan", "plan.yml", "--dry-run"], in: folder)
      tool.process.environment?["TMPDIR"] = folder + "/tmp"
      try tool.start()
      func temporary() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder + "/tmp")
      }
      while tool.process.isRunning,
        !FileManager.default.fileExists(atPath: folder + "/A.sqlite-shm")
      {
        usleep(500)
      }
      kill(tool.process.processIdentifier, SIGINT)
      let result = await tool.finish()
      #expect(result.code == 130, "\(result.errors)")
      #expect(try temporary() == [])
    }
  }

  @Test("every command of the module's page runs")
  func page() async throws {
    try await withFolder { folder in
      try FileManager.default.copyItem(
        at: Place.package.appending(path: "Schemas"), to: URL(fileURLWithPath: "\(folder)/Schemas"))
      let text = try String(
        contentsOfFile: Place.inPackage(
          "Sources/RecordMigration/Documentation.docc/RecordMigration.md"), encoding: .utf8)
      let block = try #require(
        text.components(separatedBy: "```").first { $0.hasPrefix("sh\nrecordpack ") })
      let lines = block.split(separator: "\n").dropFirst()
      #expect(lines.count >= 6)
      for line in lines {
        let result = try await ToolProcess.shell(String(line), in: folder)
        #expect(result.code == 0, "\(line): \(result.errors)")
      }
    }
  }
}

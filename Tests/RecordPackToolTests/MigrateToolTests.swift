import Foundation
import Testing

@testable import RecordPackTool

@Suite("recordpack migrate")
struct MigrateToolTests {
  @Test("tells a plan's mistake with file, line and what was meant, and writes nothing")
  func mistake() async throws {
    try await withFolder { folder in
      try Samples.copyPlans(to: folder)
      let path = folder + "/Plans/v3.yml"
      let text = try String(contentsOfFile: path, encoding: .utf8)
        .replacingOccurrences(of: "field: title", with: "field: titel")
      try text.write(toFile: path, atomically: true, encoding: .utf8)
      let result = try await ToolProcess.run(
        "migrate", "Plans/v1.recordpack", "--plan", "Plans", "-o", "out.recordpack", in: folder)
      #expect(result.code == 2)
      #expect(result.errors.contains("Plans/v3.yml:13:12: error:"), "\(result.errors)")
      #expect(result.errors.contains("did you mean 'title'"), "\(result.errors)")
      #expect(!FileManager.default.fileExists(atPath: folder + "/out.recordpack"))
    }
  }

  @Test("a mistake ends every way of migrating with 2 and one line, and changes no record")
  func everyWay() async throws {
    try await withFolder { folder in
      try Samples.copyPlans(to: folder)
      let imported = try await ToolProcess.run(
        "import", "Plans/v1.recordpack", "c.sqlite", in: folder)
      #expect(imported.code == 0, "\(imported.errors)")
      try FileManager.default.copyItem(
        atPath: folder + "/Plans/v1.ckdb", toPath: folder + "/v1.ckdb")
      let head = "recordpack-migration: 1\nfrom: v1\nto: copy\nsteps:\n"
      for (name, step) in [
        "unknown": "  - {do: drop-feild, type: Chat, field: title}",
        "tab": "  - do: drop-field\n\ttype: Chat",
        "field": "  - {do: drop-field, type: Chat, field: titel}",
        "truth": "  - {do: leave-behind, type: Chat, where: title}",
      ] {
        try (head + step).write(
          toFile: "\(folder)/\(name).yml", atomically: true, encoding: .utf8)
        let files = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
        for way in ["-o out.recordpack", "-o out.sqlite", "--dry-run", "--in-place"] {
          let source = way == "--in-place" ? "c.sqlite" : "Plans/v1.recordpack"
          let arguments = ["migrate", source, "--plan", name + ".yml"]
          let result = try await ToolProcess.run(
            arguments + way.split(separator: " ").map(String.init), in: folder)
          #expect(result.code == 2 && result.output.isEmpty, "\(name) \(way)")
          #expect(result.errors.hasPrefix("recordpack: error: \(name).yml:"), "\(result.errors)")
          #expect(result.errors.split(separator: "\n").count == 1)
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).sorted() == files)
      }
      let compared = try await ToolProcess.run(
        "diff", "Plans/v1.recordpack", "c.sqlite", in: folder)
      #expect(compared.code == 0, "\(compared.output)")
    }
  }

  @Test("imports an old bundle by way of a folder of plans")
  func importing() async throws {
    try await withFolder { folder in
      try Samples.copyPlans(to: folder)
      let result = try await ToolProcess.run(
        "import", "Plans/v2.recordpack", "new.sqlite", "--plan", "Plans", in: folder)
      #expect(result.code == 0, "\(result.errors)")
      #expect(result.errors.contains("v2 → v3 → v4 → v5"))
      let compared = try await ToolProcess.run(
        "diff", "Plans/v5.recordpack", "new.sqlite", in: folder)
      #expect(compared.code == 0, "\(compared.output)\(compared.errors)")
    }
  }

  @Test("an unknown version is an error that lists the known ones")
  func unknownVersion() async throws {
    try await withFolder { folder in
      try Samples.copyPlans(to: folder)
      let result = try await ToolProcess.run(
        "migrate", "Plans/v1.recordpack", "--plan", "Plans", "--to-version", "v9", "--dry-run",
        in: folder)
      #expect(result.code == 2)
      #expect(result.errors.contains("it has v1, v2, v3, v4, v5"), "\(result.errors)")
    }
  }

  @Test("a dry run that would fail exits with 1 and tells of it as JSON")
  func dryRun() async throws {
    try await withFolder { folder in
      try Samples.copyPlans(to: folder)
      let plan = """
        recordpack-migration: 1
        from: v1
        to: copy
        steps:
          - {do: convert, type: Chat, field: title, to: INT64}
        """
      try plan.write(toFile: folder + "/bad.yml", atomically: true, encoding: .utf8)
      let result = try await ToolProcess.run(
        "migrate", "Plans/v1.recordpack", "--plan", "bad.yml", "--dry-run", "--json",
        in: folder)
      #expect(result.code == 1)
      let json = try #require(
        try JSONSerialization.jsonObject(with: result.outputBytes) as? [String: Any])
      let steps = try #require(json["steps"] as? [[String: Any]])
      #expect(steps.first?["failed"] as? Int == 6)
    }
  }
}

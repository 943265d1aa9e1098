import Foundation
import Testing

@testable import RecordPackTool

@Suite("recordpack import --plan")
struct ImportMigrateToolTests {
  private func bundles(_ versions: ClosedRange<Int>) -> [String] {
    versions.map { "Plans/v\($0).recordpack" }
  }

  @Test("takes bundles of all versions at once, each by its own way")
  func allVersions() async throws {
    try await withFolder { folder in
      try Samples.copyPlans(to: folder)
      let result = try await ToolProcess.run(
        ["import"] + bundles(1...5) + ["all.sqlite", "--plan", "Plans", "--json"],
        in: folder)
      #expect(result.code == 0, "\(result.errors)")
      let document = try Samples.json(result.output)
      let ways = try #require(document["migrations"] as? [[String: Any]])
      #expect(ways.map { $0["from"] as? String } == ["v1", "v2", "v3", "v4"])
      #expect(ways.map { $0["bundles"] as? [String] } == bundles(1...4).map { [$0] })
      #expect(result.errors.contains("Plans/v5.recordpack: already has the schema version"))
      let records = try #require(document["records"] as? [String: Int])
      #expect(records["added"] == 88 && records["identical"] == 350)
      let compared = try await ToolProcess.run(
        "diff", "Plans/v5.recordpack", "all.sqlite", in: folder)
      #expect(compared.code == 0, "\(compared.output)\(compared.errors)")
    }
  }

  @Test("brings records in the version of the container that is there")
  func existingContainer() async throws {
    try await withFolder { folder in
      try Samples.copyPlans(to: folder)
      func run(_ arguments: String...) async throws -> ToolProcess.Result {
        try await ToolProcess.run(["import"] + arguments + ["--plan", "Plans"], in: folder)
      }
      #expect(try await run("Plans/v1.recordpack", "c.sqlite", "--to-version", "v3").code == 0)
      let again = try await run("Plans/v2.recordpack", "c.sqlite")
      #expect(again.code == 0, "\(again.errors)")
      let compared = try await ToolProcess.run(
        "diff", "Plans/v3.recordpack", "c.sqlite", in: folder)
      #expect(compared.code == 0, "\(compared.output)")
      let before = try Samples.read("c.sqlite", in: folder)
      for (arguments, words) in [
        (["Plans/v1.recordpack", "c.sqlite", "--to-version", "v5"], "has the schema version 'v3'"),
        (["Plans/v5.recordpack", "c.sqlite"], "has the newer schema version 'v5'"),
        (["Plans/v1.recordpack", "c.sqlite", "--to-version", "v9"], "it has v1, v2, v3, v4, v5"),
      ] {
        let result = try await ToolProcess.run(
          ["import"] + arguments + ["--plan", "Plans"], in: folder)
        #expect(result.code == 2, "\(arguments)")
        #expect(result.errors.contains(words), "\(arguments): \(result.errors)")
      }
      #expect(try Samples.read("c.sqlite", in: folder) == before)
    }
  }

  @Test("takes plans one by one, and each bundle enters where it belongs")
  func singlePlans() async throws {
    try await withFolder { folder in
      try Samples.copyPlans(to: folder)
      let plans = ["Plans/v3.yml", "Plans/v4.yml"].flatMap { ["--plan", $0] }
      let result = try await ToolProcess.run(
        ["import"] + bundles(2...4) + ["a.sqlite"] + plans, in: folder)
      #expect(result.code == 0, "\(result.errors)")
      #expect(result.errors.contains("v2 → v3 → v4") && result.errors.contains("\nv3 → v4:"))
      let compared = try await ToolProcess.run(
        "diff", "Plans/v4.recordpack", "a.sqlite", in: folder)
      #expect(compared.code == 0, "\(compared.output)")
      let early = try await ToolProcess.run(
        ["import", "Plans/v1.recordpack", "b.sqlite"] + plans, in: folder)
      #expect(early.code == 2)
      #expect(early.errors.contains("has the schema version 'v1'"), "\(early.errors)")
      #expect(!Samples.exists("b.sqlite", in: folder))
    }
  }

  @Test("selects by what records are called in the sources")
  func selection() async throws {
    try await withFolder { folder in
      try Samples.copyPlans(to: folder)
      // Read markers lie in the zone Chats before version 5, and in Private from then on.
      let result = try await ToolProcess.run(
        "import", "Plans/v4.recordpack", "a.sqlite", "--plan", "Plans", "--zone", "Chats",
        "--type", "ReadMarker", in: folder)
      #expect(result.code == 0, "\(result.errors)")
      let listed = try await ToolProcess.list("a.sqlite", in: folder)
      let lines = listed.output.split(separator: "\n")
      #expect(lines.count == 6)
      #expect(lines.allSatisfy { $0.hasPrefix("private\tPrivate\tReadMarker\t") })
      let none = try await ToolProcess.run(
        "import", "Plans/v4.recordpack", "b.sqlite", "--plan", "Plans", "--zone", "Private",
        in: folder)
      #expect(none.code == 2)
      #expect(none.errors.contains("there is no zone 'Private'; available:"), "\(none.errors)")
    }
  }

  @Test("validates results: by the version that is reached, or by the schema that is named")
  func validation() async throws {
    try await withFolder { folder in
      try Samples.copyPlans(to: folder)
      let good = try await ToolProcess.run(
        "import", "Plans/v1.recordpack", "a.sqlite", "--plan", "Plans", "--validate", in: folder)
      #expect(good.code == 0, "\(good.errors)")
      let bad = try await ToolProcess.run(
        "import", "Plans/v1.recordpack", "b.sqlite", "--plan", "Plans", "--validate", "--schema",
        "Plans/v4.ckdb", in: folder)
      #expect(bad.code == 1)
      #expect(bad.errors.contains("chatName"), "\(bad.errors)")
      #expect(bad.errors.contains("nothing was written"))
      #expect(!Samples.exists("b.sqlite", in: folder))
    }
  }

  @Test("leaves conflicts to the policy, and the container alone where it is to fail")
  func conflicts() async throws {
    try await withFolder { folder in
      try Samples.copyPlans(to: folder)
      let made = try await ToolProcess.run(
        "import", "Plans/v5.recordpack", "a.sqlite", "--type", "Chat", in: folder)
      #expect(made.code == 0, "\(made.errors)")
      // The container's chats are others from now on.
      try Samples.write(
        Data(
          """
          recordpack-migration: 1
          from: v5
          to: other
          steps:
            - {do: add-field, type: Chat, field: messageCountText, value: "here"}
          """.utf8), "touch.yml", in: folder)
      let touched = try await ToolProcess.run(
        "migrate", "a.sqlite", "--plan", "touch.yml", "--in-place", in: folder)
      #expect(touched.code == 0, "\(touched.errors)")
      try Samples.write(
        Data("recordpack-migration: 1\nfrom: other\nto: v5\nsteps: []\n".utf8), "back.yml",
        in: folder)
      let back = try await ToolProcess.run(
        "migrate", "a.sqlite", "--plan", "back.yml", "--in-place", in: folder)
      #expect(back.code == 0, "\(back.errors)")
      let import1 = ["import", "Plans/v1.recordpack", "a.sqlite", "--plan", "Plans"]
      let failed = try await ToolProcess.run(import1, in: folder)
      #expect(failed.code == 2)
      #expect(failed.errors.contains("already exists"), "\(failed.errors)")
      let listed = try await ToolProcess.list("a.sqlite", in: folder)
      #expect(listed.output.split(separator: "\n").count == 6, "nothing was imported")
      let kept = try await ToolProcess.run(import1 + ["--on-conflict", "keep"], in: folder)
      #expect(kept.output.contains(" kept"), "\(kept.output)\(kept.errors)")
      let replaced = try await ToolProcess.run(import1 + ["--on-conflict", "replace"], in: folder)
      #expect(replaced.code == 0 && replaced.output.contains("replaced"), "\(replaced.output)")
    }
  }

  @Test("a newer source, or a newer target, needs another container, by a command to paste")
  func newer() async throws {
    try await withFolder { folder in
      try Samples.copyPlans(to: folder)
      let made = try await ToolProcess.shell(
        "mv Plans 'My Plans'; recordpack import 'My Plans/v4.recordpack' 'a b.sqlite'", in: folder)
      try #require(made.code == 0, "\(made.errors)")
      let words = "recordpack migrate 'a b.sqlite' --plan 'My Plans' --to-version v5 --in-place"
      for options in ["", " --to-version v5"] {
        let line = "recordpack import 'My Plans/v5.recordpack' 'a b.sqlite' --plan 'My Plans'"
        let result = try await ToolProcess.shell(line + options, in: folder)
        #expect(result.code == 2 && result.errors.contains(words), "\(result.errors)")
      }
      let done = try await ToolProcess.shell(
        words
          + " && recordpack import 'My Plans/v5.recordpack' 'a b.sqlite' --on-conflict keep --json",
        in: folder)
      #expect(done.code == 0, "\(done.errors)")
      #expect(done.output.contains(#""unreadable":0"#))
    }
  }

  @Test("--to-version without --plan is wrong usage")
  func usage() async throws {
    try await withFolder { folder in
      try Samples.copyPlans(to: folder)
      let result = try await ToolProcess.run(
        "import", "Plans/v1.recordpack", "a.sqlite", "--to-version", "v3", in: folder)
      #expect(result.code == 2)
      #expect(result.errors.contains("--to-version requires --plan"))
      try await Samples.makeBundle(in: folder)
      let unknown = try await ToolProcess.run(
        "import", "Plans/v1.recordpack", "Tact.recordpack", "b.sqlite", "--plan", "Plans",
        in: folder)
      #expect(unknown.code == 2)
      #expect(!Samples.exists("b.sqlite", in: folder))
    }
  }
}

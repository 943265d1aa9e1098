import Foundation
import Testing

@Suite("The circle: export, verify, import, compare")
struct CircleTests {
  @Test("What was exported and imported is equal, and exports to the same bytes")
  func circle() async throws {
    try await withFolder { folder in
      try await Samples.makeBundle(in: folder)
      let verified = try await ToolProcess.run("verify", "Tact.recordpack", in: folder)
      #expect(verified.code == 0)
      #expect(verified.output.hasPrefix("Tact.recordpack: intact: 3 records, 1 asset"))
      let imported = try await ToolProcess.run(
        "import", "Tact.recordpack", "Copy.sqlite", in: folder)
      #expect(imported.code == 0)
      #expect(imported.output.hasPrefix("Imported 3 records into the new Copy.sqlite; 1 zone"))
      let compared = try await ToolProcess.run("diff", "Tact.sqlite", "Copy.sqlite", in: folder)
      #expect(compared.code == 0)
      #expect(compared.output == "No differences: 3 records the same\n")
      _ = try await ToolProcess.run("export", "Copy.sqlite", "-o", "Copy.recordpack", in: folder)
      #expect(
        try Samples.read("Tact.recordpack", in: folder)
          == Samples.read("Copy.recordpack", in: folder))
      for result in [verified, imported, compared] { #expect(result.errors.isEmpty) }
    }
  }

  @Test("A bundle goes through standard output and input")
  func pipes() async throws {
    try await withFolder { folder in
      try await Samples.makeBundle(in: folder)
      let exported = try await ToolProcess.run("export", "Tact.sqlite", "-o", "-", in: folder)
      #expect(exported.outputBytes == (try Samples.read("Tact.recordpack", in: folder)))
      #expect(exported.errors.hasPrefix("Exported 3 records to standard output"))
      let imported = try await ToolProcess.run(
        "import", "-", "Copy.sqlite", in: folder, input: exported.outputBytes)
      #expect(imported.code == 0)
      let compared = try await ToolProcess.run(
        "diff", "-", "Copy.sqlite", "--quiet", in: folder, input: exported.outputBytes)
      #expect(compared.code == 0)
      #expect(compared.output.isEmpty)
    }
  }

  @Test("A split bundle comes back from all its files, from one of them, and beside others")
  func shards() async throws {
    try await withFolder { folder in
      try Samples.makeContainer(in: folder, messages: 3000)
      try Samples.makeContainer(in: folder, name: "Other.sqlite", text: "Other", messages: 1)
      let exported = try await ToolProcess.run(
        "export", "Tact.sqlite", "-o", "big.recordpack", "--split-size", "64KiB", in: folder)
      #expect(exported.output.contains("files, big-00001.recordpack to "))
      _ = try await ToolProcess.run("export", "Other.sqlite", "-o", "other.recordpack", in: folder)
      let all = try await ToolProcess.shell(
        "recordpack import other.recordpack big-*.recordpack All.sqlite --on-conflict replace",
        in: folder)
      #expect(all.code == 0, "\(all.errors)")
      let one = try await ToolProcess.run(
        "import", "big-00001.recordpack", "One.sqlite", in: folder)
      #expect(one.code == 0, "\(one.errors)")
      for copy in ["All.sqlite", "One.sqlite"] {
        let compared = try await ToolProcess.run("diff", "Tact.sqlite", copy, "--stat", in: folder)
        #expect(compared.output == "No differences: 3,000 records the same\n")
      }
      try FileManager.default.removeItem(atPath: folder + "/big-00001.recordpack")
      let broken = try await ToolProcess.shell(
        "recordpack import big-*.recordpack Broken.sqlite", in: folder)
      #expect(broken.code == 2)
      #expect(broken.errors.contains("file 1 is missing"))
      #expect(!Samples.exists("Broken.sqlite", in: folder))
    }
  }

  @Test(
    "Real responses go round: in, out, verified, in elsewhere, equal",
    .enabled(if: Place.corpus("web-services") != nil))
  func realResponses() async throws {
    try await withFolder { folder in
      let imported = try await ToolProcess.run(
        "import", "--from", "web-services", #require(Place.corpus("web-services")).path,
        "Photos.sqlite", "--on-conflict", "replace", "--json", in: folder)
      #expect(imported.code == 0, "\(imported.errors)")
      let counts = try #require(try Samples.json(imported.output)["records"] as? [String: Int])
      #expect(counts.values.reduce(0, +) == 607)
      for step in [
        ["export", "Photos.sqlite", "-o", "Photos.recordpack"], ["verify", "Photos.recordpack"],
        ["import", "Photos.recordpack", "Copy.sqlite"], ["diff", "Photos.sqlite", "Copy.sqlite"],
        ["export", "Copy.sqlite", "-o", "Copy.recordpack"],
        ["export", "Photos.recordpack", "-o", "Photos.json", "--to", "web-services"],
        ["import", "--from", "web-services", "Photos.json", "Again.sqlite"],
        ["diff", "Photos.sqlite", "Again.sqlite", "--records-only"],
      ] {
        let result = try await ToolProcess.run(step, in: folder)
        #expect(result.code == 0, "\(step): \(result.output.prefix(500)) \(result.errors)")
      }
      #expect(
        try Samples.read("Photos.recordpack", in: folder)
          == Samples.read("Copy.recordpack", in: folder))
    }
  }

  @Test("Records that exist in other states are a conflict, and nothing is imported")
  func conflicts() async throws {
    try await withFolder { folder in
      try Samples.write(Samples.response(records: 3), "1.json", in: folder)
      try Samples.write(Samples.response(records: 4, text: "y"), "2.json", in: folder)
      // Of two responses, the later one is newer.
      let both = try await ToolProcess.run(
        line: "import --from web-services . Both.sqlite", in: folder)
      #expect(both.code == 0, "\(both.errors)")
      let first = try await ToolProcess.run(
        line: "import --from web-services 1.json Notes.sqlite", in: folder)
      #expect(first.code == 0, "\(first.errors)")
      let arguments = ["import", "--from", "web-services", "2.json", "Notes.sqlite"]
      let failed = try await ToolProcess.run(arguments, in: folder)
      #expect(failed.code == 2)
      #expect(failed.errors.contains("record 'r0' of the private database already exists"))
      #expect(failed.errors.contains("they differ in text"))
      let listed = try await ToolProcess.list("Notes.sqlite", in: folder)
      #expect(listed.output.split(separator: "\n").count == 3)
      let kept = try await ToolProcess.run(arguments + ["--on-conflict", "keep"], in: folder)
      #expect(kept.output.contains("Imported 1 record ") && kept.output.contains("3 kept"))
    }
  }
}

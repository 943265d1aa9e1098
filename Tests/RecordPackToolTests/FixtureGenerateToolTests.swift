import Foundation
import Testing

@Suite("fixture generate and fixture recipe")
struct FixtureGenerateToolTests {
  private func run(_ line: String, in folder: String) async throws -> ToolProcess.Result {
    try await ToolProcess.shell("recordpack fixture \(line)", in: folder)
  }

  private func prepare(_ folder: String) throws {
    try Samples.write(Data(Samples.schema.utf8), "s.ckdb", in: folder)
    let recipe = """
      recordpack-recipe: 1
      users: 2
      types:
        Chat: {count: 5, zone: Chats, shared: 1}
        Message: {parent: Chat, count: 4, fields: {text: {words: 2}}}
      """
    try Samples.write(Data(recipe.utf8), "r.yaml", in: folder)
  }

  @Test("make the same bundle for the same seed, which production would take")
  func seed() async throws {
    try await withFolder { folder in
      try prepare(folder)
      for (name, options) in [
        ("a", ""), ("b", "--threads 1"), ("c", "--seed 1"), ("d", "--seed 2"),
      ] {
        let result = try await run(
          "generate --schema s.ckdb --recipe r.yaml -o \(name) \(options)", in: folder)
        #expect(result.code == 0, "\(result.errors)")
        #expect(
          result.output.contains(
            "Generated 30 records to \(name): 5 Chat, 20 Message, 5 cloudkit.share"))
        #expect(result.output.contains("seed \(name == "d" ? 2 : 1), content hash "))
      }
      let bytes = try ["a", "b", "c", "d"].map { try Samples.read($0, in: folder) }
      #expect(bytes[0] == bytes[1] && bytes[0] == bytes[2] && bytes[0] != bytes[3])
      #expect(try await ToolProcess.run("verify", "a", in: folder).code == 0)
      #expect(try await ToolProcess.run("validate", "a", in: folder).code == 0)
    }
  }

  @Test("report in JSON, and leave standard output to a piped bundle")
  func json() async throws {
    try await withFolder { folder in
      try prepare(folder)
      let result = try await run(
        "generate --schema s.ckdb --per-type 4 --seed 9 -o a --json", in: folder)
      let report = try #require(
        try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any])
      #expect(report["format"] as? String == "recordpack.fixture-generate")
      #expect(report["seed"] as? Int == 9)
      #expect((report["contentHash"] as? String)?.count == 16)
      let piped = try await run(
        "generate --schema s.ckdb -o - 2> report | recordpack verify -", in: folder)
      #expect(piped.code == 0, "\(piped.errors)")
      #expect(
        String(decoding: try Samples.read("report", in: folder), as: UTF8.self).hasPrefix(
          "Generated "))
      let quiet = try await run("generate --schema s.ckdb -o b -q", in: folder)
      #expect(quiet.code == 0 && quiet.output.isEmpty)
    }
  }

  @Test("go from a schema over a recipe to a bundle, and from a bundle to its like")
  func recipes() async throws {
    try await withFolder { folder in
      try prepare(folder)
      #expect(try await run("recipe s.ckdb --per-type 7 -o starter.yaml", in: folder).code == 0)
      #expect(
        try await run("generate --schema s.ckdb --recipe starter.yaml -o a", in: folder).code == 0)
      #expect(try await run("generate --schema s.ckdb --per-type 7 -o b", in: folder).code == 0)
      #expect(try Samples.read("a", in: folder) == Samples.read("b", in: folder))
      let like = try await run("recipe --like a", in: folder)
      #expect(like.code == 0 && like.output.contains("count: 7\n"), "\(like.errors)")
      let piped = try await run(
        "recipe --like a | recordpack fixture generate --schema a --recipe - -o c", in: folder)
      #expect(piped.code == 0, "\(piped.errors)")
    }
  }

  @Test("refuse what does not apply, and name the place of a recipe's error")
  func refusals() async throws {
    try await withFolder { folder in
      try prepare(folder)
      try Samples.write(
        Data("recordpack-recipe: 1\ntypes:\n  Chta: {}\n".utf8), "bad.yaml", in: folder)
      for (line, message) in [
        (
          "generate --schema s.ckdb --recipe r.yaml --per-type 3 -o a",
          "--per-type does not apply with --recipe"
        ),
        ("generate --schema s.ckdb --per-type -1 -o a", "--per-type must be from 0"),
        ("generate --schema s.ckdb -o - --force", "to standard output"),
        ("generate --schema - --recipe - -o a", "standard input (-) can be read only once"),
        ("generate --schema s.ckdb -o s.ckdb --force", "s.ckdb"),
        (
          "generate --schema s.ckdb --recipe bad.yaml -o a",
          "bad.yaml:3:3: error: the schema has no record type 'Chta'; did you mean 'Chat'?"
        ),
        ("generate --schema s.ckdb --seed x -o a", "seed"),
        ("recipe", "name a schema, or a source by --like"),
        ("recipe s.ckdb --force", "--force does not apply to standard output"),
        ("recipe --like x --per-type 3", "--per-type does not apply with --like"),
        ("recipe s.ckdb -o s.ckdb --force", "s.ckdb"),
        ("recipe s.ckdb -o r.yaml", "already exists"),
      ] {
        let result = try await run(line, in: folder)
        #expect(result.code == 2, "\(line)")
        #expect(result.errors.contains(message), "\(line): \(result.errors)")
        #expect(!Samples.exists("a", in: folder))
      }
      try Samples.write(Data("old".utf8), "b", in: folder)
      let refused = try await run("generate --schema s.ckdb -o b", in: folder)
      #expect(refused.code == 2 && refused.errors.contains("already exists"))
      #expect(try await run("generate --schema s.ckdb -o b -f", in: folder).code == 0)
    }
  }
}

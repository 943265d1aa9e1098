import Foundation
import Testing

@Suite("fixture anonymise and policy")
struct FixtureAnonymiseToolTests {
  private static let key = "9PMT+2RgqvaaFV1WL2jNPqX4UbQeQgmmmOHAN9Vit9A="
  private static let otherKey = "bdVKtuL1o4VtYeSqaF+gsgjVd8wgMqDFc93Ra4mTtdg="

  private func anonymise(
    _ arguments: String..., in folder: String
  ) async throws -> ToolProcess.Result {
    try await ToolProcess.run(["fixture", "anonymise"] + arguments, in: folder)
  }

  /// The sample container, a policy for it, and a key.
  private func prepare(_ folder: String) async throws {
    try Samples.makeContainer(in: folder, messages: 30)
    try Samples.write(Data(Self.key.utf8), "key", in: folder)
    let policy = try await ToolProcess.run(
      "fixture", "policy", "Tact.sqlite", "-o", "p.yml", in: folder)
    try #require(policy.code == 0, "\(policy.errors)")
  }

  @Test("writes an intact bundle that its owner alone can read, the same for the same key")
  func bundle() async throws {
    try await withFolder { folder in
      try await prepare(folder)
      let options = ["Tact.sqlite", "--policy", "p.yml"]
      let first = try await ToolProcess.run(
        ["fixture", "anonymise"] + options + ["--key-file", "key", "-o", "a"], in: folder)
      #expect(first.code == 0, "\(first.errors)")
      #expect(first.output.hasPrefix("Pseudonymised "))
      #expect(try await ToolProcess.run("verify", "a", in: folder).code == 0)
      let permissions = try FileManager.default.attributesOfItem(atPath: "\(folder)/a")
      #expect(permissions[.posixPermissions] as? Int == 0o600)
      let line = options.joined(separator: " ")
      for threads in ["1", "3"] {
        let again = try await ToolProcess.shell(
          "RECORDPACK_KEY=\(Self.key) recordpack fixture anonymise \(line) -o b -f --threads \(threads)",
          in: folder)
        #expect(again.code == 0, "\(again.errors)")
        #expect(try Samples.read("a", in: folder) == Samples.read("b", in: folder))
      }
      let other = try await ToolProcess.shell(
        "RECORDPACK_KEY=\(Self.otherKey) recordpack fixture anonymise \(line) -o - > c",
        in: folder)
      #expect(other.code == 0 && other.errors.contains("to standard output"))
      #expect(try Samples.read("a", in: folder) != Samples.read("c", in: folder))
      #expect(try await ToolProcess.run("import", "c", "c.sqlite", in: folder).code == 0)
    }
  }

  @Test("reports as JSON, and warns of what looks personal, with exit code 1")
  func report() async throws {
    try await withFolder { folder in
      try await prepare(folder)
      let json =
        #"{"recordName":"n","recordType":"Note","fields":{"text":{"value":"mira@tact.app"}}}"#
      try Samples.write(Data(json.utf8), "note.json", in: folder)
      let put = try await ToolProcess.run(
        "put", "notes.sqlite", "note.json", "--create", "--container", "iCloud.test", in: folder)
      if put.code != 0 {
        _ = try await ToolProcess.shell(
          "echo '{\"records\":[\(json)]}' > r.json && recordpack import r.json notes.sqlite --from web-services",
          in: folder)
      }
      let result = try await anonymise(
        "notes.sqlite", "--default", "keep", "--key-file", "key", "-o", "out", "--json", in: folder)
      #expect(result.code == 1, "\(result.errors)")
      #expect(result.errors.contains("Note.text was kept, and has what looks like email addresses"))
      let preview = try await anonymise(
        "notes.sqlite", "--default", "keep", "--key-file", "key", "--preview", "1", in: folder)
      #expect(preview.code == 1 && preview.errors.contains("Note.text was kept"))
      let data = Data(result.output.utf8)
      let report = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
      #expect(report["format"] as? String == "recordpack.fixture-anonymise")
      #expect(report["recordsWithEmails"] as? Int == 1)
      let fields = try #require(report["fields"] as? [[String: Any]])
      let text = fields.first { $0["field"] as? String == "text" }
      #expect(text?["rules"] as? [String] == ["keep"], "\(fields)")
      #expect(text?["found"] as? [String: Int] == ["email": 1], "\(fields)")
      #expect(FileManager.default.fileExists(atPath: folder + "/out"))
    }
  }

  @Test("counts persons who stand alone, and exits with 1 if there are more than the caller allows")
  func verdict() async throws {
    try await withFolder { folder in
      try await prepare(folder)
      let options = ["Tact.sqlite", "--policy", "p.yml", "--key-file", "key"]
      func run(_ more: String...) async throws -> ToolProcess.Result {
        try await ToolProcess.run(["fixture", "anonymise"] + options + more, in: folder)
      }
      let result = try await run("-o", "out", "--json")
      let report = try #require(
        try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any])
      let (persons, alone) = (report["persons"] as? Int ?? 0, report["alone"] as? Int ?? -1)
      #expect(persons > 0 && 0...persons ~= alone, "\(result.output)")
      let enough = try await run("--preview", "1", "--max-alone", "\(alone)")
      #expect(enough.code == 0 && enough.output.contains("The source has "), "\(enough.errors)")
      guard alone > 0 else { return }
      let few = try await run("-o", "again", "--max-alone", "\(alone - 1)")
      #expect(few.code == 1 && few.errors.contains("--max-alone allows"), "\(few.errors)")
    }
  }

  @Test("makes a key, and checks a result against its source")
  func keyAndCheck() async throws {
    try await withFolder { folder in
      try await prepare(folder)
      #expect(try await ToolProcess.run("fixture", "key", "-o", "made", in: folder).code == 0)
      let attributes = try FileManager.default.attributesOfItem(atPath: "\(folder)/made")
      #expect(attributes[.posixPermissions] as? Int == 0o600)
      let exists = try await ToolProcess.run("fixture", "key", "-o", "made", in: folder)
      #expect(exists.code == 2 && exists.errors.contains("made"))
      let again = try await ToolProcess.run("fixture", "key", in: folder)
      #expect(again.output.utf8.count == 45)
      let made = try await anonymise(
        "Tact.sqlite", "--policy", "p.yml", "--key-file", "made", "-o", "out", in: folder)
      #expect(made.code == 0 && made.errors.isEmpty, "\(made.errors)")
      let read = try await ToolProcess.shell(
        "chmod 640 made; recordpack fixture anonymise Tact.sqlite --policy p.yml --key-file made -o a",
        in: folder)
      #expect(read.code == 0 && read.errors.contains("chmod 600 made"), "\(read.errors)")
      let clean = try await ToolProcess.run("fixture", "check", "Tact.sqlite", "out", in: folder)
      #expect(
        clean.code == 0 && clean.output.hasPrefix("The result has no value"), "\(clean.output)")
      let same = try await ToolProcess.run(
        "fixture", "check", "Tact.sqlite", "Tact.sqlite", "--json", in: folder)
      #expect(same.code == 1 && same.output.contains(#""name":"record names""#), "\(same.output)")
    }
  }

  @Test("rejects rules that no record without a schema meets")
  func unmetRules() async throws {
    try await withFolder { folder in
      try await prepare(folder)
      let json = #"{"recordName":"n","recordType":"Note","fields":{"text":{"value":"a"}}}"#
      try Samples.write(Data(json.utf8), "note.json", in: folder)
      let put = try await ToolProcess.run(
        "put", "notes.sqlite", "note.json", "--create", "--container", "iCloud.test", in: folder)
      #expect(put.code == 0, "\(put.errors)")
      let policy = "recordpack-policy: 1\ntypes:\n  Note: {text: text, txet: text}\n"
      try Samples.write(Data(policy.utf8), "notes.yml", in: folder)
      let result = try await anonymise(
        "notes.sqlite", "--policy", "notes.yml", "--key-file", "key", "-o", "out", in: folder)
      #expect(result.code == 2)
      #expect(
        result.errors.contains(
          "notes.yml:3:28: error: neither the schema nor a record has the field of Note 'txet'"),
        "\(result.errors)")
      #expect(!FileManager.default.fileExists(atPath: folder + "/out"))
    }
  }

  @Test("previews records side by side, hides encrypted values, and writes nothing")
  func preview() async throws {
    try await withFolder { folder in
      try await prepare(folder)
      let before = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
      let text = try await anonymise(
        "Tact.sqlite", "--policy", "p.yml", "--key-file", "key", "--preview", "2", in: folder)
      #expect(text.code == 0, "\(text.errors)")
      #expect(text.output.contains("record name") && text.output.contains("chat-1"))
      let json = try await anonymise(
        "Tact.sqlite", "--policy", "p.yml", "--key-file", "key", "--preview", "2", "--json",
        in: folder)
      #expect(json.output.split(separator: "\n").count == 3)
      #expect(json.output.contains("aloneBy"))
      for line in json.output.split(separator: "\n").prefix(2) {
        let document = try #require(
          try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        #expect(document["format"] as? String == "recordpack.fixture-anonymise-preview")
        #expect(document["before"] != nil && document["after"] != nil)
      }
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder).sorted() == before)
    }
  }

  @Test("refuses what does not apply, and says what is missing")
  func refusals() async throws {
    try await withFolder { folder in
      try await prepare(folder)
      try Samples.write(Data("short".utf8), "short", in: folder)
      try Samples.write(
        Data("recordpack-policy: 1\ntypes: {Chat: {x: hide}}\n".utf8), "bad.yml", in: folder)
      try Samples.write(Data("recordpack-policy: 1\n".utf8), "empty.yml", in: folder)
      for (arguments, code, message) in [
        ("Tact.sqlite -o x", 2, "name the rules with --policy"),
        ("Tact.sqlite --policy p.yml --key-file key", 2, "name the file to write with --output"),
        ("- --policy p.yml -o x", 2, "standard input would be stored in a temporary file"),
        ("Tact.sqlite --policy p.yml --preview 2 -o x", 2, "--output"),
        ("Tact.sqlite --policy p.yml --preview 0", 2, "--preview must be at least 1"),
        ("Tact.sqlite --policy p.yml -o x --max-alone -1", 2, "--max-alone"),
        ("Tact.sqlite --policy p.yml -o x --show-encrypted", 2, "--show-encrypted"),
        ("Tact.sqlite --policy p.yml -o - --force", 2, "--force"),
        ("Tact.sqlite --policy p.yml -o x", 2, "there is no key"),
        ("Tact.sqlite --policy p.yml -o x --key-file none", 2, "none"),
        ("Tact.sqlite --policy p.yml -o x --key-file short", 2, "short: this is not a key"),
        (
          "Tact.sqlite --policy bad.yml -o x --key-file key", 2,
          "bad.yml:2:19: error: there is no rule"
        ),
        (
          "Tact.sqlite --policy empty.yml -o x --key-file key", 2,
          "the policy has no rule for Chat."
        ),
        ("Tact.sqlite --policy none.yml -o x --key-file key", 2, "none.yml"),
        ("none.sqlite --policy p.yml -o x --key-file key", 2, "none.sqlite"),
      ] as [(String, Int32, String)] {
        let result = try await ToolProcess.run(line: "fixture anonymise " + arguments, in: folder)
        #expect(result.code == code, "\(arguments): \(result.errors)")
        #expect(result.errors.contains(message), "\(arguments): \(result.errors)")
        #expect(!FileManager.default.fileExists(atPath: folder + "/x"), "\(arguments)")
      }
      let first = try await anonymise(
        "Tact.sqlite", "--policy", "p.yml", "--key-file", "key", "-o", "p.yml", "-f", in: folder)
      #expect(first.code != 0 && first.errors.contains("p.yml"))
      for (arguments, message) in [
        ("-o p.yml", "p.yml"), ("--person Mesage=chat", "the type 'Mesage'"),
        ("--person Message=sendr", "the field of Message 'sendr'"),
      ] {
        let draft = try await ToolProcess.run(
          line: "fixture policy Tact.sqlite " + arguments, in: folder)
        #expect(draft.code == 2 && draft.errors.contains(message), "\(draft.errors)")
      }
    }
  }
}

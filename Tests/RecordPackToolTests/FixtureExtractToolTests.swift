import Foundation
import RecordPack
import Testing

@Suite("fixture extract")
struct FixtureExtractToolTests {
  /// Runs the command on the sample container.
  private func extract(
    _ arguments: String..., in folder: String
  ) async throws -> ToolProcess.Result {
    try await ToolProcess.run(
      ["fixture", "extract", "Tact.sqlite"] + arguments, in: folder)
  }

  @Test("writes an intact bundle, the same each time, and tells what came along")
  func bundle() async throws {
    try await withFolder { folder in
      try Samples.makeContainer(in: folder, messages: 30)
      let first = try await extract("--type", "Message", "--limit", "5", "-o", "a", in: folder)
      #expect(first.code == 0, "\(first.errors)")
      #expect(first.output.hasPrefix("Extracted 6 records to a: 5 asked for, 1 Chat by "))
      let second = try await extract("--type", "Message", "--limit", "5", "-o", "b", in: folder)
      #expect(second.code == 0)
      #expect(try Samples.read("a", in: folder) == Samples.read("b", in: folder))
      let other = try await extract("--type", "Message", "--limit", "4", "-o", "c", in: folder)
      #expect(other.code == 0)
      #expect(try Samples.read("a", in: folder) != Samples.read("c", in: folder))
      #expect(try await ToolProcess.run("verify", "a", in: folder).code == 0)
      let permissions = try FileManager.default.attributesOfItem(atPath: "\(folder)/a")
      #expect(permissions[.posixPermissions] as? Int == 0o600)
    }
  }

  @Test("explains itself, also as JSON, and leaves standard output to a piped bundle")
  func explanation() async throws {
    try await withFolder { folder in
      try Samples.makeContainer(in: folder)
      let text = try await extract("--name", "message-1", "--explain", "-o", "a", in: folder)
      #expect(text.output.contains("private Chats Message message-1: asked for\n"))
      #expect(text.output.contains("private Chats Chat chat-1: referred to by 'message-1'\n"))
      let json = try await extract(
        "--name", "message-1", "--explain", "-o", "a", "-f", "--json", in: folder)
      let lines = json.output.split(separator: "\n").map { Data($0.utf8) }
      let line = try #require(lines.last)
      let last = try #require(try JSONSerialization.jsonObject(with: line) as? [String: Any])
      #expect(last["format"] as? String == "recordpack.fixture-extract")
      #expect(last["records"] as? Int == lines.count - 1)
      let piped = try await ToolProcess.shell(
        "recordpack fixture extract Tact.sqlite --name message-1 --explain -o - | recordpack verify -",
        in: folder)
      #expect(piped.code == 0, "\(piped.errors)")
      #expect(piped.errors.contains("asked for"))
    }
  }

  @Test("refuses what does not apply, and reports what is missing or was cut")
  func refusals() async throws {
    try await withFolder { folder in
      try Samples.makeContainer(in: folder)
      for (arguments, message) in [
        (["-o", "a"], "name the records to take"),
        (["--type", "Chat", "--cap", "-1", "-o", "a"], "--cap must be at least 0"),
        (["--type", "Chat", "--closure", "kids", "-o", "a"], "parents"),
        (["--type", "Chat", "--closure", "children:0", "-o", "a"], "closure"),
        (["--type", "Chat", "--closure", "assets:2", "-o", "a"], "closure"),
        (["--type", "Chat", "--closure", "parents,parents", "-o", "a"], "closure"),
        (["--type", "Chat", "-o", "-", "--force"], "to standard output"),
        (["--type", "Chat", "-o", "Tact.sqlite"], "Tact.sqlite"),
      ] {
        let result = try await ToolProcess.run(
          ["fixture", "extract", "Tact.sqlite"] + arguments, in: folder)
        #expect(result.code == 2, "\(arguments)")
        #expect(result.errors.contains(message), "\(arguments): \(result.errors)")
        #expect(!Samples.exists("a", in: folder))
      }
      let none = try await extract("--name", "nobody", "-o", "a", in: folder)
      #expect(none.code == 1 && none.errors.contains("nobody"))
      let cut = try await extract("--type", "Message", "--cap", "0", "-o", "b", in: folder)
      #expect(cut.code == 0)
      #expect(cut.errors.contains("1 record of type 'Chat' did not come along by references"))
      let again = try await extract("--type", "Message", "-o", "b", in: folder)
      #expect(again.code == 2 && again.errors.contains("exists"))
    }
  }
}

import Foundation
import Testing

@Suite("Results, for people and for programs")
struct ReportTests {
  @Test("Each result as JSON is one object that names its form and version")
  func documents() async throws {
    try await withFolder { folder in
      try await Samples.makeBundle(in: folder)
      for (name, arguments) in [
        ("export", ["export", "Tact.sqlite", "-o", "b.recordpack"]),
        ("export", ["export", "Tact.sqlite", "-o", "b.json", "--to", "web-services"]),
        ("import", ["import", "b.recordpack", "c.sqlite"]),
        ("inspect", ["inspect", "b.recordpack"]), ("inspect", ["inspect", "c.sqlite"]),
        ("verify", ["verify", "b.recordpack"]),
        ("recover", ["recover", "b.recordpack", "-o", "d.recordpack"]),
        ("diff", ["diff", "b.recordpack", "c.sqlite"]),
      ] {
        let result = try await ToolProcess.run(arguments + ["--json"], in: folder)
        #expect(result.code == 0, "\(arguments): \(result.errors)")
        let document = try Samples.json(result.output)
        #expect(document["format"] as? String == "recordpack.\(name)")
        #expect(document["version"] as? Int == 1)
      }
    }
  }

  @Test("inspect counts what is there, for bundles and containers alike")
  func inspect() async throws {
    try await withFolder { folder in
      try await Samples.makeBundle(in: folder)
      for path in ["Tact.sqlite", "Tact.recordpack"] {
        let result = try await ToolProcess.run("inspect", path, "--json", in: folder)
        let document = try Samples.json(result.output)
        #expect(document["container"] as? String == "iCloud.com.example.tact")
        #expect(document["records"] as? Int == 3)
        #expect(document["tombstones"] as? Int == 1)
        #expect(document["subscriptions"] as? Int == 1)
        #expect(document["assets"] as? Int == 1)
        let sections = try #require(document["sections"] as? [[String: Any]])
        #expect(sections.map { $0["recordType"] as? String } == ["Chat", "Message"])
        #expect(sections.map { $0["records"] as? Int } == [1, 2])
        let text = try await ToolProcess.run("inspect", path, in: folder)
        #expect(text.output.contains("Chats"))
        let total = text.output.split(separator: "\n").last.map(String.init) ?? ""
        #expect(total.contains("total") && total.contains(" 3 "))
      }
      let schema = try await ToolProcess.run(
        "schema", "print", "Tact.recordpack", "--keep-order", in: folder)
      #expect(schema.output.contains("RECORD TYPE Message"))
    }
  }

  @Test("query gives identities in the order of a bundle, and takes filters")
  func list() async throws {
    try await withFolder { folder in
      try await Samples.makeBundle(in: folder)
      let all = try await ToolProcess.list("Tact.recordpack", in: folder)
      #expect(
        all.output == """
          private\tChats\tChat\tchat-1
          private\tChats\tMessage\tmessage-1
          private\tChats\tMessage\tmessage-2

          """)
      #expect(try await ToolProcess.list("Tact.sqlite", in: folder).output == all.output)
      for filter in [
        ["--type", "Chat"], ["--type", "Chat", "--zone", "Chats", "--database", "private"],
      ] {
        let some = try await ToolProcess.list("Tact.recordpack", filter, in: folder)
        #expect(some.output == "private\tChats\tChat\tchat-1\n")
      }
      for (date, count) in [("2025-10-09", 3), ("2025-10-09T08:53:20Z", 3), ("2025-10-10", 0)] {
        let some = try await ToolProcess.list("Tact.sqlite", ["--since", date], in: folder)
        #expect(some.output.split(separator: "\n").count == count, "\(date)")
      }
      // What has no condition is found without reading records.
      let judged = try await ToolProcess.list(
        "Tact.sqlite", ["--where", "TRUEPREDICATE"], in: folder)
      #expect(judged.output == all.output)
    }
  }

  @Test("show prints a record, and suggests names where there is none")
  func show() async throws {
    try await withFolder { folder in
      try await Samples.makeBundle(in: folder)
      let shown = try await ToolProcess.run("show", "Tact.recordpack", "message-1", in: folder)
      #expect(shown.code == 0)
      #expect(shown.output.hasPrefix("Message message-1\n  database    private\n"))
      #expect(shown.output.contains("created     2025-10-09 08:53:20.500 UTC"))
      #expect(shown.output.contains("  chat    REFERENCE         → Chats:chat-1  (DELETE_SELF)\n"))
      #expect(shown.output.contains("  secret  ENCRYPTED STRING  <encrypted>\n"))
      let missing = try await ToolProcess.run("show", "Tact.sqlite", "mesage-1", in: folder)
      #expect(missing.code == 1)
      #expect(missing.errors.contains("did you mean 'message-1'"))
      let asset = try await ToolProcess.run(
        "show", "Tact.recordpack", "--asset", "9F86D081", in: folder)
      #expect(asset.output == "test")
      let none = try await ToolProcess.run("show", "Tact.sqlite", "--asset", "000000", in: folder)
      #expect(none.code == 1)
    }
  }

  @Test("diff tells added, removed and changed, field by field, and exits with 1")
  func diff() async throws {
    try await withFolder { folder in
      try Samples.makeContainer(in: folder)
      try Samples.makeContainer(in: folder, name: "New.sqlite", text: "Bye", messages: 4)
      let text = try await ToolProcess.run("diff", "Tact.sqlite", "New.sqlite", in: folder)
      #expect(text.code == 1)
      #expect(text.output.contains("+ private Chats Message message-3\n"))
      #expect(text.output.contains("~ private Chats Message message-1\n"))
      #expect(text.output.contains("\"Hello 1\" → \"Bye 1\"\n"))
      let back = try await ToolProcess.run(
        "diff", "New.sqlite", "Tact.sqlite", "--stat", in: folder)
      #expect(back.code == 1)
      #expect(back.output.contains("private   Chats  Message      0        1        2\n"))
      let json = try await ToolProcess.run(
        "diff", "Tact.sqlite", "New.sqlite", "--json", "--records-only", "--ignore",
        "changeTag,modified", in: folder)
      let document = try Samples.json(json.output)
      let changes = try #require(document["changes"] as? [[String: Any]])
      #expect(
        changes.compactMap { $0["change"] as? String }.sorted() == ["added", "changed", "changed"])
      #expect(document["equal"] as? Bool == false)
      for change in changes { #expect((change["system"] as? [Any])?.isEmpty != false) }
    }
  }
}

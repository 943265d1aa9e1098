import Foundation
import RecordPack
import StoreTestSupport
import Testing

@Suite("recordpack diff --format html")
struct DiffPageToolTests {
  @Test("exits as diff does, and writes to a file or standard output")
  func exitCodes() async throws {
    try await withFolder { folder in
      try await Samples.makeBundle(in: folder)
      try Samples.makeContainer(in: folder, name: "New.sqlite", text: "Bye", messages: 5)
      let arguments = ["diff", "Tact.sqlite", "New.sqlite", "--format", "html"]
      let printed = try await ToolProcess.run(arguments, in: folder)
      #expect(printed.code == 1, "\(printed.errors)")
      #expect(printed.output.contains("<h1>Differences</h1>"))
      #expect(printed.output.contains("<ins>Bye 1</ins>"))
      let written = try await ToolProcess.run(arguments + ["-o", "d.html"], in: folder)
      #expect(written.code == 1, "\(written.errors)")
      #expect(try Samples.read("d.html", in: folder) == printed.outputBytes)
      let attributes = try FileManager.default.attributesOfItem(atPath: folder + "/d.html")
      #expect(attributes[.posixPermissions] as? Int == 0o600)
      let again = try await ToolProcess.run(arguments + ["-o", "d.html"], in: folder)
      #expect(again.code == 2)
      let same = try await ToolProcess.run(
        "diff", "Tact.sqlite", "Tact.recordpack", "--format", "html", in: folder)
      #expect(same.code == 0, "\(same.errors)")
      #expect(same.output.contains("<h1>No differences</h1>"))
    }
  }

  @Test("hides what diff hides, and shows it with --show-encrypted")
  func secrets() async throws {
    try await withFolder { folder in
      try await Samples.makeBundle(in: folder)
      for (name, text) in [("1", "x"), ("2", "y")] {
        try Samples.write(Samples.response(records: 1, text: text), name + ".json", in: folder)
        _ = try await ToolProcess.run(
          "import", "--from", "web-services", name + ".json", name + ".sqlite", in: folder)
      }
      try Samples.makeContainer(in: folder, name: "Old.sqlite")
      let shown = try await ToolProcess.shell(
        "recordpack put Old.sqlite --name message-1 --zone Chats --type Message "
          + "'secret:={\"type\":\"STRING\",\"value\":\"\(Samples.secret) 9\",\"isEncrypted\":true}'",
        in: folder)
      try #require(shown.code == 0, "\(shown.errors)")
      for arguments in [["diff", "Tact.sqlite", "Old.sqlite"], ["diff", "1.sqlite", "2.sqlite"]] {
        let page = try await ToolProcess.run(arguments + ["--format", "html"], in: folder)
        #expect(page.code == 1, "\(page.errors)")
        #expect(!page.output.contains(Samples.secret), "\(arguments)")
      }
      let page = try await ToolProcess.run(
        "diff", "Tact.sqlite", "Old.sqlite", "--format", "html", "--show-encrypted", in: folder)
      #expect(page.output.contains(Samples.secret))
    }
  }

  @Test("has the fields of added and removed records in every format")
  func fields() async throws {
    try await withFolder { folder in
      try Samples.makeContainer(in: folder)
      try Samples.makeContainer(in: folder, name: "New.sqlite", messages: 4)
      for options in [[], ["--json"], ["--format", "html"]] {
        let added = try await ToolProcess.run(
          ["diff", "Tact.sqlite", "New.sqlite"] + options, in: folder)
        #expect(added.code == 1 && added.output.contains("Hello 3"), "\(options)")
        #expect(!added.output.contains(Samples.secret), "\(options)")
        let removed = try await ToolProcess.run(
          ["diff", "New.sqlite", "Tact.sqlite"] + options, in: folder)
        #expect(removed.code == 1 && removed.output.contains("Hello 3"), "\(options)")
      }
    }
  }

  @Test("with --stat has only the counts")
  func statistics() async throws {
    try await withFolder { folder in
      try Samples.makeContainer(in: folder)
      try Samples.makeContainer(in: folder, name: "New.sqlite", text: "Bye", messages: 5)
      let page = try await ToolProcess.run(
        "diff", "Tact.sqlite", "New.sqlite", "--format", "html", "--stat", in: folder)
      #expect(page.output.contains("Message"))
      #expect(!page.output.contains("message-1"))
    }
  }

  @Test("is complete, also if it is larger than what is kept in memory")
  func spool() async throws {
    try await withFolder { folder in
      for (name, value) in [("a", "before"), ("b", "after")] {
        let container = try ContainerStore.open(path: folder + "/\(name).sqlite", mode: .create)
        let drafts = (0..<1500).map { number in
          var draft = DraftRecord(recordType: "T", recordID: RecordID(recordName: "r\(number)"))
          draft["text"] = "\(value) " + String(repeating: "abcdefghi ", count: 30)
          return draft
        }
        _ = try container.database(.public).save(drafts)
        try container.close()
      }
      let page = try await ToolProcess.run(
        "diff", "a.sqlite", "b.sqlite", "--format", "html", in: folder)
      // More than the spool keeps in memory.
      #expect(page.outputBytes.count > 1 << 20)
      #expect(page.output.contains("<code>r999</code>"))
      #expect(page.output.hasSuffix("</html>\n"))
      #expect(page.output.components(separatedBy: "<ins>after</ins>").count == 1501)
    }
  }
}

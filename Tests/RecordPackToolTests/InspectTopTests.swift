import Foundation
import Testing

@Suite("inspect --top and diff --quiet")
struct InspectTopTests {
  @Test("The largest types, zones and records, of a container and of its bundle")
  func top() throws {
    try withFolder { folder in
      try Samples.makeContainer(in: folder, messages: 5)
      let long = String(repeating: "x", count: 3000)
      let put = try ToolProcess.run(
        "put", "Tact.sqlite", "--type", "Note", "--name", "long", "text=\(long)", in: folder)
      #expect(put.code == 0, "\(put.errors)")
      _ = try ToolProcess.run("export", "Tact.sqlite", "Tact.recordpack", in: folder)
      var lists: [NSDictionary] = []
      for source in ["Tact.sqlite", "Tact.recordpack"] {
        let result = try ToolProcess.run("inspect", source, "--top", "2", "--json", in: folder)
        let top = try #require(try Samples.json(result.output)["top"] as? [String: Any])
        let names = { (list: String, member: String) in
          ((top[list] as? [[String: Any]]) ?? []).map { $0[member] as? String }
        }
        #expect(names("types", "recordType") == ["Note", "Message"])
        let records = names("records", "recordName")
        #expect(records.first == "long" && records.count == 2)
        lists.append(top as NSDictionary)
        let text = try ToolProcess.run("inspect", source, "--top", "1", in: folder)
        #expect(text.output.contains("private _defaultZone Note long"))
        #expect(!text.output.contains("message-"))
      }
      #expect(lists[0] == lists[1])
      let count = try ToolProcess.run(
        "inspect", "Tact.sqlite", "--top", "1", "--by", "records", "--json", in: folder)
      let top = try #require(try Samples.json(count.output)["top"] as? [String: Any])
      #expect(((top["types"] as? [[String: Any]])?.first?["recordType"] as? String) == "Message")
      #expect(top["records"] == nil)
      for (line, words) in [
        ("--top 0", "--top must be from 1 to 1000"), ("--by bytes", "--by does not apply"),
        ("--top 1 --schema", "--top does not apply with --schema"),
      ] {
        let result = try ToolProcess.shell("recordpack inspect Tact.sqlite \(line)", in: folder)
        #expect(result.code == 2 && result.errors.contains(words), "\(line): \(result.errors)")
      }
    }
  }

  @Test("diff --quiet writes nothing, and its exit code tells")
  func quiet() throws {
    try withFolder { folder in
      try Samples.makeBundle(in: folder)
      try Samples.makeContainer(in: folder, name: "Other.sqlite", text: "Bye")
      for (second, code) in [("Tact.recordpack", 0), ("Other.sqlite", 1)] as [(String, Int32)] {
        let result = try ToolProcess.run("diff", "Tact.sqlite", second, "-q", in: folder)
        #expect(result.code == code && (result.output + result.errors).isEmpty, "\(second)")
      }
      for option in ["--stat", "--json", "--show-encrypted", "--color always"] {
        let result = try ToolProcess.shell(
          "recordpack diff Tact.sqlite Other.sqlite --quiet \(option)", in: folder)
        #expect(result.code == 2 && result.errors.contains("with --quiet"), "\(option)")
      }
    }
  }
}

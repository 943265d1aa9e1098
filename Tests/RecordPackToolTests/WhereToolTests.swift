import Foundation
import RecordPack
import TestSupport
import Testing

@Suite("export, diff and delete with --where")
struct WhereToolTests {
  private let folder: TestFolder

  init() async throws {
    folder = try TestFolder()
    try await Samples.makeBundle(in: folder.path)
  }

  private func run(_ line: String) async throws -> ToolProcess.Result {
    try await ToolProcess.shell("recordpack " + line, in: folder.path)
  }

  private func names(in source: String) async throws -> [String] {
    let result = try await run("query \(source) --fields recordName --json")
    return try result.output.split(separator: "\n").map {
      try #require(try Samples.json(String($0))["recordName"] as? String)
    }
  }

  @Test("a bundle and a response have the records that match, with their assets and no deletions")
  func export() async throws {
    for source in ["Tact.sqlite", "Tact.recordpack"] {
      let result = try await run(
        "export \(source) --where \"number > 1 OR has photo\" -o a -f --json")
      #expect(result.code == 0, "\(result.errors)")
      #expect(try await names(in: "a") == ["chat-1", "message-2"])
      let inspected = try await Samples.json(run("inspect a --json").output)
      #expect(inspected["assets"] as? Int == 1 && inspected["tombstones"] as? Int == 0)
      #expect(inspected["subscriptions"] as? Int == 1)
      let small = try await run("export \(source) --where \"number > 1\" -o b -f")
      #expect(small.code == 0)
      #expect(try await Samples.json(run("inspect b --json").output)["assets"] as? Int == 0)
      let response = try await run("export \(source) --where \"number = 1\" --to web-services -o -")
      #expect(response.code == 0, "\(response.errors)")
      #expect(response.output.contains("message-1") && !response.output.contains("message-2"))
      #expect(!response.output.contains("message-0"))
    }
    try Samples.write(Samples.response(records: 3), "three.json", in: folder.path)
    let read = try await run(
      "export three.json --from web-services --where \"recordName = 'r1'\" -o c")
    #expect(read.code == 0, "\(read.errors)")
    #expect(try await names(in: "c") == ["r1"])
  }

  @Test("the same condition gives the same bytes from a container and from a bundle")
  func bytes() async throws {
    for (source, path) in [("Tact.sqlite", "a"), ("Tact.recordpack", "b")] {
      _ = try await run("export \(source) --where \"has secret\" -o \(path)")
    }
    #expect(try Samples.read("a", in: folder.path) == Samples.read("b", in: folder.path))
  }

  @Test("a validation checks the records that match alone")
  func validation() async throws {
    let schema = Samples.schema.split(separator: "\n").filter { !$0.contains("number") }
    try Samples.write(
      Data(schema.joined(separator: "\n").utf8), "less.ckdb", in: folder.path)
    let line = "export Tact.sqlite --validate --schema less.ckdb -f -o a --where "
    #expect(try await run(line + "\"has title\"").code == 0)
    let failed = try await run(line + "\"has text\"")
    #expect(failed.code == 1, "\(failed.errors)")
  }

  @Test("a difference has the records that match on either side, and no others")
  func difference() async throws {
    _ = try await run("export Tact.sqlite -o before")
    let put = try await run(
      "put Tact.sqlite --name message-1 --zone Chats --type Message number:=7 text=Changed")
    #expect(put.code == 0, "\(put.errors)")
    _ = try await run("put Tact.sqlite --type Message --name message-9 --zone Chats number:=9")
    func diff(_ condition: String) async throws -> String {
      let result = try await run("diff before Tact.sqlite --where \"\(condition)\"")
      #expect(result.code == 1 || result.output.hasPrefix("No differences"), "\(result.errors)")
      return result.output
    }
    for condition in ["number = 1", "number = 7"] {
      let text = try await diff(condition)
      #expect(text.contains("~ private Chats Message message-1"), "\(condition)")
      #expect(text.contains("Records: 1 changed, 0 the same") && !text.contains("message-9"))
    }
    #expect(try await diff("number > 8").contains("Records: 1 added, 0 the same"))
    #expect(try await diff("number = 2").hasPrefix("No differences: 1 record the same"))
    let json = try await run("diff before Tact.sqlite --where 'number > 8' --json")
    #expect((try Samples.json(json.output)["changes"] as? [[String: Any]])?.count == 1)
    #expect(try await run("diff before Tact.sqlite --where 'number > 8' --records-only").code == 2)
  }

  @Test("a difference accepts a field that only one of the sources has")
  func renamedField() async throws {
    _ = try await run("export Tact.sqlite -o before")
    _ = try await run(
      "put Tact.sqlite --unchecked --name message-1 --zone Chats --type Message name=New")
    let result = try await run("diff before Tact.sqlite --where \"name = 'New'\"")
    #expect(result.code == 1 && result.output.contains("message-1"), "\(result.errors)")
    let unknown = try await run("diff before Tact.sqlite --where \"nam = 'New'\"")
    #expect(unknown.code == 2)
    #expect(unknown.errors.contains(": no record of the selection has a field"))
  }

  @Test("delete deletes the records that match, in the zone, and not the zone")
  func delete() async throws {
    let preview = try await run("delete Tact.sqlite --where 'number > 1' --dry-run")
    #expect(preview.code == 0 && preview.output.contains("- private Chats Message message-2"))
    #expect(try await names(in: "Tact.sqlite").count == 3)
    let none = try await run("delete Tact.sqlite --where 'number > 100'")
    #expect(none.code == 0 && none.output.contains("Deleted 0 records"), "\(none.output)")
    let deleted = try await run("delete Tact.sqlite --zone Chats --where 'number > 1' --json")
    #expect(deleted.code == 0, "\(deleted.errors)")
    #expect(try await names(in: "Tact.sqlite") == ["chat-1", "message-1"])
    let changes = try await run("changes Tact.sqlite --zone Chats")
    #expect(changes.output.contains("- Message message-2"))
    for option in ["message-1", "--all", "--ignore-missing", "--with-records"] {
      let refused = try await run("delete Tact.sqlite --where 'number > 0' \(option)")
      #expect(refused.code == 2 && refused.errors.contains("--where"), "\(option)")
    }
  }

  @Test("records without a value are left out and reported, with exit code 1, and nothing is shown")
  func unjudged() async throws {
    let condition = "--where \"number(secret) = 1 OR number = 1\""
    for line in [
      "export Tact.sqlite \(condition) -o a", "diff Tact.sqlite Tact.recordpack \(condition)",
      "delete Tact.sqlite \(condition) --dry-run",
    ] {
      let result = try await run(line)
      #expect(result.code == 1, "\(line): \(result.errors)")
      #expect(result.errors.contains("left out, because the condition has no value"), "\(line)")
      #expect(!(result.output + result.errors).contains(Samples.secret), "\(line)")
    }
    for command in [
      "export Tact.sqlite -o b", "diff Tact.sqlite Tact.recordpack", "delete Tact.sqlite",
    ] {
      let result = try await run(command + " --where 'number >'")
      #expect(result.code == 2 && result.errors.contains("--where, column 9"), "\(result.errors)")
    }
  }
}

import Foundation
import RecordPack
import StoreTestSupport
import Testing

@Suite("recordpack delete")
struct DeleteToolTests {
  private func delete(
    _ line: String, in folder: String, code: Int32 = 0
  ) async throws -> ToolProcess.Result {
    let result = try await ToolProcess.shell("recordpack delete Tact.sqlite \(line)", in: folder)
    #expect(result.code == code, "\(line): \(result.errors)")
    return result
  }

  private func names(in folder: String) async throws -> [String] {
    let list = try await ToolProcess.shell(
      "recordpack query Tact.sqlite --fields recordName --json | jq -r .recordName", in: folder)
    return list.output.split(separator: "\n").map(String.init)
  }

  /// Changes one bit of the container: in the byte at an offset from the first place of a text.
  private func damage(_ text: String, at offset: Int, in folder: String) throws {
    let file = URL(fileURLWithPath: folder + "/Tact.sqlite")
    var bytes = try Data(contentsOf: file)
    let place = try #require(bytes.range(of: Data(text.utf8)))
    bytes[place.lowerBound + offset] ^= 1
    try bytes.write(to: file)
  }

  @Test("Records are deleted together or not at all, and leave tombstones")
  func records() async throws {
    try await withFolder { folder in
      try Samples.makeContainer(in: folder, messages: 6)
      let all = try await names(in: folder)
      for (line, words) in [
        ("message-1 nope", "there is no record 'nope'"), ("", "name records, or one zone"),
        ("message-1 --with-records", "--with-records does not apply"),
        ("message-1 --zone Nowhere", "there is no zone 'Nowhere'"),
        ("chat-1 --type Message", "there is no record 'chat-1'"),
        ("--zone Chats --all", "--all does not apply to a zone"),
        ("--zone Chats", "zone 'Chats' has 6 records; use --with-records"),
        ("--database private --zone _defaultZone", "the default zone cannot be deleted"),
        ("message-1 -q --json", "does not apply with --quiet"), ("- - < /dev/null", "only once"),
      ] {
        let result = try await delete(line, in: folder, code: 2)
        #expect(result.errors.contains(words), "\(line): \(result.errors)")
      }
      _ = try await delete("message-1 --dry-run", in: folder)
      #expect(try await names(in: folder) == all)

      let two = try await delete("message-1 message-2 message-1 nope --ignore-missing", in: folder)
      #expect(two.output.contains("- private Chats Message message-2\n"))
      #expect(two.output.contains("Deleted 2 records from Tact.sqlite; 1 missing"))
      _ = try await ToolProcess.shell(
        "printf 'message-3\\r\\nmessage-4\\n' > names.txt", in: folder)
      _ = try await delete("- --type Message --quiet < names.txt", in: folder)
      #expect(try await names(in: folder) == ["chat-1", "message-5"])
      let container = try ContainerStore.open(path: folder + "/Tact.sqlite", mode: .readOnly)
      #expect(
        try container.database(.private).tombstones().map(\.recordID.recordName)
          == (0..<5).map { "message-\($0)" })
      try container.close()
      #expect(try await ToolProcess.run("verify", "Tact.sqlite", in: folder).code == 0)
    }
  }

  @Test("References to what is deleted are reported, and their records stay")
  func references() async throws {
    try await withFolder { folder in
      try Samples.makeContainer(in: folder)
      let result = try await delete("chat-1 --json", in: folder)
      let json = try Samples.json(result.output)
      #expect(json["referenceCount"] as? Int == 2)
      let first = (json["references"] as? [[String: Any]])?.first
      #expect(first?["recordName"] as? String == "message-1")
      #expect(first?["field"] as? String == "chat")
      #expect(first?["action"] as? String == "DELETE_SELF")
      #expect(first?["refersTo"] as? String == "chat-1")
      #expect(try await names(in: folder) == ["message-1", "message-2"])
    }
  }

  @Test("A name that two records have needs a choice; a zone goes with its records")
  func zones() async throws {
    try await withFolder { folder in
      try Samples.makeContainer(in: folder)
      let copy = try await ToolProcess.shell(
        "recordpack put Tact.sqlite --name chat-1 --type Chat title=x && "
          + "recordpack put Tact.sqlite --name a --type T --zone Empty --create-zone && "
          + "recordpack delete Tact.sqlite a && recordpack delete Tact.sqlite --zone Empty",
        in: folder)
      #expect(copy.code == 0, "\(copy.errors)")
      let refused = try await delete("chat-1", in: folder, code: 2)
      #expect(refused.errors.contains("(private Chats, private _defaultZone)"))
      _ = try await delete("chat-1 --all --dry-run", in: folder)
      let zone = try await delete("--zone Chats --with-records", in: folder)
      #expect(zone.output.contains("Deleted zone private Chats with 3 records from Tact.sqlite"))
      #expect(try await names(in: folder) == ["chat-1"])
      let again = try await delete("--zone Chats", in: folder, code: 2)
      #expect(again.errors.contains("is already deleted"))
      let container = try ContainerStore.open(path: folder + "/Tact.sqlite", mode: .readOnly)
      #expect(
        try container.database(.private).zoneTombstones().map(\.zoneID.zoneName) == [
          "Chats", "Empty",
        ])
      try container.close()
    }
  }

  @Test("A damaged record is deleted if it was chosen, and counts where a name is ambiguous")
  func damaged() async throws {
    try await withFolder { folder in
      try Samples.makeContainer(in: folder)
      let put = try await ToolProcess.shell(
        "recordpack put Tact.sqlite --name x --type Chat title=here && "
          + "recordpack put Tact.sqlite --name x --type Chat --zone Chats title=there",
        in: folder)
      #expect(put.code == 0, "\(put.errors)")
      try damage(#""there""#, at: 1, in: folder)
      let changes = try await ToolProcess.run(
        "changes", "Tact.sqlite", "--zone", "Chats", in: folder)
      #expect(changes.code == 1 && changes.output.contains("! x record 'x'"), "\(changes.output)")
      let elsewhere = try await delete("message-1 --zone _defaultZone", in: folder, code: 2)
      #expect(elsewhere.errors.contains("there is no record 'message-1'"), "\(elsewhere.errors)")
      let ambiguous = try await delete("x", in: folder, code: 2)
      #expect(ambiguous.errors.contains("2 records have the name 'x'"), "\(ambiguous.errors)")
      _ = try await delete("x --zone _defaultZone", in: folder)
      let gone = try await delete("x --zone _defaultZone", in: folder, code: 2)
      #expect(gone.errors.contains("'x'"), "\(gone.errors)")
      let still = try await ToolProcess.run("verify", "Tact.sqlite", in: folder)
      #expect(still.code == 1)
      _ = try await delete("x --zone Chats", in: folder)
      #expect(try await ToolProcess.run("verify", "Tact.sqlite", in: folder).code == 0)
    }
  }

  @Test("put --replace of a damaged record reports a change")
  func replacing() async throws {
    try await withFolder { folder in
      try Samples.makeContainer(in: folder)
      try damage("A chat", at: 0, in: folder)
      let put = try await ToolProcess.shell(
        "recordpack put Tact.sqlite --zone Chats --type Chat --name chat-1 --replace title=x",
        in: folder)
      #expect(put.output.contains("0 added, 1 changed"), "\(put.output)\(put.errors)")
      #expect(try await ToolProcess.run("verify", "Tact.sqlite", in: folder).code == 0)
    }
  }
}

import ArgumentParser
import Foundation
import RecordPack
import StoreTestSupport
import Testing

@testable import RecordPackTool

@Suite("put and delete change what was meant, and nothing else")
struct ChangeSafetyTests {
  private func delete(
    _ arguments: [String], _ chosen: Deletion, _ filter: RecordFilter = .all,
    in container: ContainerStore
  ) throws -> Deletion {
    let command = try DeleteCommand.parse(["Tact.sqlite"] + arguments)
    let choice = DeletionChoice(deletion: chosen, filter: filter)
    return try container.transaction { try command.delete(choice, $0) }
  }

  @Test("What another process changed after the choice is not deleted")
  func racing() throws {
    let container = try ContainerStore.inMemory()
    let database = container.database(.private)
    let zone = ZoneID(zoneName: "Z")
    try database.save([RecordZone(zoneID: zone)])
    let chosen = Deletion(zone: (.private, zone, 0))
    // Saved after the zone was chosen as an empty one.
    let draft = DraftRecord(
      recordType: "T", recordID: RecordID(recordName: "a", zoneID: zone))
    let saved = try database.save([draft])[0]
    let refused = #expect(throws: CommandError.self) {
      try delete(["--zone", "Z"], chosen, in: container)
    }
    #expect(refused?.description.contains("has 1 record; use --with-records") == true)
    #expect(try database.zones().contains { $0.zoneID == zone })

    var record = Deletion()
    record.add(saved, in: .private)
    let old = RecordFilter(modifiedBefore: Date(timeIntervalSince1970: 0))
    let changed = #expect(throws: CommandError.self) {
      try delete(["a", "--until", "1970-01-01"], record, old, in: container)
    }
    #expect(changed?.description.contains("no longer select it") == true)
    #expect(try delete(["a"], record, in: container).records.count == 1)
    #expect(throws: CommandError.self) { try delete(["a"], record, in: container) }
    let gone = try delete(["a", "--ignore-missing"], record, in: container)
    #expect(gone.records.isEmpty && gone.missing == ["a"])
    // The count is that of the deletion.
    _ = try database.save([draft])
    #expect(
      try delete(["--zone", "Z", "--with-records"], chosen, in: container).zone?.records == 1)
  }

  @Test("Only line feeds separate names")
  func names() throws {
    let text = "a\u{2028}b\r\nc\u{85}d\u{B}e\u{C}f\n\n\rg\r\r\nh"
    let names = try DeleteCommand.names(in: Array(text.utf8)).map { Array($0.unicodeScalars) }
    let expected = ["a\u{2028}b", "c\u{85}d\u{B}e\u{C}f", "\rg\r", "h"]
    #expect(names == expected.map { Array($0.unicodeScalars) })
    #expect(try DeleteCommand.names(in: []).isEmpty)
    #expect(throws: CommandError.self) { try DeleteCommand.names(in: [0x61, 0x0A, 0xFF]) }
  }

  @Test("An interruption says what it knows while a change takes effect, and after it")
  func consequence() {
    var during = ""
    var after = ""
    Interruption.whileChanging {
      during = Interruption.consequence
    } close: {
      after = Interruption.consequence
    }
    #expect(during == "the container is as it was before, or completely changed")
    #expect(after == "what was written before is kept")
  }

  @Test("A dry run neither writes to the file nor waits for its lock")
  func dryRuns() async throws {
    try await withFolder { folder in
      try Samples.makeContainer(in: folder)
      let before = try Samples.read("Tact.sqlite", in: folder)
      for line in [
        "put Tact.sqlite --type T --name n a=1", "delete Tact.sqlite message-1",
        "delete Tact.sqlite --zone Chats --with-records",
      ] {
        let result = try await ToolProcess.run(line: line + " --dry-run", in: folder)
        #expect(result.code == 0, "\(line): \(result.errors)")
        #expect(try Samples.read("Tact.sqlite", in: folder) == before, "\(line)")
        let left = try FileManager.default.contentsOfDirectory(atPath: folder)
        #expect(left == ["Tact.sqlite"], "\(line)")
      }
      let container = try ContainerStore.open(path: folder + "/Tact.sqlite")
      let tool = ToolProcess(
        ["put", "Tact.sqlite", "--type", "T", "--name", "n", "a=1", "--dry-run"], in: folder)
      try container.transaction { transaction in
        try transaction.save(RecordZone(zoneName: "New"), in: .private)
        // Within the transaction, which does not suspend.
        try tool.start()
        tool.process.waitUntilExit()
      }
      let locked = await tool.finish()
      #expect(locked.code == 0, "\(locked.errors)")
      try container.close()

      // What the real run refuses, a dry run refuses.
      try FileManager.default.createSymbolicLink(
        atPath: folder + "/link.sqlite", withDestinationPath: "nowhere.sqlite")
      for (line, words) in [
        ("delete Tact.sqlite --database private --zone _defaultZone", "cannot be deleted"),
        ("put none/a.sqlite --create --type T a=1", "No such file or directory"),
        ("put Tact.sqlite/a.sqlite --create --type T a=1", "Not a directory"),
        ("put link.sqlite --create --type T a=1", "already exists"),
      ] {
        for line in [line, line + " --dry-run"] {
          let result = try await ToolProcess.run(line: line, in: folder)
          #expect(result.code == 2 && result.errors.contains(words), "\(line): \(result.errors)")
        }
      }
    }
  }

  @Test("Input that says nothing changes nothing, and a path is what it says")
  func inputs() async throws {
    try await withFolder { folder in
      try Samples.makeContainer(in: folder)
      try Samples.write(Data("picture".utf8), "~", in: folder)
      try Samples.write(
        Data("version: 1\nschema:\n  severities:\n    RECORD_FIELD_UNKNOWN: warning\n".utf8),
        ".recordpack.yml", in: folder)
      let plans = Place.inPackage("Schemas/Tact")
      func run(_ line: String, code: Int32 = 0) async throws -> ToolProcess.Result {
        let result = try await ToolProcess.shell("recordpack \(line)", in: folder)
        #expect(result.code == code, "\(line): \(result.errors)")
        return result
      }
      let empty = try await run(
        "put Tact.sqlite --type T --name x --zone Empty --create-zone a=1 --json")
      #expect(
        empty.output.contains(
          #""createdZones":[{"database":"private","zoneID":{"zoneName":"Empty""#))
      _ = try await run("delete Tact.sqlite x -q")
      for options in ["--zone Empty", "--database shared", "--ignore-missing"] {
        let result = try await run("delete Tact.sqlite \(options) - < /dev/null", code: 2)
        #expect(result.errors.contains("standard input names no records"))
      }
      #expect(try await run("inspect Tact.sqlite --json").output.contains("Empty"))
      for options in ["--replace", "", "--create-zone"] {
        let listed = try await run(
          "query Tact.sqlite --fields recordName --json | recordpack put Tact.sqlite \(options)",
          code: 2)
        #expect(listed.errors.contains("it has no member 'fields'"))
      }
      _ = try await run("put Tact.sqlite --name chat-1 --zone Chats 'photo@=~'")
      let asset = try await run(
        "show Tact.sqlite --asset $(printf picture | sha256sum | cut -c1-64)")
      #expect(asset.output == "picture")

      let warned = try await run(
        "put Tact.sqlite --name chat-1 --zone Chats zq:=1 --validate --json")
      let warning = try Samples.json(warned.errors)
      #expect(warning["format"] as? String == "recordpack.warning")
      #expect((warning["report"] as? [String: Any])?["findings"] != nil)
      let extended = try await run(
        "put Tact.sqlite --name chat-1 --zone Chats zr:=1 --validate --environment development")
      #expect(extended.output.contains("+ schema Chat.zr\n"), "\(extended.output)")
      let plan = try await run("migrate plan \(plans)/v1.ckdb \(plans)/v2.ckdb --json")
      let note = try Samples.json(plan.errors)
      #expect(note["format"] as? String == "recordpack.note")
    }
  }
}

import Foundation
import MockCloud
import RecordPack
import TestSupport
import Testing

@Suite("recordpack changes")
struct ChangesToolTests {
  private let notes = ZoneID(zoneName: "Notes")

  /// A container of mira with two notes, and one of kenji in his zone.
  private func makeContainer(in folder: String) async throws {
    let container = try MockContainer.open(
      path: folder + "/Notes.sqlite", mode: .create,
      info: ContainerInfo(currentUserRecordName: "_mira"))
    let kenji = try container.account("_kenji")
    for (database, names) in [
      (container.privateCloudDatabase, ["a", "b"]), (kenji.privateCloudDatabase, ["k"]),
    ] {
      try await database.save(RecordZone(zoneID: notes))
      for name in names {
        try await database.save(
          DraftRecord(
            recordType: "Note", recordID: RecordID(recordName: name, zoneID: notes)))
      }
    }
    try container.store.close()
  }

  @Test("shows zones, the records of a zone, and pages of them; and what another account sees")
  func shows() async throws {
    let folder = try TestFolder()
    try await makeContainer(in: folder.path)
    func run(_ arguments: String...) async throws -> ToolProcess.Result {
      try await ToolProcess.run(["changes", "Notes.sqlite"] + arguments, in: folder.path)
    }
    let zones = try await run()
    #expect(zones.code == 0 && zones.output.hasPrefix("+ Notes\nNext --change-token "))
    let records = try await run("--zone", "Notes", "--json", "--limit", "1")
    let page = try Samples.json(records.output)
    #expect(page["moreComing"] as? Bool == true)
    #expect(
      (page["records"] as? [[String: Any]])?.compactMap { $0["recordName"] as? String } == ["a"])
    let token = try #require(page["changeToken"] as? String)
    let next = try await run("--zone", "Notes", "--change-token", token)
    #expect(
      next.output.contains("+ Note b ") && !next.output.contains("+ Note a "), "\(next.output)")
    let ofKenji = try await run("--zone", "Notes", "--account", "_kenji")
    #expect(ofKenji.output.contains("+ Note k ") && !ofKenji.output.contains("+ Note a "))
    let document = try Samples.json(try await run("--json").output)
    #expect(document["format"] as? String == "recordpack.changes")
    #expect(document["database"] as? String == "private" && document["zoneID"] == nil)
    #expect((document["zones"] as? [[String: Any]])?.map { $0["change"] as? String } == ["changed"])
    #expect((page["zoneID"] as? [String: Any])?["zoneName"] as? String == "Notes")
    for limit in ["0", "-1"] {
      let refused = try await run("--limit", limit)
      #expect(refused.errors.contains("--limit must be at least 1, not \(limit)"))
    }
    let stranger = try await run("--account", "_ada")
    #expect(stranger.code == 2)
    #expect(stranger.errors.contains("has no account '_ada': it has '_kenji'"))
    let expired = try await run("--account", "_kenji", "--zone", "Notes", "--change-token", token)
    #expect(expired.code == 2 && expired.errors.contains("client knowledge differs"))
    #expect(expired.errors.contains("without --change-token, all changes are shown"))
    let inspected = try await ToolProcess.run(["inspect", "Notes.sqlite"], in: folder.path)
    #expect(inspected.output.contains("accounts"))
  }
}

import Foundation
import MockCloud
import RecordPack
import StoreTestSupport
import TestSupport
import Testing

@Suite("--format csv")
struct CSVToolTests {
  /// A container with a note whose name a spreadsheet would read as a formula, and an empty zone.
  private func makeContainer(in folder: String) throws {
    let container = try ContainerStore.open(
      path: folder + "/Notes.sqlite", mode: .create, info: ContainerInfo())
    let notes = ZoneID(zoneName: "Notes, and more")
    let database = container.database(.private)
    try database.save([RecordZone(zoneID: notes), RecordZone(zoneID: ZoneID(zoneName: "Empty"))])
    try database.save([
      DraftRecord(recordType: "Note", recordID: RecordID(recordName: "=1+1", zoneID: notes)),
      DraftRecord(
        recordType: "Note", recordID: RecordID(recordName: "b \"quoted\"", zoneID: notes)),
    ])
    try container.close()
  }

  private func rows(_ text: String) -> [String] {
    #expect(text.hasSuffix("\r\n"))
    return text.components(separatedBy: "\r\n").dropLast()
  }

  @Test("inspect has a row for each record type of a zone, and for an empty zone")
  func inspection() async throws {
    let folder = try TestFolder()
    try makeContainer(in: folder.path)
    let result = try await ToolProcess.run(
      "inspect", "Notes.sqlite", "--format", "csv", in: folder.path)
    #expect(result.code == 0, "\(result.errors)")
    let rows = rows(result.output)
    #expect(rows.first == "database,zoneName,ownerName,recordType,records,bytes")
    #expect(rows.contains("private,Empty,__defaultOwner__,,0,0"))
    let notes = rows.filter {
      $0.hasPrefix("private,\"Notes, and more\",__defaultOwner__,Note,2,")
    }
    #expect(notes.count == 1)
  }

  @Test("changes has no formulas, and the token on standard error")
  func changes() async throws {
    let folder = try TestFolder()
    try makeContainer(in: folder.path)
    func run(_ options: String...) async throws -> ToolProcess.Result {
      try await ToolProcess.run(
        ["changes", "Notes.sqlite", "--format", "csv"] + options, in: folder.path)
    }
    let zones = try await run()
    #expect(zones.code == 0, "\(zones.errors)")
    #expect(
      rows(zones.output) == [
        "change,zoneName,ownerName,reason", "changed,Empty,__defaultOwner__,",
        "changed,\"Notes, and more\",__defaultOwner__,",
      ])
    #expect(zones.errors.hasPrefix("Next --change-token '"))
    let records = try await run("--zone", "Notes, and more")
    let lines = rows(records.output)
    #expect(lines.first == "change,recordName,recordType,recordChangeTag,error")
    #expect(lines.dropFirst().first?.hasPrefix("changed,'=1+1,Note,") == true)
    #expect(lines.last?.hasPrefix("changed,\"b \"\"quoted\"\"\",Note,") == true)
  }

  @Test("calls has the columns of its table")
  func calls() async throws {
    let folder = try TestFolder()
    try Samples.write(Samples.recording, "sync.recording", in: folder.path)
    let result = try await ToolProcess.run(
      "calls", "sync.recording", "--format", "csv", in: folder.path)
    #expect(result.code == 0, "\(result.errors)")
    #expect(
      rows(result.output) == [
        "call,operation,database,request,result",
        "1,modifyRecords,private,save Chats:chat-1,networkFailure",
      ])
  }

  @Test("does not combine with --json or colours")
  func others() async throws {
    let folder = try TestFolder()
    try makeContainer(in: folder.path)
    for command in ["inspect", "changes", "query"] {
      for options in [["--json"], ["--color", "always"]] {
        let result = try await ToolProcess.run(
          [command, "Notes.sqlite", "--format", "csv"] + options, in: folder.path)
        #expect(result.code == 2 && result.errors.contains("with --format csv"), "\(command)")
      }
    }
  }
}

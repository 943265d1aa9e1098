import Foundation
import RecordModel
import StoreTestSupport
import Testing

@testable import RecordStore

@Suite("A container with metadata that cannot be read, on the command line")
struct UnreadableMetadataToolTests {
  private func makeContainer(_ damage: String, in folder: String) throws {
    let container = try ContainerStore.open(path: folder + "/c.sqlite", mode: .create)
    let zone = ZoneID(zoneName: "Notes")
    var info = ContainerInfo(identifier: "iCloud.a", environment: .development)
    info.accounts = [ContainerAccount(userRecordName: "_kenji")]
    try container.setInfo(info)
    try container.database(.private).save([RecordZone(zoneID: zone)])
    try container.database(.private).save([
      DraftRecord(recordType: "Note", recordID: RecordID(recordName: "one", zoneID: zone))
    ])
    try container.database(.private).save([
      CloudSubscription(subscriptionID: "sub", kind: .database(recordType: nil))
    ])
    _ = try container.close()
    let backup = FileManager.default
    try? backup.removeItem(atPath: folder + "/backup.sqlite")
    try backup.copyItem(atPath: folder + "/c.sqlite", toPath: folder + "/backup.sqlite")
    let opened = try ContainerStore.open(path: folder + "/c.sqlite")
    try opened.transaction { try $0.db.execute(damage) }
    _ = try opened.close()
  }

  @Test(
    "verify and export name it, query and put work, and an import of a backup replaces it",
    arguments: [
      ("UPDATE zone SET json = CAST('x' AS BLOB) WHERE name = 'Notes'", "zone 'Notes"),
      ("UPDATE subscription SET json = CAST('x' AS BLOB)", "subscription 'sub'"),
      ("UPDATE subscription SET change = change + 1", "subscription 'sub'"),
      ("UPDATE setting SET value = 'x' WHERE name = 'accounts'", "the list of users"),
    ])
  func damage(sql: String, name: String) async throws {
    try await withFolder { folder in
      try makeContainer(sql, in: folder)
      func run(_ arguments: String) async throws -> ToolProcess.Result {
        try await ToolProcess.shell("recordpack \(arguments)", in: folder)
      }
      let verified = try await run("verify c.sqlite")
      #expect(verified.code == 1 && verified.output.contains(name), "\(verified.output)")
      let exported = try await run("export c.sqlite -o a.recordpack")
      #expect(exported.code == 1, "\(exported.errors)")
      #expect(exported.errors.contains(name), "\(exported.errors)")
      #expect(try await run("verify a.recordpack").code == 0)
      let found = try await run("query c.sqlite --type Note --fields recordName")
      #expect(found.code < 2 && found.output.contains("one"), "\(found.errors)")
      let saved = try await run(
        "put c.sqlite --type Note --name two --create-zone --zone Other a=b")
      #expect(saved.code == 0, "\(saved.errors)")
      let copied = try await run("import c.sqlite copy.sqlite")
      #expect(copied.code == 2 && copied.errors.contains(name), "\(copied.errors)")
      let repaired = try await run("import backup.sqlite c.sqlite --on-conflict replace")
      #expect(repaired.code == 0, "\(repaired.errors)")
      let again = try await run("verify c.sqlite")
      #expect(again.code == 0, "\(again.output)")
      let whole = try await run("export c.sqlite -o b.recordpack")
      #expect(whole.code == 0, "\(whole.errors)")
    }
  }

  @Test("A device without an end is not read as records")
  func device() async throws {
    try await withFolder { folder in
      try Samples.makeContainer(in: folder)
      let result = try await ToolProcess.run("put", "Tact.sqlite", "/dev/zero", in: folder)
      #expect(result.code == 2 && result.errors.contains("'/dev/zero', line 1"), "\(result.errors)")
    }
  }

  @Test("A policy for a record of many fields takes no time for each pair of them")
  func policy() async throws {
    try await withFolder { folder in
      let count = TestAmount.of(30_000, some: 12_000)
      let fields = (0..<count).map { #""f\#($0)":{"type":"STRING","value":"x"}"# }
      let record =
        #"{"records":[{"recordName":"a","recordType":"Note","fields":{\#(fields.joined(separator: ","))}}]}"#
      try Data(record.utf8).write(to: URL(fileURLWithPath: folder + "/r.json"))
      let result = try await ToolProcess.shell(
        "recordpack import --from web-services r.json c.sqlite -q && recordpack fixture policy c.sqlite",
        in: folder)
      // The policy names 10,000 fields, and redacts the others.
      #expect(result.code == 0 && result.output.contains("\ndefault: redact"), "\(result.errors)")
    }
  }
}

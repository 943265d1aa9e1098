import Foundation
import RecordPack
import Testing

/// The code of doc comments of RecordBundle and RecordStore. What names a file in the working
/// directory is compiled only.
struct DocCommentSnippetTests {
  @Test("a container in memory")
  func container() throws {
    let container = try ContainerStore.inMemory()
    var note = DraftRecord(recordType: "Note")
    note["title"] = "Hello"
    let saved = try container.transaction { try $0.save([note], in: .private) }
    #expect(saved[0]["title"] as? String == "Hello")
  }

  func extracting() throws {
    let source = try ArchiveSource.open(["Customers.recordpack"])
    let extraction = Extraction(of: source)
    let report = try extraction.write(to: "one.recordpack") { ask in
      for found in try source.records(named: "chat-42") { try ask(found.record, found.database) }
    }
    print(report.records)
  }

  func anonymising() throws {
    let key = try AnonymisationKey(contentsOf: URL(filePath: "anonymise.key"))
    let anonymisation = Anonymisation(try AnonymisationPolicy(path: "policy.yml"), key: key)
    let report = try anonymisation.write(
      ArchiveSource.open(["Customers.recordpack"]), to: "test.recordpack")
    for (key, _) in report.findings { print("\(key.recordType).\(key.field) still looks personal") }
  }

  func fixture(at url: URL) throws -> MockContainer {
    let container = try MockContainer.fixture(at: url)
    return container
  }

  func fixture(productionContainer: any CloudContainer) throws {
    let container: any CloudContainer =
      try MockContainer.fixture(environment: ProcessInfo.processInfo.environment)
      ?? productionContainer
    print(container)
  }

  func reading() throws {
    let bundle = try BundleReader(path: "Tact.recordpack")
    try bundle.forEachRecord(RecordFilter(recordTypes: ["Chat"])) { record, database in
      if let title: String = record["title"] { print(database, title) }
    }
  }

  func writing() throws -> BundleSummary {
    let zoneID = ZoneID(zoneName: "Chats")
    let chat = DraftRecord(
      recordType: "Chat", recordID: RecordID(recordName: "hiking", zoneID: zoneID))

    let writer = try BundleWriter(path: "Tact.recordpack", container: ContainerInfo())
    try writer.write(RecordZone(zoneID: zoneID), database: .private)
    try writer.write(chat.resultRecord(), database: .private)
    let summary = try writer.finish()
    return summary
  }

  func recovering() throws {
    let report = try BundleRecovery.recover(["Tact.recordpack"], to: "Recovered.recordpack")
    print(report.isComplete, report.saved[.record] ?? 0)
  }
}

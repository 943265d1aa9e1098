import CloudWebServices
import Foundation
import MockCloud
import RecordModel
import TestSupport
import Testing

/// The page in a browser: Chromium, with or without JavaScript.
@Suite(
  .serialized,
  .enabled(
    if: FileManager.default.isExecutableFile(atPath: "/usr/bin/chromedriver")
      && Command.pythonHas("selenium"),
    "Chromium cannot be driven: apt install chromium-driver, pip install selenium"))
struct PageBrowserTests {
  @Test func `the page is read, followed live and used by keyboard in a browser`() async throws {
    let container = try MockContainer.inMemory(
      info: ContainerInfo(identifier: "iCloud.com.example.notes", environment: .development),
      rules: .webServices)
    try await Self.fill(container.privateCloudDatabase)
    var served = try WebContainer(container)
    served.seed = try container.fork()
    let handler = WebServicesHandler(
      [served], admin: WebAdmin { _ in Data() }, page: .withServices)
    let result = try await runScript("page_browser.py", against: handler)
    #expect(result.code == 0, "\(result.output)")
    #expect(result.output.components(separatedBy: ": ok").count == 11, "\(result.output)")
  }

  @Test func `records, zones and shares are changed in a browser`() async throws {
    let info = ContainerInfo(
      identifier: "iCloud.com.example.notes", environment: .development, schema: Self.schema,
      currentUserRecordName: "_anna")
    var rules = ServerRules.webServices
    rules.queries.enforcesIndexes = false
    let container = try MockContainer.inMemory(info: info, rules: rules)
    _ = try container.account("_kenji", nameComponents: .init(givenName: "Kenji"))
    try await Self.fill(container.privateCloudDatabase)
    let handler = WebServicesHandler(
      [try WebContainer(container)], admin: WebAdmin(), page: .withServices)
    let result = try await runScript("page_editing.py", against: handler)
    #expect(result.code == 0, "\(result.output)")
    #expect(result.output.components(separatedBy: ": ok").count == 7, "\(result.output)")
  }

  private static let schema = """
    DEFINE SCHEMA
      RECORD TYPE Note (
        title STRING, count INT64, score DOUBLE, due TIMESTAMP, data BYTES, place LOCATION,
        author REFERENCE, file ASSET, secret ENCRYPTED STRING, tags LIST<STRING>,
        counts LIST<INT64>, files LIST<ASSET>,
        GRANT READ, CREATE, WRITE TO "_icloud"
      );
    """

  private static func fill(_ database: MockDatabase) async throws {
    let zoneID = ZoneID(zoneName: "Notes")
    try await database.save(RecordZone(zoneID: zoneID))
    var first = DraftRecord(
      recordType: "Note", recordID: RecordID(recordName: "first", zoneID: zoneID))
    first["title"] = "Hello"
    first.encryptedValues["secret"] = "secret word"
    try await database.save(first)
    var child = DraftRecord(
      recordType: "Note", recordID: RecordID(recordName: "child", zoneID: zoneID))
    child["title"] = "Below"
    child.parent = Reference(recordID: first.recordID)
    try await database.save(child)
  }
}

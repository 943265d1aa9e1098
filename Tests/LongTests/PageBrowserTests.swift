import CloudWebServices
import Foundation
import MockCloud
import RecordArchive
import RecordModel
import RecordPages
import RecordSchema
import TestSupport
import Testing

/// The page in a browser: Chromium, with or without JavaScript.
@Suite(
  .serialized,
  .enabled("Chromium cannot be driven: apt install chromium-driver, pip install selenium") {
    guard Command.exists("chromedriver") else { return false }
    return await Command.pythonHas("selenium")
  })
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
    #expect(result.output.components(separatedBy: ": ok").count == 13, "\(result.output)")
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

  @Test func `every view and report fits a desk and a phone, in light and in dark`() async throws {
    let info = ContainerInfo(
      identifier: "iCloud.com.example.notes", environment: .development, schema: Self.schema,
      currentUserRecordName: "_anna")
    let container = try MockContainer.inMemory(info: info, rules: .webServices)
    var served = try WebContainer(container)
    let before = try container.fork()
    served.seed = before
    let handler = WebServicesHandler(
      [served], admin: WebAdmin { _ in Data() }, page: .withServices)
    let views = try await runScript("page_looks.py", against: handler)
    #expect(views.code == 0, "\(views.output)")
    #expect(views.output.components(separatedBy: ": ok").count == 3, "\(views.output)")
    let folder = try TestFolder()
    for (name, page) in try Self.reports(from: before, to: container) {
      try folder.write(Array(page.text.utf8), as: "\(name).html")
    }
    let reports = try await runScript("page_looks.py", [folder.path("")])
    #expect(reports.code == 0, "\(reports.output)")
    #expect(reports.output.components(separatedBy: ": ok").count == 2, "\(reports.output)")
  }

  @Test func `forty steps of a day's work are done by keyboard, on a narrow page`() async throws {
    let folder = try TestFolder()
    let path = folder.path("Tact.sqlite")
    try await Command(try #require(Place.program("tact")), path)
    let container = try MockContainer.open(path: path, rules: .webServices)
    var served = try WebContainer(container)
    served.seed = try container.fork()
    let handler = WebServicesHandler(
      [served], admin: WebAdmin { _ in Data() }, page: .withServices)
    let options = ["tact", "--width", "400", "--dark", "--keyboard"]
    let result = try await runScript("page_work.py", against: handler, options)
    #expect(result.code == 0, "\(result.output)")
    #expect(result.output.contains("40 of 40 steps passed"), "\(result.output)")
  }

  /// The pages that commands of the tool write, about what is in a container.
  private static func reports(
    from before: MockContainer, to after: MockContainer
  ) throws -> [(String, HTML)] {
    let sources = [before, after].map { ArchiveSource.container($0.store) }
    let schemas = try sources.map { try #require(try $0.info().schemaDocument(of: "schema")) }
    let references = SchemaReferences(
      of: schemas[1].schema, records: try SchemaReferences(scanning: sources[1]))
    let diagram = SchemaDiagram(schemas[1].schema, references: references).figure
    let profile = try sources[1].profile()
    var difference = DifferencePage(
      first: "before", second: "after", showEncrypted: false, isSummary: false)
    var changes = HTML.empty
    let found = try ArchiveComparison(sources[0], sources[1]).run { changes += difference.add($0) }
    changes += difference.end()
    let check = try SchemaChecker().compare(from: schemas[0], to: schemas[1], kind: .deploy)
    return [
      ("report", ArchiveReport(profile, diagram: diagram).page.html),
      ("report-names", ArchiveReport(profile, showsNames: true, diagram: diagram).page.html),
      ("diff", difference.opening(found) + changes + difference.closing(found)),
      (
        "schema-diff",
        SchemaReportPage(
          check, failOn: .error, from: schemas[0].schema, to: schemas[1].schema
        ).document.html
      ),
      ("schema-validate", SchemaReportPage(try SchemaChecker().validate(schemas[1])).document.html),
    ]
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

import Foundation
import RecordArchive
import RecordCoding
import RecordModel
import RecordStore
import StoreTestSupport
import TestSupport
import Testing

@testable import RecordPages

@Suite("A report")
struct ArchiveReportTests {
  private func page(_ source: ArchiveSource, names: Bool = false) throws -> String {
    ArchiveReport(try source.profile(), showsNames: names).page.html.text
  }

  private func page(_ container: ContainerStore, names: Bool = false) throws -> String {
    try page(.container(container), names: names)
  }

  @Test("says what is in there, and nothing of what it says")
  func contents() async throws {
    let html = try page(ReportSample.container())
    for text in [
      "iCloud.com.example.tact", "production", "2025-03-01 01:00:00 UTC", "Message", "number",
      "in no record", "LIST&lt;STRING&gt;", "cloudkit.share", "per month", "read and write",
      "ENCRYPTED STRING",
    ] {
      #expect(html.contains(text), "\(text)")
    }
    for secret in ReportSample.secrets { #expect(!html.contains(secret), "\(secret)") }
    #expect(try await MarkupCheck.faults(in: html) == nil)
  }

  @Test("has numbers in place of names, unless names are asked for")
  func names() throws {
    let container = try ReportSample.container()
    let personal = ["Family Smith", "_smith", "_jane", "message-3", "share-1", "holiday-chat"]
    let (covered, open) = (try page(container), try page(container, names: true))
    for name in personal {
      #expect(!covered.contains(name), "\(name)")
      #expect(open.contains(name), "\(name)")
    }
    #expect(covered.contains("zone 2"))
    #expect(covered.contains("numbers in place of their names"))
    #expect(open.contains("It has the names"))
    let json = ArchiveReport(try ArchiveSource.container(container).profile()).json
    for name in personal + ReportSample.secrets {
      #expect(!json.compactText.contains(name), "\(name)")
    }
  }

  @Test("names the file only if names are asked for, and never its folder")
  func fileName() throws {
    let folder = try TestFolder()
    let bundle = try ReportSample.bundle(of: ReportSample.container(), in: folder)
    let (covered, open) = (try page(bundle), try page(bundle, names: true))
    #expect(!covered.contains("a.recordpack"))
    #expect(open.contains("a.recordpack"))
    #expect(!open.contains(folder.path))
  }

  @Test("is the same for the same source, and has the same numbers for its bundle")
  func determinism() throws {
    let container = try ReportSample.container()
    let pages = [try page(container), try page(container)]
    #expect(pages[0] == pages[1])
    let folder = try TestFolder()
    let bundle = try ReportSample.bundle(of: container, in: folder)
    let bundlePages = [try page(bundle), try page(bundle)]
    #expect(bundlePages[0] == bundlePages[1])
    let depends = ["kind", "bytes", "contentBytes", "formatVersion"]
    let members = try [bundle, .container(container)].map { source in
      (ArchiveReport(try source.profile()).json.members ?? []).filter { !depends.contains($0.name) }
    }
    #expect(members[0].count == members[1].count)
    let texts = members.map { JSONValue.object($0).compactText }
    #expect(texts[0] == texts[1])
  }

  @Test("of an empty container says so")
  func empty() async throws {
    let html = try page(ContainerStore.inMemory())
    #expect(html.contains("There are no records."))
    #expect(html.contains("A CloudKit container"))
    #expect(!html.contains("id=\"time\""))
    #expect(!html.contains("id=\"fields\""))
    #expect(try await MarkupCheck.faults(in: html) == nil)
  }

  @Test("of a container with only a public database has one chart of sizes")
  func onlyPublic() async throws {
    let container = try ContainerStore.inMemory()
    try container.database(.public).save([
      DraftRecord(recordType: "Note", recordID: RecordID(recordName: "n"))
    ])
    let html = try page(container)
    #expect(html.contains("By record type"))
    #expect(!html.contains("By zone"))
    #expect(html.contains("_defaultZone"))
    #expect(try await MarkupCheck.faults(in: html) == nil)
  }

  @Test(
    "escapes hostile names",
    arguments: [
      "<script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "'; </style> &amp;",
      "写真 📷", "שלום \u{202E}abc", "</details></table>",
    ])
  func hostileNames(name: String) async throws {
    let container = try ContainerStore.inMemory(
      info: ContainerInfo(identifier: name, schema: "// \(name)", schemaVersion: name))
    // A save would refuse such names.
    let field = JSONValue.object([.init("value", .integer(1)), .init("type", .string("INT64"))])
    let record = JSONValue.object([
      .init("recordName", .string(name)), .init("recordType", .string(name)),
      .init("zoneID", ZoneID(zoneName: name).jsonValue()),
      .init(
        "created",
        .object([.init("timestamp", .integer(0)), .init("userRecordName", .string(name))])),
      .init("fields", .object([.init(name, field)])),
    ])
    let response = JSONValue.object([.init("records", .array([record]))]).compactText
    let source = ResponseSource(name: "response") { Data(response.utf8) }
    let responses = ArchiveSource.responses(ResponseSet([source], database: .private))
    _ = try Archiver().run(from: [responses], into: .container(container))
    let html = try page(container, names: true)
    #expect(html.contains(HTML(text: name).text))
    for markup in ["<script", "<img", "\u{202E}"] { #expect(!html.contains(markup)) }
    #expect(try await MarkupCheck.faults(in: html) == nil)
  }

  @Test("does not trust sizes")
  func hugeSizes() async throws {
    let container = try ContainerStore.inMemory()
    let records = (0..<3).map { number in
      """
      {"recordName":"r\(number)","recordType":"T","recordChangeTag":"1","fields":{"file":\
      {"type":"ASSETID","value":{"fileChecksum":"Ab==","size":9223372036854775807}}}}
      """
    }
    let response = "{\"records\":[\(records.joined(separator: ","))]}"
    let source = ResponseSource(name: "response") { Data(response.utf8) }
    let responses = ArchiveSource.responses(ResponseSet([source], database: .public))
    _ = try Archiver().run(from: [responses], into: .container(container))
    let html = try page(container)
    #expect(html.contains("the bytes of 3 references"))
    #expect(try await MarkupCheck.faults(in: html) == nil)
  }

  @Test("has no value of a field, whatever the values are")
  func noValues() throws {
    for seed in SeededGenerator.seeds(20) {
      var random = SeededGenerator(seed)
      var values: [String] = []
      /// Text that no name or number of a report is.
      func text() -> String {
        let word = "v" + String(random.next() | 1 << 60, radix: 36)
        values.append(word)
        return word
      }
      let container = try ContainerStore.inMemory()
      let drafts = (0..<20).map { number in
        var draft = DraftRecord(
          recordType: "T\(number % 2)", recordID: RecordID(recordName: "r\(number)"))
        for field in ["a", "b", "c"] {
          switch random.below(6) {
          case 0: draft[field] = text()
          case 1: draft[field] = [text(), text()]
          case 2: draft[field] = Data(text().utf8)
          case 3: draft.encryptedValues[field] = text()
          case 4: draft[field] = Reference(recordID: RecordID(recordName: text()), action: .none)
          default: draft[field] = Asset(data: Data(text().utf8))
          }
        }
        return draft
      }
      try container.database(.public).save(drafts)
      let source = ArchiveSource.container(container)
      let report = ArchiveReport(try source.profile(), showsNames: true)
      let outputs = [report.page.html.text, report.json.compactText]
      for value in values {
        let hidden = outputs.allSatisfy { !$0.contains(value) }
        #expect(hidden, "seed \(seed)")
        let encoded = Data(value.utf8).base64EncodedString()
        let isEncoded = outputs.contains { $0.contains(encoded) }
        #expect(!isEncoded, "seed \(seed)")
      }
    }
  }

  @Test("shows a diagram where it is given one")
  func diagram() throws {
    let profile = try ArchiveSource.container(ReportSample.container()).profile()
    let html = ArchiveReport(profile, diagram: "<figure id=\"diagram\"></figure>").page.html.text
    #expect(html.contains("<figure id=\"diagram\"></figure>\n<details><summary>The schema"))
  }
}

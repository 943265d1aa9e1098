import CloudWebServices
import Foundation
import MockCloud
import RecordModel
import RecordStore
import TestSupport
import Testing

/// The page shows Core Data's records as objects.
@Suite struct MirroredPageTests {
  private typealias Sample = MirroredSample

  private static let base = "/page/\(WebClient.identifier)/development"
  private static let zoneID = ZoneID(zoneName: Sample.zone)

  private func client() throws -> WebClient {
    let client = try WebClient(page: .withServices)
    try client.container.store.importTransaction { writer in
      try writer.add(RecordZone(zoneID: Self.zoneID), to: .private)
      for row in Sample.rows {
        let fields =
          row.texts.map { Field(name: $0, value: .string($1)) }
          + row.numbers.map { Field(name: $0, value: .int64(Int64($1))) }
          + row.secrets.map { Field(name: $0, value: .string($1), isEncrypted: true) }
          + row.files.map { name, text in
            Field(name: name, value: .asset(Asset(size: Int64(text.utf8.count))))
          }
        try writer.add(
          ResultRecord(
            systemFields: SystemFields(
              recordID: RecordID(recordName: row.name, zoneID: Self.zoneID), recordType: row.type),
            fields: fields), to: .private)
      }
    }
    return client
  }

  private func page(_ path: String) async throws -> String {
    let text = try await client().send(
      WebRequest(
        "GET", Self.base + path.replacing("ZONE", with: "database=private&zone=\(Sample.zone)"))
    ).text
    #expect(!text.contains(Sample.secret))
    return text
  }

  @Test func `the overview names entities`() async throws {
    let page = try await page("/overview")
    #expect(page.contains("<bdi>Note</bdi>") && page.contains("type=CD_Note"))
    #expect(page.contains("<bdi>CDMR</bdi>"))
  }

  @Test func `a table has attributes, links and the entities of objects`() async throws {
    let page = try await page("/records?ZONE&type=CD_Note")
    #expect(page.contains("Record type <bdi>CD_Note</bdi>"))
    #expect(page.contains("<th>Entity</th>") && page.contains("<td><bdi>Draft</bdi></td>"))
    #expect(!page.contains("<bdi>CD_title</bdi>") && page.contains("<bdi>title</bdi>"))
    // A column sorts by the field that the record has.
    #expect(page.contains("sort=CD_title"))
    for name in [Sample.folder, Sample.red, Sample.blue] {
      #expect(page.contains("name=\(name)"))
    }
  }

  @Test func `a file has the columns of the table, with links`() async throws {
    let text = try await page("/export?ZONE&type=CD_Note&format=csv")
    let lines = text.split(separator: "\r\n")
    let heads = try #require(lines.first).split(separator: ",")
    let tags = try #require(heads.firstIndex(of: "tags"))
    let note = try #require(lines.first { $0.hasPrefix(Sample.note) })
    #expect(note.contains(Sample.red) && note.contains(Sample.blue), "\(tags): \(note)")
  }

  @Test func `a predicate names attributes, or fields`() async throws {
    for name in ["title", "CD_title"] {
      let page = try await page("/records?ZONE&type=CD_Note&where=\(name)%20%3D%20'Letter'")
      #expect(page.contains(Sample.draft) && !page.contains("name=\(Sample.note)"))
    }
    let page = try await page("/records?ZONE&type=CD_Note&where=recordID%20%3D%20'\(Sample.note)'")
    #expect(!page.contains("name=\(Sample.draft)"))
  }

  @Test func `a record is shown as its object, with relationships in both directions`() async throws
  {
    let page = try await page("/record?ZONE&name=\(Sample.note)")
    #expect(page.contains("<bdi>Note</bdi></a></p>"))
    #expect(page.contains(/<bdi>folder<\/bdi>.*\n? *to Folder/))
    #expect(page.contains("to many Tag") && page.contains("name=\(Sample.red)"))
    #expect(page.contains("<bdi>text</bdi>") && page.contains("36 bytes"))
    #expect(page.contains("<dt>recordType</dt><dd>CD_Note</dd>"))
    let tag = try await self.page("/record?ZONE&name=\(Sample.red)")
    #expect(tag.contains("to many Note") && tag.contains("name=\(Sample.note)"))
  }
}

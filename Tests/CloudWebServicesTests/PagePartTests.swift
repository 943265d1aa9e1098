import Foundation
import MockCloud
import RecordModel
import RecordStore
import Testing

@testable import CloudWebServices

/// Parts of pages that are there for some values and requests only.
@Suite struct PagePartTests {
  private static let record = "database=private&zone=Notes&name=a"

  private static func client() async throws -> WebClient {
    let client = try WebClient(
      admin: WebAdmin(), page: .withServices, schema: EditingTests.schema)
    try await client.makeZone()
    return client
  }

  @Test func `a request without a body is copied without one`() async throws {
    let client = try await Self.client()
    _ = try await client.get("users/caller")
    let number = try #require(client.handler.log.entries.last?.number)
    let page = try await client.page("requests?number=\(number)")
    let script = try CopiedRequestTests.copied(page.text, "javascript")
    #expect(script.hasPrefix("const response = await fetch(\"") && !script.contains("method"))
  }

  @Test func `a page without requests has no requests and no history`() async throws {
    let client = try await Self.client()
    try await client.create("a")
    var alone = client
    alone.handler = WebServicesHandler(client.handler.containers, page: .alone)
    let services = try await client.page("record?\(Self.record)")
    let page = try await alone.page("record?\(Self.record)")
    for part in [">Requests</a>", ">Notifications</a>", "<h2>History</h2>"] {
      #expect(services.has(part))
      #expect(!page.has(part))
    }
  }

  @Test func `a line break in a number's input stays until it is mended`() async throws {
    let client = try await Self.client()
    try await client.create("a")
    let page = try await client.page("edit?\(Self.record)")
    var form = try #require(SentForm(page.text, action: "save"), "\(page.problem)")
    form.enter("1\n2", "count")
    let answer = try await client.send(form.request())
    #expect(answer.status == 400)
    #expect(answer.has(">\n1\n2</textarea>"), "\(answer.problem)")
  }

  @Test func `a file alone is a change`() async throws {
    let client = try await Self.client()
    try await client.create("a", #"{"title":{"value":"x"}}"#)
    for content in ["first", "second"] {
      let page = try await client.page("edit?\(Self.record)")
      var form = try #require(SentForm(page.text, action: "save"), "\(page.problem)")
      form.files = [("f/file/0/file", "a.txt", Data(content.utf8))]
      let answer = try await client.send(form.request())
      #expect(answer.status == 303, "\(answer.problem)")
      let asset: Asset = try #require(try await client.record("a")["file"])
      let url = try await client.container.privateCloudDatabase.fileURL(for: asset)
      #expect(try String(contentsOf: url, encoding: .utf8) == content)
    }
  }

  @Test func `a user's overview counts the assets of the records that the user sees`() async throws
  {
    let client = try await Self.client()
    let kenji = try client.container.account("_kenji")
    let databases = [client.container.privateCloudDatabase, kenji.privateCloudDatabase]
    for (database, content) in zip(databases, ["one", "another"]) {
      let zone = try await database.save(RecordZone(zoneName: "Files"))
      var draft = DraftRecord(
        recordType: "Note", recordID: RecordID(recordName: "a", zoneID: zone.zoneID))
      draft["file"] = Asset(data: Data(content.utf8))
      try await database.save(draft)
    }
    for (user, words) in [("_anna", "3 bytes"), ("_kenji", "7 bytes"), ("*_anna", "10 bytes")] {
      let page = try await client.page("overview", cookie: "console-actor=\(user)")
      #expect(page.has("assets, \(words)"), "\(user)")
    }
  }

  @Test func `a record without a text is known by its list of texts, or by a shown encrypted text`()
    async throws
  {
    let client = try await Self.client()
    try await client.create(
      "a",
      #"{"tags":{"value":["Mara","Ben"]},"secret":{"value":"covered","type":"STRING","isEncrypted":true}}"#
    )
    try await client.create(
      "b", #"{"author":{"type":"REFERENCE","value":{"recordName":"a","action":"NONE"}}}"#)
    let record = "record?database=private&zone=Notes&name=b"
    #expect(try await client.page(record).has("<bdi>Mara, Ben</bdi>"))
    #expect(try await !client.page(record).has("covered</bdi>"))
    #expect(try await client.page(record + "&encrypted=shown").has("<bdi>covered</bdi>"))
  }

  @Test func `a table offers conditions about the fields of its type, with and without a schema`()
    async throws
  {
    let place = "records?database=private&zone=Notes&type=Note"
    let types = [
      "title BEGINSWITH &#39;&#39;", "count &gt; 0", "has secret", "tags CONTAINS &#39;&#39;",
    ]
    let dates = ["creationDate &gt; &#39;2026-01-31&#39;"]
    for schema in [EditingTests.schema, nil] {
      let client = try WebClient(page: .withServices, schema: schema)
      try await client.makeZone()
      try await client.create(
        "a",
        #"{"title":{"value":"x"},"count":{"value":1,"type":"INT64"},"secret":{"value":"y","type":"STRING","isEncrypted":true},"tags":{"value":["z"],"type":"STRING_LIST"}}"#
      )
      for condition in types + dates {
        let table = try await client.page(place)
        #expect(table.has("<option value=\"\(condition)\">"), "\(condition)")
      }
      // Without a record that matches, there is still something to choose.
      let none = try await client.page(place + "&where=count%20%3E%207")
      #expect(
        none.has("No record matches.") && none.has("<option value=\"title\">title</option>"),
        "\(none.problem)")
    }
  }

  @Test func `a request without a response is one with errors`() async throws {
    let client = try await Self.client()
    var fault = WebFault()
    fault.isCut = true
    _ = try #require(client.handler.admin).faults.add(fault.on("zones/list", times: 1))
    _ = try? await client.post("zones/list")
    _ = try await client.post("zones/list")
    let page = try await client.page("requests?show=failed")
    #expect(page.has("<strong>1</strong> <span>with errors</span>"), "\(page.problem)")
    #expect(
      page.has("connection cut") && page.text.components(separatedBy: "dot failed").count == 2)
  }

  @Test
  func `without a schema, the records are searched for a condition's fields once for each change`()
    async throws
  {
    let client = try WebClient(page: .withServices)
    try await client.makeZone()
    // A save by a request would extend the schema.
    try client.container.store.transaction { transaction in
      let recordID = RecordID(recordName: "a", zoneID: ZoneID(zoneName: "Notes"))
      var draft = DraftRecord(recordType: "Note", recordID: recordID)
      draft["title"] = "x"
      _ = try transaction.save([draft], in: .private, savingAs: "_anna")
    }
    let table = "records?database=private&zone=Notes&type=Note&where=title%20%3D%20%27x%27"
    #expect(try await client.page(table).has("1</strong> of 1 match"))
    let made = client.handler.results.made
    #expect(made == 2)
    for _ in 0..<3 { _ = try await client.page(table) }
    #expect(client.handler.results.made == made)
  }

  @Test func `a filter of many records goes on to the last, and the next one finds an index`()
    async throws
  {
    let client = try await Self.client()
    let zoneID = ZoneID(zoneName: "Notes")
    let last = RecordListing.maxSearched + 99
    try client.container.store.transaction { transaction in
      let drafts = (0...last).map { number in
        var draft = DraftRecord(
          recordType: "Note", recordID: RecordID(recordName: "n\(number)", zoneID: zoneID))
        draft["count"] = number
        return draft
      }
      _ = try transaction.save(drafts, in: .private, savingAs: "_anna")
    }
    /// The page when all records were searched. A busy machine makes it wait, and the index, too.
    func complete(_ number: Int) async throws -> Answer {
      try await client.page(
        "records?database=private&zone=Notes&type=Note&where=count%20%3D%20\(number)"
      ) { answer in
        if answer.has("1</strong> of 20,100 match") { return true }
        // What was found so far is not the result.
        #expect(answer.has("searched") && !answer.has("No record matches."), "\(answer.problem)")
        return false
      }
    }
    let first = try await complete(last)
    #expect(first.has("1</strong> of 20,100 match") && first.has("n\(last)"), "\(first.problem)")
    let next = try await complete(last - 1)
    #expect(next.has("1</strong> of 20,100 match") && next.has("n\(last - 1)"), "\(next.problem)")
  }
}

@testable import CloudWebServices
import Foundation
import MockCloud
import RecordModel
import Testing

@Suite struct PageTests {
  static let base = "/page/\(WebClient.identifier)/development"

  let client: WebClient

  init() async throws {
    let admin = WebAdmin(clock: WebClock { WebClient.now }) { _ in Data("a bundle".utf8) }
    client = try WebClient(admin: admin, page: .withServices)
    try await client.makeZone()
  }

  private func page(_ path: String) async throws -> Answer {
    try await client.send(WebRequest("GET", Self.base + path))
  }

  private func record(_ name: String) async throws -> Answer {
    try await page("/record?database=private&zone=Notes&name=\(name)")
  }

  // MARK: Reading

  @Test func `there is no page unless asked for`() async throws {
    let closed = try WebClient()
    for path in ["/", "/page/page.js", Self.base + "/overview"] {
      let answer = try await closed.send(WebRequest("GET", path))
      #expect(answer.status == 404)
    }
  }

  @Test func `the overview counts the records of each type`() async throws {
    for name in ["a", "b", "c"] { try await client.create(name) }
    for path in ["/", Self.base + "/overview"] {
      let answer = try await client.send(WebRequest("GET", path))
      #expect(answer.status == 200)
      #expect(answer.response.headers["Content-Type"] == "text/html; charset=UTF-8")
      let link = "\(Self.base)/records?database=private&amp;zone=Notes&amp;type=Note"
      #expect(answer.text.contains("<a href=\"\(link)\"><bdi>Note</bdi></a>"))
      #expect(answer.text.contains("<td class=\"number\">3</td>"))
    }
  }

  @Test func `the overview shows no token that only some know`() async throws {
    let page = try await client.send(WebRequest("GET", "/")).text
    #expect(page.contains("ckAPIToken=test&amp;ckWebAuthToken=__defaultOwner__"))
    var access = WebAccess()
    access.apiTokens = ["key-of-the-app"]
    access.userTokens = ["token-of-anna": "_anna"]
    let closed = try WebClient(access: access, page: .withServices)
    let other = try await closed.send(WebRequest("GET", "/")).text
    #expect(other.contains("ckAPIToken=API_TOKEN&amp;ckWebAuthToken=WEB_AUTH_TOKEN"))
    #expect(!other.contains("key-of-the-app") && !other.contains("token-of-anna"))
  }

  @Test func `a record is shown with its fields, references and children`() async throws {
    try await client.create("top", #"{"title":{"value":"First\nsecond","type":"STRING"}}"#)
    try await client.create(
      "low",
      #"""
      {"top":{"type":"REFERENCE","value":{"recordName":"top","action":"NONE",
      "zoneID":{"zoneName":"Notes"}}},"count":{"value":7,"type":"INT64"}}
      """#)
    let top = try await record("top").text
    #expect(top.contains("<bdi>First<br>second</bdi>"))
    let low = try await record("low").text
    let link = "\(Self.base)/record?database=private&amp;zone=Notes&amp;name=top"
    #expect(
      low.contains(
        "<dd><a href=\"\(link)\"><bdi>top</bdi></a> <span class=\"quiet\"><bdi>First</bdi>"))
    #expect(top.contains("<bdi>Note.top</bdi> <span class=\"quiet\">(1)</span>"))
    #expect(low.contains("<bdi>7</bdi>"))
    let gone = try await record("other")
    #expect(gone.text.contains("There is no such record"))
  }

  @Test func `a record is found by its name alone`() async throws {
    try await client.create("somewhere")
    let found = try await page("/search?text=somewhere")
    let path = try #require(found.response.headers["Location"])
    #expect(path.hasSuffix("zone=Notes&name=somewhere"))
    let none = try await page("/search?text=nowhere")
    #expect(none.text.contains("No name, and no word of a text, begins with this."))
  }

  @Test func `text of a record cannot become markup`() async throws {
    let text = "<img src=x onerror=alert(1)>\\\"'&"
    try await client.create("<b>", "{\"title\":{\"value\":\"\(text)\",\"type\":\"STRING\"}}")
    for path in ["/records?database=private&zone=Notes&type=Note", "/changes", "/requests"] {
      let page = try await page(path).text
      #expect(!page.contains("<img"))
      #expect(!page.contains("<b>"))
    }
    let page = try await record("%3Cb%3E").text
    #expect(page.contains("&lt;img src=x onerror=alert(1)&gt;&quot;&#39;&amp;"))
    #expect(!page.contains("<img"))
  }

  // MARK: The table

  @Test(arguments: ["sort=-number", "sort=number", ""])
  func `all records come in order, page after page`(_ query: String) async throws {
    for number in 0..<60 {
      try await client.create(
        "n\(number % 10)\(number / 10)", #"{"number":{"value":\#(number / 7),"type":"INT64"}}"#)
    }
    var path: String? = "/records?database=private&zone=Notes&type=Note&limit=25&" + query
    var found: [String] = []
    var pages = 0
    while let next = path {
      let text = try await page(next).text
      found += text.matches(of: /name=(n[0-9]+)"/).map { String($0.1) }
      path = text.firstMatch(of: /rel="next" href="([^"]*)"/).map {
        String($0.1).replacing("&amp;", with: "&").replacing(Self.base, with: "")
      }
      pages += 1
    }
    #expect(pages == 3)
    #expect(Set(found).count == 60)
    let records = try client.container.store.snapshot { snapshot in
      try found.map { name in
        let id = RecordID(recordName: name, zoneID: ZoneID(zoneName: "Notes"))
        return try snapshot.record(for: id, in: .private)
      }
    }
    let numbers = records.compactMap {
      $0?.field(named: "number").flatMap(Self.number)
    }
    if query == "sort=number" { #expect(numbers == numbers.sorted()) }
    if query == "sort=-number" { #expect(numbers == numbers.sorted(by: >)) }
    if query.isEmpty { #expect(found == found.sorted()) }
  }

  private static func number(_ field: Field) -> Int64? {
    if case .int64(let number) = field.value { number } else { nil }
  }

  @Test func `a table is exported even if its address names no type`() async throws {
    try await client.create("a")
    let table = try await page("/records?database=private&zone=Notes").text
    let links = table.split(separator: "href=\"").map { $0.prefix { $0 != "\"" } }
      .filter { $0.contains("/export?") }
    #expect(links.count == 3)
    for link in links {
      let path = String(link).replacing("&amp;", with: "&")
      #expect(try await client.send(WebRequest("GET", path)).status == 200, "\(path)")
    }
  }

  @Test func `records are filtered by a predicate, and a wrong one is told`() async throws {
    for (name, title) in [("a", "Apple"), ("b", "Banana"), ("c", "Apricot")] {
      try await client.create(name, "{\"title\":{\"value\":\"\(title)\",\"type\":\"STRING\"}}")
    }
    let path = "/records?database=private&zone=Notes&type=Note&where="
    let page = try await page(path + "title%20BEGINSWITH%20'Ap'").text
    #expect(page.contains("Apple") && page.contains("Apricot") && !page.contains("Banana"))
    let wrong = try await self.page(path + "title%20LIKES%20'Ap'")
    #expect(wrong.status == 200)
    #expect(wrong.text.contains("role=\"alert\""))
  }

  // MARK: Encrypted values

  @Test func `encrypted values are covered until asked for`() async throws {
    let secret = "the-secret-word"
    try await client.create(
      "a",
      "{\"secret\":{\"value\":\"\(secret)\",\"type\":\"STRING\",\"isEncrypted\":true}}")
    let paths = [
      "/record?database=private&zone=Notes&name=a",
      "/records?database=private&zone=Notes&type=Note", "/requests",
    ]
    for path in paths {
      let covered = try await page(path)
      #expect(covered.status == 200)
      #expect(!covered.text.contains(secret))
      let shown = try await page(path + (path.contains("?") ? "&" : "?") + "encrypted=shown")
      #expect(shown.text.contains(secret))
    }
    for path in ["/overview", "/changes", "/shares", "/schema", "/notifications"] {
      let page = try await page(path).text
      #expect(!page.contains(secret))
    }
  }

  @Test func `a value without its mark is covered if the schema encrypts its field`() async throws {
    var info = try client.container.store.info()
    info.schema = "DEFINE SCHEMA RECORD TYPE Note (secret ENCRYPTED STRING);"
    try client.container.store.setInfo(info)
    try await client.create("a", #"{"secret":{"value":"the-secret-word","type":"STRING"}}"#)
    _ = try await client.post(
      "records/query",
      #"""
      {"zoneID":{"zoneName":"Notes"},"query":{"recordType":"Note","filterBy":[{"fieldName":
      "secret","comparator":"EQUALS","fieldValue":{"value":"the-secret-word"}}]}}
      """#)
    let page = try await page("/requests").text
    #expect(page.contains("records/query"))
    #expect(!page.contains("the-secret-word"))
  }

  // MARK: Changes, requests and notifications

  @Test func `changes are listed, the newest first`() async throws {
    try await client.create("a")
    try await client.create("b")
    _ = try await client.post(
      "records/modify",
      #"""
      {"zoneID":{"zoneName":"Notes"},"operations":[
      {"operationType":"forceDelete","record":{"recordName":"a"}}]}
      """#)
    let page = try await page("/changes").text
    let deleted = try #require(page.range(of: "deleted</span></td>"))
    let created = try #require(page.range(of: "name=b"))
    #expect(deleted.lowerBound < created.lowerBound)
    // A deleted record has a page: with its history, from which it is restored.
    #expect(page.contains("name=a\""))
  }

  @Test func `the head names the file that the contents came from`() async throws {
    var served = try WebContainer(try MockContainer.inMemory(rules: .webServices))
    served.fileName = "Chats.recordpack"
    let handler = WebServicesHandler([served], page: .alone)
    let response = await handler.respond(to: WebRequest("GET", "/"))
    let page = String(decoding: response.body, as: UTF8.self)
    #expect(page.contains("<strong><bdi>Chats.recordpack</bdi></strong>"))
  }

  @Test func `requests are listed with what was sent and answered`() async throws {
    _ = try await client.post("zones/list", #"{"strange":1}"#)
    _ = try await client.post("zones/lookup", "{")
    let page = try await page("/requests").text
    #expect(page.contains("unknown member &#39;strange&#39;"))
    #expect(page.contains("BAD_REQUEST"))
    #expect(page.contains("&quot;zoneName&quot;: &quot;Notes&quot;"))
    // The page itself is not among them, and neither are tokens.
    #expect(!page.contains("GET <code>/page"))
    #expect(!page.contains("ckWebAuthToken"))
  }

  /// A load of the page reads no bodies but those that it shows.
  @Test func `errors of items are counted when a request comes`() async throws {
    for _ in 0..<40 {
      _ = try await client.post(
        "records/lookup", #"{"zoneID":{"zoneName":"Notes"},"records":[{"recordName":"none"}]}"#)
    }
    #expect(client.handler.log.entries.allSatisfy { $0.facts.errors == ["NOT_FOUND"] })
    let page = try await page("/requests").text
    #expect(page.contains("NOT_FOUND") && page.contains("with errors"))
  }

  @Test func `what a subscription would have sent is listed`() async throws {
    let database = client.container.device("Phone").privateCloudDatabase
    try await database.save(
      CloudSubscription(
        subscriptionID: "all-notes", kind: .zone(ZoneID(zoneName: "Notes"), recordType: nil)))
    try await client.create("a")
    let page = try await page("/notifications").text
    #expect(page.contains("<bdi>all-notes</bdi>"))
    #expect(page.contains("&quot;sid&quot;: &quot;all-notes&quot;"))
  }

  // MARK: Assets

  @Test func `an image is shown, and what could be a page is downloaded`() async throws {
    let png = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 1, 2, 3])
    let script = Data("<html><script>alert(1)</script>".utf8)
    let bmp = Data("BM".utf8) + [58, 0, 0, 0, 0, 0, 0, 0, 54, 0, 0, 0, 40, 0]
    for (name, content, type) in [
      ("image", png, "image/png"), ("bitmap", bmp, "image/bmp"),
      ("script", script, "application/octet-stream"),
    ] {
      var draft = DraftRecord(
        recordType: "Note", recordID: RecordID(recordName: name, zoneID: ZoneID(zoneName: "Notes")))
      draft["file"] = Asset(data: content)
      try await client.container.privateCloudDatabase.save(draft)
      let page = try await record(name).text
      let path = try #require(page.firstMatch(of: /href="([^"]*\/asset\?[^"]*)"/)?.1)
      #expect(page.contains("<img") == (name != "script"))
      let file = try await client.send(WebRequest("GET", String(path)))
      #expect(file.response.body == content)
      #expect(file.response.headers["X-Content-Type-Options"] == "nosniff")
      let disposition = file.response.headers["Content-Disposition"]
      #expect(file.response.headers["Content-Type"] == type)
      #expect(disposition == (name == "script" ? "attachment" : nil))
    }
  }

  // MARK: Read only

  @Test func `the page alone answers no other request`() async throws {
    let admin = WebAdmin { _ in Data() }
    let client = try WebClient(admin: admin, page: .alone)
    let page = try await client.send(WebRequest("GET", "/"))
    #expect(page.status == 200)
    #expect(page.text.contains("read-only"))
    #expect(!page.text.contains("method=\"post\""))
    let zones = try await client.post("zones/list")
    #expect(zones.status == 404)
    let reset = try await client.send(WebRequest("POST", "/admin/reset"))
    #expect(reset.status == 404)
    let action = try await client.send(
      WebRequest(
        "POST", Self.base + "/actions/reset",
        headers: ["Host": "localhost:80", "Origin": "http://localhost:80"]))
    #expect(action.status == 404)
  }
}

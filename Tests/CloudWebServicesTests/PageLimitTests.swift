import CloudWebServices
import Foundation
import MockCloud
import RecordModel
import RecordStore
import Testing

/// Values that are long, and words of the page that say what is there.
@Suite struct PageLimitTests {
  private static let base = "/page/\(WebClient.identifier)/development"

  let client: WebClient

  init() async throws {
    client = try WebClient(
      admin: WebAdmin(clock: WebClock { WebClient.now }) { _ in Data() }, page: .withServices)
    try await client.makeZone()
  }

  private func page(_ path: String) async throws -> Answer {
    try await client.send(WebRequest("GET", Self.base + path))
  }

  @Test func `a long value is shown whole when asked for`() async throws {
    let text = String(repeating: "0123456789", count: 60_000)
    try await client.create(
      "a",
      #"""
      {"text":{"value":"\#(text)","type":"STRING"},
      "texts":{"value":["\#(text.prefix(100_000))"],"type":"STRING_LIST"}}
      """#)
    let path = "/record?database=private&zone=Notes&name=a"
    let short = try await page(path).text
    #expect(short.utf8.count < 200_000)
    #expect(short.contains("580,000 more characters"))
    let whole = try #require(short.firstMatch(of: /href="([^"]*long=shown)"/)?.1)
    let long = try await client.send(WebRequest("GET", String(whole).replacing("&amp;", with: "&")))
    #expect(long.text.contains(text))
    #expect(!long.text.contains("more characters"))
    let table = try await page("/records?database=private&zone=Notes&type=Note").text
    #expect(table.contains("0123456789…</bdi>"))
  }

  @Test func `zones, users and types that a list does not show are counted`() async throws {
    let store = client.container.store
    try store.importTransaction { writer in
      for number in 0..<510 {
        try writer.add(RecordZone(zoneName: "Zone \(number)"), to: .private)
      }
      for number in 0..<110 {
        let recordID = RecordID(recordName: "\(number)", zoneID: ZoneID(zoneName: "Notes"))
        let fields = SystemFields(recordID: recordID, recordType: "Type\(number)")
        try writer.add(ResultRecord(systemFields: fields, fields: []), to: .private)
      }
    }
    var info = try store.info()
    info.accounts = (100..<610).map { ContainerAccount(userRecordName: "_user\($0)") }
    try store.setInfo(info)
    #expect(try await page("/zones").text.contains("<p>11 more zones.</p>"))
    #expect(try await page("/users").text.contains("<p>11 more users.</p>"))
    #expect(try await page("/overview").text.contains(" more zones.</p>"))
    #expect(try await page("/records?database=private&zone=Notes").text.contains("type=Type109"))
    let whole = WebRequest(
      "GET", Self.base + "/overview", headers: ["Cookie": "console-actor=*__defaultOwner__"])
    #expect(try await client.send(whole).text.contains("<p>210 more users.</p>"))
  }

  @Test func `line breaks of Windows are line breaks`() async throws {
    try await client.create("a", #"{"text":{"value":"one\r\ntwo\nthree","type":"STRING"}}"#)
    let record = try await page("/record?database=private&zone=Notes&name=a").text
    #expect(record.contains("<bdi>one<br>two<br>three</bdi>"))
    var info = try client.container.store.info()
    info.schema = "DEFINE SCHEMA\r\n  RECORD TYPE Note (\r\n    text STRING\r\n  );\r\n"
    try client.container.store.setInfo(info)
    #expect(!(try await page("/schema").text.contains("\\r")))
  }

  @Test func `a page that needs an index while the server ends is to be asked for again`()
    async throws
  {
    try await client.create("a")
    client.handler.stop()
    let page = try await page("/records?database=private&zone=Notes&type=Note")
    #expect(page.status == 503 && page.response.headers["Retry-After"] == "1", "\(page.text)")
  }

  @Test func `a page about a container that cannot be read says why`() async throws {
    let page = try await page("/overview")
    #expect(page.status == 200)
    try client.container.store.close()
    let closed = try await self.page("/overview")
    #expect(closed.status == 503 && closed.response.headers["Retry-After"] == "1")
    #expect(closed.text.contains("the container is closed"))
  }

  @Test func `children among many records are found by an index`() async throws {
    let zoneID = ZoneID(zoneName: "Notes")
    try await client.create("top")
    try client.container.store.importTransaction { writer in
      for number in 0..<20_001 {
        let id = RecordID(recordName: "n\(number)", zoneID: zoneID)
        let top = RecordID(recordName: "top", zoneID: zoneID)
        let parent = number == 7 ? Reference(recordID: top) : nil
        let system = SystemFields(recordID: id, recordType: "Note", parent: parent)
        try writer.add(ResultRecord(systemFields: system, fields: []), to: .private)
      }
    }
    let path = "/record?database=private&zone=Notes&name=top"
    let first = try await client.page(String(path.dropFirst())) { $0.has("name=n7\"") }
    #expect(first.has("name=n7\""), "\(first.problem)")
  }

  @Test func `the head of a page can be asked for`() async throws {
    let answer = try await client.send(WebRequest("HEAD", Self.base + "/overview"))
    #expect(answer.status == 200)
  }

  @Test func `what a fault does is told`() async throws {
    let faults = [
      ("error=THROTTLED&moment=after", "THROTTLED, after the change"),
      ("latency=2.5", "latency of 2.5 s"), ("otherwise=cut", "connection cut"),
      ("otherwise=hold&endpoint=none", "request held"),
    ]
    for (form, _) in faults {
      let request = WebRequest(
        "POST", Self.base + "/actions/add-fault",
        headers: ["Host": "localhost", "Origin": "http://localhost"], body: Data(form.utf8))
      #expect(try await client.send(request).status == 303)
    }
    let body = #"{"response":{"status":503,"body":{"a":1}},"recordType":"Note","latency":0.5}"#
    _ = try await client.send(WebRequest("POST", "/admin/faults", body: Data(body.utf8)))
    let page = try await page("/faults").text
    for (_, words) in faults { #expect(page.contains("<td>\(words)</td>")) }
    #expect(page.contains("<td>response 503 of 7 bytes, latency of 0.5 s</td>"))
    #expect(page.contains("<td><bdi>Note</bdi></td>"))
  }

  @Test func `the form of a table keeps that encrypted values are shown`() async throws {
    try await client.create("a")
    let path = "/records?database=private&zone=Notes&type=Note"
    let input = "<input type=\"hidden\" name=\"encrypted\" value=\"shown\">"
    #expect(try await page(path + "&encrypted=shown").text.contains(input))
    #expect(!(try await page(path).text.contains(input)))
  }
}

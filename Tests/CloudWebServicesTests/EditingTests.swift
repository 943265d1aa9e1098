import CloudWebServices
import Foundation
import MockCloud
import RecordModel
import RecordSchema
import TestSupport
import Testing

/// Records that are made, changed and deleted in the console.
@Suite struct EditingTests {
  static let schema = """
    DEFINE SCHEMA
      RECORD TYPE Note (
        title STRING, count INT64, score DOUBLE, due TIMESTAMP, data BYTES, place LOCATION,
        author REFERENCE, file ASSET, secret ENCRYPTED STRING,
        tags LIST<STRING>, counts LIST<INT64>, scores LIST<DOUBLE>, dates LIST<TIMESTAMP>,
        parts LIST<BYTES>, places LIST<LOCATION>, authors LIST<REFERENCE>, files LIST<ASSET>,
        secrets LIST<ENCRYPTED STRING>,
        GRANT READ, CREATE, WRITE TO "_icloud"
      );
    """

  let client: WebClient

  init() async throws {
    client = try WebClient(admin: WebAdmin(), page: .withServices, schema: Self.schema)
    try await client.makeZone()
  }

  private static let zone = "database=private&zone=Notes"

  private func form(_ query: String = "&type=Note") async throws -> SentForm {
    let page = try await client.page("edit?\(Self.zone)\(query)")
    return try #require(SentForm(page.text, action: "save"), "\(page.problem)")
  }

  private func saved(_ form: SentForm) async throws -> ResultRecord {
    let answer = try await client.send(form.request())
    #expect(answer.status == 303, "\(answer.problem)")
    return try await client.record(form["record"]?.removingPercentEncoding ?? form["name"] ?? "")
  }

  // MARK: Values

  @Test func `a record is made with a value of each type`() async throws {
    try await client.create("ada")
    var form = try await form()
    form["name"] = "all"
    form.enter("One\nTwo", "title")
    form.enter("-9223372036854775808", "count")
    form.enter("2.5e-3", "score")
    form.enter("2026-07-01T12:30", "due")
    form.enter("Europe/Berlin", "due", "0/timezone")
    form.enter("AAEC", "data")
    form.enter("52.5", "place", "0/latitude")
    form.enter("-13.4", "place", "0/longitude")
    form.enter("ada", "author")
    form.enter("DELETE_SELF", "author", "0/action")
    form.enter("hush", "secret")
    form.files = [
      ("f/file/0/file", "a.txt", Data("content".utf8)), ("f/files/files", "b", Data()),
      ("f/files/files", "c", Data([1, 2])),
    ]
    form.enter("a", "tags", "new/text")
    form.enter("7", "counts", "new/text")
    form.enter("0.5", "scores", "new/text")
    form.enter("2026-01-01T00:00:00.250", "dates", "new/text")
    form.enter("+02:00", "dates", "new/timezone")
    form.enter("/w==", "parts", "new/text")
    form.enter("1", "places", "new/latitude")
    form.enter("2", "places", "new/longitude")
    form.enter("bob", "authors", "new/text")
    form.enter("quiet", "secrets", "new/text")
    let record = try await saved(form)
    #expect(record["title"] == "One\nTwo")
    #expect(record["count"] == Int64.min)
    #expect(record["score"] == 0.0025)
    #expect(record["due"] == Date(timeIntervalSince1970: 1_782_901_800))
    #expect(record["data"] == Data([0, 1, 2]))
    #expect(
      record.field(named: "place")?.value == .location(.init(latitude: 52.5, longitude: -13.4)))
    let author = try #require(record.field(named: "author")?.value.references.first)
    #expect(author.recordID.recordName == "ada" && author.action == .deleteSelf)
    #expect(record.field(named: "secret")?.isEncrypted == true)
    #expect(record.encryptedValues["secret"] == "hush")
    #expect(record.field(named: "file")?.value.assets.first?.size == 7)
    #expect(record.field(named: "files")?.value.assets.map(\.size) == [0, 2])
    #expect(record["tags"] == ["a"])
    #expect(record["counts"] == [Int64(7)])
    #expect(record["scores"] == [0.5])
    #expect(record["dates"] == [Date(timeIntervalSince1970: 1_767_218_400.25)])
    #expect(record["parts"] == [Data([255])])
    #expect(
      record.field(named: "places")?.value == .locationList([.init(latitude: 1, longitude: 2)]))
    #expect(
      record.field(named: "authors")?.value.references.map(\.recordID.recordName) == ["bob"])
    #expect(record.encryptedValues["secrets"] == ["quiet"])
  }

  /// Opens and sends the form of a record with hostile values.
  @Test func `a form that is sent as it was opened changes nothing`() async throws {
    try await client.create(
      "a",
      #"""
      {"title":{"value":"a\r\nb\u0000\uffff<b>","type":"STRING"},"due":{"value":1783000000250,"type":"TIMESTAMP"},
      "secret":{"value":"hush","type":"STRING","isEncrypted":true},"tags":{"value":["","x"],"type":"STRING_LIST"},
      "score":{"value":1e-300,"type":"DOUBLE"},"data":{"value":"","type":"BYTES"},
      "author":{"value":{"recordName":"x\ny","action":"NONE"},"type":"REFERENCE"}}
      """#)
    let before = try await client.record("a")
    let answer = try await client.follow(
      try await client.send(try await form("&name=a").request()))
    #expect(answer.has("&quot;fields&quot;:{}"), "\(answer.problem)")
    #expect(try await client.record("a").allFields == before.allFields)
  }

  @Test func `a form of a record without values changes nothing`() async throws {
    try await client.create("a", "{}")
    let answer = try await client.follow(
      try await client.send(try await form("&name=a").request()))
    #expect(answer.has("&quot;fields&quot;:{}"), "\(answer.problem)")
  }

  @Test func `a changed field is sent alone, and an empty one is no value or an empty one`()
    async throws
  {
    try await client.create(
      "a",
      #"""
      {"title":{"value":"old","type":"STRING"},"count":{"value":1,"type":"INT64"},
      "tags":{"value":["a","b","c"],"type":"STRING_LIST"}}
      """#)
    var form = try await form("&name=a")
    form.enter("", "title")
    form.enter("empty", "title", "blank")
    form.enter("1", "tags", "1/remove")
    form.enter("", "count")
    let record = try await saved(form)
    #expect(record["title"] == "")
    #expect(record.field(named: "count") == nil)
    #expect(record["tags"] == ["a", "c"])
    var next = try await self.form("&name=a")
    #expect(next["f/title/blank"] == "empty")
    next.enter("none", "title", "blank")
    #expect(try await saved(next).field(named: "title") == nil)
  }

  @Test func `an encrypted value stays covered, and is replaced only by another one`() async throws
  {
    try await client.create(
      "a", #"{"secret":{"value":"hush-hush","type":"STRING","isEncrypted":true}}"#)
    let page = try await client.page("edit?\(Self.zone)&name=a")
    #expect(!page.has("hush-hush"))
    var form = try #require(SentForm(page.text, action: "save"))
    form.enter("changed", "title")
    #expect(try await saved(form).encryptedValues["secret"] == "hush-hush")
    form = try await self.form("&name=a")
    form.enter("other", "secret")
    #expect(try await saved(form).encryptedValues["secret"] == "other")
    form = try await self.form("&name=a")
    form.enter("none", "secret", "blank")
    #expect(try await saved(form).field(named: "secret") == nil)
  }

  @Test func `a duplicate has the covered values and the assets of the record`() async throws {
    var form = try await form()
    form["name"] = "a"
    form.enter("hush", "secret")
    form.files = [
      ("f/file/0/file", "a", Data("content".utf8)), ("f/files/files", "b", Data("second".utf8)),
    ]
    _ = try await saved(form)
    var copy = try await self.form("&name=a&copy=1")
    copy["name"] = "b"
    let record = try await saved(copy)
    let original = try await client.record("a")
    #expect(record.encryptedValues["secret"] == "hush")
    #expect(record.field(named: "file") == original.field(named: "file"))
    #expect(record.field(named: "files") == original.field(named: "files"))
  }

  @Test func `a duplicate has the values that a form cannot show`() async throws {
    try await client.create(
      "a",
      #"""
      {"title":{"value":"a\u0000b\uffff","type":"STRING"},"files":{"value":[],"type":"ASSETID_LIST"},
      "tags":{"value":["\u0000","x"],"type":"STRING_LIST"},"dates":{"value":[],"type":"TIMESTAMP_LIST"},
      "count":{"value":1,"type":"INT64"}}
      """#)
    var copy = try await form("&name=a&copy=1")
    copy["name"] = "b"
    copy.enter("2", "count")
    let record = try await saved(copy)
    #expect(record["count"] == Int64(2))
    for field in try await client.record("a").fields where field.name != "count" {
      #expect(record.field(named: field.name) == field)
    }
  }

  @Test func `a record that changes while it is duplicated is not duplicated`() async throws {
    try await client.create("a", #"{"secret":{"value":"old","type":"STRING","isEncrypted":true}}"#)
    var copy = try await form("&name=a&copy=1")
    copy["name"] = "b"
    var form = try await form("&name=a")
    form.enter("new", "secret")
    _ = try await saved(form)
    let answer = try await client.send(copy.request())
    #expect(answer.status == 400)
    #expect(answer.has("has changed since the form was opened"), "\(answer.problem)")
    await #expect(throws: (any Error).self) { try await client.record("b") }
  }

  @Test func `assets of a list are kept, removed and added`() async throws {
    var form = try await form()
    form["name"] = "a"
    form.files = ["one", "two!"].map { ("f/files/files", $0, Data($0.utf8)) }
    _ = try await saved(form)
    form = try await self.form("&name=a")
    form.enter("1", "files", "0/remove")
    form.files = [("f/files/files", "c", Data("three".utf8))]
    #expect(try await saved(form).field(named: "files")?.value.assets.map(\.size) == [4, 5])
    let answer = try await client.follow(
      try await client.send(try await self.form("&name=a").request()))
    #expect(answer.has("&quot;fields&quot;:{}"), "\(answer.problem)")
  }

  @Test func `a long list is entered as JSON`() async throws {
    let list = (0..<150).map(String.init).joined(separator: ",")
    try await client.create("a", #"{"counts":{"value":[\#(list)],"type":"INT64_LIST"}}"#)
    var form = try await form("&name=a")
    #expect(form["f/counts/list"] == "[\(list)]")
    form.enter("[1,2]", "counts", "list")
    #expect(try await saved(form)["counts"] == [Int64(1), 2])
  }

  @Test(arguments: [
    ("count", "0/text", "many"), ("count", "0/text", "9223372036854775808"),
    ("score", "0/text", "nan"), ("score", "0/text", "1e999"), ("score", "0/text", "0x10"),
    ("due", "0/text", "2026-02-30T12:00"),
    ("due", "0/text", "yesterday"), ("data", "0/text", "*"), ("data", "0/text", "===="),
    ("place", "0/latitude", "1"),
    ("author", "0/zone", "Notes"), ("counts", "list", "{}"), ("counts", "list", #"["a"]"#),
  ])
  func `a wrong input is told at its field, and what was entered stays`(
    _ field: String, _ part: String, _ text: String
  ) async throws {
    var form = try await form()
    form["name"] = "a"
    form.enter("kept", "title")
    form.enter(text, field, part)
    let answer = try await client.send(form.request())
    #expect(answer.status == 400)
    #expect(answer.has("aria-invalid=\"true\""), "\(answer.problem)")
    #expect(answer.has(">\nkept</textarea>"))
    #expect(client.handler.log.entries.isEmpty)
  }

  @Test(
    arguments: [
      ("2026-03-29T02:30", "Europe/Berlin", nil),
      ("2026-10-25T02:30", "Europe/Berlin", 1_792_888_200),
      ("2026-07-01T12:00:00.5", "-03:30", 1_782_919_800.5),
      ("2026-07-01T12:00", "Mars/Phobos", nil),
      ("0001-01-01T00:00", "UTC", -62_135_596_800),
    ] as [(String, String, Double?)])
  func `a date is that of its time zone`(
    _ text: String, _ zone: String, _ seconds: Double?
  ) async throws {
    var form = try await form()
    form["name"] = "a"
    form.enter(text, "due")
    form.enter(zone, "due", "0/timezone")
    let answer = try await client.send(form.request())
    #expect((answer.status == 303) == (seconds != nil), "\(answer.problem)")
    guard let seconds else { return }
    #expect(try await client.record("a")["due"] == Date(timeIntervalSince1970: seconds))
  }

  // MARK: Forms

  @Test func `elements and fields are added by buttons that need no script`() async throws {
    var form = try await form()
    form["name"] = "a"
    form.enter("x", "tags", "new/text")
    form["step"] = "add f/tags/"
    var page = try await client.send(form.request())
    form = try #require(SentForm(page.text, action: "save"))
    #expect(form["f/tags/count"] == "2" && form["f/tags/0/text"] == "x")
    form["new-field"] = "mood <b>"
    form["new-type"] = "INT64"
    form["step"] = "field"
    page = try await client.send(form.request())
    form = try #require(SentForm(page.text, action: "save"))
    form.enter("5", "mood%20%3Cb%3E")
    form.enter("1", "tags", "1/remove")
    // A development schema grows; the mock says whether a field can have such a name.
    let answer = try await client.follow(try await client.send(form.request()))
    #expect(answer.has("mood &lt;b&gt;"))
    #expect(!answer.has("<b>"))
  }

  @Test func `a record that has changed meanwhile is shown in both versions`() async throws {
    try await client.create("a", #"{"title":{"value":"old","type":"STRING"}}"#)
    var form = try await form("&name=a")
    form.enter("mine", "title")
    _ = try await client.post(
      "records/modify",
      #"""
      {"zoneID":{"zoneName":"Notes"},"operations":[{"operationType":"forceUpdate","record":
      {"recordType":"Note","recordName":"a","fields":{"title":{"value":"theirs"},"count":{"value":3}}}}]}
      """#)
    let page = try await client.send(form.request())
    #expect(page.status == 400)
    for text in ["CONFLICT", "Both versions", "<bdi>mine</bdi>", "<bdi>theirs</bdi>"] {
      #expect(page.text.contains(text), "\(text) in \(page.problem)")
    }
    #expect(try await client.record("a")["title"] == "theirs")
    var second = try #require(SentForm(page.text, action: "save"))
    second["step"] = "overwrite"
    let record = try await saved(second)
    #expect(record["title"] == "mine" && record["count"] == 3)
  }

  @Test func `a record gets a parent and loses it`() async throws {
    try await client.create("root")
    var form = try await form()
    form["name"] = "a"
    form["parent"] = "root"
    #expect(try await saved(form).parent?.recordID.recordName == "root")
    form = try await self.form("&name=a")
    #expect(form["parent"] == "root")
    form["parent"] = ""
    #expect(try await saved(form).parent == nil)
  }

  @Test func `a record is deleted with its change tag`() async throws {
    try await client.create("a<%>")
    let page = try await client.page("delete?\(Self.zone)&name=a%3C%25%3E")
    let form = try #require(SentForm(page.text, action: "delete-record"))
    _ = try await client.post(
      "records/modify",
      #"{"zoneID":{"zoneName":"Notes"},"operations":[{"operationType":"forceUpdate","record":{"recordType":"Note","recordName":"a<%>","fields":{"count":{"value":3}}}}]}"#
    )
    let refused = try await client.follow(try await client.send(form.request()))
    #expect(refused.has("CONFLICT"))
    let again = try await client.page("delete?\(Self.zone)&name=a%3C%25%3E")
    let second = try #require(SentForm(again.text, action: "delete-record"))
    let deleted = try await client.follow(try await client.send(second.request()))
    #expect(deleted.has("&quot;deleted&quot;: true"), "\(deleted.problem)")
    let page2 = try await client.page("edit?\(Self.zone)&name=a%3C%25%3E")
    #expect(page2.status == 404)
  }

  @Test func `a fault answers the console, and the form keeps what was entered`() async throws {
    let admin = WebRequest(
      "POST", "/admin/faults",
      body: Data(
        #"{"endpoint":"records/modify","error":"QUOTA_EXCEEDED","times":1,"console":true}"#.utf8))
    _ = try await client.send(admin)
    var form = try await form()
    form["name"] = "a"
    form.enter("kept", "title")
    let failed = try await client.send(form.request())
    #expect(failed.has("QUOTA_EXCEEDED: a fault of the test"))
    let again = try #require(SentForm(failed.text, action: "save"))
    #expect(try await saved(again)["title"] == "kept")
  }

  @Test func `records for a reference are found by name and title, and by no secret`() async throws
  {
    try await client.create("ada", #"{"title":{"value":"Countess","type":"STRING"}}"#)
    try await client.create(
      "bob", #"{"secret":{"value":"countess","type":"STRING","isEncrypted":true}}"#)
    let form = try await client.page("edit?\(Self.zone)&type=Note")
    let path = try #require(form.text.firstMatch(of: #/class="record" data-find="([^"]*)"/#)?.1)
    let address = path.replacing("&amp;", with: "&")
    let found = try await client.page(String(address) + "&text=count")
    #expect(found.json["records"].elements.map { $0["name"].string } == ["ada"])
    let all = try await client.page(String(address) + "&text=")
    #expect(all.json["records"].elements.count == 2)
    let wrong = try await client.page("find?in=nothing")
    #expect(wrong.status == 400)
  }
}

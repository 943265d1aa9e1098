import CloudWebServices
import Foundation
import MockCloud
import RecordArchive
import RecordBundle
import RecordModel
import RecordStore
import Testing

/// The table of records: its columns, its pages, its filters, and the files of what it shows.
@Suite struct PageTableTests {
  private static let base = "/page/\(WebClient.identifier)/development"
  private static let list = "/records?database=private&zone=Notes&type=Note"
  private static let secret = "the-secret-word"

  let client: WebClient

  init() async throws {
    client = try WebClient(
      admin: WebAdmin(clock: WebClock { WebClient.now }) { _ in Data() }, page: .withServices)
    try await client.makeZone()
  }

  private func send(_ path: String) async throws -> Answer {
    try await client.send(WebRequest("GET", Self.base + path))
  }

  private func page(_ query: String = "") async throws -> String {
    try await send(Self.list + query).text
  }

  private func names(_ page: String) -> [String] {
    page.matches(of: /<tr><td><a href="[^"]*"><bdi>([^<]*)</).map { String($0.1) }
  }

  private func fill() async throws {
    try await client.create("a", #"{"title":{"value":"Apple","type":"STRING"}}"#)
    try await client.create(
      "b",
      """
      {"title":{"value":"Pear, \\"ripe\\"","type":"STRING"},
      "secret":{"value":"\(Self.secret)","type":"STRING","isEncrypted":true}}
      """)
    try await client.create("c", #"{"count":{"value":7,"type":"INT64"}}"#)
  }

  private func setSchema(
    _ schema: String = """
    DEFINE SCHEMA RECORD TYPE Note (title STRING, count INT64, unused STRING,
      secret ENCRYPTED STRING);
    """
  ) throws {
    var info = try client.container.store.info()
    info.schema = schema
    try client.container.store.setInfo(info)
  }

  @Test func `the records of a container whose schema has mistakes are shown, and its mistakes`()
    async throws
  {
    try await fill()
    try setSchema("DEFINE SCHEMA RECORD TYPE Note (title STRING, count")
    let seen = try await send(Self.list)
    #expect(seen.status == 500 && seen.has("schema:1:"), "\(seen.problem)")
    for query in ["", "&where=count%20%3E%201", "&sort=title"] {
      let answer = try await client.page(
        Self.list.dropFirst() + query, cookie: "console-actor=*_anna")
      #expect(answer.status == 200 && !names(answer.text).isEmpty, "\(query): \(answer.problem)")
    }
  }

  @Test func `a filter among very many records makes an index, or goes on until all are searched`()
    async throws
  {
    let zoneID = ZoneID(zoneName: "Notes")
    try client.container.store.importTransaction { transaction in
      for number in 10_000...30_010 {
        let recordID = RecordID(recordName: "\(number)", zoneID: zoneID)
        try transaction.add(
          ResultRecord(
            systemFields: SystemFields(recordID: recordID, recordType: "Note"),
            fields: [Field(name: "count", value: .int64(Int64(number)))]), to: .private)
      }
    }
    for filter in [
      "&where=count%20%3E%2030005", "&where=count%20%3E%2030005%20OR%20count%20%3C%200",
      "&where=count%20%3E%2030005&has=count",
    ] {
      let all = try await searched(filter)
      #expect(names(all) == ["30006", "30007", "30008", "30009", "30010"], "\(filter)")
      #expect(all.contains("<strong>5</strong> of 20,011 match"), "\(filter)")
    }
    let full = try await searched("&where=count%20%3E%2010000")
    #expect(names(full).count == 50 && full.contains("<strong>20,010</strong> of 20,011 match"))
    let next = try #require(full.firstMatch(of: /rel="next" href="([^"]*)"/)?.1)
    var rest = ""
    repeat {
      rest = try await client.send(
        WebRequest("GET", String(next).replacing("&amp;", with: "&"))
      ).text
    } while isUnfinished(rest)
    #expect(names(rest).first == "10051" && rest.contains("51–100 shown"))
  }

  /// Returns a page when its search has ended, as a reader who waits sees it.
  private func searched(_ query: String) async throws -> String {
    try await client.page(Self.base + Self.list + query) { !isUnfinished($0.text) }.text
  }

  /// Whether a page waits for a search or an index.
  private func isUnfinished(_ page: String) -> Bool {
    page.contains("<progress") || page.contains("id=\"waiting\"")
  }

  @Test func `of many fields, those that the first records have are columns on each page`()
    async throws
  {
    var info = try client.container.store.info()
    let fields = (0..<20).map { "field\($0) INT64" }.joined(separator: ", ")
    info.schema = "DEFINE SCHEMA RECORD TYPE Note (\(fields));"
    try client.container.store.setInfo(info)
    for name in ["a", "b"] {
      try await client.create(
        name,
        #"{"field3":{"value":1,"type":"INT64"},"field19":{"value":1,"type":"INT64"}}"#)
    }
    try await client.create("c", #"{"field7":{"value":1,"type":"INT64"}}"#)
    for query in ["", "&where=field7%20%3D%201"] {
      let page = try await page(query)
      let head = page.firstMatch(of: /(?s)<thead>(.*?)<\/thead>/).map { String($0.1) } ?? ""
      let shown = head.matches(of: /<bdi>([^<]*)</).map { String($0.1) }
      #expect(
        shown == [
          "Record name", "field0", "field1", "field2", "field3", "field4", "field5", "field7",
          "field19", "Modified",
        ], "\(query)")
    }
  }

  @Test func `columns are those of the schema, or those that the address names`() async throws {
    try setSchema()
    try await fill()
    func columns(_ page: String) -> [String] {
      let head = page.firstMatch(of: /(?s)<thead>(.*?)<\/thead>/).map { String($0.1) } ?? ""
      return head.matches(of: /<bdi>([^<]*)</).map { String($0.1) }
    }
    #expect(
      columns(try await page())
        == ["Record name", "title", "count", "unused", "secret", "Modified"])
    let chosen = try await page("&column=count&column=___createdBy")
    #expect(columns(chosen) == ["Record name", "count", "Created by"])
    // The choice stays when the table is sorted.
    #expect(chosen.contains("column=count&amp;column=___createdBy&amp;sort=count\""))
  }

  @Test func `a column that a query does not sort by says why`() async throws {
    try await client.create(
      "a",
      """
      {"title":{"value":"x","type":"STRING"},"tags":{"value":["x"],"type":"STRING_LIST"},
      "place":{"value":{"latitude":1,"longitude":2},"type":"LOCATION"},
      "secret":{"value":"y","type":"STRING","isEncrypted":true}}
      """)
    let titles = [
      "tags": "CloudKit does not sort by lists",
      "place": "CloudKit sorts locations by their distance from a place only",
      "secret": "CloudKit cannot read encrypted values, and so cannot sort by them",
      "file": "CloudKit does not sort by assets",
    ]
    func expect(_ page: String, _ names: [String]) {
      for name in names {
        #expect(
          page.contains("<th title=\"\(titles[name] ?? "")\"><bdi>\(name)</bdi></th>"), "\(name)")
      }
      #expect(page.contains("sort=title\"><bdi>title</bdi></a>"))
    }
    // By the values of records, and by the schema.
    expect(try await page(), ["tags", "place", "secret"])
    var info = try client.container.store.info()
    info.schema = """
      DEFINE SCHEMA RECORD TYPE Note (title STRING, tags LIST<STRING>, place LOCATION, file ASSET,
        secret ENCRYPTED STRING);
      """
    try client.container.store.setInfo(info)
    expect(try await page(), ["tags", "place", "secret", "file"])
    #expect(
      try await page("&column=___parent")
        .contains("<th title=\"CloudKit cannot query the parent\"><bdi>Parent</bdi></th>"))
  }

  @Test func `a condition with a field that no record has says so`() async throws {
    try await fill()
    func problem(_ condition: String) async throws -> String {
      let page = try await page(
        "&where=" + (condition.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""))
      return SentForm.plain(
        page.firstMatch(of: /class="problem" role="alert">([^<]*)</).map { String($0.1) } ?? "")
    }
    #expect(
      try await problem("count > 1 AND has titel")
        == "predicate, column 19: no record of the type has a field 'titel'; did you mean 'title'?")
    try setSchema()
    #expect(try await problem("unused = 'x'").isEmpty)
    #expect(try await problem("secrt = 'x'").contains("column 1: no record of the type has a"))
  }

  @Test func `records are found by the presence of a field, even of an encrypted one`() async throws
  {
    try await fill()
    #expect(names(try await page("&has=title")) == ["a", "b"])
    #expect(names(try await page("&lacks=title")) == ["c"])
    #expect(names(try await page("&has=title&lacks=secret")) == ["a"])
    let secret = try await page("&has=secret")
    #expect(names(secret) == ["b"])
    #expect(secret.contains("<strong>1</strong> of 3 match"))
    #expect(!secret.contains(Self.secret))
  }

  @Test func `an encrypted value does not reach an address by sorting or filtering`() async throws {
    try await fill()
    let page = try await page("&sort=secret&limit=25")
    #expect(!page.contains(Self.secret))
    #expect(!page.contains(Data(Self.secret.utf8).base64EncodedString()))
    let found = try await self.page("&where=secret%20%3D%20'\(Self.secret)'")
    #expect(names(found).isEmpty)
  }

  @Test func `the way back leads over the same pages`() async throws {
    for number in 100..<180 { try await client.create("n\(number)") }
    var path = Self.list + "&limit=25"
    func link(_ rel: String, _ page: String) -> String? {
      page.firstMatch(
        of: try! Regex<(Substring, Substring)>("rel=\"\(rel)\"[^>]*href=\"([^\"]*)\"")
      )
      .map { String($0.1).replacing("&amp;", with: "&").replacing(Self.base, with: "") }
    }
    var pages: [[String]] = []
    while true {
      let text = try await send(path).text
      pages.append(names(text))
      #expect(text.contains("<strong>80</strong> records"))
      guard let next = link("next", text) else { break }
      path = next
    }
    #expect(pages.map(\.count) == [25, 25, 25, 5])
    #expect(try await send(path).text.contains("76–80 shown"))
    for number in [2, 1, 0] {
      path = try #require(link("prev", try await send(path).text))
      #expect(names(try await send(path).text) == pages[number])
    }
    #expect(link("prev", try await send(path).text) == nil)
  }

  @Test func `many records are counted`() async throws {
    let zoneID = ZoneID(zoneName: "Notes")
    try client.container.store.importTransaction { writer in
      for number in 0..<20_001 {
        let system = SystemFields(
          recordID: RecordID(recordName: "n\(number)", zoneID: zoneID), recordType: "Note")
        let fields = number % 2 == 0 ? [Field(name: "even", value: .int64(1))] : []
        try writer.add(ResultRecord(systemFields: system, fields: fields), to: .private)
      }
    }
    #expect(try await searched("&has=even").contains("<strong>10,001</strong> of 20,001 match"))
  }

  // MARK: Files

  @Test func `the records that match are saved as JSON and CSV, with encrypted values covered`()
    async throws
  {
    try await fill()
    let path = Self.list.replacing("/records", with: "/export") + "&has=title&sort=-title"
    let json = try await send(path + "&format=json")
    #expect(json.response.headers["Content-Disposition"] == "attachment; filename=\"Note.json\"")
    #expect(json.json[0]["recordName"] == "b")
    #expect(!json.text.contains(Self.secret))
    let csv = try await send(path + "&format=csv&column=title&column=secret").text
    // Columns are in the order of the schema.
    #expect(
      csv == "recordName,secret,title\r\nb,<encrypted>,\"Pear, \"\"ripe\"\"\"\r\na,,Apple\r\n")
    #expect(!csv.contains(Self.secret))
    let shown = try await send(path + "&format=json&encrypted=shown").text
    #expect(shown.contains(Self.secret))
    #expect(try await send(path + "&format=exe").status == 400)
  }

  @Test func `the records that match are saved as a bundle, with their zone and assets`()
    async throws
  {
    try await fill()
    var draft = DraftRecord(
      recordType: "Note", recordID: RecordID(recordName: "file", zoneID: ZoneID(zoneName: "Notes")))
    draft["file"] = Asset(data: Data("content".utf8))
    try await client.container.privateCloudDatabase.save(draft)
    let path = Self.list.replacing("/records", with: "/export") + "&has=file&format=recordpack"
    let bundle = try await send(path).response.body
    let folder = try TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    try bundle.write(to: URL(fileURLWithPath: folder.file("a.recordpack")))
    let source = ArchiveSource.bundle(try BundleReader(path: folder.file("a.recordpack")))
    var names: [String] = []
    try source.forEachRecord { record, _ in names.append(record.recordID.recordName) }
    #expect(names == ["file"])
    #expect(try source.assets().count == 1)
  }

  @Test(arguments: ["json", "csv", "recordpack"])
  func `a file that would lack records to which the condition does not apply is not made unasked`(
    _ format: String
  ) async throws {
    for (name, title) in [("a", "12"), ("b", "twelve"), ("c", "none"), ("d", "2")] {
      try await client.create(name, #"{"title":{"value":"\#(title)"}}"#)
    }
    let table = try await page("&where=integer(title)%20%3E%203")
    #expect(table.contains("The condition does not apply to 2 records."))
    let path =
      Self.list.replacing("/records", with: "/export")
      + "&where=integer(title)%20%3E%203&sort=-title&format=\(format)"
    let refused = try await send(path)
    #expect(refused.status == 409)
    #expect(refused.response.headers["Content-Disposition"] == nil)
    #expect(refused.text.contains("The condition does not apply to 2 records."))
    let link = try #require(
      refused.text.firstMatch(of: /class="button" href="([^"]*without=2)"/)?.1)
    let target = String(link).replacing("&amp;", with: "&").replacing(Self.base, with: "")
    let file = try await send(target)
    #expect(file.status == 200)
    #expect(
      file.response.headers["Content-Disposition"] == "attachment; filename=\"Note.\(format)\"")
    if format == "json" { #expect(file.json.elements.map { $0["recordName"].string } == ["a"]) }
    // A record more is not left out with the others.
    try await client.create("e", #"{"title":{"value":"five"}}"#)
    #expect(try await send(target).status == 409)
  }

  // MARK: Images

  @Test func `images are seen in the table, and in a gallery`() async throws {
    let png = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 1, 2, 3])
    for (name, content) in [("image", png), ("text", Data("text".utf8))] {
      var draft = DraftRecord(
        recordType: "Note", recordID: RecordID(recordName: name, zoneID: ZoneID(zoneName: "Notes")))
      draft["file"] = Asset(data: content)
      try await client.container.privateCloudDatabase.save(draft)
    }
    #expect(try await page().matches(of: /<img class="thumbnail"/).count == 1)
    let gallery = try await page("&layout=gallery")
    #expect(gallery.matches(of: /<img class="picture"/).count == 1)
    #expect(gallery.contains("<bdi>image</bdi>") && !gallery.contains("<bdi>text</bdi>"))
  }
}

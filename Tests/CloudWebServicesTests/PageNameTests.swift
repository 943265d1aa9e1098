import CloudWebServices
import Foundation
import MockCloud
import RecordModel
import RecordPlatform
import RecordStore
import Testing

/// Names that mean something in markup, addresses or terminals lead to what they name.
@Suite struct PageNameTests {
  private static let base = "/page/\(WebClient.identifier)/development"
  private static let pieces = [
    "%", "%2F", "%00", "&", "=", "#", "?", "+", " ", "/", "..", ".", "\\", ";", "~", "-", "\"", "'",
    "<b>", "</title>", "&amp;", "\u{FEFF}", "\u{200F}", "\u{202E}", "\u{FFFE}", "\u{0}", "\r\n",
    "\n",
    "\t", "e\u{301}", "\u{E9}", "\u{301}", "👩‍👧", "a", "Z", "0", "日本", "\u{10FFFF}",
  ]

  /// Every byte percent-encoded.
  private static func encoded(_ text: String) -> String {
    text.utf8.map { "%" + ($0 < 16 ? "0" : "") + String($0, radix: 16) }
      .joined()
  }

  /// Names, no two of which have the same bytes.
  private static func names(_ count: Int) -> [String] {
    var numbers = SeededNumbers(seed: 7)
    var names = pieces.map { "x" + $0 } + pieces.map { $0 + "x" }
    for _ in 0..<count {
      names.append((0..<6).map { _ in pieces.randomElement(using: &numbers) ?? "" }.joined())
    }
    var known: Set<[UInt8]> = []
    return names.filter { known.insert(Array($0.utf8)).inserted }
  }

  private static func record(
    _ name: String, in zone: String = "Notes", type: String = "Note", number: Int = 0
  ) -> ResultRecord {
    let id = RecordID(recordName: name, zoneID: ZoneID(zoneName: zone))
    return ResultRecord(
      systemFields: SystemFields(recordID: id, recordType: type),
      fields: [Field(name: "number", value: .int64(Int64(number)))])
  }

  private func client(_ records: [ResultRecord]) throws -> WebClient {
    let client = try WebClient(page: .withServices)
    try client.container.store.importTransaction { writer in
      for zoneID in Set(records.map(\.recordID.zoneID)) {
        try writer.add(RecordZone(zoneID: zoneID), to: .private)
      }
      for record in records { try writer.add(record, to: .private) }
    }
    return client
  }

  private func page(_ client: WebClient, _ path: String) async throws -> String {
    try await client.send(WebRequest("GET", path)).text
  }

  @Test func `each link of a table leads to its record`() async throws {
    let names = Self.names(150)
    let client = try client(
      names.enumerated().map { Self.record($0.element, number: 1_000_000 + $0.offset) })
    var path: String? = Self.base + "/records?database=private&zone=Notes&type=Note&limit=200"
    var numbers: Set<String> = []
    while let next = path {
      let table = try await page(client, next)
      for link in table.matches(of: /<tr><td><a href="([^"]*)">.*?(1[0-9]{6})</) {
        let record = try await page(client, String(link.1).replacing("&amp;", with: "&"))
        #expect(record.contains("<bdi>\(link.2)</bdi>"), "\(link.1)")
        numbers.insert(String(link.2))
      }
      path = table.firstMatch(of: /rel="next" href="([^"]*)"/).map {
        String($0.1).replacing("&amp;", with: "&")
      }
    }
    #expect(numbers.count == names.count)
  }

  @Test func `an encoded name in an address is taken as it is`() async throws {
    let names = Self.names(40)
    let client = try client(
      names.enumerated().map { Self.record($0.element, number: 1_000_000 + $0.offset) })
    for (number, name) in names.enumerated() {
      let path = "/record?database=private&zone=Notes&name=" + Self.encoded(name)
      let text = try await page(client, Self.base + path)
      #expect(text.contains("<bdi>\(1_000_000 + number)</bdi>"), "\(Array(name.utf8))")
    }
  }

  @Test func `the form of a table keeps its zone and type`() async throws {
    for name in Self.pieces.map({ "n" + $0 }) {
      let client = try client([Self.record("found", in: name, type: name)])
      let place = "database=private&zone=\(Self.encoded(name))&type=\(Self.encoded(name))"
      let table = try await page(client, Self.base + "/records?" + place)
      let items = table.matches(of: /<input type="hidden" name="([^"]*)" value="([^"]*)">/).map {
        // What a browser does with the markup of a value.
        let value = String($0.2).replacing("&lt;", with: "<").replacing("&gt;", with: ">")
          .replacing("&quot;", with: "\"").replacing("&#39;", with: "'")
          .replacing("&amp;", with: "&")
        return "\($0.1)=\(Self.encoded(value))"
      }
      let sent = try await page(client, Self.base + "/records?" + items.joined(separator: "&"))
      #expect(sent.contains(">found</bdi>"), "\(Array(name.utf8))")
    }
  }

  @Test func `types that only look the same are counted apart`() async throws {
    let client = try client([
      Self.record("a", type: "\u{E9}"), Self.record("b", type: "e\u{301}"),
      Self.record("c", type: "e\u{301}"),
    ])
    for (type, count) in [
      ("\u{E9}", "<strong>1</strong> record"), ("e\u{301}", "<strong>2</strong> records"),
    ] {
      let path = "/records?database=private&zone=Notes&type=" + Self.encoded(type)
      let text = try await page(client, Self.base + path)
      #expect(text.contains(count))
    }
  }

  @Test(arguments: ["-", "..", ".", "~", "~x", "a/b", "%2e", "\u{FEFF}a", "é"])
  func `a container with such an identifier has a page`(_ identifier: String) async throws {
    let container = try MockContainer.inMemory(info: ContainerInfo(identifier: identifier))
    let handler = WebServicesHandler(
      [try WebContainer(container), try WebContainer(MockContainer.inMemory())], page: .alone)
    let start = await handler.respond(to: WebRequest("GET", "/"))
    let links = String(decoding: start.body, as: UTF8.self).matches(of: /href="(\/page[^"]*)"/)
    #expect(links.count == 2)
    for (index, link) in links.enumerated() {
      let parts = link.1.split(separator: "/").map { $0.lowercased() }
      #expect(!parts.contains { ["..", ".", "%2e%2e", "%2e", ""].contains($0) })
      let response = await handler.respond(to: WebRequest("GET", String(link.1)))
      #expect(response.status == 200)
      let text = String(decoding: response.body, as: UTF8.self)
      #expect(text.contains("<strong><bdi>Container</bdi>") == (index == 1))
    }
  }
}

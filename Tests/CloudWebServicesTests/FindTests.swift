import Foundation
import MockCloud
import RecordCoding
import RecordModel
import TestSupport
import Testing

@testable import CloudWebServices
@testable import RecordStore

/// The search box of every page, and what else saves steps.
@Suite struct FindTests {
  private let client: WebClient

  init() async throws {
    client = try WebClient(admin: WebAdmin(), page: .withServices)
    try await client.makeZone()
  }

  private func find(_ text: String) async throws -> Answer {
    try await client.page("search?text=\(text.percentEncoded)")
  }

  private func text(_ value: String) -> String {
    #"{"title":{"value":"\#(value)","type":"STRING"}}"#
  }

  @Test(
    "The beginnings of words find a record, whatever their case and accents",
    arguments: [
      "crem", "CRÈME", "brulee", "crème brû", "brul crem", "привет", "ПРИВ", "東",
    ])
  func words(_ query: String) async throws {
    try await client.create("a", text("Crème brûlée, Привет 東京"))
    try await client.create("b", text("Cream"))
    try await client.create(
      "c", #"{"title":{"value":"creme brulee привет","type":"STRING","isEncrypted":true}}"#)
    let found = try await find(query)
    let location = found.response.headers["Location"] ?? ""
    #expect(found.status == 303 && location.hasSuffix("zone=Notes&name=a"), "\(found.text)")
  }

  @Test func `a damaged row of an index is made again`() async throws {
    try await client.create("a", text("tea"))
    try await client.create("b", text("tea"))
    #expect(try await find("tea").has("2 records"))
    try client.container.store.transaction {
      try $0.db.execute("UPDATE recordIndex SET field = 'other'")
    }
    #expect(try await find("tea").has("2 records"))
  }

  @Test func `names are found by their beginning, of all types and databases`() async throws {
    try await client.create("AB12-first", text("x"))
    try await client.create("AB12-second", text("ab12 text"))
    _ = try await client.with(scope: "public").post(
      "records/modify",
      #"{"operations":[{"operationType":"create","record":{"recordType":"Other","recordName":"ab12-public","fields":{}}}]}"#
    )
    let found = try await find("ab12")
    #expect(found.status == 200 && found.has("3 records"), "\(found.text)")
    for name in ["AB12-first", "AB12-second", "ab12-public"] { #expect(found.has(name)) }
    #expect(try await find("nothing").has("No name"))
    #expect(try await client.page("overview").has("role=\"search\""))
  }

  @Test func `the title of a record is its title or name, and else its first text`() async throws {
    for (name, other) in [("a", "title"), ("b", "fullName"), ("c", "zip")] {
      try await client.create(
        name,
        #"{"emoji":{"value":"first \#(name)","type":"STRING"},"\#(other)":{"value":"same \#(name)","type":"STRING"}}"#
      )
    }
    let found = try await find("same")
    for title in ["same a", "same b", "first c"] { #expect(found.has("<bdi>\(title)</bdi>")) }
  }

  @Test("What is found is what a scan finds", arguments: SeededGenerator.seeds(4))
  func scan(_ seed: UInt64) async throws {
    var random = SeededGenerator(seed)
    let words = ["tea", "teapot", "Té", "coffee", "cof", "éclair", "ecl", "pot"]
    var texts: [String: String] = [:]
    for number in 0..<40 {
      let text = (0..<3).map { _ in words.randomElement(using: &random) ?? "" }
        .joined(separator: " ")
      texts["n\(number)"] = text
      try await client.create("n\(number)", self.text(text))
      if number % 7 == 3 {
        _ = try await find("tea")
        let name = "n\(Int.random(in: 0...number, using: &random))"
        _ = try await client.post(
          "records/modify",
          #"{"zoneID":{"zoneName":"Notes"},"operations":[{"operationType":"forceDelete","record":{"recordName":"\#(name)"}}]}"#
        )
        texts[name] = nil
      }
    }
    for query in ["te", "tea pot", "ecl", "cof tea", "potx"] {
      let wanted = TextTokens.words(of: query)
      let expected = texts.filter { _, text in
        wanted.allSatisfy { word in
          TextTokens.words(of: text).contains { $0.hasPrefix(word) }
        }
      }.keys.sorted()
      let search = WordSearch(query, limit: 100)
      if let missing = try client.container.store.records(search).missing {
        try client.container.store.make(missing)
      }
      let found = try client.container.store.records(search).hits
      #expect(found.map(\.record.recordID.recordName).sorted() == expected, "\(query)")
    }
  }

  // MARK: Faults and the clock

  @Test func `a fault of one user spares others and the console`() async throws {
    _ = try client.container.account("_kenji")
    let set = try await client.send(
      WebRequest(
        "POST", "/admin/faults", body: Data(#"{"error":"THROTTLED","user":"_anna","times":2}"#.utf8)
      ))
    #expect(set.status == 200, "\(set.text)")
    let kenji = client.with(user: "_kenji")
    #expect(try await kenji.post("zones/list").status == 200)
    let page = try await client.page("edit?database=private&zone=Notes&type=Note")
    var form = try #require(SentForm(page.text, action: "save"))
    form["name"] = "a"
    #expect(try await client.send(form.request()).status == 303)
    #expect(try await client.page("faults").has("<td><bdi>_anna</bdi></td>"))
    #expect(try await client.post("zones/list").errorCode == "THROTTLED")
    #expect(
      try await client.with(user: "__defaultOwner__").post("zones/list").errorCode == "THROTTLED")
    #expect(try await client.post("zones/list").status == 200)
    // A fault that does not happen again is gone.
    #expect(try await client.page("faults").has("No fault is active."))
  }

  @Test(
    arguments: [
      ("90", 90), ("0", 0), ("tomorrow 9:00", 52_200), ("tomorrow", 19_800), ("17:30", 82_800),
      ("19:00", 1800), ("2030-01-31 08:00:30", 96_039_030), ("2027-01-16 00:00", 19_800),
      ("yesterday", nil), ("-5", nil), ("25:00", nil), ("", nil), ("9:00 9:00", nil),
      ("2001-01-01", nil), ("nan", nil), ("1e99", nil),
    ] as [(String, Int?)])
  func `the clock takes seconds and later times`(_ text: String, _ seconds: Int?) throws {
    // 18:30 of 15 January 2027.
    let now = Date(timeIntervalSince1970: 1_800_037_800)
    let found = ClockTime(text, after: now)?.seconds
    #expect(found == seconds.map(Double.init), "\(text)")
  }
}

extension FindTests {
  @Test func `a subscription is made, notifies with a time and a link, and is removed`()
    async throws
  {
    try await client.create("a", text("x"))
    let overview = try await client.page("overview")
    var form = try #require(SentForm(overview.text, action: "subscribe"), "\(overview.problem)")
    form["database"] = "private"
    form["type"] = "Note"
    let made = try await client.send(form.request())
    let page = try await client.page(
      try #require(made.response.headers["Location"], "\(made.problem)"))
    #expect(page.has("Subscribed.") && page.has("<bdi>Note</bdi>: "), "\(page.problem)")
    try await client.create("b", text("y"))
    _ = try client.container.account("_kenji")
    let notifications = try await client.page("notifications")
    #expect(notifications.has("create of <bdi>b</bdi>"), "\(notifications.text)")
    #expect(notifications.has("zone=Notes&amp;name=b\">Open what has changed"))
    let remove = try #require(
      SentForm(
        try await client.page("overview").text, action: "unsubscribe"))
    let removed = try await client.send(remove.request())
    let after = try await client.page(try #require(removed.response.headers["Location"]))
    #expect(after.has("The subscription is gone."))
    #expect(try await client.container.privateCloudDatabase.allSubscriptions().isEmpty)
  }
}

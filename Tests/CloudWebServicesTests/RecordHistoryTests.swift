import Foundation
import MockCloud
import RecordCoding
import RecordModel
import RecordStore
import Testing

@testable import CloudWebServices

/// The changes of records that the console keeps, and shows with a record.
@Suite struct RecordHistoryTests {
  let client: WebClient

  init() async throws {
    client = try WebClient(page: .withServices, schema: EditingTests.schema)
    try await client.makeZone()
  }

  /// Adds records as a request would: a test of the bounds needs no requests.
  private func save(_ names: some Sequence<String>, title: String) throws {
    try client.container.store.transaction { transaction in
      let drafts = names.map { name in
        var draft = DraftRecord(
          recordType: "Note",
          recordID: RecordID(recordName: name, zoneID: ZoneID(zoneName: "Notes")))
        draft["title"] = title
        return draft
      }
      try transaction.save(drafts, in: .private)
    }
  }

  private func changes(of name: String) throws -> Int {
    let served = try #require(client.handler.containers.first)
    let recordID = RecordID(recordName: name, zoneID: ZoneID(zoneName: "Notes"))
    return client.handler.history.changes(
      of: RecordLocation(.private, recordID), in: PageContainerName(served)
    ).count
  }

  // MARK: Records

  private static let record = "record?database=private&zone=Notes&name=a"

  @Test func `a deleted record has its history`() async throws {
    try await client.create("a", #"{"title":{"value":"First words"}}"#)
    _ = try await client.post(
      "records/modify",
      #"{"zoneID":{"zoneName":"Notes"},"operations":[{"operationType":"forceDelete","record":{"recordName":"a"}}]}"#
    )
    let page = try await client.page(Self.record).text
    #expect(page.contains("There is no such record") && page.contains("<h2>History</h2>"))
    // It was made and deleted.
    #expect(page.components(separatedBy: "First words").count == 3)
    #expect(!(try await client.page(Self.record + "x").text.contains("History")))
  }

  @Test func `an edit by another user is in the history of the owner's record`() async throws {
    _ = try client.container.account("_kenji", emailAddress: "kenji@example.com")
    let kenji = "console-actor=*_kenji"
    var zone = try #require(
      SentForm(
        try await client.page("zones", cookie: kenji).text, action: "create-zone"))
    zone["name"] = "His"
    #expect(try await client.send(zone.request()).status == 303)
    let place = "database=private&zone=His&owner=_kenji"
    for title in ["One", "Two"] {
      let target = title == "One" ? "&type=Note" : "&name=a"
      var form = try #require(
        SentForm(
          try await client.page("edit?\(place)\(target)", cookie: kenji).text, action: "save"))
      if title == "One" { form["name"] = "a" }
      form.enter(title, "title")
      let answer = try await client.send(form.request())
      #expect(answer.status == 303, "\(answer.problem)")
    }
    let page = try await client.page("record?\(place)&name=a", cookie: kenji).text
    let history = page.components(separatedBy: "<h2>History</h2>").last ?? ""
    #expect(history.contains("One") && history.contains("Two"), "\(history.prefix(2000))")
  }

  @Test func `the JSON of a record has what a lookup returns`() async throws {
    try await client.create(
      "a",
      """
      {"title":{"value":"a <b> & \\"c\\"","type":"STRING"},"count":{"value":7,"type":"INT64"},
      "due":{"value":1783000000250,"type":"TIMESTAMP"},"tags":{"value":["x","y"],"type":"STRING_LIST"},
      "author":{"value":{"recordName":"b","action":"NONE"},"type":"REFERENCE"}}
      """)
    let found = try await client.post(
      "records/lookup", #"{"zoneID":{"zoneName":"Notes"},"records":[{"recordName":"a"}]}"#)
    let page = try await client.page(Self.record).text
    let text = try #require(
      page.firstMatch(of: /id="json-text"[^>]*>([\s\S]*?)<\/pre>/).map { String($0.1) })
    let json = JSON(
      try Data(SentForm.plain(text.replacing(/<[^>]*>/, with: "")).utf8).withUnsafeBytes {
        try JSONParser.parse($0)
      })
    let record = found.json["records"][0]
    for name in ["recordName", "recordType", "recordChangeTag"] {
      #expect(json[name] == record[name], "\(name): \(json[name]), \(record[name])")
    }
    for stamp in ["created", "modified"] {
      for name in ["timestamp", "userRecordName"] {
        #expect(json[stamp][name].isThere && json[stamp][name] == record[stamp][name])
      }
    }
    // The members are in another order, and a reference to the same zone does not name it.
    let context = DecodingContext(zoneID: ZoneID(zoneName: "Notes"))
    func fields(_ json: JSON) throws -> [Field] {
      try (json["fields"].value?.members ?? []).compactMap {
        try Field(name: $0.name, json: $0.value, context)
      }.sorted { $0.name < $1.name }
    }
    #expect(try fields(json) == fields(record))
    #expect(try fields(json).map(\.name) == ["author", "count", "due", "tags", "title"])
  }

  // MARK: Bounds

  @Test func `the oldest changes are dropped above 5,000`() async throws {
    for batch in 0..<13 { try save((0..<400).map { "n\(batch * 400 + $0)" }, title: "x") }
    #expect(client.handler.history.kept.count == 5000)
    #expect(try changes(of: "n199") == 0)
    #expect(try changes(of: "n200") == 1)
    #expect(try changes(of: "n5199") == 1)
  }

  @Test func `the oldest changes are dropped above 16 MiB`() async throws {
    let title = String(repeating: "x", count: 900_000)
    for number in 0..<20 { try save(["n\(number)"], title: title) }
    let kept = client.handler.history.kept
    // 18 records of 900,000 bytes are less than 16 MiB, and 19 are more.
    #expect(kept.count == 18)
    #expect((16_200_000...(16 << 20)).contains(kept.size))
    #expect(try changes(of: "n1") == 0)
    #expect(try changes(of: "n2") == 1)
    #expect(try changes(of: "n19") == 1)
  }

  // MARK: All changes

  @Test func `each record that goes with another one has its history`() async throws {
    try await client.create("a", #"{"title":{"value":"First words"}}"#)
    try await client.create(
      "b",
      """
      {"title":{"value":"Of the child"},
      "author":{"value":{"recordName":"a","action":"DELETE_SELF"},"type":"REFERENCE"}}
      """)
    // The changes before the server started are not known.
    client.handler.history.clear(PageContainerName(try #require(client.handler.containers.first)))
    _ = try await client.post(
      "records/modify",
      #"{"zoneID":{"zoneName":"Notes"},"operations":[{"operationType":"forceDelete","record":{"recordName":"a"}}]}"#
    )
    let page = try await client.page("record?database=private&zone=Notes&name=b").text
    #expect(page.contains("<h2>History</h2>") && page.contains("Of the child"))
    #expect(page.contains("Restore what was deleted"))
  }

  /// The state before each change is the one after the change before.
  @Test func `changes at the same time form a chain`() async throws {
    try save(["a"], title: "0")
    await withTaskGroup(of: Void.self) { group in
      for writer in 1...4 {
        group.addTask {
          for number in 0..<25 { try? save(["a"], title: "\(writer) \(number)") }
        }
      }
    }
    let served = try #require(client.handler.containers.first)
    let recordID = RecordID(recordName: "a", zoneID: ZoneID(zoneName: "Notes"))
    let changes = client.handler.history.changes(
      of: RecordLocation(.private, recordID), in: PageContainerName(served))
    #expect(changes.count == 101)
    #expect(changes.first?.before == nil)
    for (one, next) in zip(changes, changes.dropFirst()) {
      #expect(one.after != nil && one.after == next.before)
    }
  }

  @Test func `a transaction that fails leaves no change`() throws {
    struct Stop: Error {}
    #expect(throws: Stop.self) {
      try client.container.store.transaction { transaction in
        var draft = DraftRecord(
          recordType: "Note", recordID: RecordID(recordName: "a", zoneID: ZoneID(zoneName: "Notes"))
        )
        draft["title"] = "x"
        try transaction.save([draft], in: .private)
        throw Stop()
      }
    }
    #expect(try changes(of: "a") == 0)
  }
}

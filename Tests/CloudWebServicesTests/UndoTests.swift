import Foundation
import MockCloud
import RecordCoding
import RecordModel
import RecordStore
import StoreTestSupport
import Testing

@testable import CloudWebServices

/// What the console deletes and changes can be taken back.
@Suite struct UndoTests {
  private let client: WebClient

  init() async throws {
    client = try WebClient(admin: WebAdmin(), page: .withServices)
    try await client.makeZone()
  }

  private static let chat = "database=private&zone=Notes&name=chat"
  private static let deletion = "delete?database=private&zone=Notes"

  /// Makes a chat with two messages that go with it, of which one has an attachment, and another note.
  private func makeChat() async throws {
    try await client.create("chat", #"{"title":{"value":"Plans","type":"STRING"}}"#)
    for (name, target) in [("m1", "chat"), ("m2", "chat"), ("a1", "m1")] {
      try await client.create(
        name,
        #"{"to":{"type":"REFERENCE","value":{"recordName":"\#(target)","action":"DELETE_SELF"}}}"#)
    }
    try await client.create("other")
  }

  private func form(
    _ target: String, _ action: String, containing: String = ""
  ) async throws -> SentForm {
    let page = try await client.page(target)
    return try #require(
      SentForm(page.text, action: action, containing: containing), "\(page.problem)")
  }

  private func names() throws -> [String] {
    try client.container.store.snapshot { snapshot in
      var names: [String] = []
      try snapshot.forEachRecord(in: .private, filter: .all) {
        names.append($0.recordID.recordName)
      }
      return names.sorted()
    }
  }

  /// Sends a form, and returns the page that follows.
  private func sent(_ form: SentForm) async throws -> Answer {
    let answer = try await client.send(form.request())
    return try await client.page(
      try #require(answer.response.headers["Location"], "\(answer.problem)"))
  }

  @Test func `a deletion shows what goes with it, and is undone in one step`() async throws {
    try await makeChat()
    let before = try await client.record("a1")
    let page = try await client.page("delete?\(Self.chat)")
    #expect(page.has("<strong>4 records</strong>") || page.has("4 <bdi>Note</bdi>"), "\(page.text)")
    let deleted = try await sent(try await form("delete?\(Self.chat)", "delete-record"))
    #expect(deleted.has("Deleted <strong>4 <bdi>Note</bdi></strong>"), "\(deleted.problem)")
    #expect(try names() == ["other"])
    let undo = try #require(SentForm(deleted.text, action: "undo"))
    let undone = try await sent(undo)
    #expect(undone.has("Restored 4 records."), "\(undone.problem)")
    #expect(try names() == ["a1", "chat", "m1", "m2", "other"])
    let after = try await client.record("a1")
    #expect(after.allFields == before.allFields && after.creationDate == before.creationDate)
    #expect(after.recordChangeTag != before.recordChangeTag)
    #expect(try await client.send(undo.request()).status == 404)
    var faults: [String] = []
    _ = try client.container.store.verify { faults.append("\($0)") }
    #expect(faults == [])
  }

  @Test func `a deletion is undone later, from the changes`() async throws {
    try await makeChat()
    _ = try await sent(try await form("delete?\(Self.chat)", "delete-record"))
    _ = try await client.page("overview")
    let changes = try await client.page("changes")
    #expect(changes.has("Deleted <strong>4 <bdi>Note</bdi></strong>"), "\(changes.problem)")
    #expect(changes.has("name=chat\"><bdi>chat</bdi></a>"))
    let undone = try await sent(try #require(SentForm(changes.text, action: "undo")))
    #expect(undone.has("Restored 4 records.") && !undone.has("Deletions to undo"))
    // The last change of each record is that it came back.
    #expect(undone.text.components(separatedBy: ">added<").count == 6, "\(undone.text)")
    #expect(try names() == ["a1", "chat", "m1", "m2", "other"])
  }

  @Test func `a user neither sees nor undoes the deletions of others`() async throws {
    _ = try client.container.account("_kenji")
    try await makeChat()
    let deleted = try await client.send(
      try await form("delete?\(Self.chat)", "delete-record").request())
    let path = try #require(deleted.response.headers["Location"])
    let kenji = "console-actor=_kenji"
    #expect(try await !client.page(path, cookie: kenji).has("4 <bdi>Note"))
    #expect(try await !client.page("changes", cookie: kenji).has("Deletions to undo"))
    var undo = try await form("changes", "undo")
    undo["as"] = "_kenji"
    #expect(try await client.send(undo.request()).status == 404)
    #expect(try names() == ["other"])
    undo["as"] = "*_kenji"
    #expect(try await client.send(undo.request()).status == 303)
    #expect(try names().count == 5)
  }

  @Test func `a record that was made again stays as it is`() async throws {
    try await makeChat()
    let deleted = try await sent(try await form("delete?\(Self.chat)", "delete-record"))
    try await client.create("chat", #"{"title":{"value":"New","type":"STRING"}}"#)
    let undone = try await sent(try #require(SentForm(deleted.text, action: "undo")))
    #expect(undone.has("Restored 3 records. 1 record that changed"), "\(undone.problem)")
    #expect(try await client.record("chat")["title"] == "New")
  }

  @Test func `the deletion of a zone is undone with its records, shares and access`() async throws {
    let kenji = try client.container.account("_kenji")
    try await makeChat()
    var share = try await form("sharing?\(Self.chat)", "share")
    share["public"] = "READ_WRITE"
    _ = try await sent(share)
    let root = try #require(try await client.record("chat").share)
    let made = try await client.container.privateCloudDatabase.record(for: root.recordID)
    try await kenji.accept(made)
    let shared = RecordID(
      recordName: "chat", zoneID: ZoneID(zoneName: "Notes", ownerName: "_anna"))
    _ = try await kenji.sharedCloudDatabase.record(for: shared)
    let words = """
      the zone <bdi>Notes</bdi> with <strong>6 records</strong> (5 <bdi>Note</bdi>, \
      1 <bdi>cloudkit.share</bdi>).
      """
    #expect(try await client.page(Self.deletion).has("This deletes \(words)"))
    let deleted = try await sent(try await form(Self.deletion, "delete-zone"))
    #expect(deleted.has("Deleted \(words)"), "\(deleted.problem)")
    #expect(try names() == [])
    _ = try await sent(try #require(SentForm(deleted.text, action: "undo")))
    #expect(try names().count == 6)
    #expect(try await kenji.sharedCloudDatabase.record(for: shared)["title"] == "Plans")
  }

  @Test(
    arguments: [
      "database=private&zone=None", "database=private&zone=_defaultZone",
      "database=private&zone=Notes&owner=_kenji", "database=private&zone=Notes&owner=_anna",
      "database=shared&zone=Notes&owner=_kenji", "database=public&zone=_defaultZone",
    ]) func `only a zone of the user can be deleted`(zone: String) async throws
  {
    try await client.create("top")
    _ = try await client.container.account("_kenji").privateCloudDatabase.save(
      RecordZone(zoneName: "Notes"))
    let page = try await client.page("delete?\(zone)")
    #expect(page.status == 404 && page.has("no such zone to delete"), "\(page.problem)")
    var form = try await form(Self.deletion, "delete-zone")
    let parts = zone.split(separator: "&").map { String($0.split(separator: "=")[1]) }
    form["zone"] = (parts + (parts.count < 3 ? ["__defaultOwner__"] : [])).joined(separator: "/")
    let answer = try await client.send(form.request())
    #expect(answer.status == 404, "\(answer.text)")
    #expect(try names() == ["top"])
  }

  @Test func `a zone whose name no client can save is deleted and restored`() async throws {
    let zoneID = ZoneID(zoneName: "Größe_\u{65E5}")
    try client.container.store.importTransaction { writer in
      try writer.add(RecordZone(zoneID: zoneID), to: .private)
      let fields = SystemFields(
        recordID: RecordID(recordName: "one", zoneID: zoneID), recordType: "Note")
      try writer.add(ResultRecord(systemFields: fields, fields: []), to: .private)
    }
    let target = "delete?database=private&zone=\(zoneID.zoneName.percentEncoded)"
    let deleted = try await sent(try await form(target, "delete-zone"))
    #expect(deleted.has("<strong>1 <bdi>Note</bdi></strong>"), "\(deleted.problem)")
    #expect(try names() == [])
    _ = try await sent(try #require(SentForm(deleted.text, action: "undo")))
    #expect(try names() == ["one"])
  }

  @Test func `the deletion of an empty zone is named, and undone with the subscriptions to it`()
    async throws
  {
    let zone = ZoneID(zoneName: "Notes")
    let subscription = CloudSubscription(
      subscriptionID: "notes", kind: .zone(zone, recordType: nil))
    let store = client.container.store
    try store.transaction { try $0.save(subscription, in: .private) }
    let deleted = try await sent(try await form(Self.deletion, "delete-zone"))
    #expect(deleted.has("Deleted the zone <bdi>Notes</bdi>."), "\(deleted.problem)")
    #expect(try store.snapshot { try $0.subscriptions(in: .private) } == [])
    _ = try await sent(try #require(SentForm(deleted.text, action: "undo")))
    #expect(try store.snapshot { try $0.subscriptions(in: .private) } == [subscription])
  }

  @Test func `a zone of another user is deleted and restored with the subscriptions to it`()
    async throws
  {
    let database = try client.container.account("_kenji").privateCloudDatabase
    _ = try await database.save(RecordZone(zoneName: "Plans"))
    let zoneID = ZoneID(zoneName: "Plans")
    _ = try await database.save(
      CloudSubscription(subscriptionID: "plans", kind: .zone(zoneID, recordType: nil)))
    let place = ZoneLocation(.private, ZoneID(zoneName: "Plans", ownerName: "_kenji"))
    var removal = try client.container.removal(of: place, keepsContent: true)
    _ = try await database.deleteRecordZone(withID: zoneID)
    try client.container.finish(&removal)
    #expect(try await database.allSubscriptions() == [])
    _ = try client.container.restore(removal)
    #expect(try await database.allSubscriptions().map(\.subscriptionID) == ["plans"])
  }

  @Test func `each entry of a history is restored`() async throws {
    try await client.create("chat", #"{"title":{"value":"One","type":"STRING"}}"#)
    for title in ["Two", "Three"] {
      var edit = try await form("edit?\(Self.chat)", "save")
      edit.enter(title, "title")
      let saved = try await sent(edit)
      let link = try #require(saved.text.firstMatch(of: /<a href="([^"]*)">Request and response/)).1
      let path = String(link).replacing("&amp;", with: "&")
      #expect(saved.has("Saved."), "\(saved.problem)")
      #expect(try await client.send(WebRequest("GET", path)).has("name=chat"))
    }
    let history =
      try await client.page("record?\(Self.chat)").text
      .components(separatedBy: "<h2>History</h2>").last ?? ""
    let forms = history.components(separatedBy: "<form").dropFirst().map { "<form" + $0 }
    #expect(forms.count == 3)
    let first = try #require(SentForm(forms.last ?? "", action: "restore"))
    #expect(try await sent(first).has("Saved."))
    #expect(try await client.record("chat")["title"] == "One")
    _ = try await sent(try await form("delete?\(Self.chat)", "delete-record"))
    let gone = try await form("record?\(Self.chat)", "restore")
    #expect(try await sent(gone).has("Saved."))
    #expect(try await client.record("chat")["title"] == "One")
  }

  @Test func `a container in place is reset to what it was when serving began`() async throws {
    try await makeChat()
    var served = try WebContainer(client.container)
    served.seed = try client.container.fork()
    served.isInPlace = true
    var client = client
    client.handler = WebServicesHandler([served], admin: WebAdmin(), page: .withServices)
    let before = try client.container.store.fork()
    try await client.create("new")
    try await client.makeZone("Other")
    _ = try client.container.account("_new")
    _ = try await client.post(
      "records/modify",
      #"{"zoneID":{"zoneName":"Notes"},"operations":[{"operationType":"forceDelete","record":{"recordName":"chat"}}]}"#
    )
    let reset = try await client.send(
      WebRequest("POST", "/admin/reset", body: Data("{}".utf8)))
    #expect(reset.status == 200, "\(reset.text)")
    #expect(try names() == ["a1", "chat", "m1", "m2", "other"])
    #expect(try await client.container.privateCloudDatabase.allRecordZones().count == 2)
    #expect(try client.container.store.snapshot { try $0.zones(in: .private).count } == 2)
    for name in try names() {
      let recordID = RecordID(recordName: name, zoneID: ZoneID(zoneName: "Notes"))
      let old = try before.snapshot { try $0.record(for: recordID, in: .private) }
      #expect(
        try client.container.store.snapshot { try $0.record(for: recordID, in: .private) } == old)
    }
    var faults: [String] = []
    _ = try client.container.store.verify { faults.append("\($0)") }
    #expect(faults == [])
  }

  @Test func `the page of a record shows nothing that a reset has removed`() async throws {
    try await makeChat()
    try client.container.reset(to: try client.container.fork())
    let seed = try client.container.fork()
    let message = #"{"to":{"type":"REFERENCE","value":{"recordName":"chat","action":"NONE"}}}"#
    try await client.create("m3", message)
    #expect(try await client.page("record?\(Self.chat)").has("name=m3"))
    try client.container.reset(to: seed)
    #expect(try await !client.page("record?\(Self.chat)").has("name=m3"))
  }

  @Test func `deletions of a container that is replaced cannot be undone`() async throws {
    try await makeChat()
    let other = try client.container.fork()
    _ = try await sent(try await form("delete?\(Self.chat)", "delete-record"))
    #expect(try await client.page("changes").has("actions/undo"))
    try client.handler.replace(at: 0, with: other)
    #expect(try await !client.page("changes").has("actions/undo"))
  }

  @Test func `a container that is reset has the deletions that it had`() async throws {
    try await makeChat()
    let store = client.container.store
    let zoneID = ZoneID(zoneName: "Notes")
    let database = store.database(.private)
    func delete(_ names: String...) throws {
      try database.deleteRecords(names.map { RecordID(recordName: $0, zoneID: zoneID) })
    }
    try delete("a1", "other")
    try database.save([RecordZone(zoneName: "Gone"), RecordZone(zoneName: "Back")])
    try database.deleteZone(ZoneID(zoneName: "Gone"))
    let seed = try client.container.fork()
    func deletions(of store: ContainerStore) throws -> [String] {
      try store.snapshot { snapshot in
        var names: [String] = []
        try snapshot.forEachTombstone(in: .private) { names.append($0.recordID.recordName) }
        return try names + snapshot.zoneTombstones(in: .private).map(\.zoneID.zoneName)
      }
    }
    try await client.create("other")
    try await client.create("new")
    try delete("new", "m1")
    try database.deleteZone(ZoneID(zoneName: "Back"))
    try database.save([RecordZone(zoneName: "Gone")])
    #expect(try deletions(of: store) == ["a1", "m1", "new", "Back"])
    try client.container.reset(to: seed)
    #expect(try deletions(of: store) == ["a1", "other", "Gone"])
    #expect(try deletions(of: store) == deletions(of: seed.store))
    var faults: [String] = []
    _ = try store.verify { faults.append("\($0)") }
    #expect(faults == [])
  }

  @Test func `the words of a deletion tell only of records that the user sees`() async throws {
    let kenji = try client.container.account("_kenji")
    try await makeChat()
    var share = try await form("sharing?\(Self.chat)", "share")
    share["public"] = "READ_WRITE"
    _ = try await sent(share)
    let root = try #require(try await client.record("chat").share)
    let made = try await client.container.privateCloudDatabase.record(for: root.recordID)
    try await kenji.accept(made)
    let zoneID = ZoneID(zoneName: "Notes")
    var child = DraftRecord(
      recordType: "Note", recordID: RecordID(recordName: "child", zoneID: zoneID))
    child.parent = Reference(recordID: RecordID(recordName: "chat", zoneID: zoneID))
    var hidden = DraftRecord(
      recordType: "Note", recordID: RecordID(recordName: "hidden", zoneID: zoneID))
    hidden["to"] = Reference(recordID: child.recordID, action: .deleteSelf)
    try client.container.store.database(.private).save([child, hidden])
    let cookie = "console-actor=_kenji"
    let page = try await client.page(
      "delete?database=shared&zone=Notes&owner=_anna&name=child", cookie: cookie)
    #expect(page.has("1 <bdi>Note</bdi>") && !page.has("2 <bdi>Note</bdi>"), "\(page.problem)")
    let deletion = try #require(SentForm(page.text, action: "delete-record"))
    let answer = try await client.send(deletion.request())
    let path = try #require(answer.response.headers["Location"])
    let deleted = try await client.page(path, cookie: cookie)
    #expect(deleted.has("Deleted <strong>1 <bdi>Note</bdi></strong>"), "\(deleted.problem)")
    #expect(try !names().contains("hidden"))
    let undo = try #require(SentForm(deleted.text, action: "undo"))
    let undone = try await client.send(undo.request())
    #expect(undone.response.headers["Location"]?.contains("restored=1&left=0") == true)
    #expect(try names().contains("hidden"))
  }

  @Test func `a record's page finds its relations by an index, once for each change`() async throws
  {
    try await makeChat()
    let page = try await client.page("record?\(Self.chat)")
    #expect(page.has("<bdi>Note.to</bdi> <span class=\"quiet\">(2)</span>"), "\(page.text)")
    let made = client.handler.results.made
    for _ in 0..<3 { _ = try await client.page("record?\(Self.chat)") }
    #expect(client.handler.results.made == made)
    #expect(try client.container.store.missing([.reference, .parent]) == nil)
    try await client.create(
      "m3", #"{"to":{"type":"REFERENCE","value":{"recordName":"chat","action":"NONE"}}}"#)
    #expect(
      try await client.page("record?\(Self.chat)").has(
        "<bdi>Note.to</bdi> <span class=\"quiet\">(3)</span>"))
  }

  @Test func `a reference to a record that is not there looks like one`() async throws {
    try await client.create(
      "m", #"{"to":{"type":"REFERENCE","value":{"recordName":"gone","action":"NONE"}}}"#)
    let page = try await client.page("record?database=private&zone=Notes&name=m")
    #expect(page.has("<span class=\"removed\">not there</span>"))
  }
}

import Foundation
import MockCloud
import RecordModel
import RecordStore
import TestSupport
import Testing

@testable import CloudWebServices

/// Who may change a container by the console, and as whom.
@Suite struct EditingAccessTests {
  let client: WebClient

  init() async throws {
    client = try WebClient(admin: WebAdmin(), page: .withServices, schema: EditingTests.schema)
    _ = try client.container.account(
      "_kenji", nameComponents: .init(givenName: "Kenji"), emailAddress: "kenji@example.com")
    try await client.makeZone()
    try await client.create("root", #"{"title":{"value":"Plans","type":"STRING"}}"#)
  }

  private static let actions = PageAction.allCases.map(\.rawValue)
  private static let views = ["edit", "delete", "zones", "users", "sharing", "answer", "find"]

  private func form(
    _ target: String, _ action: String, containing: String = "", cookie: String? = nil
  ) async throws -> SentForm {
    let page = try await client.page(target, cookie: cookie)
    return try #require(
      SentForm(page.text, action: action, containing: containing), "\(page.problem)")
  }

  private func sent(_ form: SentForm) async throws -> Answer {
    try await client.follow(try await client.send(form.request()))
  }

  // MARK: Reading only

  @Test(arguments: [WebPage.alone, .none])
  func `a page that only looks has no form and takes none`(_ page: WebPage) async throws {
    let reader = WebServicesHandler([try WebContainer(client.container)], page: page)
    for view in Self.views {
      let response = await reader.respond(
        to: WebRequest(
          "GET",
          "\(WebClient.console)/\(view)?database=private&zone=Notes&name=root&number=1"
            + "&in=private/Notes/__defaultOwner__"))
      #expect(response.status == 404)
    }
    for view in [
      "overview", "records?database=private&zone=Notes",
      "record?database=private&zone=Notes&name=root",
    ] {
      let response = await reader.respond(to: WebRequest("GET", "\(WebClient.console)/\(view)"))
      // The form of a condition only shows records.
      let text = String(decoding: response.body, as: UTF8.self).replacing(
        "<form method=\"post\" action=\"\(WebClient.console)/actions/filter\"", with: "")
      for word in ["method=\"post\"", "/edit?", "/delete?", "/sharing?", "/users", "Acting as"] {
        #expect(!text.contains(word), "\(word) in \(view)")
      }
    }
    var form = try await form("edit?database=private&zone=Notes&name=root", "save")
    form.enter("changed", "title")
    for action in Self.actions where page == .none || action != PageAction.filter.rawValue {
      var request = form.request()
      request.path = form.action.replacing("actions/save", with: "actions/\(action)")
      #expect(await reader.respond(to: request).status == 404)
    }
    #expect(try await client.record("root")["title"] == "Plans")
  }

  // MARK: Users

  @Test func `a user is chosen, and forms act as that user`() async throws {
    let users = try await form("users", "act-as", containing: "_kenji")
    #expect(try await client.page("users").has("aria-label=\"Act as _kenji\""))
    let chosen = try await client.send(users.request())
    let cookie = try #require(chosen.response.headers["Set-Cookie"])
    #expect(cookie == "console-actor=_kenji; Path=\(WebClient.console); HttpOnly; SameSite=Strict")
    let page = try await client.page("overview", cookie: "other=1; console-actor=_kenji")
    #expect(page.has("Acting as <bdi>_kenji</bdi>"))
    var zone = try await form(
      "zones", "create-zone", cookie: "console-actor=*_kenji")
    zone["name"] = "Kenji's"
    let made = try await sent(zone)
    #expect(made.isDone, "\(made.problem)")
    #expect(made.has("ckWebAuthToken=_kenji"))
    // The view of zones offers changes of the own ones only.
    let zones = try await client.page("zones", cookie: "console-actor=*_kenji")
    #expect(zones.has("zone=Notes") && zones.has("zone=Kenji%27s"))
    for path in ["edit", "sharing"] {
      #expect(zones.has("\(path)?database=private&amp;zone=Kenji%27s"))
      #expect(!zones.has("\(path)?database=private&amp;zone=Notes"))
    }
    #expect(!zones.has("private/Notes/__defaultOwner__"))
    var note = try await form(
      "edit?database=private&zone=Kenji%27s&owner=_kenji&type=Note", "save",
      cookie: "console-actor=*_kenji")
    note["name"] = "his"
    // The cookie of another page does not change whose form it is.
    let answer = try await client.follow(
      try await client.send(note.request(cookie: "console-actor=_anna")))
    #expect(answer.isDone, "\(answer.problem)")
    let record = try await client.container.account("_kenji").database(with: .private).record(
      for: RecordID(recordName: "his", zoneID: ZoneID(zoneName: "Kenji's")))
    #expect(record.systemFields.created?.userRecordName == "_kenji")
  }

  @Test func `nobody may read the public database only`() async throws {
    var form = try await form("edit?database=private&zone=Notes&name=root", "save")
    form["as"] = "!"
    form.enter("changed", "title")
    let answer = try await client.send(form.request())
    #expect(answer.has("AUTHENTICATION_REQUIRED"), "\(answer.problem)")
  }

  @Test(arguments: [true, false])
  func `a user is added, also without the requests of tests`(_ isTest: Bool) async throws {
    var client = client
    if !isTest {
      client.handler = WebServicesHandler(client.handler.containers, page: .withServices)
    }
    var form = try #require(
      SentForm(try await client.page("users").text, action: "add-user"))
    form["user"] = "_new"
    form["givenName"] = "Nele"
    let added = try await client.follow(try await client.send(form.request()))
    #expect(added.isDone && added.has("&quot;userRecordName&quot;: &quot;_new&quot;"))
    // A test can send the request only to a server that takes it.
    #expect(added.has("curl -sS &#39;http://localhost:8080/admin/users&#39;") == isTest)
    #expect(try client.container.accounts.contains { $0.userRecordName == "_new" })
    #expect(try await client.page("users").has("<bdi>Nele</bdi>"))
    let number = try #require(client.handler.log.entries.last?.number)
    let request = try await client.page("requests?number=\(number)")
    #expect(request.has("POST <code title=\"/admin/users\">") && !request.has("Send again"))
    #expect(try await client.page("requests").has("id=\"r\(number)\""))
    form["user"] = "__defaultOwner__"
    let wrong = try await client.follow(try await client.send(form.request()))
    #expect(wrong.has("role=\"alert\">BAD_REQUEST"), "\(wrong.problem)")
    #expect(client.handler.log.entries.map(\.status).suffix(2) == [200, 400])
  }

  // MARK: Zones

  @Test func `a zone is created and deleted`() async throws {
    var creation = try await form("zones", "create-zone")
    creation["name"] = "New"
    #expect(try await sent(creation).isDone)
    let deletion = try await form("delete?database=private&zone=New", "delete-zone")
    let deleted = try await sent(deletion)
    #expect(deleted.has("&quot;deleted&quot;: true"), "\(deleted.problem)")
    let again = try await client.send(deletion.request())
    #expect(again.status == 404 && again.text.contains("no such zone to delete"), "\(again.text)")
  }

  // MARK: Shares

  private static let share = "sharing?database=private&zone=Notes&name=root"

  @Test func `a record is shared, joined, changed, left and no longer shared`() async throws {
    var form = try await form(Self.share, "share")
    form["email"] = "kenji@example.com"
    form["title"] = "Plans"
    let made = try await sent(form)
    #expect(made.isDone, "\(made.problem)")
    #expect(made.has("CKShare(rootRecord: root)"))
    let kenji = "console-actor=*_kenji"
    let accept = try await self.form(Self.share, "accept", cookie: kenji)
    let accepted = try await sent(accept)
    #expect(accepted.has("&quot;participantStatus&quot;: &quot;ACCEPTED&quot;"))
    var note = try await self.form(
      "edit?database=private&zone=Notes&name=root", "save", cookie: kenji)
    note.enter("Kenji's", "title")
    let changed = try await sent(note)
    #expect(changed.has("/shared/records/modify"), "\(changed.problem)")
    #expect(try await client.record("root")["title"] == "Kenji's")
    var permission = try await self.form(Self.share, "share", containing: "value=\"remove\"")
    permission["operation"] = "permission"
    permission["permission"] = "READ_ONLY"
    #expect(try await sent(permission).isDone)
    note = try await self.form("edit?database=private&zone=Notes&name=root", "save", cookie: kenji)
    note.enter("not allowed", "title")
    #expect(try await client.send(note.request()).has("ACCESS_DENIED"))
    let leave = try await self.form(
      Self.share, "delete-record", containing: "Leave", cookie: kenji)
    #expect(try await sent(leave).isDone)
    let stop = try await self.form(Self.share, "delete-record", containing: "Stop sharing")
    #expect(try await sent(stop).isDone)
    #expect(try await client.record("root").share == nil)
  }

  @Test func `forms lead back to their view, and an accepted share to what is shared`() async throws
  {
    func location(_ form: SentForm) async throws -> String {
      let answer = try await client.send(form.request())
      return String(answer.response.headers["Location"]?.dropFirst(WebClient.console.count) ?? "")
    }
    var zone = try await form("zones", "create-zone")
    zone["name"] = "New"
    #expect(try await location(zone).hasPrefix("/zones?notice=create-zone&number="))
    var user = try #require(SentForm(try await client.page("users").text, action: "add-user"))
    user["user"] = "_mona"
    #expect(try await location(user).hasPrefix("/users?notice=add-user&number="))
    var form = try await form(Self.share, "share")
    form["user"] = "_kenji"
    let shared = try await location(form)
    #expect(shared.hasPrefix("/sharing?") && shared.contains("&notice=share&number="))
    let page = try await client.page(String(shared.dropFirst()))
    #expect(page.has("Done. <a href=") && page.has("data-copy=\"share-link\""), "\(page.problem)")
    #expect(page.has("<bdi>Sharing of root</bdi>"))
    // A share is not made as a record.
    let shares = "records?database=private&zone=Notes&type="
    #expect(try await client.page(shares + "Note").has(">New record</a>"))
    #expect(try await !client.page(shares + "cloudkit.share").has(">New record</a>"))
    // The owner takes part already.
    #expect(!page.has("Accept as"))
    let link = try #require(page.text.firstMatch(of: /id="share-link">([^<]*)</)?.1)
    var accept = try await self.form("shares", "accept", cookie: "console-actor=_kenji")
    accept["link"] = String(link)
    let joined = try await location(accept)
    #expect(
      joined.hasPrefix("/record?database=shared&zone=Notes&owner=_anna&name=root&notice=accept"))
    for user in ["_anna", "_kenji", "*_kenji"] {
      let list = try await client.page("shares", cookie: "console-actor=\(user)")
      #expect(
        list.status == 200 && list.has("<bdi>Plans</bdi></a></td>"), "\(user): \(list.problem)")
    }
    let root = try await client.page(String(joined.dropFirst()), cookie: "console-actor=_kenji")
    #expect(root.has("You take part in the share.") && root.has("Plans"), "\(root.problem)")
  }

  @Test func `a zone is shared with everyone who has the link`() async throws {
    var form = try await form("sharing?database=private&zone=Notes", "share")
    form["public"] = "READ_WRITE"
    let made = try await sent(form)
    #expect(made.has("CKShare(recordZoneID:"), "\(made.problem)")
    let target = "sharing?database=private&zone=Notes&name=cloudkit.zoneshare"
    let accept = try await self.form(
      target, "accept", cookie: "console-actor=*_kenji")
    #expect(try await sent(accept).has("ACCEPTED"))
    var closed = try await self.form(target, "share", containing: "\"public\"")
    closed["public"] = "NONE"
    #expect(try await sent(closed).isDone)
  }

  @Test func `a user is invited and removed`() async throws {
    _ = try await sent(try await form(Self.share, "share"))
    var invite = try await form(Self.share, "share", containing: "\"invite\"")
    invite["user"] = "_kenji"
    #expect(try await sent(invite).has("_kenji"))
    let sharing = try await client.page(Self.share)
    #expect(sharing.has("<td><bdi>_kenji</bdi>"), "\(sharing.problem)")
    #expect(sharing.has(">_kenji</option>"))
    var remove = try await form(Self.share, "share", containing: "\"remove\"")
    remove["operation"] = "remove"
    let removed = try await sent(remove)
    #expect(removed.isDone, "\(removed.problem)")
    let record = try #require(try await client.record("root").share)
    let share = try await client.container.privateCloudDatabase.record(for: record.recordID)
    #expect(share.shareInfo?.participants.count == 1)
  }

  // MARK: Forged forms

  @Test(
    arguments: [
      ("zone", nil), ("zone", "private/Notes"), ("zone", "elsewhere/a/b"),
      ("zone", "private/%ff/b"),
      ("type", nil), ("fields", "title,title"), ("fields", "%FF"), ("fields", "unknown"),
      ("f/title/type", "TEXT"), ("f/tags/count", "-1"), ("f/tags/count", "99999999999999999999"),
      ("step", "explode"), ("step", "add nothing"), ("source", "x"), ("as", "%00%ff"),
      ("f/files/count", "2"), ("f/files/0/stored", "999999999999/1"),
    ] as [(String, String?)])
  func `a form that nobody was given is an error or a request that the mock judges`(
    _ name: String, _ text: String?
  ) async throws {
    var form = try await form("edit?database=private&zone=Notes&type=Note", "save")
    form["name"] = "forged"
    form["f/files/count"] = "1"
    form[name] = text
    let answer = try await client.send(form.request())
    #expect([303, 400].contains(answer.status), "\(answer.problem)")
    #expect(!answer.has("<bdi>Error"))
  }

  @Test func `an input that is there twice is an error`() async throws {
    for name in ["zone", "name", "f/title/0/text", "as", "step"] {
      var form = try await form("edit?database=private&zone=Notes&type=Note", "save")
      form.texts += [(name, "a"), (name, "b")]
      let answer = try await client.send(form.request())
      #expect(answer.status == 400 && answer.text.contains("more than once"), "\(answer.problem)")
    }
  }

  @Test func `large values, many inputs and broken bodies are answered`() async throws {
    var form = try await form("edit?database=private&zone=Notes&type=Note", "save")
    form["name"] = String(repeating: "n", count: 20_000)
    let long = try await client.send(form.request())
    #expect(long.status == 400 && long.has("more than 10000 bytes"))
    #expect(long.text.utf8.count < 100_000)
    form["name"] = "large"
    form.enter(String(repeating: "x", count: 1_100_000), "title")
    let large = try await client.send(form.request())
    #expect(large.status == 400)
    #expect(large.text.utf8.count < 1_300_000)
    form.enter("x", "title")
    form.texts += (0..<30_000).map { ("extra\($0)", "") }
    let many = try await client.send(form.request())
    #expect(many.has("more than 20000 inputs"))
    var broken = form.request()
    broken.body = broken.body.prefix(200)
    #expect(try await client.send(broken).status == 400)
    broken.body = Data([0xFF, 0x00])
    #expect(try await client.send(broken).status == 400)
    broken.headers["Content-Type"] = nil
    #expect(try await client.send(broken).status == 400)
  }

  @Test func `hostile names are text in each view and form`() async throws {
    let name = "<script>x</script>\u{202E}\n\u{1}\"'&"
    let escaped = try #require(name.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
    // Names that CloudKit refuses are in a container that was imported.
    let zoneID = ZoneID(zoneName: name)
    let record = ResultRecord(
      systemFields: SystemFields(
        recordID: RecordID(recordName: name, zoneID: zoneID), recordType: "Note",
        recordChangeTag: "1"), fields: [Field(name: "title", value: .string(name))])
    try client.container.store.importTransaction { writer in
      try writer.add(RecordZone(zoneID: zoneID), to: .private)
      try writer.add(record, to: .private)
    }
    let target = "database=private&zone=\(escaped)&name=\(escaped)"
    for view in [
      "edit?\(target)", "edit?\(target)&copy=1", "delete?\(target)", "sharing?\(target)", "zones",
    ] {
      let page = try await client.page(view)
      #expect(page.status == 200, "\(page.problem)")
      #expect(!page.has("<script>x"), "\(view)")
    }
    var form = try await form("edit?\(target)", "save")
    form.enter("7", "count")
    let answer = try await client.send(form.request())
    #expect([303, 400].contains(answer.status), "\(answer.problem)")
    let page = try await client.follow(answer)
    #expect(!page.has("<script>x"))
    #expect(page.text.contains("\\u202e") || page.status == 400)
  }
}

import CloudWebServices
import Foundation
import MockCloud
import RecordModel
import TestSupport
import Testing

@Suite struct PageActionTests {
  static let base = "/page/\(WebClient.identifier)/development"

  let client: WebClient
  let admin: WebAdmin

  init() async throws {
    let admin = WebAdmin(clock: WebClock { WebClient.now }) { _ in Data("a bundle".utf8) }
    self.admin = admin
    client = try WebClient(admin: admin, page: .withServices)
    try await client.makeZone()
  }

  private func act(_ action: String, _ form: String = "") async throws -> Answer {
    try await client.send(
      WebRequest(
        "POST", "\(Self.base)/actions/\(action)",
        headers: [
          "Host": "localhost:8080", "Origin": "http://localhost:8080",
          "Content-Type": "application/x-www-form-urlencoded",
        ], body: Data(form.utf8)))
  }

  @Test func `the container is reset and saved`() async throws {
    try await client.create("a", zone: "_defaultZone")
    let snapshot = try await act("snapshot")
    #expect(snapshot.text == "a bundle")
    #expect(
      snapshot.response.headers["Content-Disposition"]
        == "attachment; filename=\"\(WebClient.identifier).recordpack\"")
    let reset = try await act("reset")
    #expect(reset.status == 303)
    #expect(reset.response.headers["Location"] == Self.base + "/overview?notice=reset")
    let page = try await client.send(WebRequest("GET", Self.base + "/overview?notice=reset")).text
    #expect(page.contains("role=\"status\">The container has its first contents again."))
    let found = try await client.post("records/lookup", #"{"records":[{"recordName":"a"}]}"#)
    #expect(found.json["records"][0]["serverErrorCode"] == "NOT_FOUND")
  }

  @Test func `a fault is set up, shown and removed`() async throws {
    let form =
      "endpoint=zones%2Flist&zone=&record=&times=2&probability=&error=THROTTLED"
      + "&retryAfter=3&latency=&moment=before&otherwise="
    let added = try await act("add-fault", form)
    #expect(added.status == 303)
    let failed = try await client.post("zones/list")
    #expect(failed.errorCode == "THROTTLED")
    #expect(failed.json["retryAfter"].number == 3)
    let page = try await client.send(WebRequest("GET", Self.base + "/faults")).text
    #expect(page.contains("<td>THROTTLED</td>"))
    let cleared = try await act("clear-faults")
    #expect(cleared.status == 303)
    let answered = try await client.post("zones/list")
    #expect(answered.status == 200)
    let wrong = try await act("add-fault", "times=often&error=THROTTLED")
    #expect(wrong.status == 400)
    #expect(wrong.text.contains("is not a number"))
    // The address of a form shows nothing that a script could keep up to date.
    #expect(!wrong.text.contains("id=\"live\""))
  }

  @Test func `numbers of a fault are as people type them`() async throws {
    let added = try await act("add-fault", "times=05&probability=.5&error=THROTTLED&latency=1e-3")
    #expect(added.status == 303, "\(added.problem)")
    let page = try await client.page("faults")
    #expect(page.has("<td>5</td>") && page.has("latency of 0.001 s"), "\(page.problem)")
  }

  @Test(
    arguments: [
      "times=1e2&error=THROTTLED", "times=1.5&error=THROTTLED", "over=1e1&error=THROTTLED",
      "moment=soon&error=THROTTLED", "error=THROTTLED&error=CONFLICT",
      "times=1&times=2&error=CONFLICT",
    ]) func `a form of a fault that cannot be used is shown again`(form: String) async throws
  {
    let answer = try await act("add-fault", form + "&record=mine")
    #expect(answer.status == 400)
    #expect(answer.text.contains("role=\"alert\"") && answer.text.contains("value=\"mine\""))
    #expect(try await client.page("faults").has("No fault is active."))
  }

  @Test func `a request that waits is released`() async throws {
    _ = try await act("add-fault", "endpoint=zones%2Flist&otherwise=hold")
    async let answer = client.post("zones/list")
    var id: String?
    try await waitUntil {
      let page = try await client.send(WebRequest("GET", Self.base + "/faults")).text
      id = page.firstMatch(of: /name="id" value="([0-9]+)"/).map { String($0.1) }
      return id != nil
    }
    _ = try await act("release", "id=\(id ?? "")")
    #expect(try await answer.status == 200)
  }

  @Test func `the clock is advanced and the list of requests cleared`() async throws {
    _ = try await act("clock", "advance=3600")
    #expect(admin.clock.now == WebClient.now + 3600)
    let wrong = try await act("clock", "advance=-5")
    #expect(wrong.status == 400)
    _ = try await client.post("zones/list")
    _ = try await act("clear-requests")
    #expect(client.handler.log.entries.isEmpty)
  }

  @Test func `without the admin requests there are no forms that change anything`() async throws {
    let client = try WebClient(page: .withServices)
    for view in ["overview", "requests"] {
      let page = try await client.send(WebRequest("GET", "\(Self.base)/\(view)"))
      // Subscriptions are made by a request of CloudKit Web Services.
      let actions = page.text.matches(of: /action="([^"]*)"/).map { String($0.1) }
        .filter { $0.contains("/actions/") && !$0.hasSuffix("/actions/subscribe") }
      #expect(actions.isEmpty)
    }
    let faults = try await client.send(WebRequest("GET", Self.base + "/faults"))
    #expect(faults.status == 404)
    let reset = try await client.send(
      WebRequest(
        "POST", Self.base + "/actions/reset",
        headers: ["Host": "localhost", "Origin": "http://localhost"]))
    #expect(reset.status == 404)
  }
}

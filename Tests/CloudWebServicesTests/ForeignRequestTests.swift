import Foundation
import MockCloud
import RecordArchive
import RecordModel
import RecordStore
import Testing

@testable import CloudWebServices

/// Requests that pages of other origins could make a browser send, to each route that there is.
@Suite struct ForeignRequestTests {
  let client: WebClient
  let admin = WebAdmin(clock: WebClock { WebClient.now }) { _ in Data("a bundle".utf8) }

  init() async throws {
    client = try WebClient(admin: admin, page: .withServices)
    try await client.makeZone()
    try await client.create("a")
  }

  private func send(
    _ method: String, _ target: String, _ headers: WebHeaders, body: String = ""
  ) async throws -> Answer {
    try await client.send(WebRequest(method, target, headers: headers, body: Data(body.utf8)))
  }

  private var state: [String] {
    get throws {
      let entries = client.handler.log.entries.filter { $0.status < 400 }.map(\.path)
      let accounts = try client.container.accounts.map(\.userRecordName)
      return [
        "\(try ArchiveSource.container(client.container.store).summary().records)",
        "\(admin.clock.now)",
        "\(admin.faults.json)",
      ] + entries + accounts
    }
  }

  // MARK: Hosts

  /// A request to each route.
  private static var targets: [(method: String, target: String)] {
    let place = "database=private&zone=Notes&type=Note&name=a&number=1&format=csv&sha256=0"
    let service = "/1/\(WebClient.identifier)/development"
    return [
      ("GET", "/"), ("GET", "/page/page.js"), ("GET", "/page/edit.js"), ("GET", "/favicon.ico"),
    ]
      + PageView.allCases.map { ("GET", "\(WebClient.console)/\($0.rawValue)?\(place)") }
      + PageAction.allCases.map { ("POST", "\(WebClient.console)/actions/\($0.rawValue)") }
      + Endpoint.ofDatabase.keys.sorted().map { ("POST", "/database\(service)/private/\($0)") }
      + Endpoint.ofDevice.keys.sorted().map { ("POST", "/device\(service)/\($0)") }
      + [
        ("POST", "/assets/upload/x"), ("GET", "/assets/download/x/file"),
        ("GET", "/notifications/x"),
        ("GET", "/sign-in?for=x"), ("OPTIONS", "/database\(service)/private/zones/list"),
      ]
      + ["reset", "snapshot", "load", "clock", "faults", "release", "users"].map {
        ("POST", "/admin/\($0)")
      }
      + ["clock", "faults", "users", "log"].map { ("GET", "/admin/\($0)") }
  }

  @Test(arguments: [
    "evil.example", "evil.example:8080", "localhost.evil.example", "", "localhost:80@evil.example",
    "[::1].evil.example", "127.0.0.1.evil.example:80", "localhost:evil.example", "[::1",
  ])
  func `no route responds under a name that is not ours`(_ host: String) async throws {
    let before = try state
    for (method, target) in Self.targets {
      let foreign = try await send(
        method, target + (target.contains("?") ? "&" : "?") + client.query.dropFirst(),
        ["Host": host, "Origin": "http://\(host)", "Sec-Fetch-Site": "same-origin"])
      #expect(foreign.status == 403, "\(method) \(target)")
      #expect(foreign.response.headers["Access-Control-Allow-Origin"] == nil)
    }
    #expect(try state == before)
  }

  @Test func `each route responds under our name`() async throws {
    for (method, target) in Self.targets {
      let own = try await send(
        method, target, ["Host": "localhost:8080", "Origin": "http://localhost:8080"])
      #expect(own.status != 403, "\(method) \(target)")
    }
  }

  // MARK: Forms

  @Test(arguments: PageAction.allCases.map(\.rawValue))
  func `a form is accepted from a page of this very server only`(_ action: String) async throws {
    let path = "\(WebClient.console)/actions/\(action)"
    let body =
      "zone=private/Notes/__defaultOwner__&record=private/Notes/__defaultOwner__/a&user=_foreign"
      + "&advance=60&error=THROTTLED&operation=create&name=foreign&as="
    let own = "http://localhost:8080"
    let before = try state
    for (origin, site) in [
      (nil, nil), (nil, "same-origin"), (nil, "none"), ("null", nil), ("null", "same-origin"),
      ("http://localhost:3000", "same-site"), ("http://127.0.0.1:8080", "cross-site"),
      ("http://localhost", nil), ("https://evil.example", nil),
      ("https://evil.example", "cross-site"),
      ("http://localhost:8080.evil.example", nil), (own, "cross-site"), (own, "same-site"),
      (own, "none"),
    ] as [(String?, String?)] {
      for type in ["application/x-www-form-urlencoded", "text/plain", "application/json"] {
        var headers: WebHeaders = ["Host": "localhost:8080", "Content-Type": type]
        headers["Origin"] = origin
        headers["Sec-Fetch-Site"] = site
        let answer = try await send("POST", path, headers, body: body)
        #expect(answer.status == 403, "\(origin ?? "no origin"), \(site ?? "no site")")
        #expect(answer.response.headers["Set-Cookie"] == nil)
      }
    }
    // A link, or an image of another page, sends no origin.
    #expect(try await send("GET", path + "?" + body, ["Host": "localhost:8080"]).status == 400)
    #expect(try state == before)
    let accepted = try await send("POST", path, ["Host": "localhost:8080", "Origin": own])
    #expect(accepted.status != 403)
  }
}

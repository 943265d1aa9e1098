import CloudWebServices
import Foundation
import MockCloud
import RecordModel
import Testing

/// What bodies of requests and responses contain, and nobody has asked for.
@Suite struct PageSecretTests {
  private static let base = "/page/\(WebClient.identifier)/development"
  private static let secret = "the-secret-word"

  let client: WebClient

  init() async throws {
    client = try WebClient(page: .withServices)
    try await client.makeZone()
  }

  private func requests(_ query: String = "") async throws -> String {
    try await client.send(WebRequest("GET", Self.base + "/requests" + query)).text
  }

  @Test(arguments: ["true", "\"true\"", "1"])
  func `a value with any mark is covered, and so is a filter by its field`(
    _ mark: String
  ) async throws {
    try await client.create(
      "a", #"{"secret":{"value":"\#(Self.secret)","type":"STRING","isEncrypted":\#(mark)}}"#)
    _ = try await client.post(
      "records/query",
      #"""
      {"zoneID":{"zoneName":"Notes"},"resultsLimit":1,"query":{"recordType":"Note","filterBy":[
      {"fieldName":"secret","comparator":"EQUALS","fieldValue":{"value":"\#(Self.secret)"}}]}}
      """#)
    let page = try await requests()
    #expect(page.contains("records/query") && page.contains("records/modify"))
    #expect(!page.contains(Self.secret))
    #expect(try await requests("?encrypted=shown").contains(Self.secret))
  }

  @Test func `a continuation marker, which contains the query, is covered`() async throws {
    for name in ["a", "b"] {
      try await client.create(name, #"{"title":{"value":"x","type":"STRING"}}"#)
    }
    let answer = try await client.post(
      "records/query",
      #"{"zoneID":{"zoneName":"Notes"},"resultsLimit":1,"query":{"recordType":"Note"}}"#)
    let marker = try #require(answer.json["continuationMarker"].string)
    #expect(!(try await requests().contains(marker)))
    #expect(try await requests("?encrypted=shown").contains(marker))
  }

  @Test func `tokens are never shown`() async throws {
    let tokens = try await client.post(
      "assets/upload",
      #"{"zoneID":{"zoneName":"Notes"},"tokens":[{"recordType":"Note","fieldName":"file"}]}"#)
    let upload = try #require(tokens.json["tokens"][0]["url"].string.flatMap(URL.init))
    let receipt = try await client.send(
      WebRequest("POST", upload.path, body: Data("content".utf8)))
    let device = try await client.send(
      WebRequest(
        "POST", "/device/1/\(WebClient.identifier)/development/tokens/create" + client.query,
        body: Data(#"{"apnsEnvironment":"development"}"#.utf8)))
    let courier = try #require(device.json["webcourierURL"].string.flatMap(URL.init))
    _ = try await client.send(WebRequest("GET", courier.path))
    let secrets = [
      upload.lastPathComponent, courier.lastPathComponent,
      receipt.json["singleFile"]["receipt"].string, device.json["apnsToken"].string,
    ]
    for query in ["", "?encrypted=shown"] {
      let page = try await requests(query)
      #expect(page.contains("/assets/upload/…"))
      #expect(page.contains("/notifications/…"))
      for secret in secrets { #expect(!page.contains(try #require(secret))) }
    }
    let paths = client.handler.log.entries.map(\.path)
    #expect(!paths.contains { $0.contains(upload.lastPathComponent) })
  }

  @Test func `a field may be named as a token is`() async throws {
    try await client.create(
      "a", #"{"receipt":{"value":"Groceries","type":"STRING"}}"#)
    #expect(try await requests().contains("Groceries"))
  }

  @Test func `a request to one container is not shown with another one`() async throws {
    let containers = try ["iCloud.one", "iCloud.two"].map { identifier in
      try WebContainer(
        MockContainer.inMemory(
          info: ContainerInfo(identifier: identifier, environment: .development),
          rules: .webServices))
    }
    let handler = WebServicesHandler(containers, page: .withServices)
    func send(_ method: String, _ path: String) async -> String {
      let response = await handler.respond(to: WebRequest(method, path, body: Data("{}".utf8)))
      return String(decoding: response.body, as: UTF8.self)
    }
    _ = await send("POST", "/database/1/iCloud.one/development/private/zones/list" + client.query)
    _ = await send("POST", "/database/1/iCloud.three/development/private/zones/list")
    let (one, two) = (
      await send("GET", "/page/iCloud.one/development/requests"),
      await send("GET", "/page/iCloud.two/development/requests")
    )
    #expect(one.contains("id=\"r1\"") && one.contains("id=\"r2\""))
    #expect(!two.contains("id=\"r1\"") && two.contains("id=\"r2\""))
    let other = await send("GET", "/page/iCloud.two/development/requests?number=1")
    #expect(other.contains("This page cannot be shown"))
  }

  @Test func `large bodies are shown on a page of their own`() async throws {
    let text = String(repeating: "long ", count: 10_000)
    try await client.create("a", #"{"title":{"value":"\#(text)","type":"STRING"}}"#)
    for _ in 0..<200 { _ = try await client.post("zones/list", "{}") }
    try await client.create("b", #"{"title":{"value":"\#(text)","type":"STRING"}}"#)
    let page = try await requests()
    #expect(page.utf8.count < 1_000_000)
    #expect(!page.contains(text))
    let link = try #require(page.firstMatch(of: /href="([^"]*\/requests\?number=[0-9]+)"/)?.1)
    let one = try await client.send(WebRequest("GET", String(link)))
    #expect(one.text.contains(text))
  }

  @Test(arguments: [
    "secret = 'the-secret-word'", "title = 'x' AND NOT (secret BEGINSWITH 'the-secret-word')",
    "contains(secret, 'the-secret-word')", "title = secret OR title = 'the-secret-word'",
    "secret = 'the-secret-word",
  ])
  func `a condition that compares an encrypted field does not stay in the address`(
    _ condition: String
  ) async throws {
    try await client.create(
      "a",
      #"{"secret":{"value":"\#(Self.secret)","type":"STRING","isEncrypted":true},"title":{"value":"x"}}"#
    )
    let query =
      "?database=private&zone=Notes&type=Note&limit=100&where="
      + (condition.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "")
    let answer = try await client.send(WebRequest("GET", Self.base + "/records" + query))
    #expect(answer.status == 303)
    let location = try #require(answer.response.headers["Location"])
    #expect(!location.contains("secret") && !location.contains("where"))
    #expect(location.contains("limit=100"))
    let page = try await client.send(WebRequest("GET", location)).text
    #expect(page.contains("left the condition out") && !page.contains(Self.secret))
    #expect(page.contains("<bdi>a</bdi>"))
    let untyped = query.replacing("&type=Note", with: "")
    #expect(
      try await client.send(WebRequest("GET", Self.base + "/records" + untyped)).status == 303)
    let file = try await client.send(
      WebRequest("GET", Self.base + "/export" + query + "&format=json"))
    #expect(file.status == 400 && !file.text.contains(Self.secret))
  }

  /// Sends a condition by the form of the page.
  private func send(
    _ condition: String, by client: WebClient, origin: String? = "http://localhost:8080"
  ) async throws -> Answer {
    let page = try await client.page(
      "records?database=private&zone=Notes&type=Note&limit=100&sort=title")
    var form = try #require(SentForm(page.text, action: "filter"))
    form["where"] = condition
    var request = form.request(origin: origin)
    request.headers["Content-Type"] = "application/x-www-form-urlencoded"
    let items = form.texts.map { name, text in
      "\(name)=\(text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "")"
    }
    request.body = Data(items.joined(separator: "&").utf8)
    return try await client.send(request)
  }

  @Test func `a condition comes into the address only if it compares no encrypted field`()
    async throws
  {
    try await client.create(
      "a",
      #"{"secret":{"value":"\#(Self.secret)","type":"STRING","isEncrypted":true},"title":{"value":"x"}}"#
    )
    let readOnly = WebServicesHandler(client.handler.containers, page: .alone)
    for handler in [client.handler, readOnly] {
      func follow(_ answer: Answer) async throws -> (path: String, page: String) {
        let path = try #require(answer.response.headers["Location"])
        let request = WebRequest("GET", path, headers: ["Host": "localhost:8080"])
        return (path, Answer(await handler.respond(to: request)).text)
      }
      var client = client
      client.handler = handler
      let plain = try await follow(try await send("title = 'x'", by: client))
      #expect(
        plain.path.contains("where=title%20%3D%20%27x%27") && plain.path.contains("limit=100"))
      #expect(plain.page.contains("<bdi>a</bdi>"))
      let secret = try await follow(
        try await send("secret = '\(Self.secret)' OR title = 'x'", by: client))
      #expect(!secret.path.contains("where") && !secret.path.contains(Self.secret))
      #expect(secret.path.contains("sort=title") && secret.page.contains("left the condition out"))
      // A field with a wrong name can be meant for an encrypted one.
      for condition in ["secrt = 'a-typed-word'", "title = 'a-typed-word"] {
        let wrong = try await send(condition, by: client)
        #expect(wrong.status == 400 && wrong.response.headers["Location"] == nil)
        #expect(wrong.has("role=\"alert\">predicate, column"))
        #expect(SentForm(wrong.text, action: "filter")?["where"] == condition)
        let links = wrong.text.matches(of: /(?:href|action)="[^"]*"/).map { String($0.0) }
        #expect(links.allSatisfy { !$0.contains("a-typed-word") }, "\(links)")
        #expect(!wrong.has("id=\"live\""))
      }
      for origin in [nil, "null", "https://evil.example"] {
        #expect(try await send("title = 'x'", by: client, origin: origin).status == 403)
      }
    }
  }

  @Test func `a condition may ask whether a record has an encrypted field`() async throws {
    try await client.create(
      "a", #"{"secret":{"value":"\#(Self.secret)","type":"STRING","isEncrypted":true}}"#)
    try await client.create("b", #"{"title":{"value":"x"}}"#)
    let answer = try await client.send(
      WebRequest(
        "GET", Self.base + "/records?database=private&zone=Notes&type=Note&where=has%20secret"))
    #expect(answer.status == 200)
    #expect(answer.text.contains("<bdi>a</bdi>") && !answer.text.contains("<bdi>b</bdi>"))
  }

  @Test func `records for which a function has no value are counted`() async throws {
    try await client.create("a", #"{"title":{"value":"12"}}"#)
    try await client.create("b", #"{"title":{"value":"twelve"}}"#)
    let page = try await client.send(
      WebRequest(
        "GET",
        Self.base
          + "/records?database=private&zone=Notes&type=Note&where=integer(title)%20%3E%203")
    ).text
    #expect(page.contains("The condition does not apply to 1 record."))
    #expect(page.contains(#"><bdi>b</bdi></a>: "#))
  }
}

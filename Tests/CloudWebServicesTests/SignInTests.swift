import CloudWebServices
import Foundation
import RecordModel
import Testing

@Suite struct SignInTests {
  private static let origin = "http://localhost:3000"

  /// Sends a request without a user, and returns the path and query of the sign-in page.
  private func page(_ client: WebClient, origin: String? = Self.origin) async throws -> String {
    var headers: WebHeaders = ["Host": "localhost:8080"]
    headers["Origin"] = origin
    let answer = try await client.send(
      WebRequest("POST", client.signedOut.target("zones/list"), headers: headers))
    #expect(answer.status == 421)
    let address = try #require(answer.json["redirectURL"].string)
    #expect(address.hasPrefix("http://localhost:8080/sign-in?for="))
    return String(address.dropFirst("http://localhost:8080".count))
  }

  private func get(_ client: WebClient, _ target: String) async throws -> Answer {
    try await client.send(WebRequest("GET", target, headers: ["Host": "localhost:8080"]))
  }

  private func token(in page: Answer) -> String? {
    page.text.firstMatch(of: #/<code id="token"[^>]*>([^<]+)</#).map { String($0.1) }
  }

  @Test func `a request that needs a user says where to sign in, and the token is valid`()
    async throws
  {
    let client = try WebClient()
    _ = try client.container.account("_kenji", emailAddress: "kenji@example.com")
    let page = try await self.page(client)
    let users = try await get(client, page)
    #expect(users.response.headers["Content-Type"] == "text/html; charset=UTF-8")
    for name in ["_anna", "_kenji"] {
      #expect(users.text.contains("&amp;user=\(name)\""), "\(users.text)")
    }
    let signedIn = try await get(client, page + "&user=_kenji")
    let token = try #require(self.token(in: signedIn))
    let caller = try await client.with(user: token, scope: "public").post("users/caller")
    #expect(caller.json["userRecordName"] == "_kenji")
    #expect(signedIn.text.contains("data-origin=\"\(Self.origin)\""))
  }

  @Test func `a browser is sent back where the API token says so`() async throws {
    var access = WebAccess()
    access.signInCallback = URL(string: "http://localhost:3000/back?a=b")
    let client = try WebClient(access: access)
    let page = try await self.page(client, origin: nil)
    let answer = try await get(client, page + "&user=_anna")
    #expect(answer.status == 302)
    let location = try #require(answer.response.headers["Location"].flatMap(URL.init(string:)))
    let items = URLComponents(url: location, resolvingAgainstBaseURL: false)?.queryItems ?? []
    #expect(items.map(\.name) == ["a", "ckWebAuthToken", "ckSession"])
    let token = try #require(items.last?.value)
    let caller = try await client.with(user: token, scope: "public").post("users/caller")
    #expect(caller.json["userRecordName"] == "_anna")
  }

  @Test func `what users are called is text on the page`() async throws {
    let client = try WebClient()
    _ = try client.container.account(
      "_\"><b>&", nameComponents: .init(givenName: "<script>alert(1)</script>"))
    let page = try await get(client, self.page(client))
    #expect(!page.text.contains("<script>alert") && !page.text.contains("<b>"))
    #expect(page.text.contains("&lt;script&gt;alert(1)"))
    let signedIn = try await get(client, self.page(client) + "&user=_%22%3E%3Cb%3E%26")
    #expect(signedIn.status == 200)
    #expect(!signedIn.text.contains("<b>"))
  }

  @Test func `the page runs no other script, and is in no frame`() async throws {
    let client = try WebClient()
    let page = try await get(client, self.page(client) + "&user=_anna")
    let policy = try #require(page.response.headers["Content-Security-Policy"])
    #expect(policy.contains("default-src 'none'") && policy.contains("frame-ancestors 'none'"))
    #expect(page.response.headers["X-Frame-Options"] == "DENY")
    #expect(page.text.components(separatedBy: "<script").count == 2)
  }

  @Test(arguments: ["", "?for=x.y", "?user=_anna"])
  func `an address that was not given out leads to no page`(query: String) async throws {
    let client = try WebClient()
    let answer = try await get(client, "/sign-in" + query)
    #expect(answer.status == 404)
  }

  @Test func `a user that is none, a foreign host and another method are refused`() async throws {
    let client = try WebClient()
    let page = try await self.page(client)
    let nobody = try await get(client, page + "&user=_mallory")
    #expect(nobody.status == 404)
    let accounts = try client.container.accounts
    #expect(accounts.isEmpty)
    let foreign = try await client.send(
      WebRequest("GET", page, headers: ["Host": "evil.example"]))
    #expect(foreign.status == 403)
    let posted = try await client.send(
      WebRequest("POST", page, headers: ["Host": "localhost:8080"]))
    #expect(posted.status == 400)
    // An upload's token is none of the page.
    let upload = try await client.post("assets/upload", #"{"tokens":[{"fieldName":"a"}]}"#)
    let other = upload.json["tokens"][0]["url"].string?.split(separator: "/").last ?? ""
    let wrong = try await get(client, "/sign-in?for=\(other)")
    #expect(wrong.status == 404)
  }

  @Test func `where user tokens are secrets, there is no page`() async throws {
    var access = WebAccess()
    access.userTokens = ["secret": "_anna"]
    let closed = try WebClient(access: access)
    let answer = try await closed.signedOut.post("zones/list")
    #expect(answer.status == 421)
    #expect(!answer.json["redirectURL"].isThere)
  }

  @Test func `the log has no token`() async throws {
    let client = try WebClient()
    _ = try await get(client, page(client) + "&user=_anna")
    #expect(client.handler.log.entries.last?.path == "/sign-in")
  }
}

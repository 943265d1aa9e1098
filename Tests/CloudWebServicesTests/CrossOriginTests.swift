import CloudWebServices
import Foundation
import Testing

@Suite struct CrossOriginTests {
  private func send(
    _ client: WebClient, _ method: String = "POST", host: String? = nil, origin: String? = nil
  ) async throws -> Answer {
    var headers: WebHeaders = [:]
    headers["Host"] = host
    headers["Origin"] = origin
    let request = WebRequest(method, client.target("zones/list"), headers: headers)
    return try await client.send(request)
  }

  @Test(arguments: ["http://localhost:3000", "http://127.0.0.1", "https://[::1]:8443"])
  func `pages of this machine may send requests`(origin: String) async throws {
    let client = try WebClient()
    let answer = try await send(client, origin: origin)
    #expect(answer.status == 200)
    #expect(answer.response.headers["Access-Control-Allow-Origin"] == origin)
    #expect(
      answer.response.headers["Access-Control-Expose-Headers"]
        == "X-Apple-CloudKit-Web-Auth-Token, Content-Range")
    let asked = try await send(client, "OPTIONS", origin: origin)
    #expect(asked.status == 204)
    #expect(
      asked.response.headers["Access-Control-Allow-Methods"] == "GET, POST, PUT, DELETE, OPTIONS")
  }

  @Test(arguments: [
    "https://evil.example", "null", "http://localhost.evil.example", "file://", "http://",
    "https://127.0.0.1.evil.example:80",
  ])
  func `pages from elsewhere may not`(origin: String) async throws {
    let client = try WebClient()
    for method in ["POST", "OPTIONS"] {
      let answer = try await send(client, method, origin: origin)
      #expect(answer.status == 403)
      #expect(answer.response.headers["Access-Control-Allow-Origin"] == nil)
    }
  }

  @Test(arguments: [
    ("capacitor://localhost", true), ("chrome-extension://abc", true), ("ionic://localhost", false),
    ("capacitor", false), ("https://evil.example", false), ("null", false),
  ])
  func `pages of other schemes may if their schemes are allowed`(
    origin: String, isAllowed: Bool
  ) async throws {
    let origins = WebOrigins(schemes: ["capacitor", "chrome-extension"])
    let answer = try await send(try WebClient(origins: origins), origin: origin)
    #expect(answer.status == (isAllowed ? 200 : 403))
    #expect(
      answer.response.headers["Access-Control-Allow-Origin"] == (isAllowed ? origin : nil))
  }

  @Test func `a name that leads here is not our host unless we say so`() async throws {
    let client = try WebClient()
    let other = try await send(client, host: "evil.example:8080")
    #expect(other.status == 403)
    let own = try await send(client, host: "localhost:8080")
    #expect(own.status == 200)
    let named = try WebClient(origins: WebOrigins(hosts: ["ci.example"]))
    let allowed = try await send(named, host: "ci.example", origin: "http://ci.example")
    #expect(allowed.status == 200)
  }
}

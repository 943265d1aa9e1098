import CloudWebServices
import Foundation
import RecordModel
import Testing

@Suite struct AuthenticationTests {
  private static let header = "X-Apple-CloudKit-Web-Auth-Token"

  @Test func `a request without an API token is refused`() async throws {
    var client = try WebClient()
    client.apiToken = nil
    let answer = try await client.post("zones/list")
    #expect(answer.status == 401)
    #expect(answer.errorCode == "AUTHENTICATION_FAILED")
    #expect(answer.json["uuid"].string?.isEmpty == false)
  }

  @Test func `where API tokens are set, no other is one`() async throws {
    var access = WebAccess()
    access.apiTokens = ["right"]
    var client = try WebClient(access: access)
    let wrong = try await client.post("zones/list")
    #expect(wrong.status == 401)
    client.apiToken = "right"
    let right = try await client.post("zones/list")
    #expect(right.status == 200)
  }

  @Test(arguments: ["_mallory", "x.y", "%00", "__nobody__"])
  func `a token of nobody is refused, and makes no user`(token: String) async throws {
    let client = try WebClient().with(user: token)
    let answer = try await client.post("zones/list")
    #expect(answer.status == 401)
    #expect(answer.errorCode == "AUTHENTICATION_FAILED")
    let accounts = try client.container.accounts
    #expect(accounts.isEmpty)
  }

  @Test func `where user tokens are set, record names are none`() async throws {
    var access = WebAccess()
    access.userTokens = ["secret": "_anna"]
    let client = try WebClient(access: access)
    let name = try await client.post("zones/list")
    #expect(name.status == 401)
    let token = try await client.with(user: "secret").post("zones/list")
    #expect(token.status == 200)
  }

  @Test func `users are switched by token`() async throws {
    let client = try WebClient()
    _ = try client.container.account("_kenji")
    try await client.makeZone("Annas")
    let anna = try await client.post("zones/list")
    let kenji = try await client.with(user: "_kenji").post("zones/list")
    #expect(anna.json["zones"].elements.count == 2)
    #expect(kenji.json["zones"].elements.count == 1)
  }

  @Test func `each answer has a new token, and earlier ones stay valid`() async throws {
    let client = try WebClient()
    let first = try await client.post("zones/list")
    let token = try #require(first.response.headers[Self.header])
    let second = try await client.with(user: token).post("zones/list")
    #expect(second.status == 200)
    let next = try #require(second.response.headers[Self.header])
    #expect(next != token)
    for token in [token, next, "_anna"] {
      let answer = try await client.with(user: token).post("zones/list")
      #expect(answer.status == 200)
    }
  }

  @Test func `a token that was altered is none, and so is one of another environment`() async throws
  {
    let client = try WebClient()
    let first = try await client.post("zones/list")
    var token = try #require(first.response.headers[Self.header])
    let request = WebRequest(
      "POST",
      client.with(user: token).target("zones/list").replacing("development", with: "production"))
    let production = try await client.send(request)
    #expect(production.status == 404)
    token.removeLast()
    let altered = try await client.with(user: token).post("zones/list")
    #expect(altered.status == 401)
  }

  @Test func `the public database can be read without a user, and nothing else`() async throws {
    let client = try WebClient().signedOut
    let body = #"{"query":{"recordType":"Note"}}"#
    let read = try await client.with(scope: "public").post("records/query", body)
    #expect(read.status == 200)
    #expect(read.response.headers[Self.header] == nil)
    let write = try await client.with(scope: "public").post(
      "records/modify",
      #"{"operations":[{"operationType":"create","record":{"recordType":"Note"}}]}"#)
    #expect(write.status == 421)
    for scope in ["private", "shared"] {
      let answer = try await client.with(scope: scope).post("records/query", body)
      #expect(answer.status == 421)
      #expect(answer.errorCode == "AUTHENTICATION_REQUIRED")
    }
  }
}

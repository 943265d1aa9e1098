import CloudWebServices
import Foundation
import RecordModel
import Testing

@Suite struct SubscriptionAndUserTests {
  let client: WebClient

  init() throws { client = try WebClient() }

  private func modify(_ operation: String) async throws -> Answer {
    try await client.post("subscriptions/modify", #"{"operations":[\#(operation)]}"#)
  }

  private static let query =
    #"{"subscriptionID":"s","subscriptionType":"query","query":{"recordType":"Note"},"firesOn":["create"],"extra":1}"#

  @Test func `subscriptions are made, listed by both methods, looked up and deleted`() async throws
  {
    let made = try await modify(
      #"{"operationType":"create","subscription":\#(Self.query)}"#)
    #expect(made.json["subscriptions"][0]["subscriptionID"] == "s")
    #expect(!made.json["subscriptions"][0]["extra"].isThere)
    let listed = try await client.post("subscriptions/list")
    #expect(listed.json["subscriptions"][0]["query"]["recordType"] == "Note")
    let got = try await client.get("subscriptions/list")
    #expect(got.json == listed.json)
    let found = try await client.post(
      "subscriptions/lookup", #"{"subscriptions":[{"subscriptionID":"t"},{"subscriptionID":"s"}]}"#)
    #expect(found.json["subscriptions"][0]["serverErrorCode"] == "NOT_FOUND")
    #expect(found.json["subscriptions"][1]["subscriptionType"] == "query")
    let deleted = try await modify(
      #"{"operationType":"delete","subscription":{"subscriptionID":"s"}}"#)
    #expect(deleted.json["subscriptions"][0]["deleted"].bool == true)
    let all = try await client.container.privateCloudDatabase.allSubscriptions()
    #expect(all.isEmpty)
  }

  @Test func `a duplicate has the error of Web Services, and a note of the other`() async throws {
    _ = try await modify(#"{"operationType":"create","subscription":\#(Self.query)}"#)
    let other = Self.query.replacing(#""subscriptionID":"s""#, with: #""subscriptionID":"t""#)
    let made = try await modify(#"{"operationType":"create","subscription":\#(other)}"#)
    #expect(made.json["subscriptions"][0]["serverErrorCode"] == "INTERNAL_ERROR")
    let notes = client.handler.log.entries.last?.notes
    #expect(notes?.last == "subscription is duplicate of 's'")
  }

  @Test(arguments: ["create", "delete"])
  func `two operations for one subscription are refused`(kind: String) async throws {
    let answer = try await modify(
      #"{"operationType":"create","subscription":\#(Self.query)},{"operationType":"\#(kind)","subscription":\#(Self.query)}"#
    )
    #expect(answer.errorCode == "BAD_REQUEST")
    #expect(try await client.container.privateCloudDatabase.allSubscriptions().isEmpty)
  }

  @Test func `a query that is not zoneWide watches the default zone`() async throws {
    for (isZoneWide, zone) in [("false", "_defaultZone"), ("true", nil), ("null", nil)] {
      let query = Self.query.replacing(#""extra":1"#, with: #""zoneWide":\#(isZoneWide)"#)
      let made = try await modify(#"{"operationType":"create","subscription":\#(query)}"#)
      #expect(made.json["subscriptions"][0]["zoneID"]["zoneName"].string == zone)
    }
  }

  @Test func `a subscription without an identifier gets one`() async throws {
    let made = try await modify(
      #"{"operationType":"create","subscription":{"subscriptionType":"database"}}"#)
    #expect(made.json["subscriptions"][0]["subscriptionID"].string?.isEmpty == false)
  }

  @Test func `a device fetches notifications at its address`() async throws {
    try await client.makeZone()
    _ = try await modify(
      #"{"operationType":"create","subscription":{"subscriptionID":"z","subscriptionType":"zone","zoneID":{"zoneName":"Notes"}}}"#
    )
    let path = "/device/1/\(WebClient.identifier)/development/tokens/create" + client.query
    let created = try await client.send(
      WebRequestBox(path, #"{"apnsEnvironment":"development"}"#).request)
    let url = try #require(created.json["webcourierURL"].string)
    #expect(created.json["apnsToken"].string?.isEmpty == false)
    let target = url.replacing("http://localhost", with: "")
    let none = try await client.send(WebRequest("GET", target))
    #expect(none.status == 204)
    try await client.create("a")
    let push = try await client.send(WebRequest("GET", target))
    #expect(push.status == 200)
    #expect(push.json["ck"]["fet"]["zid"] == "Notes")
    #expect(push.json["ck"]["fet"]["sid"] == "z")
    #expect(push.json["ck"]["cid"] == WebClient.identifier)
  }

  @Test func `a device that is registered by its token is taken`() async throws {
    let path = "/device/1/\(WebClient.identifier)/development/tokens/register" + client.query
    let answer = try await client.send(
      WebRequestBox(path, #"{"apnsEnvironment":"development","apnsToken":"abc"}"#).request)
    #expect(answer.status == 200)
    let empty = try await client.send(
      WebRequestBox(path, #"{"apnsEnvironment":"development","apnsToken":""}"#).request)
    #expect(empty.status == 400)
  }

  // MARK: Users

  private func addKenji() throws {
    _ = try client.container.account(
      "_kenji", nameComponents: .init(givenName: "Kenji", familyName: "Mori"),
      emailAddress: "kenji@example.com")
  }

  @Test func `the caller is the user of the token`() async throws {
    try addKenji()
    let anna = try await client.with(scope: "public").get("users/caller")
    #expect(anna.json["userRecordName"] == "_anna")
    let kenji = try await client.with(user: "_kenji", scope: "public").post("users/caller")
    #expect(kenji.json["userRecordName"] == "_kenji")
    #expect(kenji.json["nameComponents"]["givenName"] == "Kenji")
    let current = try await client.with(user: "_kenji", scope: "public").get("users/current")
    #expect(
      current.json.description
        == #"{"userRecordName":"_kenji","firstName":"Kenji","lastName":"Mori","emailAddress":"kenji@example.com"}"#
    )
  }

  @Test func `nobody is not a user`() async throws {
    let answer = try await client.with(scope: "public").signedOut.get("users/caller")
    #expect(answer.status == 421)
    #expect(answer.errorCode == "AUTHENTICATION_REQUIRED")
  }

  @Test func `users are found by what is known of them`() async throws {
    try addKenji()
    let client = client.with(scope: "public")
    let email = try await client.post(
      "users/lookup/email",
      #"{"users":[{"emailAddress":"nobody@example.com"},{"emailAddress":"kenji@example.com"}]}"#)
    #expect(email.json["users"].elements.count == 1)
    #expect(email.json["users"][0]["userRecordName"] == "_kenji")
    let id = try await client.post(
      "users/lookup/id", #"{"users":[{"userRecordName":"_kenji"}]}"#)
    #expect(id.json["users"][0]["nameComponents"]["familyName"] == "Mori")
    let discovered = try await client.post(
      "users/discover", #"{"lookupInfos":[{"emailAddress":"kenji@example.com"}]}"#)
    #expect(discovered.json["users"][0]["userRecordName"] == "_kenji")
    let all = try await client.get("users/discover")
    #expect(all.json["users"].elements.map { $0["userRecordName"].string } == ["_kenji"])
  }

  @Test func `users are not discovered through the private database`() async throws {
    let answer = try await client.post("users/discover", #"{"lookupInfos":[]}"#)
    #expect(answer.status == 400)
    #expect(answer.errorCode == "BAD_REQUEST")
  }
}

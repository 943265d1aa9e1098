import CloudWebServices
import Foundation
import MockCloud
import RecordModel
import Testing

/// Users that are added to a served container, with whom records are shared over HTTP alone.
@Suite struct AddedUserTests {
  let client: WebClient

  init() throws { client = try WebClient(admin: WebAdmin()) }

  private func admin(_ method: String, _ body: String = "") async throws -> Answer {
    try await client.send(WebRequest(method, "/admin/users", body: Data(body.utf8)))
  }

  @Test func `a user that is added signs in, is invited and accepts`() async throws {
    let unknown = try await client.with(user: "_kenji", scope: "public").post("users/caller")
    #expect(unknown.errorCode == "AUTHENTICATION_FAILED")
    let added = try await admin(
      "POST",
      #"{"userRecordName":"_kenji","emailAddress":"kenji@example.com","nameComponents":{"givenName":"Kenji"}}"#
    )
    #expect(added.json["users"].elements.contains { $0["userRecordName"] == "_kenji" })
    let kenji = client.with(user: "_kenji", scope: "public")
    let caller = try await kenji.post("users/current")
    #expect(caller.json["firstName"] == "Kenji")
    try await client.makeZone()
    try await client.create("root")
    let saved = try await client.post(
      "records/modify",
      """
      {"zoneID":{"zoneName":"Notes"},"operations":[{"operationType":"create","record":{
      "recordType":"cloudkit.share","forRecord":{"recordName":"root"},"publicPermission":"NONE",
      "participants":[{"userIdentity":{"lookupInfo":{"emailAddress":"kenji@example.com"}}}]}}]}
      """)
    let guid = try #require(saved.json["records"][0]["shortGUID"].string)
    let accepted = try await kenji.post(
      "records/accept", #"{"shortGUIDs":[{"value":"\#(guid)"}]}"#)
    #expect(accepted.json["results"][0]["participantStatus"] == "ACCEPTED")
    let zones = try await kenji.with(scope: "shared").post("zones/list")
    #expect(zones.json["zones"][0]["zoneID"]["ownerRecordName"] == "_anna")
  }

  @Test func `what is known about a user is changed, and users are listed`() async throws {
    _ = try await admin("POST", #"{"userRecordName":"_kenji"}"#)
    _ = try await admin("POST", #"{"userRecordName":"_kenji","phoneNumber":"+15550100"}"#)
    let users = try await admin("GET").json["users"].elements
    #expect(users.count == 1)
    #expect(users[0]["lookupInfo"]["phoneNumber"] == "+15550100")
  }

  @Test(arguments: [
    #"{"userRecordName":""}"#, #"{"userRecordName":"__defaultOwner__"}"#, "{}",
    #"{"userRecordName":1}"#, #"{"userRecordName":"_a","container":"none"}"#,
  ])
  func `a user that nobody can be is refused`(body: String) async throws {
    let answer = try await admin("POST", body)
    #expect((400...404).contains(answer.status), "\(answer.text)")
    let users = try await admin("GET").json["users"].elements
    #expect(users.isEmpty)
  }

  @Test func `contacts are the other users, by names alone`() async throws {
    _ = try client.container.account(
      "_kenji", nameComponents: .init(givenName: "Kenji", familyName: "Sato"),
      emailAddress: "kenji@example.com")
    let answer = try await client.with(scope: "public").post("users/lookup/contacts")
    #expect(
      answer.json["users"].description
        == #"[{"userRecordName":"_kenji","firstName":"Kenji","lastName":"Sato"}]"#)
    let wrong = try await client.post("users/lookup/contacts")
    #expect(wrong.status == 400)
  }
}

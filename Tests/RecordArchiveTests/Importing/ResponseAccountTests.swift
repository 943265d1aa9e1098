import Foundation
import MockCloud
import RecordCoding
import RecordModel
import RecordStore
import Testing

@testable import RecordArchive

/// Responses name users by record names; a container has its signed-in user's zones as
/// `__defaultOwner__`.
@Suite struct ResponseAccountTests {
  private static let anna = "_a1b2c3"

  private static func response(
    _ name: String = "a", owner: String, zone: String = "Notes", members: String = ""
  ) -> String {
    let zone = #""zoneID":{"zoneName":"\#(zone)","ownerRecordName":"\#(owner)"}"#
    return #"""
      {"records":[{"recordName":"\#(name)","recordType":"Note","recordChangeTag":"1",
       "created":{"timestamp":1,"userRecordName":"\#(owner)"},\#(members)\#(zone),
       "fields":{"other":{"type":"REFERENCE","value":{"recordName":"b","action":"NONE",\#(zone)}}}}]}
      """#
  }

  /// A share of the record `a`, as a server sends it.
  private static func share(owner: String, current: String? = nil) -> String {
    let current = current.map {
      #""currentUserParticipant":{"type":"USER","permission":"READ_WRITE","acceptanceStatus":"ACCEPTED","userIdentity":{"userRecordName":"\#($0)"}},"#
    }
    return #"""
      {"records":[{"recordName":"share","recordType":"cloudkit.share","shortGUID":"0aBc",
       "publicPermission":"NONE",\#(current ?? "")
       "participants":[
        {"type":"OWNER","permission":"READ_WRITE","acceptanceStatus":"ACCEPTED",
         "userIdentity":{"userRecordName":"\#(owner)","nameComponents":{"givenName":"Olga"}}},
        {"type":"USER","permission":"READ_WRITE","acceptanceStatus":"PENDING",
         "userIdentity":{"userRecordName":"_kenji","nameComponents":{"givenName":"Kenji"}}},
        {"type":"USER","permission":"READ_ONLY","acceptanceStatus":"PENDING",
         "userIdentity":{"lookupInfo":{"emailAddress":"lena@example.com"}}}],
       "zoneID":{"zoneName":"Notes","ownerRecordName":"\#(owner)"},"fields":{}}]}
      """#
  }

  @discardableResult
  private func load(
    _ pages: [String], _ database: DatabaseScope = .private, asUser user: String? = nil,
    into container: MockContainer
  ) throws -> ImportedUsers {
    let sources = pages.enumerated().map { number, text in
      ResponseSource(name: "page \(number)") { Data(text.utf8) }
    }
    return try Archiver().run(
      from: [.responses(ResponseSet(sources, database: database, asUser: user))],
      into: .container(container)
    ).users
  }

  private let notes = ZoneID(zoneName: "Notes")
  private func a(_ owner: String = ZoneID.currentUserOwnerName) -> RecordID {
    RecordID(recordName: "a", zoneID: ZoneID(zoneName: "Notes", ownerName: owner))
  }

  @Test("a response of a private database is the signed-in user's")
  func signedIn() async throws {
    let container = try MockContainer.inMemory()
    let users = try load([Self.response(owner: Self.anna)], into: container)
    #expect(users.user == Self.anna && users.signedInUser == Self.anna && !users.isGiven)
    #expect(try await container.userRecordID().recordName == Self.anna)
    let record = try await container.privateCloudDatabase.record(for: a())
    let reference: Reference? = record["other"]
    #expect(reference?.recordID.zoneID == notes)
    var draft = DraftRecord(record)
    draft["text"] = "changed"
    try await container.privateCloudDatabase.save(draft)
    #expect(try load([Self.response("c", owner: Self.anna)], into: container).user == Self.anna)
    #expect(try await container.privateCloudDatabase.allRecordZones().count == 2)
  }

  @Test("a container with a signed-in user gets a response as that user's, and says so")
  func otherName() async throws {
    let container = try MockContainer.inMemory(info: ContainerInfo(currentUserRecordName: "_me"))
    let users = try load([Self.response(owner: Self.anna)], into: container)
    #expect(users.user == Self.anna && users.signedInUser == "_me")
    let record = try await container.privateCloudDatabase.record(for: a())
    #expect(record.creatorUserRecordID?.recordName == "_me")
  }

  @Test("the responses of a user go into that user's databases")
  func asUser() async throws {
    let container = try MockContainer.inMemory(info: ContainerInfo(currentUserRecordName: "_me"))
    let users = try load(
      [Self.response(owner: Self.anna), Self.response("c", owner: ZoneID.currentUserOwnerName)],
      asUser: Self.anna, into: container)
    #expect(users.signedInUser == nil && users.added == [Self.anna])
    let anna = try container.account(Self.anna)
    for name in ["a", "c"] {
      let record = try await anna.privateCloudDatabase.record(
        for: RecordID(recordName: name, zoneID: notes))
      #expect(record.creatorUserRecordID?.recordName == Self.anna)
      let reference: Reference? = record["other"]
      #expect(reference?.recordID.zoneID == notes)
    }
    #expect(try await container.privateCloudDatabase.allRecordZones().map(\.zoneID) == [.default])
  }

  @Test("a user that is named is the signed-in user of a new container")
  func asSignedInUser() async throws {
    let container = try MockContainer.inMemory()
    let users = try load(
      [Self.response(owner: Self.anna)], asUser: Self.anna, into: container)
    #expect(users.signedInUser == Self.anna && users.isGiven)
    _ = try await container.privateCloudDatabase.record(for: a())
  }

  @Test("a second owner of private zones is another user")
  func twoOwners() async throws {
    let container = try MockContainer.inMemory()
    let users = try load(
      [Self.response(owner: Self.anna), Self.response(owner: "_kenji")], into: container)
    #expect(users.user == Self.anna && users.added == ["_kenji"])
    _ = try await container.privateCloudDatabase.record(for: a())
    _ = try await container.account("_kenji").privateCloudDatabase.record(for: a())
  }

  @Test("public records whose zone has an owner are found")
  func publicRecords() async throws {
    let container = try MockContainer.inMemory()
    try load([Self.response(owner: Self.anna, zone: "_defaultZone")], .public, into: container)
    let record = try await container.publicCloudDatabase.record(for: RecordID(recordName: "a"))
    let reference: Reference? = record["other"]
    #expect(reference?.recordID.zoneID == .default)
  }

  @Test("deletions, zones and subscriptions of the user are found under the user's zones")
  func others() async throws {
    let container = try MockContainer.inMemory()
    let zone = #""zoneID":{"zoneName":"Notes","ownerRecordName":"\#(Self.anna)"}"#
    try load(
      [
        "{\"zones\":[{\(zone)}]}", Self.response(owner: Self.anna),
        "{\"records\":[{\"recordName\":\"a\",\"deleted\":true,\(zone)}]}",
        "{\"subscriptions\":[{\"subscriptionID\":\"s\",\"subscriptionType\":\"zone\",\(zone)}]}",
      ], into: container)
    #expect(try await container.privateCloudDatabase.allRecordZones().count == 2)
    let subscriptions = try await container.privateCloudDatabase.allSubscriptions()
    #expect(subscriptions.map(\.kind) == [.zone(notes, recordType: nil)])
    let changes = try await container.privateCloudDatabase.recordZoneChanges(
      inZoneWith: notes, since: nil)
    #expect(changes.deletions.map(\.recordID) == [a()])
  }

  @Test(
    "participants of shares are users, who open and accept the share",
    arguments: [
      "https://www.icloud.com/share/0aBc", "https://www.icloud.com/share/0aBc#Plans",
      "https://share.icloud.com/photos/0aBc",
    ])
  func participants(_ link: String) async throws {
    let container = try MockContainer.inMemory()
    let users = try load(
      [
        Self.response(
          owner: Self.anna,
          members:
            #""share":{"recordName":"share","zoneID":{"zoneName":"Notes","ownerRecordName":"\#(Self.anna)"}},"#
        ), Self.share(owner: Self.anna),
      ], into: container)
    #expect(users.added.count == 2 && users.added.contains("_kenji"))
    #expect(try container.accounts.first { $0.userRecordName == Self.anna }?.nameComponents != nil)
    let url = try #require(URL(string: link))
    for name in users.added {
      let user = try container.account(name)
      let share = try await user.accept(user.shareMetadata(for: url))
      #expect(share.shareInfo?.currentUserParticipant?.acceptanceStatus == .accepted)
      _ = try await user.sharedCloudDatabase.record(for: a(Self.anna))
    }
    await #expect(throws: CloudError.self) {
      let other = try #require(URL(string: "https://www.icloud.com/share/0aB"))
      _ = try await container.account("_kenji").shareMetadata(for: other)
    }
  }

  @Test("a share of somebody whose zones are not there stays in the shared database, and opens")
  func sharedDatabase() async throws {
    let container = try MockContainer.inMemory()
    let users = try load(
      [Self.response(owner: "_owner"), Self.share(owner: "_owner", current: "_kenji")], .shared,
      into: container)
    #expect(users.user == "_kenji" && users.signedInUser == "_kenji" && users.added.count == 1)
    _ = try await container.sharedCloudDatabase.record(for: a("_owner"))
    let url = try #require(URL(string: "https://www.icloud.com/share/0aBc"))
    let share = try await container.accept(container.shareMetadata(for: url))
    #expect(share.recordID.recordName == "share")
  }

  @Test("the shared database of another user is a view of the owner's zones")
  func sharedDatabaseOfUser() async throws {
    let container = try MockContainer.inMemory(info: ContainerInfo(currentUserRecordName: "_me"))
    let share = Self.share(owner: "_owner", current: "_kenji")
      .replacingOccurrences(of: "PENDING", with: "ACCEPTED")
    let record = Self.response(
      owner: "_owner",
      members:
        #""share":{"recordName":"share","zoneID":{"zoneName":"Notes","ownerRecordName":"_owner"}},"#
    )
    try load([record, share], .shared, asUser: "_kenji", into: container)
    _ = try await container.account("_kenji").sharedCloudDatabase.record(for: a("_owner"))
    _ = try await container.account("_owner").privateCloudDatabase.record(for: a())
  }

  @Test(
    "real responses are queried as the signed-in user",
    .enabled(if: Place.corpus("web-services") != nil, "the corpus is not on this machine"))
  func corpus() async throws {
    let folder = try #require(Place.corpus("web-services"))
    let container = try MockContainer.inMemory()
    let result = try Archiver().run(
      from: [.responses(ResponseSet(try ResponseSource.sources(at: folder.path)))],
      into: .container(container))
    #expect(result.users.user == "_bfc6dbbcc77b03e6cebefd28a28f7e2f")
    let zone = ZoneID(zoneName: "PrimarySync")
    let found = try await container.privateCloudDatabase.records(
      matching: RecordQuery(recordType: "CPLMaster"), inZoneWith: zone)
    #expect(!found.matchResults.isEmpty)
  }
}

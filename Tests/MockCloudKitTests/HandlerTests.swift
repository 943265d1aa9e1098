import Foundation
import MockCloud
import RecordModel
import Testing

#if os(Linux)
  import CloudKit
#else
  import MockCloudKit
#endif

@Suite(.timeLimit(.minutes(20))) struct HandlerTests {
  /// Calls a function with a handler, and returns what the handler gets.
  private func reply<Value: Sendable>(
    _ call: (@escaping @Sendable (Value?, (any Error)?) -> Void) -> Void
  ) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      call { value, error in
        if let value { return continuation.resume(returning: value) }
        continuation.resume(throwing: error ?? CKError(.internalError))
      }
    }
  }

  private func result<Value: Sendable>(
    _ call: (@escaping @Sendable (Result<Value, any Error>) -> Void) -> Void
  ) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      call { continuation.resume(with: $0) }
    }
  }

  @Test func recordsAreSavedFetchedFoundAndDeleted() async throws {
    let fixture = try await Fixture.withZone()
    let database = fixture.database
    let record = fixture.record("a")
    let saved = try await reply { database.save(record, completionHandler: $0) }
    #expect(saved.recordChangeTag != nil)
    let id = record.recordID
    let fetched = try await reply { database.fetch(withRecordID: id, completionHandler: $0) }
    #expect(fetched.recordID == id)
    let query = CKQuery(recordType: "Note", predicate: NSPredicate(value: true))
    let found = try await result { database.fetch(withQuery: query, completionHandler: $0) }
    #expect(found.matchResults.map(\.0) == [id] && found.queryCursor == nil)
    let several = try await result { database.fetch(withRecordIDs: [id], completionHandler: $0) }
    #expect(try several[id]?.get().recordType == "Note")
    let deleted = try await reply { database.delete(withRecordID: id, completionHandler: $0) }
    #expect(deleted == id)
    let error = await ckError {
      try await reply { database.fetch(withRecordID: id, completionHandler: $0) }
    }
    #expect(error?.code == .unknownItem)
    let answer = try await result {
      database.modifyRecords(saving: [fixture.record("b")], deleting: [id], completionHandler: $0)
    }
    #expect(answer.saveResults.count == 1 && answer.deleteResults.count == 1)
  }

  @Test func zonesChangesAndSubscriptionsHaveHandlers() async throws {
    let fixture = try Fixture()
    let (database, zone) = (fixture.database, CKRecordZone(zoneID: fixture.zone))
    let savedZone = try await reply { database.save(zone, completionHandler: $0) }
    #expect(savedZone.zoneID == fixture.zone)
    #expect(try await reply { database.fetchAllRecordZones(completionHandler: $0) }.count == 2)
    let changes = try await result {
      database.fetchDatabaseChanges(since: nil, completionHandler: $0)
    }
    #expect(changes.modifications.map(\.zoneID) == [fixture.zone])
    _ = try await database.save(fixture.record("a"))
    let records = try await result {
      database.fetchRecordZoneChanges(inZoneWith: fixture.zone, since: nil, completionHandler: $0)
    }
    #expect(records.modificationResultsByID.count == 1)
    let subscription = CKDatabaseSubscription(subscriptionID: "all")
    let info = CKSubscription.NotificationInfo()
    info.shouldSendContentAvailable = true
    subscription.notificationInfo = info
    let saved = try await reply { database.save(subscription, completionHandler: $0) }
    #expect(saved.subscriptionID == "all")
    #expect(try await reply { database.fetchAllSubscriptions(completionHandler: $0) }.count == 1)
    _ = try await reply { database.fetch(withSubscriptionID: "all", completionHandler: $0) }
    _ = try await reply { database.delete(withSubscriptionID: "all", completionHandler: $0) }
    _ = try await reply { database.fetch(withRecordZoneID: fixture.zone, completionHandler: $0) }
    _ = try await reply { database.delete(withRecordZoneID: fixture.zone, completionHandler: $0) }
    #expect(try await database.allRecordZones().count == 1)
  }

  @Test func anAccountHasHandlers() async throws {
    let fixture = try Fixture()
    let container = fixture.container
    let user = try await reply { container.fetchUserRecordID(completionHandler: $0) }
    #expect(user == (try await container.userRecordID()))
    fixture.mock.setAccountStatus(.noAccount)
    let status = await withCheckedContinuation { continuation in
      container.accountStatus { status, error in
        continuation.resume(returning: "\(status.rawValue) \(error == nil)")
      }
    }
    #expect(status == "3 true")
    let error = await ckError {
      try await reply { container.fetchUserRecordID(completionHandler: $0) }
    }
    #expect(error?.code == .notAuthenticated)
  }

  @Test func sharingHasHandlersAndOperations() async throws {
    let fixture = try await Fixture.withZone()
    let account = try fixture.mock.account("_kenji", emailAddress: "kenji@example.com")
    let (mira, kenji) = (fixture.container, CKContainer(mock: account))
    let root = fixture.record("root")
    root["title"] = "Title"
    root["body"] = "Body"
    let share = CKShare(rootRecord: root)
    let participant = try await reply {
      mira.fetchShareParticipant(withEmailAddress: "kenji@example.com", completionHandler: $0)
    }
    participant.permission = .readWrite
    share.addParticipant(participant)
    _ = try await fixture.database.modifyRecords(saving: [root, share], deleting: [])
    let saved = try #require(
      try await fixture.database.record(for: share.recordID) as? CKShare)
    let url = try #require(saved.url)

    let (log, found) = (CallLog(), Box<CKShare.Metadata>())
    let other = try #require(URL(string: "https://www.icloud.com/share/none"))
    let fetch = CKFetchShareMetadataOperation(shareURLs: [url, other])
    fetch.shouldFetchRootRecord = true
    fetch.rootRecordDesiredKeys = ["title"]
    fetch.perShareMetadataResultBlock = { link, result in
      if link == url { found.value = try? result.get() }
      log.add(name(result.failure))
    }
    fetch.fetchShareMetadataResultBlock = { log.add("end \(name($0.failure))") }
    fetch.configuration.container = kenji
    await run(fetch)
    let metadata = try #require(found.value)
    // A user who has not accepted sees the root (CKShare.h).
    #expect(metadata.rootRecord?["title"] == "Title" && metadata.rootRecord?["body"] == nil)

    // An app may keep the metadata while it asks the user.
    let data = try NSKeyedArchiver.archivedData(
      withRootObject: metadata, requiringSecureCoding: true)
    let kept = try #require(
      try NSKeyedUnarchiver.unarchivedObject(ofClass: CKShare.Metadata.self, from: data))
    #expect(kept.rootRecord?["title"] == "Title")

    let accept = CKAcceptSharesOperation(shareMetadatas: [kept])
    accept.perShareResultBlock = { _, result in
      log.add("\((try? result.get())?.currentUserParticipant?.acceptanceStatus == .accepted)")
    }
    accept.acceptSharesResultBlock = { log.add("end \(name($0.failure))") }
    await withCheckedContinuation { continuation in
      accept.completionBlock = { continuation.resume() }
      kenji.add(accept)
    }
    #expect(log.calls == ["none", "unknownItem", "end none", "true", "end none"])
    #expect(try await kenji.sharedCloudDatabase.allRecordZones().count == 1)
  }

  @Test func accessToAShareIsRequestedByAnOperation() async throws {
    guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else { return }
    let fixture = try await Fixture.withZone()
    let kenji = CKContainer(mock: try fixture.mock.account("_kenji"))
    let root = fixture.record("root")
    let share = CKShare(rootRecord: root)
    share.allowsAccessRequests = true
    _ = try await fixture.database.modifyRecords(saving: [root, share], deleting: [])
    let saved = try #require(try await fixture.database.record(for: share.recordID) as? CKShare)
    let urls = [
      try #require(saved.url), try #require(URL(string: "https://www.icloud.com/share/no")),
    ]
    let log = CallLog()
    let operation = CKShareRequestAccessOperation(shareURLs: urls)
    operation.perShareAccessRequestResultBlock = { log.add(name($1.failure)) }
    operation.shareRequestAccessResultBlock = { log.add("end \(name($0.failure))") }
    operation.configuration.container = kenji
    await run(operation)
    #expect(log.calls == ["none", "unknownItem", "end none"])
    let asked = try #require(try await fixture.database.record(for: share.recordID) as? CKShare)
    #expect(asked.requesters.map(\.userIdentity.userRecordID?.recordName) == ["_kenji"])
  }

  @Test func usersAreFoundByOperations() async throws {
    let fixture = try Fixture()
    _ = try fixture.mock.account(
      "_kenji", nameComponents: .init(givenName: "Kenji"), emailAddress: "kenji@example.com")
    let infos = ["kenji@example.com", "no@example.com"].map {
      CKUserIdentity.LookupInfo(emailAddress: $0)
    }
    let log = CallLog()
    let participants = CKFetchShareParticipantsOperation(userIdentityLookupInfos: infos)
    participants.perShareParticipantResultBlock = { info, result in
      log.add("\(info.emailAddress ?? "") \(name(result.failure))")
    }
    participants.fetchShareParticipantsResultBlock = { log.add("end \(name($0.failure))") }
    let discover = CKDiscoverUserIdentitiesOperation(userIdentityLookupInfos: infos)
    discover.userIdentityDiscoveredBlock = { identity, _ in
      log.add(identity.nameComponents?.givenName ?? "")
    }
    discover.discoverUserIdentitiesResultBlock = { log.add("end \(name($0.failure))") }
    discover.addDependency(participants)
    for operation in [participants, discover] {
      operation.configuration.container = fixture.container
    }
    await run(participants, discover)
    #expect(
      log.calls == [
        "kenji@example.com none", "no@example.com unknownItem", "end none", "Kenji", "end none",
      ])
    let none = try await fixture.container.userIdentity(forEmailAddress: "no@example.com")
    #expect(none == nil)
    let all = try await fixture.container.userIdentities(
      forEmailAddresses: infos.compactMap(\.emailAddress))
    #expect(all.keys.sorted() == ["kenji@example.com"])
  }
}

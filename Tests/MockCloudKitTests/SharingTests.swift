#if os(Linux)
  import CloudKit
#else
  import MockCloudKit
#endif
import MockCloud
import RecordCoding
import RecordModel
import Testing

@Suite struct SharingTests {
  private struct Shared {
    let fixture: Fixture
    let kenji: CKContainer
    let share: CKShare
  }

  /// A note that its owner has shared with Kenji, who has not accepted yet.
  private func shared() async throws -> Shared {
    let fixture = try await Fixture.withZone()
    let account = try fixture.mock.account(
      "_kenji", nameComponents: .init(givenName: "Kenji"), emailAddress: "kenji@example.com",
      phoneNumber: "+1")
    let root = fixture.record("root")
    root["title"] = "shared"
    let child = fixture.record("child")
    child.setParent(root)
    let share = CKShare(rootRecord: root)
    share[CKShare.SystemFieldKey.title] = "My notes"
    let participant = try await fixture.container.shareParticipant(
      forEmailAddress: "kenji@example.com")
    #expect(participant.role == .privateUser)
    #expect(participant.acceptanceStatus == .pending)
    participant.permission = .readWrite
    share.addParticipant(participant)
    let answer = try await fixture.database.modifyRecords(
      saving: [root, child, share], deleting: [])
    let saved = try #require(try answer.saveResults[share.recordID]?.get() as? CKShare)
    return Shared(fixture: fixture, kenji: CKContainer(mock: account), share: saved)
  }

  @Test func aSavedShareHasItsParticipantsAndLink() async throws {
    let shared = try await shared()
    let share = shared.share
    #expect(share.recordType == CKRecord.SystemType.share)
    #expect(share.url != nil)
    #expect(share.publicPermission == CKShare.ParticipantPermission.none)
    #expect(share[CKShare.SystemFieldKey.title] == "My notes")
    #expect(share.participants.map(\.role) == [.owner, .privateUser])
    #expect(share.owner.role == .owner)
    #expect(share.currentUserParticipant?.role == .owner)
    let kenji = try #require(share.participants.last)
    #expect(kenji.permission == .readWrite)
    #expect(kenji.acceptanceStatus == .pending)
    #expect(kenji.userIdentity.lookupInfo?.emailAddress == "kenji@example.com")
    #expect(!kenji.participantID.isEmpty)
    let root = try await shared.fixture.database.record(
      for: CKRecord.ID(recordName: "root", zoneID: shared.fixture.zone))
    #expect(root.share?.recordID == share.recordID)
  }

  @Test func theCurrentUserIsFoundInAnImportedShareThatDoesNotNameThem() async throws {
    let shared = try await shared()
    let store = shared.fixture.mock.store
    let zoneID = ZoneID(zoneName: shared.fixture.zone.zoneName)
    let recordID = RecordID(recordName: shared.share.recordID.recordName, zoneID: zoneID)
    var draft = DraftRecord(
      try #require(try store.snapshot { try $0.record(for: recordID, in: .private) }))
    try draft.updateShare { $0.currentUserParticipant = nil }
    let unnamed = ResultRecord(systemFields: draft.systemFields, fields: draft.fields)
    try store.importTransaction(onConflict: { _ in .replace }) { try $0.add(unnamed, to: .private) }
    let fetched = try await shared.fixture.database.record(for: shared.share.recordID)
    let share = try #require(fetched as? CKShare)
    #expect(share.currentUserParticipant?.role == .owner)
  }

  @Test func aOneTimeLinkStaysWhenItsShareIsSavedAgain() async throws {
    let fixture = try await Fixture.withZone()
    let root = fixture.record("root")
    let share = CKShare(rootRecord: root)
    share.addParticipant(.oneTimeURLParticipant())
    _ = try await fixture.database.modifyRecords(saving: [root, share], deleting: [])
    var links: [URL?] = []
    for _ in 0..<2 {
      let record = try await fixture.database.record(for: share.recordID)
      let fetched = try #require(record as? CKShare)
      let participant = try #require(fetched.participants.last)
      links.append(fetched.oneTimeURL(for: participant.participantID))
      fetched[CKShare.SystemFieldKey.title] = "Saved again"
      _ = try await fixture.database.modifyRecords(saving: [fetched], deleting: [])
    }
    #expect(links[0] != nil && links[0] == links[1])
  }

  @Test func aParticipantAcceptsAShareAndSeesItsRecords() async throws {
    let shared = try await shared()
    let url = try #require(shared.share.url)
    let metadata = try await shared.kenji.shareMetadata(for: url)
    #expect(metadata.share.recordID.recordName == shared.share.recordID.recordName)
    #expect(metadata.hierarchicalRootRecordID?.recordName == "root")
    #expect(metadata.participantStatus == .pending)
    #expect(metadata.participantPermission == .readWrite)
    #expect(metadata.participantRole == .privateUser)
    #expect(metadata.ownerIdentity.userRecordID != nil)
    let accepted = try await shared.kenji.accept([metadata])
    let share = try #require(try accepted[metadata]?.get())
    #expect(share.currentUserParticipant?.acceptanceStatus == .accepted)
    #expect(share.currentUserParticipant?.userIdentity.userRecordID?.recordName == "_kenji")
    #expect(share.owner.role == .owner)
    let database = shared.kenji.sharedCloudDatabase
    let zones = try await database.allRecordZones()
    let zone = try #require(zones.first?.zoneID)
    #expect(zone.zoneName == "Notes")
    #expect(zone.ownerName != CKCurrentUserDefaultName)
    let child = try await database.record(for: CKRecord.ID(recordName: "child", zoneID: zone))
    child["body"] = "Kenji's"
    let saved = try await database.save(child)
    let user = try await shared.kenji.userRecordID()
    #expect(saved.lastModifiedUserRecordID == user)
  }

  @Test func participantsAreLookedUpByAllTheirNames() async throws {
    let shared = try await shared()
    let container = shared.fixture.container
    let id = CKRecord.ID(recordName: "_kenji")
    let byID = try await container.shareParticipants(forUserRecordIDs: [id])
    let identity = try #require(try byID[id]?.get().userIdentity)
    #expect(identity.userRecordID == id)
    #expect(identity.hasiCloudAccount)
    let byPhone = try await container.shareParticipants(forPhoneNumbers: ["+1"])
    #expect(try byPhone["+1"]?.get() != nil)
    let unknown = try await container.shareParticipants(forEmailAddresses: ["no@example.com"])
    let error = await ckError { try unknown["no@example.com"]?.get() }
    #expect(error?.code == .unknownItem)
  }

  @Test func anUnknownLinkHasNoMetadata() async throws {
    let fixture = try Fixture()
    let url = try #require(URL(string: "https://www.icloud.com/share/none"))
    let found = try await fixture.container.shareMetadatas(for: [url])
    let error = await ckError { try found[url]?.get() }
    #expect(error?.code == .unknownItem)
  }

  @Test func theZoneOfAZoneWideShareRefersToIt() async throws {
    let fixture = try await Fixture.withZone()
    let share = CKShare(recordZoneID: fixture.zone)
    share.publicPermission = .readOnly
    #expect(share.recordID.recordName == CKRecordNameZoneWideShare)
    let saved = try #require(try await fixture.database.save(share) as? CKShare)
    #expect(saved.publicPermission == .readOnly)
    let zone = try await fixture.database.recordZone(for: fixture.zone)
    #expect(zone.share?.recordID == share.recordID)
  }

  @Test func aPublicPermissionRemovesPendingParticipants() async throws {
    let shared = try await shared()
    shared.share.publicPermission = .readOnly
    #expect(shared.share.participants.map(\.role) == [.owner])
    let saved = try #require(try await shared.fixture.database.save(shared.share) as? CKShare)
    #expect(saved.publicPermission == .readOnly)
    #expect(saved.participants.count == 1)
  }

  @Test func aRemovedParticipantLosesTheShare() async throws {
    let shared = try await shared()
    let kenji = try #require(shared.share.participants.last)
    shared.share.removeParticipant(kenji)
    let saved = try #require(try await shared.fixture.database.save(shared.share) as? CKShare)
    #expect(saved.participants.map(\.role) == [.owner])
  }

  @Test func recordPackReadsTheArchiveOfAShare() async throws {
    let shared = try await shared()
    let archiver = NSKeyedArchiver(requiringSecureCoding: true)
    shared.share.encodeSystemFields(with: archiver)
    archiver.finishEncoding()
    let archived = try ArchivedRecord(keyedArchive: archiver.encodedData)
    let share = try #require(archived.share)
    #expect(share.participants.map(\.role) == [.owner, .privateUser])
    #expect(share.participants.last?.permission == .readWrite)
    #expect(share.url == shared.share.url)
    #expect(share.publicPermission == ShareParticipant.Permission.none)
    #expect(share.currentUserParticipant?.role == .owner)
    #expect(share.participants.last?.userIdentity.nameComponents?.givenName == "Kenji")
  }

  @Test func theMockReadsTheArchiveOfARecordPackShare() async throws {
    let shared = try await shared()
    let id = shared.share.recordID
    let stored = try await shared.fixture.mock.privateCloudDatabase.record(
      for: RecordID(recordName: id.recordName, zoneID: ZoneID(zoneName: "Notes")))
    let data = try stored.systemFields.encodeSystemFields()
    let unarchiver = try NSKeyedUnarchiver(forReadingFrom: data)
    unarchiver.requiresSecureCoding = true
    let share = CKShare(coder: unarchiver)
    #expect(share.recordID == id)
    #expect(share.recordChangeTag == shared.share.recordChangeTag)
    #expect(share.url == shared.share.url)
    #expect(share.participants.map(\.role) == [.owner, .privateUser])
    #expect(share.participants.last?.permission == .readWrite)
    #expect(share.participants.last?.userIdentity.nameComponents?.givenName == "Kenji")
    share.participants.last?.permission = .readOnly
    let saved = try #require(try await shared.fixture.database.save(share) as? CKShare)
    #expect(saved.participants.last?.permission == .readOnly)
  }
}

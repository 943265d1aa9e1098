#if os(Linux)
  import CloudInterface
  import CloudKit
  import Foundation
  import MockCloud
  import RecordCoding
  import RecordModel
  import TestSupport
  import Testing

  @testable import RecordPackCloudKit

  @Suite("Participants of a share of CloudKit")
  struct ParticipantTests {
    private let database: CloudKitDatabase
    private let container: CloudKitContainer
    private let folder: TestFolder
    private let zoneID = ZoneID(zoneName: "Notes")

    init() throws {
      let mock = try MockContainer.inMemory(
        info: ContainerInfo(identifier: "iCloud.test", currentUserRecordName: "_mira"),
        now: { TwinContainers.date })
      _ = try mock.account("_kenji", emailAddress: "kenji@example.com")
      _ = try mock.account("_lena", emailAddress: "lena@example.com")
      folder = try TestFolder()
      container = CloudKitContainer(
        CKContainer(mock: mock), assetFiles: AssetFiles(folder: URL(filePath: folder.path)))
      database = container.privateCloudDatabase
    }

    private func share(with users: [UserIdentity]) async throws -> ResultRecord {
      try await database.save(RecordZone(zoneID: zoneID))
      var root = DraftRecord(
        recordType: "Note", recordID: RecordID(recordName: "root", zoneID: zoneID))
      let share = DraftRecord(
        sharing: &root,
        participants: users.map { ShareParticipant(permission: .readWrite, userIdentity: $0) },
        title: "Trip", recordName: "share")
      let results = try await database.modifyRecords(saving: [share, root], deleting: [])
      return try #require(results.saveResults[share.recordID]).get()
    }

    private func save(
      _ record: ResultRecord, _ change: (inout Share) -> Void
    ) async throws -> Share? {
      var draft = DraftRecord(record)
      var info = try #require(draft.shareInfo)
      change(&info)
      draft.shareInfo = info
      return try await database.save(draft).shareInfo
    }

    /// Source: Apple's documentation of `CKShare.ParticipantRole.administrator`, whose number is 2.
    @Test("of the role that came with the 26 releases have it, and get it")
    func administrator() async throws {
      let role = try #require(CKShare.ParticipantRole(rawValue: 2))
      #expect(ShareParticipant.Role(role) == .administrator)
      #expect(CKShare.ParticipantRole(.administrator) == role)
      #expect(CKShare.ParticipantRole(.unknown) == nil)
      let saved = try await share(with: [
        UserIdentity(lookupInfo: .init(emailAddress: "kenji@example.com"))
      ])
      let info = try await save(saved) { $0.participants[1].role = .administrator }
      #expect(info?.participants.map(\.role) == [.owner, .administrator])
      let fetched = try await database.record(for: saved.recordID).shareInfo
      #expect(fetched?.participants.map(\.role) == [.owner, .administrator])
    }

    /// Source: the header of `CKShareParticipant`: they are equal if the identifier, the user record
    /// or the lookup info is.
    @Test("stay if they are looked up again, and so have another identifier")
    func lookedUpAgain() async throws {
      let saved = try await share(with: [
        UserIdentity(lookupInfo: .init(emailAddress: "kenji@example.com"))
      ])
      var found = try await container.shareParticipant(forEmailAddress: "kenji@example.com")
      found.participantID = "another"
      found.permission = .readOnly
      let again = found
      let share = try await save(saved) { share in
        share.participants.removeAll { $0.role != .owner }
        share.participants.append(again)
      }
      #expect(share?.participants.map(\.userIdentity.userRecordName) == ["_mira", "_kenji"])
      #expect(share?.participants.last?.permission == .readOnly)
    }

    @Test("keep a permission that a draft does not know")
    func unknownPermission() async throws {
      let saved = try await share(with: [
        UserIdentity(lookupInfo: .init(emailAddress: "kenji@example.com"))
      ])
      let share = try await save(saved) { share in
        share.publicPermission = .unknown
        for place in share.participants.indices { share.participants[place].permission = .unknown }
      }
      #expect(share?.publicPermission == ShareParticipant.Permission.none)
      #expect(share?.participants.last?.permission == .readWrite)
    }

    @Test("are found by the record name if the lookup info is empty")
    func emptyLookupInfo() async throws {
      let saved = try await share(with: [
        UserIdentity(userRecordName: "_kenji", lookupInfo: .init()),
        UserIdentity(userRecordName: "_lena", lookupInfo: .init(emailAddress: "")),
      ])
      #expect(
        saved.shareInfo?.participants.map(\.userIdentity.userRecordName)
          == ["_mira", "_kenji", "_lena"])
    }

    @Test("that the share has already are not looked up")
    func knownUsers() async throws {
      let saved = try await share(with: [UserIdentity(userRecordName: "_kenji")])
      let fields = try SystemFields(decoding: saved.systemFields.encodeSystemFields())
      var draft = DraftRecord(systemFields: fields)
      var info = try #require(draft.shareInfo)
      // CloudKit does not find a user who has changed the e-mail address.
      for place in info.participants.indices where info.participants[place].role != .owner {
        info.participants[place].userIdentity.lookupInfo = .init(emailAddress: "old@example.com")
      }
      draft.shareInfo = info
      let changed = try await database.save(draft)
      #expect(changed.shareInfo?.participants.count == 2)
    }

    /// Source: the header of `CKShare`, `addParticipant:`. CloudKit raises an exception.
    @Test("are looked up for each of several shares")
    func severalShares() async throws {
      try await database.save(RecordZone(zoneID: zoneID))
      let kenji = ShareParticipant(
        permission: .readOnly,
        userIdentity: UserIdentity(lookupInfo: .init(emailAddress: "kenji@example.com")))
      let drafts = ["a", "b"].flatMap { name in
        var root = DraftRecord(
          recordType: "Note", recordID: RecordID(recordName: name, zoneID: zoneID))
        let share = DraftRecord(
          sharing: &root, participants: [kenji], title: name, recordName: "share-\(name)")
        return [root, share]
      }
      let results = try await database.modifyRecords(saving: drafts, deleting: [])
      for result in results.saveResults.values {
        let record = try result.get()
        if record.isShare { #expect(record.shareInfo?.participants.count == 2) }
      }
    }

    @Test("who are invited twice, by e-mail and by name, are one")
    func invitedTwice() async throws {
      let saved = try await share(with: [
        UserIdentity(lookupInfo: .init(emailAddress: "kenji@example.com")),
        UserIdentity(userRecordName: "_kenji"),
      ])
      #expect(
        saved.shareInfo?.participants.map(\.userIdentity.userRecordName) == ["_mira", "_kenji"])
    }
  }
#endif

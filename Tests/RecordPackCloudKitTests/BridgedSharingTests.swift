#if os(Linux)
  import CloudInterface
  import CloudKit
  import Foundation
  import MockCloud
  import RecordCoding
  import RecordModel
  import RecordPackCloudKit
  import TestSupport
  import Testing

  @Suite("A share of CloudKit, behind the bridge")
  struct BridgedSharingTests {
    private static let zoneID = ZoneID(zoneName: "Notes")
    private let mock: MockContainer
    private let mira: CloudKitContainer
    private let kenji: CloudKitContainer
    private let folder: TestFolder

    init() throws {
      mock = try MockContainer.inMemory(
        info: ContainerInfo(identifier: "iCloud.test", currentUserRecordName: "_mira"),
        now: { TwinContainers.date })
      let account = try mock.account(
        "_kenji", emailAddress: "kenji@example.com",
        phoneNumber: "+4915112345678")
      folder = try TestFolder()
      let files = AssetFiles(folder: URL(filePath: folder.path))
      mira = CloudKitContainer(CKContainer(mock: mock), assetFiles: files)
      kenji = CloudKitContainer(CKContainer(mock: account), assetFiles: files)
    }

    private func id(_ name: String) -> RecordID { RecordID(recordName: name, zoneID: Self.zoneID) }

    /// Shares a note with the users of some criteria.
    private func share(
      with criteria: [UserIdentity.LookupInfo], _ permission: ShareParticipant.Permission = .none
    ) async throws -> Share {
      let database = mira.privateCloudDatabase
      try await database.save(RecordZone(zoneID: Self.zoneID))
      var root = DraftRecord(recordType: "Note", recordID: id("root"))
      root["title"] = "Trip"
      var child = DraftRecord(recordType: "Note", recordID: id("child"))
      child.parent = Reference(recordID: root.recordID)
      let participants = criteria.map {
        ShareParticipant(permission: .readWrite, userIdentity: UserIdentity(lookupInfo: $0))
      }
      let share = DraftRecord(
        sharing: &root, participants: participants, publicPermission: permission, title: "Trip",
        recordName: "share")
      let results = try await database.modifyRecords(
        saving: [share, child, root], deleting: [], savePolicy: .ifServerRecordUnchanged,
        atomically: true)
      for result in results.saveResults.values { _ = try result.get() }
      return try #require(try await database.record(for: id("share")).shareInfo)
    }

    @Test(
      "is saved with its root and its participants, however they are looked up",
      arguments: [
        UserIdentity.LookupInfo(emailAddress: "kenji@example.com"),
        UserIdentity.LookupInfo(phoneNumber: "+4915112345678"),
        UserIdentity.LookupInfo(userRecordName: "_kenji"),
      ])
    func saved(criterion: UserIdentity.LookupInfo) async throws {
      let share = try await share(with: [criterion])
      #expect(share.participants.map(\.role) == [.owner, .privateUser])
      let kenji = try #require(share.participants.last)
      #expect(kenji.userIdentity.userRecordName == "_kenji")
      #expect(kenji.permission == .readWrite && kenji.acceptanceStatus == .pending)
      let root = try await mira.privateCloudDatabase.record(for: id("root"))
      #expect(root.share?.recordID == id("share"))
      let stored = try await mock.privateCloudDatabase.record(for: id("share"))
      #expect(stored["cloudkit.title"] == "Trip")
    }

    @Test("is accepted by its link, and its records are in the shared database")
    func accepted() async throws {
      let share = try await share(with: [.init(emailAddress: "kenji@example.com")])
      let url = try #require(share.url)
      let metadata = try await kenji.shareMetadata(for: url)
      #expect(metadata.containerIdentifier == "iCloud.test")
      #expect(metadata.participantStatus == .pending && metadata.participantRole == .privateUser)
      #expect(metadata.ownerIdentity.userRecordName == "_mira")
      let accepted = try await kenji.accept(metadata)
      #expect(accepted.isShare)
      let zones = try await kenji.sharedCloudDatabase.allRecordZones()
      let zoneID = ZoneID(zoneName: "Notes", ownerName: "_mira")
      #expect(zones.map(\.zoneID) == [zoneID])
      let child = try await kenji.sharedCloudDatabase.record(
        for: RecordID(recordName: "child", zoneID: zoneID))
      #expect(child.parent?.recordID.recordName == "root")
    }

    @Test("takes requests for access, which its owner approves, denies and blocks")
    func accessRequests() async throws {
      let url = try #require(try await share(with: []).url)
      let database = mira.privateCloudDatabase
      func change(_ body: (inout Share) -> Void) async throws -> Share {
        var draft = DraftRecord(try await database.record(for: id("share")))
        try draft.updateShare(body)
        return try #require(try await database.save(draft).shareInfo)
      }
      let closed = try await kenji.requestShareAccess(for: [url])
      #expect(throws: CloudError.self) { try closed[url]?.get() }
      #expect(try await change { $0.allowsAccessRequests = true }.allowsAccessRequests)
      try await kenji.requestShareAccess(for: url)
      let denied = try await change { $0.denyRequesters($0.requesters) }
      #expect(denied.requesters.isEmpty && denied.blockedIdentities.isEmpty)
      try await kenji.requestShareAccess(for: url)
      let blocked = try await change { $0.blockRequesters($0.requesters) }
      #expect(blocked.blockedIdentities.map(\.userRecordName) == ["_kenji"])
      let refused = try await kenji.requestShareAccess(for: [url])
      #expect(throws: CloudError.self) { try refused[url]?.get() }
      #expect(
        try await change { $0.unblockIdentities($0.blockedIdentities) }.blockedIdentities.isEmpty)
      try await kenji.requestShareAccess(for: url)
      let waiting = try await database.record(for: id("share")).shareInfo?.requesters ?? []
      let info = try #require(waiting.first?.lookupInfo)
      let found = try #require(try await mira.shareParticipants(for: [info])[info]?.get())
      let approved = try await change { $0.addParticipant(found) }
      #expect(
        approved.requesters.isEmpty && approved.participants.last?.isApprovedRequester == true)
    }

    @Test("has a link for one participant")
    func oneTimeURL() async throws {
      _ = try await share(with: [])
      let database = mira.privateCloudDatabase
      var draft = DraftRecord(try await database.record(for: id("share")))
      try draft.addParticipant(.oneTimeURLParticipant())
      let saved = try #require(try await database.save(draft).shareInfo)
      let guestID = try #require(saved.participants.last?.participantID)
      let url = try #require(saved.oneTimeURL(for: guestID))
      try await kenji.accept(kenji.shareMetadata(for: url))
      #expect(try await kenji.sharedCloudDatabase.allRecordZones().count == 1)
    }

    @Test("without a link, or with an unknown one, is an error of its own")
    func unknownLink() async throws {
      let url = try #require(URL(string: "https://www.icloud.com/share/0nothing"))
      let found = try await kenji.shareMetadatas(for: [url])
      #expect(throws: CloudError.self) { try found[url]?.get() }
      let nameless = ShareMetadata(
        share: ResultRecord(
          systemFields: SystemFields(recordID: id("share"), recordType: Share.recordType),
          fields: []),
        ownerIdentity: UserIdentity())
      let results = try await kenji.accept([nameless])
      let error = #expect(throws: CloudError.self) { try results[nameless]?.get() }
      #expect(error?.code == .invalidArguments)
      #expect(try await kenji.accept([]).isEmpty)
    }

    @Test("gets and loses participants and permissions, and is not touched otherwise")
    func changed() async throws {
      _ = try await share(with: [.init(userRecordName: "_kenji")])
      let database = mira.privateCloudDatabase
      let record = try await database.record(for: id("share"))
      var draft = DraftRecord(record)
      draft["cloudkit.title"] = "Another title"
      let renamed = try await database.save(draft)
      #expect(renamed.shareInfo == record.shareInfo)

      draft = DraftRecord(renamed)
      var info = try #require(draft.shareInfo)
      info.participants[1].permission = .readOnly
      draft.shareInfo = info
      let reduced = try await database.save(draft)
      #expect(reduced.shareInfo?.participants.last?.permission == .readOnly)

      draft = DraftRecord(reduced)
      info.participants.removeLast()
      draft.shareInfo = info
      let emptied = try await database.save(draft)
      #expect(emptied.shareInfo?.participants.map(\.role) == [.owner])

      draft = DraftRecord(emptied)
      info.publicPermission = .readOnly
      draft.shareInfo = info
      #expect(try await database.save(draft).shareInfo?.publicPermission == .readOnly)
    }

    @Test("that is public gets no participants, and that becomes public loses those who wait")
    func publicShare() async throws {
      _ = try await share(with: [.init(userRecordName: "_kenji")])
      let database = mira.privateCloudDatabase
      var draft = DraftRecord(try await database.record(for: id("share")))
      var info = try #require(draft.shareInfo)
      info.publicPermission = .readOnly
      draft.shareInfo = info
      let saved = try await database.save(draft)
      #expect(saved.shareInfo?.participants.map(\.role) == [.owner])
      var again = DraftRecord(saved)
      again.shareInfo = info
      let added = again
      let error = await #expect(throws: CloudError.self) { try await database.save(added) }
      #expect(error?.code == .invalidArguments)
    }

    @Test("is not saved by a draft that does not know its participants")
    func unknownParticipants() async throws {
      _ = try await share(with: [.init(userRecordName: "_kenji")])
      let database = mira.privateCloudDatabase
      let record = try await database.record(for: id("share"))
      let fields = SystemFields(
        recordID: record.recordID, recordType: Share.recordType,
        recordChangeTag: record.recordChangeTag)
      var draft = DraftRecord(systemFields: fields)
      draft["cloudkit.title"] = "Another title"
      let nameless = draft
      let error = await #expect(throws: CloudError.self) {
        try await database.save(nameless)
      }
      #expect(error?.message.contains("found a share without its participants,") == true)
      // With the archive that CloudKit wrote, they are known.
      var known = DraftRecord(
        systemFields: try SystemFields(decoding: record.systemFields.encodeSystemFields()))
      known["cloudkit.title"] = "Another title"
      let saved = try await database.save(known)
      #expect(saved.shareInfo?.participants == record.shareInfo?.participants)
      #expect(saved["cloudkit.title"] == "Another title")
    }

    @Test("of a zone is saved without a root")
    func zoneWide() async throws {
      let database = mira.privateCloudDatabase
      try await database.save(RecordZone(zoneID: Self.zoneID))
      let share = DraftRecord(sharingZone: Self.zoneID, title: "All notes")
      let saved = try await database.save(share)
      #expect(saved.recordID.recordName == Share.zoneWideRecordName)
      let zone = try await database.recordZone(for: Self.zoneID)
      #expect(zone.share?.recordID == saved.recordID)
    }

    @Test("whose user is unknown, or that comes without its root, is not saved")
    func refused() async throws {
      let unknown = await #expect(throws: CloudError.self) {
        try await self.share(with: [.init(emailAddress: "nobody@example.com")])
      }
      #expect(unknown?.code == .unknownItem)
      let nobody = await #expect(throws: CloudError.self) {
        try await self.share(with: [.init()])
      }
      #expect(nobody?.message.contains("record \(id("share"))") == true)
      var root = DraftRecord(recordType: "Note", recordID: id("root"))
      let alone = DraftRecord(sharing: &root, recordName: "share")
      let error = await #expect(throws: CloudError.self) {
        try await mira.privateCloudDatabase.save(alone)
      }
      #expect(error?.code == .invalidArguments)
      let found = try await mock.privateCloudDatabase.records(for: [id("root")], desiredKeys: nil)
      #expect(throws: CloudError.self) { try found[id("root")]?.get() }
    }
  }
#endif

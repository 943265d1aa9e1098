#if os(Linux)
  import CloudInterface
  import CloudKit
  import Foundation
  import MockCloud
  import RecordModel
  import RecordPackCloudKit
  import TestSupport
  import Testing

  @Suite("A container of CloudKit, behind the bridge")
  struct BridgedContainerTests {
    @Test("tells the account and its changes")
    func account() async throws {
      let containers = try TwinContainers()
      let bridged = containers.bridged
      #expect(try await bridged.accountStatus() == .available)
      #expect(try await bridged.userRecordID() == RecordID(recordName: "_mira"))
      let changes = bridged.accountChanges()
      containers.twin.setAccountStatus(.noAccount)
      var first: AccountStatus?
      for await status in changes {
        first = status
        break
      }
      #expect(first == .noAccount)
      let error = await #expect(throws: CloudError.self) { try await bridged.userRecordID() }
      #expect(error?.code == .notAuthenticated)
    }

    @Test("has three databases", arguments: DatabaseScope.allCases)
    func databases(scope: DatabaseScope) throws {
      let database = try TwinContainers().bridged.database(with: scope)
      #expect(database.databaseScope == scope)
      #expect(database.database.databaseScope == CKDatabase.Scope(scope))
    }

    @Test("saves, fetches and deletes more items than a request may have")
    func manyItems() async throws {
      let containers = try TwinContainers()
      let database = containers.bridged.privateCloudDatabase
      let zoneID = ZoneID(zoneName: "Notes")
      try await database.save(RecordZone(zoneID: zoneID))
      // Children come before their parents: the bridge sends the parents first.
      let drafts = (0..<900).map { number in
        var draft = DraftRecord(
          recordType: "Note", recordID: RecordID(recordName: "n\(number)", zoneID: zoneID))
        if number < 450 {
          let parent = RecordID(recordName: "n\(number + 450)", zoneID: zoneID)
          draft.parent = Reference(recordID: parent)
        }
        return draft
      }
      let saved = try await database.modifyRecords(
        saving: drafts, deleting: [], savePolicy: .ifServerRecordUnchanged, atomically: false)
      #expect(saved.saveResults.count == 900)
      for result in saved.saveResults.values { _ = try result.get() }
      let ids = drafts.map(\.recordID)
      let found = try await database.records(for: ids + ids, desiredKeys: nil)
      #expect(found.count == 900)
      let deleted = try await database.modifyRecords(
        saving: [], deleting: ids, savePolicy: .ifServerRecordUnchanged, atomically: false)
      #expect(deleted.deleteResults.count == 900)
      for result in deleted.deleteResults.values { _ = try result.get() }
    }

    @Test("refuses more atomic items of a zone than a request may have, as CloudKit does")
    func tooManyAtomicItems() async throws {
      let containers = try TwinContainers()
      let database = containers.bridged.privateCloudDatabase
      let zoneID = ZoneID(zoneName: "Notes")
      try await database.save(RecordZone(zoneID: zoneID))
      let drafts = (0..<401).map {
        DraftRecord(recordType: "Note", recordID: RecordID(recordName: "n\($0)", zoneID: zoneID))
      }
      let error = await #expect(throws: CloudError.self) {
        try await database.modifyRecords(
          saving: drafts, deleting: [], savePolicy: .allKeys, atomically: true)
      }
      #expect(error?.code == .limitExceeded)
    }

    @Test("returns the file of an asset, and an error for one that it does not have")
    func assetFiles() async throws {
      let containers = try TwinContainers()
      var draft = DraftRecord(recordType: "Note", recordID: RecordID(recordName: "n"))
      draft["photo"] = Asset(data: Data("photo".utf8))
      let database = containers.bridged.privateCloudDatabase
      let saved = try await database.save(draft)
      let asset: Asset = try #require(saved["photo"])
      let url = try await database.fileURL(for: asset)
      #expect(try Data(contentsOf: url) == Data("photo".utf8))
      let folder = containers.bridged.assetFiles.folder
      let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      #expect(files == [url.lastPathComponent])
      // An app stores fetched records as JSON.
      let stored = try JSONEncoder().encode(saved)
      #expect(try JSONDecoder().decode(ResultRecord.self, from: stored) == saved)
      try FileManager.default.removeItem(at: url)
      let error = await #expect(throws: CloudError.self) { try await database.fileURL(for: asset) }
      #expect(error?.code == .assetNotAvailable)
    }

    @Test("refuses tokens and cursors of another database")
    func foreignTokens() async throws {
      let database = try TwinContainers().bridged.privateCloudDatabase
      let expired = await #expect(throws: CloudError.self) {
        try await database.databaseChanges(
          since: ServerChangeToken(data: Data("mock".utf8)), resultsLimit: nil)
      }
      #expect(expired?.code == .changeTokenExpired)
      let invalid = await #expect(throws: CloudError.self) {
        try await database.records(
          continuingMatchFrom: QueryCursor(data: Data("mock".utf8)), desiredKeys: nil,
          resultsLimit: 1)
      }
      #expect(invalid?.code == .invalidArguments)
    }

    /// CloudKit raises an exception for each of these, which ends the process.
    @Test("refuses invalid names before CloudKit sees them")
    func invalidNames() async throws {
      let database = try TwinContainers().bridged.privateCloudDatabase
      let zoneID = ZoneID(zoneName: "")
      let id = RecordID(recordName: "ä")
      let found = try await database.records(
        for: [id, RecordID(recordName: "n")], desiredKeys: nil)
      let error = #expect(throws: CloudError.self) { try found[id]?.get() }
      #expect(error?.violation != nil && found.count == 2)
      func refused<T>(_ call: () async throws -> T) async {
        do {
          _ = try await call()
          Issue.record("not refused")
        } catch {
          #expect(error is CloudError)
        }
      }
      await refused {
        try await database.modifyRecords(
          saving: [], deleting: [id], savePolicy: .allKeys, atomically: false)
      }
      await refused { try await database.recordZones(for: [zoneID]) }
      await refused { try await database.save(RecordZone(zoneID: zoneID)) }
      await refused { try await database.deleteRecordZone(withID: zoneID) }
      await refused {
        try await database.recordZoneChanges(
          inZoneWith: zoneID, since: nil, desiredKeys: nil, resultsLimit: nil)
      }
      await refused {
        try await database.records(
          matching: RecordQuery(recordType: "Note"), inZoneWith: zoneID, desiredKeys: nil,
          resultsLimit: 1)
      }
      await refused {
        try await database.records(
          matching: RecordQuery(recordType: ""), inZoneWith: nil, desiredKeys: nil,
          resultsLimit: 1)
      }
      let kinds: [CloudSubscription.Kind] = [
        .zone(zoneID, recordType: nil), .zone(ZoneID(zoneName: "Z"), recordType: ""),
        .database(recordType: ""),
        .query(RecordQuery(recordType: "Note"), zoneID: nil, firesOn: [], firesOnce: false),
        .query(RecordQuery(recordType: ""), zoneID: nil, firesOn: [.create], firesOnce: false),
      ]
      for kind in kinds {
        let subscription = CloudSubscription(subscriptionID: "s", kind: kind)
        #expect(throws: CloudError.self) { try subscription.ckSubscription() }
        await refused {
          try await database.modifySubscriptions(saving: [subscription], deleting: [])
        }
      }
    }

    @Test("gives a conflict the draft that was saved, and both records")
    func conflict() async throws {
      let database = try TwinContainers().bridged.privateCloudDatabase
      var draft = DraftRecord(recordType: "Note", recordID: RecordID(recordName: "n"))
      draft["title"] = "first"
      let first = try await database.save(draft)
      var theirs = DraftRecord(first)
      theirs["title"] = "theirs"
      let server = try await database.save(theirs)
      var mine = DraftRecord(first)
      mine["title"] = "mine"
      do {
        try await database.save(mine)
        Issue.record("no conflict")
      } catch let error as CloudError {
        #expect(error.code == .serverRecordChanged)
        #expect(error.conflict?.serverRecord?.asCloudKitTells == server.asCloudKitTells)
        #expect(error.conflict?.clientRecord == mine)
      }
    }
  }
#endif

import CloudInterface
import RecordModel
import Testing

/// The calls for one item are calls for several, with the result or the error of the one.
struct SingleItemTests {
  private let noteID = RecordID(recordName: "note")
  private var zoneID: ZoneID { ZoneID(zoneName: "Notes") }

  @Test("a call for one item returns its result")
  func success() async throws {
    let database: any CloudDatabase = EchoDatabase()
    let draft = DraftRecord(recordType: "Note", recordID: noteID)
    #expect(try await database.save(draft).recordID == noteID)
    #expect(try await database.deleteRecord(withID: noteID) == noteID)
    #expect(try await database.record(for: noteID).recordID == noteID)
    #expect(try await database.save(RecordZone(zoneID: zoneID)).zoneID == zoneID)
    #expect(try await database.deleteRecordZone(withID: zoneID) == zoneID)
    #expect(try await database.recordZone(for: zoneID).zoneID == zoneID)
    let all = CloudSubscription(subscriptionID: "all", kind: .database(recordType: nil))
    #expect(try await database.save(all) == all)
    #expect(try await database.deleteSubscription(withID: "all") == "all")
    #expect(try await database.subscription(for: "all").subscriptionID == "all")
  }

  @Test("a call for one item throws its error")
  func failure() async throws {
    let database: any CloudDatabase = EchoDatabase(error: CloudError(.zoneBusy))
    let draft = DraftRecord(recordType: "Note", recordID: noteID)
    await #expect(throws: CloudError(.zoneBusy)) { try await database.save(draft) }
    await #expect(throws: CloudError(.zoneBusy)) { try await database.record(for: noteID) }
    await #expect(throws: CloudError(.zoneBusy)) {
      try await database.deleteRecord(withID: noteID)
    }
    await #expect(throws: CloudError(.zoneBusy)) { try await database.recordZone(for: zoneID) }
    await #expect(throws: CloudError(.zoneBusy)) { try await database.subscription(for: "all") }
  }

  @Test("a database that returns no result for an item is an internalError")
  func missing() async throws {
    let database: any CloudDatabase = EchoDatabase(isSilent: true)
    await #expect { try await database.record(for: noteID) } throws: { error in
      (error as? CloudError)?.code == .internalError
    }
  }

  @Test("saves are judged as unchanged, and atomic, unless the call says otherwise")
  func defaults() async throws {
    let database = EchoDatabase()
    let draft = DraftRecord(recordType: "Note", recordID: noteID)
    func tag(
      _ answer: (
        saveResults: [RecordID: Result<ResultRecord, any Error>],
        deleteResults: [RecordID: Result<Void, any Error>]
      )
    ) throws -> String? { try answer.saveResults[noteID]?.get().recordChangeTag }
    #expect(
      try await tag(database.modifyRecords(saving: [draft], deleting: []))
        == "ifServerRecordUnchanged true")
    #expect(
      try await tag(database.modifyRecords(saving: [draft], deleting: [], savePolicy: .allKeys))
        == "allKeys true")
    #expect(
      try await tag(database.modifyRecords(saving: [draft], deleting: [], atomically: false))
        == "ifServerRecordUnchanged false")
  }

  @Test("a container names its databases")
  func databases() {
    let container: any CloudContainer = EchoContainer()
    #expect(container.publicCloudDatabase.databaseScope == .public)
    #expect(container.privateCloudDatabase.databaseScope == .private)
    #expect(container.sharedCloudDatabase.databaseScope == .shared)
  }
}

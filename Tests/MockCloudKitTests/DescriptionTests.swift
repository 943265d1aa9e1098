#if os(Linux)
  import CloudKit
#else
  import MockCloudKit
#endif
import MockCloud
import Testing

/// The descriptions are those of CloudKit's logs, without the addresses.
@Suite struct DescriptionTests {
  private let zone = CKRecordZone.ID(zoneName: "Notes")

  /// Returns the text of a value without addresses, as `print`, `String(reflecting:)` and a failed
  /// expectation show it.
  private func text(_ value: Any) -> String {
    let text = String(describing: value)
    #expect(String(reflecting: value) == text)
    return text.replacing(/0x[0-9a-f]+/, with: "0x")
  }

  @Test func identifiersHaveTheFormOfLogs() {
    let id = CKRecord.ID(recordName: "a", zoneID: zone)
    #expect(text(id) == "<CKRecordID: 0x; recordName=a, zoneID=Notes:__defaultOwner__>")
    #expect(text(zone) == "<CKRecordZoneID: 0x; zoneName=Notes, ownerName=__defaultOwner__>")
    let reference = CKRecord.Reference(recordID: id, action: .none)
    #expect(
      text(reference)
        == "<CKReference: 0x; recordID=<CKRecordID: 0x; recordName=a, zoneID=Notes:__defaultOwner__>>"
    )
    #expect(text(CKRecordZone(zoneID: zone)).hasPrefix("<CKRecordZone: 0x; zoneID=Notes:"))
  }

  @Test func aRecordShowsItsPlainValuesOnly() async throws {
    let fixture = try await Fixture.withZone()
    let record = fixture.record("a", type: "CD_Post")
    record["CD_entityName"] = "Post"
    record["count"] = 3
    record["text"] = "a \"quoted\"\nkäse"
    record["tags"] = ["x", "y z"]
    record.encryptedValues["secret"] = "hidden"
    let lines = """
      {
          "CD_entityName" = Post;
          count = 3;
          tags = (
              x,
              "y z"
          );
          text = "a \\"quoted\\"\\nk\\U00e4se";
      }
      """
    #expect(
      text(record)
        == "<CKRecord: 0x; recordID=a:(Notes:__defaultOwner__), values=\(lines), recordType=CD_Post>"
    )
    _ = try await fixture.database.save(record)
    let tag = try #require(record.recordChangeTag)
    #expect(text(record).contains("__), recordChangeTag=\(tag), values={"))
    let share = CKShare(rootRecord: record)
    share.encryptedValues["secret"] = "hidden"
    #expect(text(share).hasPrefix("<CKShare: 0x; recordID=Share-"))
    let error = await ckError { try await fixture.database.save(fixture.record("a")) }
    for value in [record, share, try #require(error)] as [Any] {
      #expect(!text(value).contains("hidden"))
    }
  }

  @Test func errorsHaveTheFormOfLogs() async throws {
    let fixture = try await Fixture.withZone()
    let record = fixture.record("a")
    _ = try await fixture.database.save(record)
    let error = try #require(await ckError { try await fixture.database.save(fixture.record("a")) })
    #expect(
      text(error)
        == "CKError(_nsError: <CKError 0x: \"Server Record Changed\" (14/2004); "
        + "server message = \"record to insert already exists\">)")
    #expect(
      error.localizedDescription.replacing(/0x[0-9a-f]+/, with: "0x")
        == "Error saving record <CKRecordID: 0x; recordName=a, zoneID=Notes:__defaultOwner__> to "
        + "server: record to insert already exists")
    #expect(
      text(CKError(.networkFailure)) == "CKError(_nsError: <CKError 0x: \"Network Failure\" (4)>)")
  }

  @Test func aPartialFailureNamesTheErrorsOfItsItems() async throws {
    let fixture = try await Fixture.withZone()
    _ = try await fixture.database.save(fixture.record("a"))
    let operation = CKModifyRecordsOperation(
      recordsToSave: ["a", "b", "c"].map { fixture.record($0) })
    operation.database = fixture.database
    nonisolated(unsafe) var failure: CKError?
    operation.modifyRecordsCompletionBlock = { failure = $2 as? CKError }
    await run(operation)
    #expect(failure?.localizedDescription == "Failed to modify some records")
    #expect(
      text(try #require(failure)) == """
        CKError(_nsError: <CKError 0x: "Partial Failure" (2/1011); "Failed to modify some records"; \
        partial errors: {
        \ta:(Notes:__defaultOwner__) = <CKError 0x: "Server Record Changed" (14/2004); \
        server message = "record to insert already exists">
        \t... 2 "Batch Request Failed" CKErrors omitted ...
        }>)
        """)
  }

  @Test func eventsAndContextsHaveTheFormOfLogs() async throws {
    final class Listener: CKSyncEngineDelegate, @unchecked Sendable {
      var texts: [String] = []

      func handleEvent(_ event: CKSyncEngine.Event, syncEngine: CKSyncEngine) async {
        texts.append("\(syncEngine) \(event)")
      }

      func nextRecordZoneChangeBatch(
        _ context: CKSyncEngine.SendChangesContext, syncEngine: CKSyncEngine
      ) async -> CKSyncEngine.RecordZoneChangeBatch? { nil }
    }
    let fixture = try await Fixture.withZone()
    let listener = Listener()
    var configuration = CKSyncEngine.Configuration(
      database: fixture.database, stateSerialization: nil, delegate: listener)
    configuration.automaticallySync = false
    try await CKSyncEngine(configuration).fetchChanges()
    let user = try await fixture.container.userRecordID().recordName
    let texts = listener.texts.map { $0.replacing(/0x[0-9a-f]+/, with: "0x") }
    #expect(texts.allSatisfy { $0.hasPrefix("<CKSyncEngine Private> <") })
    #expect(
      texts.contains {
        $0.hasSuffix(
          "<AccountChange signIn currentUser=<CKRecordID: 0x; recordName=\(user), "
            + "zoneID=_defaultZone:__defaultOwner__>>")
      })
    #expect(
      texts.contains {
        $0.contains(
          "<WillFetchChanges context=<FetchChangesContext reason=manual options=<FetchChangesOptions "
            + "scope=all group=")
      })
  }

  @Test func noClassHasTheDescriptionOfTheRuntime() async throws {
    let fixture = try await Fixture.withZone()
    let root = fixture.record("root")
    let share = CKShare(rootRecord: root)
    _ = try await fixture.database.modifyRecords(saving: [root, share], deleting: [])
    let metadata = try await fixture.container.shareMetadata(for: try #require(share.url))
    let changes = try await fixture.database.databaseChanges(since: nil)
    let query = CKQuery(recordType: "Note", predicate: NSPredicate(value: true))
    let objects: [NSObject] = [
      share.owner, share.owner.userIdentity,
      CKUserIdentity.LookupInfo(emailAddress: "a@example.com"),
      metadata, changes.changeToken, query, CKDatabaseSubscription(subscriptionID: "d"),
      CKAsset(fileURL: URL(fileURLWithPath: "/tmp/a")), fixture.container, fixture.database,
      CKModifyRecordsOperation(), CKRecordZone.default(),
    ]
    for object in objects {
      let text = text(object)
      #expect(
        text.hasPrefix("<CK") && text.hasSuffix(">") && !text.contains("CloudKit."), "\(text)")
    }
    #expect(text(CKModifyRecordsOperation()) == "<CKModifyRecordsOperation: 0x>")
  }
}

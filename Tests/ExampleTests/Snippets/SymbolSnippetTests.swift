import CloudInterface
import Foundation
import RecordModel
import RecordPack
import Testing

/// The code in the doc comments of the types that people begin with, run.
struct SymbolSnippetTests {
  struct NoteStore {
    let database: any CloudDatabase

    func note(_ name: String) async throws -> ResultRecord {
      try await database.record(for: RecordID(recordName: name))
    }
  }

  @Test("identities, references and zones")
  func identities() async throws {
    let container = try MockContainer.inMemory()
    let database = container.privateCloudDatabase

    let zoneID = ZoneID(zoneName: "Chats")
    try await database.save(RecordZone(zoneID: zoneID))

    let chatID = RecordID(recordName: "chat-1", zoneID: zoneID)
    let hike = RecordID(recordName: "hike")  // in the default zone
    let chat = try await database.save(DraftRecord(recordType: "Chat", recordID: chatID))

    var message = DraftRecord(recordType: "Message", zoneID: zoneID)
    message["chat"] = Reference(recordID: chatID, action: .deleteSelf)
    message.parent = Reference(record: chat)
    try await database.save(message)
    #expect(hike.zoneID == .default)
    #expect(try await database.records(ofType: "Message", inZoneWith: zoneID).count == 1)
  }

  @Test("zones of other users, and a query")
  func zonesAndQueries() async throws {
    let chats = ZoneID(zoneName: "Chats")  // in the databases of the signed-in user
    let shared = ZoneID(zoneName: "Chats", ownerName: "_kenji")  // a zone that Kenji shares
    let id = RecordID(recordName: "hiking", zoneID: shared)
    #expect(id.zoneID != chats && chats.ownerName == ZoneID.currentUserOwnerName)

    let database = try MockContainer.inMemory().privateCloudDatabase
    try await database.save(RecordZone(zoneID: chats))
    var message = DraftRecord(recordType: "Message", zoneID: chats)
    message["sentAt"] = Date.now
    try await database.save(message)
    let yesterday = Date(timeIntervalSinceNow: -86_400)
    let query = try RecordQuery(
      recordType: "Message", predicate: "sentAt > %@", yesterday,
      sort: [QuerySort("sentAt", ascending: false)])
    let (results, cursor) = try await database.records(matching: query, inZoneWith: chats)
    for (id, result) in results { print(id.recordName, try result.get()["text"] ?? "") }
    #expect(results.count == 1 && cursor == nil)
  }

  @Test("a share and its participants")
  func share() async throws {
    let database = try MockContainer.inMemory().privateCloudDatabase
    let chats = ZoneID(zoneName: "Chats")
    try await database.save(RecordZone(zoneID: chats))
    func invite(_ saved: ResultRecord) async throws {
      var share = DraftRecord(saved)
      let kenji = ShareParticipant(
        permission: .readWrite,
        userIdentity: UserIdentity(lookupInfo: .init(emailAddress: "kenji@example.com")))
      try share.addParticipant(kenji)
      try await database.save(share)
    }
    let kenji = ShareParticipant(userIdentity: UserIdentity(userRecordName: "_kenji"))
    var chat = DraftRecord(recordType: "Chat", zoneID: chats)
    let draft = DraftRecord(sharing: &chat, participants: [kenji], title: "Hiking club")
    try await database.modifyRecords(saving: [chat, draft], deleting: [])

    let share = try await database.record(for: draft.recordID).shareInfo
    print(share?.participants.count ?? 0, share?.url?.absoluteString ?? "")
    #expect(share?.participants.count == 2)
    try await invite(try await database.record(for: draft.recordID))
    #expect(try await database.record(for: draft.recordID).shareInfo?.participants.count == 3)
  }

  @Test("a recording")
  func recording() async throws {
    let container = RecordingContainer(try MockContainer.inMemory())
    try await container.privateCloudDatabase.save(DraftRecord(recordType: "Note"))
    let recording = try container.recording()
    for call in recording.calls { print(call) }
    #expect(recording.calls.count == 1)
  }

  @Test("values")
  func values() throws {
    var note = DraftRecord(recordType: "Note")
    note["photo"] = Asset(data: Data([1, 2, 3]))
    note["place"] = Location(latitude: 60.17, longitude: 24.94)
    note["tags"] = ["hiking", "lake"]
    let photo: Asset? = note["photo"]
    #expect(photo?.size == 3)

    let record = try note.resultRecord()
    for field in record.fields where !field.isEncrypted {
      switch field.value {
      case .string(let text): print(field.name, text)
      case .location(let place): print(field.name, place.latitude)
      default: print(field.name)
      }
    }
    #expect(record.fields.count == 3)
  }

  @Test("a function for any database")
  func database() async throws {
    func rename(_ id: RecordID, to title: String, in database: any CloudDatabase) async throws {
      var draft = DraftRecord(try await database.record(for: id))
      draft["title"] = title
      try await database.save(draft)
    }
    let database = try MockContainer.inMemory().privateCloudDatabase
    let note = try await database.save(DraftRecord(recordType: "Note"))
    try await rename(note.recordID, to: "Lake", in: database)
    #expect(try await database.record(for: note.recordID)["title"] == "Lake")
  }

  @Test("a call with several records")
  func calls() async throws {
    let container = try MockContainer.inMemory()
    let (first, second) = (DraftRecord(recordType: "Note"), DraftRecord(recordType: "Note"))
    let database = container.privateCloudDatabase
    let results = try await database.modifyRecords(saving: [first, second], deleting: [])
    for (id, result) in results.saveResults {
      print(id.recordName, try result.get().recordChangeTag ?? "")
    }
    #expect(results.saveResults.count == 2)
  }

  @Test("rules and metadata")
  func rules() throws {
    var rules = ServerRules.native
    rules.maxItems = 10
    let container = try MockContainer.inMemory(rules: rules)
    #expect(container.rules.maxItems == 10)

    let schema = "DEFINE SCHEMA\n"
    let info = ContainerInfo(
      identifier: "iCloud.com.example.chats", environment: .production, schema: schema)
    let production = try MockContainer.inMemory(info: info)
    #expect(try production.store.info().environment == .production)

    var configuration = SchemaConfiguration()
    configuration.severities["NO_GRANT"] = .off
    let checker = SchemaChecker(configuration: configuration)
    #expect(checker.configuration.severities.count == 1)
  }

  @Test("a subscription")
  func subscription() async throws {
    let database = try MockContainer.inMemory().privateCloudDatabase
    try await database.save(RecordZone(zoneName: "Chats"))
    let subscription = CloudSubscription(
      subscriptionID: "chats", kind: .zone(ZoneID(zoneName: "Chats"), recordType: nil),
      notificationInfo: NotificationInfo(shouldSendContentAvailable: true))
    try await database.save(subscription)
    #expect(try await database.allSubscriptions().count == 1)
  }

  @Test("a store of an app")
  func store() async throws {
    let database = try MockContainer.inMemory().privateCloudDatabase
    let note = try await database.save(DraftRecord(recordType: "Note"))
    let store = NoteStore(database: database)
    #expect(try await store.note(note.recordID.recordName) == note)
  }

  @Test("an app of an engine")
  func engine() async throws {
    let app = NoteApp()
    let device = try MockContainer.inMemory().device("Phone")
    var rules = SyncRules()
    rules.failedBatch = .continues
    let engine = MockSyncEngine(
      SyncEngineConfiguration(
        database: device.privateCloudDatabase, stateSerialization: nil, delegate: app),
      account: device, rules: rules)
    try await engine.fetchChanges()
    #expect(await app.notes.isEmpty)
  }
}

private actor NoteApp: SyncEngineDelegate {
  private(set) var notes: [RecordID: ResultRecord] = [:]

  func handleEvent(_ event: SyncEngine.Event, syncEngine: any SyncEngine) async {
    guard case .fetchedRecordZoneChanges(let changes) = event else { return }
    for modification in changes.modifications {
      notes[modification.record.recordID] = modification.record
    }
  }

  func nextRecordZoneChangeBatch(
    _ context: SyncEngine.SendChangesContext, syncEngine: any SyncEngine
  ) async -> SyncEngine.RecordZoneChangeBatch? {
    let pending = syncEngine.state.pendingRecordZoneChanges.filter(context.options.scope.contains)
    return await RecordZoneChangeBatch(pendingChanges: pending) { id in
      await self.notes[id].map { DraftRecord($0) }
    }
  }
}

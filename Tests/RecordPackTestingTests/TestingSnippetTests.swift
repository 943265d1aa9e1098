import Foundation
import RecordPackTesting
import Testing

// The code of the module's pages.

@Suite(.container("Fixtures/Chats.recordpack"))
struct ReadingTests {
  @Test("opening a chat marks it as read")
  func opening() async throws {
    let database = try MockContainer.current.privateCloudDatabase
    let chat = RecordID(recordName: "chat-000000", zoneID: ZoneID(zoneName: "Chats"))
    var draft = DraftRecord(try await database.record(for: chat))
    draft["isRead"] = 1
    let saved = try await database.save(draft)
    #expect(saved["isRead"] == 1)
  }
}

/// The README's test.
struct ReadmeTests {
  @Test(.container("Fixtures/Chats.recordpack"))
  func openingAChatMarksItAsRead() async throws {
    let app = ChatApp(try MockContainer.current.privateCloudDatabase)
    try await app.open("chat-000000")
    #expect(try await app.chat("chat-000000").isRead)
  }

  private struct ChatApp {
    let database: any CloudDatabase

    init(_ database: any CloudDatabase) { self.database = database }

    func chat(_ name: String) async throws -> (record: ResultRecord, isRead: Bool) {
      let id = RecordID(recordName: name, zoneID: ZoneID(zoneName: "Chats"))
      let record = try await database.record(for: id)
      return (record, record["isRead"] == 1)
    }

    func open(_ name: String) async throws {
      var draft = DraftRecord(try await chat(name).record)
      draft["isRead"] = 1
      try await database.save(draft)
    }
  }
}

/// The test of the guide to sharing, in its parts.
struct SharingSnippetTests {
  @Test func kenjiReadsTheSharedChat() async throws {
    // Two users of one container.
    let mira = try MockContainer.inMemory(info: ContainerInfo(currentUserRecordName: "_mira"))
    let kenji = try mira.account("_kenji", emailAddress: "kenji@example.com")

    // Mira shares a chat with Kenji.
    let database = mira.privateCloudDatabase
    try await database.save(RecordZone(zoneName: "Chats"))
    var chat = DraftRecord(recordType: "Chat", zoneID: ZoneID(zoneName: "Chats"))
    chat["title"] = "Hiking club"
    let guest = ShareParticipant(
      permission: .readOnly, userIdentity: UserIdentity(userRecordName: "_kenji"))
    let share = DraftRecord(sharing: &chat, participants: [guest])
    try await database.modifyRecords(saving: [chat, share], deleting: [])

    // Kenji accepts the share, and fetches the chat from his shared database.
    try await kenji.accept(try await database.record(for: share.recordID))
    let zone = ZoneID(zoneName: "Chats", ownerName: "_mira")
    let id = RecordID(recordName: chat.recordID.recordName, zoneID: zone)
    let fetched = try await kenji.sharedCloudDatabase.record(for: id)
    #expect(fetched["title"] == "Hiking club")

    // He may not change it.
    var edit = DraftRecord(fetched)
    edit["title"] = "Reading club"
    let error = await #expect(throws: CloudError.self) {
      try await kenji.sharedCloudDatabase.save(edit)
    }
    #expect(error?.code == .permissionFailure)
  }
}

struct TestingSnippetTests {
  @Test("a container in a line, and what differs")
  func lines() async throws {
    let container = try MockContainer.fixture("Fixtures/Chats.recordpack")
    let copy = try container.fork()
    let chat = RecordID(recordName: "chat-000000", zoneID: ZoneID(zoneName: "Chats"))
    let before = try await container.privateCloudDatabase.record(for: chat)
    let after = try await copy.privateCloudDatabase.record(for: chat)
    expectNoDifference(before, after, ignoring: [.recordChangeTag, .modified])
    expectNoDifference(container, copy, ignoringFields: ["lastOpened"])
  }

  @Test("a snapshot with a fixed time")
  func snapshot() async throws {
    let start = Date(timeIntervalSince1970: 1_767_225_600)
    let container = try MockContainer.fixture("Fixtures/Chats.recordpack", now: { start })
    let chat = RecordID(recordName: "chat-000000", zoneID: ZoneID(zoneName: "Chats"))
    var draft = DraftRecord(try await container.privateCloudDatabase.record(for: chat))
    draft["isRead"] = 1
    try await container.privateCloudDatabase.save(draft)
    expectSnapshot(container, matches: "Fixtures/Read.recordpack")
  }

  @Test("the container of the environment")
  func environment() throws {
    let environment = ProcessInfo.processInfo.environment
    let fixture = try MockContainer.fixture(environment: environment)
    #expect(fixture == nil)
  }
}

/// The code about sync engines.
struct SyncSnippetTests {
  @Test("engines of two devices")
  func engines() async throws {
    let (phoneStore, tabletStore) = (NoteStore(), NoteStore())
    let note = RecordID(recordName: "n1", zoneID: ZoneID(zoneName: "Notes"))
    let container = try MockContainer.inMemory()
    let testbed = SyncTestbed()
    let phone = testbed.engine(for: phoneStore, on: container.device("Phone"))
    let tablet = testbed.engine(for: tabletStore, on: container.device("Tablet"))
    try await testbed.run()
    phone.state.add(pendingDatabaseChanges: [.saveZone(RecordZone(zoneName: "Notes"))])
    phone.state.add(pendingRecordZoneChanges: [.saveRecord(note)])
    try await testbed.run()
    #expect(await tabletStore.fetched == [note])
    expectEvents(
      of: phone, in: testbed,
      """
      accountChange: signIn of _1wqddmw5dcy4
      willFetchChanges: scheduled, all zones
      didFetchChanges: scheduled, all zones
      willSendChanges: scheduled, all zones
      sentDatabaseChanges: saved Notes
      sentRecordZoneChanges: saved Notes:n1
      didSendChanges: scheduled, all zones
      """)
    #expect(!testbed.events(of: tablet).isEmpty)
    _ = try await docComment(container, phoneStore, tabletStore, note)
  }

  private func docComment(
    _ other: MockContainer, _ phoneStore: NoteStore, _ tabletStore: NoteStore, _ note: RecordID
  ) async throws -> (MockSyncEngine, SyncTestbed) {
    let container = try MockContainer.inMemory()
    let testbed = SyncTestbed()
    let phone = testbed.engine(for: phoneStore, on: container.device("Phone"))
    let tablet = testbed.engine(for: tabletStore, on: container.device("Tablet"))
    phone.state.add(pendingRecordZoneChanges: [.saveRecord(note)])
    try await testbed.run()
    return (tablet, testbed)
  }

  @Test("an app that makes its engine by a closure")
  func closure() async throws {
    let (container, testbed) = (try MockContainer.inMemory(), SyncTestbed())
    let device = container.device("Phone")
    let app = NoteStore { testbed.engine($0, on: device) }
    await app.start(device)
    try await testbed.run()
    #expect(await app.fetched.isEmpty)
  }

  @Test("events that differ are shown line by line")
  func difference() async throws {
    let (container, testbed, store) = (try MockContainer.inMemory(), SyncTestbed(), NoteStore())
    let engine = testbed.engine(for: store, on: container.device("Phone"))
    try await testbed.run()
    withKnownIssue {
      expectEvents(
        of: engine, in: testbed,
        """
        accountChange: signIn of _1wqddmw5dcy4
        willSendChanges: scheduled, all zones
        didFetchChanges: scheduled, all zones
        """)
    } matching: { issue in
      issue.comments.contains {
        $0.rawValue.contains(
          """
            accountChange: signIn of _1wqddmw5dcy4
          - willSendChanges: scheduled, all zones
          + willFetchChanges: scheduled, all zones
            didFetchChanges: scheduled, all zones
          """)
      }
    }
  }
}

private actor NoteStore: SyncEngineDelegate {
  private let makeEngine: @Sendable (SyncEngine.Configuration) -> any SyncEngine
  private var engine: (any SyncEngine)?
  private(set) var fetched: [RecordID] = []

  init(
    makeEngine: @escaping @Sendable (SyncEngine.Configuration) -> any SyncEngine = { _ in
      fatalError("this app has no closure")
    }
  ) {
    self.makeEngine = makeEngine
  }

  func start(_ container: some CloudContainer) {
    engine = makeEngine(
      SyncEngineConfiguration(
        database: container.privateCloudDatabase, stateSerialization: nil, delegate: self))
  }

  func handleEvent(_ event: SyncEngine.Event, syncEngine: any SyncEngine) async {
    if case .fetchedRecordZoneChanges(let changes) = event {
      fetched += changes.modifications.map(\.record.recordID)
    }
  }

  func nextRecordZoneChangeBatch(
    _ context: SyncEngine.SendChangesContext, syncEngine: any SyncEngine
  ) async -> SyncEngine.RecordZoneChangeBatch? {
    await RecordZoneChangeBatch(
      pendingChanges: syncEngine.state.pendingRecordZoneChanges
    ) { DraftRecord(recordType: "Note", recordID: $0) }
  }
}

import Foundation
import RecordPack
import Testing

/// The code in the articles and doc comments about faults, recordings and queries.
struct FaultSnippetTests {
  /// An app's store of notes, which saves until the server takes the note.
  struct NoteStore<Container: CloudContainer>: Sendable {
    let container: Container

    func save(_ note: DraftRecord) async throws {
      for _ in 0..<5 {
        do {
          try await container.privateCloudDatabase.modifyRecords(
            saving: [note], deleting: [], savePolicy: .allKeys)
          return
        } catch is CloudError {
          continue
        }
      }
    }

    func sync() async throws {
      _ = try await container.privateCloudDatabase.recordZoneChanges(
        inZoneWith: ZoneID(zoneName: "Notes"), since: nil)
    }
  }

  /// An app, as a test runs it.
  struct App<Container: CloudContainer>: Sendable {
    let container: Container

    func run() async throws {
      _ = try? await NoteStore(container: container).save(DraftRecord(recordType: "Note"))
    }
  }

  private let zone = ZoneID(zoneName: "Notes")
  private let note = DraftRecord(recordType: "Note", recordID: RecordID(recordName: "n"))
  private var noteID: RecordID { note.recordID }

  private func app<Container: CloudContainer>(with container: Container) -> App<Container> {
    App(container: container)
  }

  private func run(_ app: App<some CloudContainer>) async { try? await app.run() }

  private func makeMock() async throws -> MockContainer {
    let mock = try MockContainer.inMemory()
    try await mock.privateCloudDatabase.save(RecordZone(zoneID: zone))
    return mock
  }

  // MARK: Faults

  @Test("a zone is busy twice")
  func busy() async throws {
    let mock = try MockContainer.inMemory()
    let container = FaultInjectingContainer(mock)
    let store = NoteStore(container: container)

    container.faults.fail(.modifyRecords, with: .zoneBusy(retryAfter: 3), times: 2)
    try await store.save(note)
  }

  @Test("a fetch is held")
  func fetchIsHeld() async throws {
    let container = FaultInjectingContainer(try await makeMock())
    let store = NoteStore(container: container)
    let edited = note
    let gate = container.faults.hold(.recordZoneChanges, at: .afterServer)
    async let synced: Void = store.sync()
    try await gate.waitForCall()
    try await store.save(edited)  // while the changes are on their way
    gate.release()
    try await synced
  }

  @Test("an app is killed")
  func crash() async throws {
    let container = FaultInjectingContainer(try await makeMock())
    let store = NoteStore(container: container)
    container.faults.crash(.modifyRecords, at: .afterServer)
    await #expect(throws: SimulatedCrash.self) { try await store.save(note) }
    let restarted = NoteStore(container: container.restarted())
    try await restarted.save(note)
  }

  @Test("a save is held")
  func saveIsHeld() async throws {
    let container = FaultInjectingContainer(try await makeMock())
    let (database, note) = (container.privateCloudDatabase, note)
    let gate = container.faults.hold(.modifyRecords)
    async let saved = database.save(note)
    try await gate.waitForCall()
    // The save has not reached the server yet.
    gate.release()
    _ = try await saved
  }

  @Test("the answer to a save is lost")
  func lostAnswer() async throws {
    let container = FaultInjectingContainer(try MockContainer.inMemory())
    let store = NoteStore(container: container)
    container.faults.fail(.modifyRecords, with: .networkFailure(.afterServer))
    try await store.save(note)  // retries, and finds its own change
  }

  @Test("a schedule is followed, and restricted to some calls")
  func schedule() async throws {
    let container = FaultInjectingContainer(
      try await makeMock(), clock: ManualClock(advancesWhenSleeping: true))
    let app = app(with: container)
    let schedule = FaultSchedule(seed: 42, .everyKind(0.02))
    container.faults.follow(schedule)
    await run(app)
    print(container.faults.log)  // a failed test shows what happened
    container.faults.follow(FaultSchedule(seed: 42, .everyKind(0.02), calls: [3, 17]))
  }

  @Test("calls are chosen")
  func chosen() async throws {
    let mock = try await makeMock()
    let container = FaultInjectingContainer(mock)
    container.faults.fail(.modifyRecords, with: .zoneBusy(retryAfter: 3), times: 2)
    container.faults.fail(.records, record: noteID, with: .networkFailure(.afterServer))
    container.faults.run(.modifyRecords) { _ in mock.setAccountStatus(.noAccount) }
  }

  @Test("a clock is injected")
  func clock() throws {
    let clock = ManualClock()
    let mock = try MockContainer.inMemory(now: { clock.date })
    let container = FaultInjectingContainer(mock, clock: clock)
    #expect(!container.isCrashed)
  }

  /// The doc comment of `CallHandlingContainer`.
  struct LoggingContainer<Base: CloudContainer>: CallHandlingContainer {
    let base: Base
    var containerIdentifier: String? { base.containerIdentifier }
    func accountChanges() -> AsyncStream<AccountStatus> { base.accountChanges() }

    func handle(_ call: CloudCall) async throws -> CloudResponse {
      print(call)
      return try await base.send(call)
    }
  }

  @Test("a container of one's own handles calls")
  func ownContainer() async throws {
    let container = LoggingContainer(base: try await makeMock())
    #expect(try await container.privateCloudDatabase.allRecordZones().count == 2)
  }

  /// The doc comment of `CloudResponse`.
  @Test("a response is made of results by item")
  func ownResponse() throws {
    let noteID = RecordID(recordName: "note")
    let note = try DraftRecord(recordType: "Note", recordID: noteID).resultRecord()
    let response =
      CloudResponse([noteID: .success(note)], CloudItem.record, CloudResponse.Value.record)
    #expect(response.results.count == 1)
  }

  // MARK: Recordings

  @Test("calls are recorded in a file and replayed")
  func recording() async throws {
    let folder = try TestFolder()
    let path = folder.path("sync.recording")
    try await record(try await makeMock(), path)
    try await replay(path)
    #expect(folder.names == ["sync.recording"])
  }

  private func record(_ mock: MockContainer, _ path: String) async throws {
    let container = try RecordingContainer(mock, path: path)
    try await NoteStore(container: container).sync()
    try container.finish()
  }

  private func replay(_ path: String) async throws {
    let container = ReplayingContainer(try Recording(path: path))
    try await NoteStore(container: container).sync()
    try container.finish()
  }

  @Test("calls are recorded in memory")
  func inMemory() async throws {
    let mock = try await makeMock()
    let container = RecordingContainer(mock)
    try await app(with: container).run()
    let replaying = ReplayingContainer(try container.recording())
    try await app(with: replaying).run()
  }

  @Test("results are written by hand")
  func byHand() async throws {
    let database = try await makeMock().privateCloudDatabase
    let chat = try await database.save(DraftRecord(recordType: "Chat"))
    let message = try await database.save(note)
    let container = ReplayingContainer(results: [
      .records([chat, message]),
      .modify(saved: [message]),
      .failure(CloudError(.zoneBusy, retryAfter: 3)),
    ])
    #expect(
      try await container.privateCloudDatabase.records(for: [chat.recordID, message.recordID])
        .count == 2)
  }

  // MARK: Queries

  @Test("records are found")
  func query() async throws {
    let mock = try await makeMock()
    let (database, chats) = (mock.privateCloudDatabase, zone)
    let chat = Reference(recordID: RecordID(recordName: "chat", zoneID: chats))
    let yesterday = Date(timeIntervalSinceNow: -86_400)
    let query = RecordQuery(
      recordType: "Message",
      filters: [QueryField("chat") == chat, QueryField("sentAt") > yesterday],
      sort: [QuerySort("sentAt", ascending: false)])
    let (results, cursor) = try await database.records(
      matching: query, inZoneWith: chats, desiredKeys: ["text"], resultsLimit: 50)
    #expect(results.isEmpty && cursor == nil)
  }
}

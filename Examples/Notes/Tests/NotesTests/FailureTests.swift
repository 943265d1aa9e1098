import Foundation
import Notes
import NotesModel
import RecordPackTesting
import Testing

/// A device whose calls fail.
@Suite("A device", .emptyContainer(), .deviceFolders, .timeLimit(.minutes(1)))
struct FailureTests {
  private let container: FaultInjectingContainer<MockDevice>
  private let clock = ManualClock()
  private let testbed: SyncTestbed
  private let folder: URL
  private let server: MockDatabase

  init() throws {
    container = FaultInjectingContainer(try MockContainer.current.device("Phone"), clock: clock)
    testbed = SyncTestbed(clock: clock)
    folder = try DeviceFoldersTrait.newPath()
    server = try MockContainer.current.privateCloudDatabase
  }

  /// The app, started with what the device has stored.
  private func launch() async throws -> NoteLibrary {
    try await .launch(container, testbed, folder: folder)
  }

  @Test("waits as long as the server asks, and tries again")
  func retrying() async throws {
    container.faults.fail(.modifyRecords, with: .zoneBusy(retryAfter: 3), times: 2)
    let library = try await launch()
    try await library.add(Note(title: "Shopping"))
    let start = clock.date
    try await testbed.run()
    #expect(try await server.records(ofType: "Note").count == 1)
    #expect(clock.date.timeIntervalSince(start) >= 6)
  }

  @Test("sends a note once, though the answer to the first time is lost")
  func lostAnswer() async throws {
    container.faults.fail(.modifyRecords, with: .networkFailure(.afterServer))
    let library = try await launch()
    try await library.add(Note(title: "Shopping"))
    try await testbed.run()
    #expect(try await server.records(ofType: "Note").count == 1)
  }

  @Test("has its notes without a network, and sends new ones after the next launch")
  func offline() async throws {
    let library = try await launch()
    try await library.add(Note(title: "Shopping"))
    try await library.sync()
    container.faults.fail(with: .networkUnavailable, times: .always)
    let restarted = try await launch()
    try await restarted.add(Note(title: "Hike"))
    await #expect(throws: CloudError.self) { try await restarted.sync() }
    #expect(try await restarted.titles == ["Hike", "Shopping"])
    container.faults.removeAll()
    try await launch().sync()
    #expect(try await server.records(ofType: "Note").count == 2)
  }

  @Test("goes on with its token after a launch, and without it when the server has forgotten it")
  func tokens() async throws {
    try await server.save(RecordZone(zoneID: .notes))
    try await server.save(DraftRecord(Note(title: "Shopping")))
    let library = try await launch()
    try await library.sync()
    // The engine reports its state a moment later.
    try await testbed.run()
    try await server.save(DraftRecord(Note(title: "Hike")))
    // This fault happens to calls with a token only.
    container.faults.fail(.recordZoneChanges, with: .changeTokenExpired)
    let restarted = try await launch()
    try await restarted.sync()
    #expect(container.faults.log.faults.count == 1)
    #expect(try await restarted.titles == ["Hike", "Shopping"])
  }

  @Test("keeps what is written while a synchronization is under way")
  func editing() async throws {
    let gate = container.faults.hold(.modifyRecords, at: .afterServer)
    let library = try await launch()
    let note = Note(title: "Shopping")
    try await library.add(note)
    async let synced: Void = library.sync()
    try await gate.waitForCall()
    try await library.edit(Note.self, note.recordID) { $0.body = "Milk" }
    gate.release()
    try await synced
    try await testbed.run()
    let saved = try Note(await server.record(for: note.recordID))
    #expect(saved.body == "Milk")
  }
}

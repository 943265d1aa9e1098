import RecordPackTesting
import Synchronization
import Testing

@Suite("Calls from the delegate")
struct DelegateCallTests {
  private static let sentence =
    "BUG IN CLIENT OF CLOUDKIT: Cannot await a call into CKSyncEngine from within a delegate callback "
    + "if that function will end up calling back into the delegate."

  enum Call: CaseIterable {
    case fetchChanges, sendChanges, cancelOperations

    func make(_ engine: any SyncEngine) async throws {
      switch self {
      case .fetchChanges: try await engine.fetchChanges()
      case .sendChanges: try await engine.sendChanges()
      case .cancelOperations: await engine.cancelOperations()
      }
    }
  }

  @Test("are reported with CloudKit's sentence, and throw it", arguments: Call.allCases)
  func inside(call: Call) async throws {
    let world = try World(recordsIssues: false)
    let client = try await world.ready()
    let thrown = Mutex<[String]>([])
    client.delegate.onEvent { event, engine in
      guard case .willSendChanges = event else { return }
      do { try await call.make(engine) } catch { thrown.withLock { $0.append("\(error)") } }
    }
    client.edit("n1")
    try await client.settle()
    #expect(world.testbed.misuses.map(\.kind) == [.calledFromDelegate(function: "\(call)")])
    #expect(world.testbed.misuses.first?.description.hasPrefix(Self.sentence) == true)
    #expect(thrown.withLock { $0.count } == (call == .cancelOperations ? 0 : 1))
    // The engine goes on.
    #expect(client.engine.state.pendingRecordZoneChanges == [])
  }

  @Test("are reported from a Task that the callback has made, also after it has returned")
  func inheritingTask() async throws {
    let world = try World(recordsIssues: false)
    let client = try await world.ready()
    let (goes, go) = AsyncStream.makeStream(of: Void.self)
    let task = Mutex<Task<Void, any Error>?>(nil)
    client.delegate.onEvent { event, engine in
      guard case .didSendChanges = event else { return }
      task.withLock { task in
        task = Task {
          for await _ in goes { break }
          try await engine.fetchChanges()
        }
      }
    }
    client.edit("n1")
    try await client.settle()
    go.yield()
    await #expect(throws: SyncEngineMisuse.self) { try await task.withLock({ $0 })?.value }
    #expect(world.testbed.misuses.count == 1)
  }

  @Test("are not reported from Task.detached, nor from the batch of another engine's delegate")
  func detachedTask() async throws {
    let world = try World()
    let client = try await world.ready()
    let other = Client(world, "Tablet", automaticallySync: false)
    let task = Mutex<Task<Void, any Error>?>(nil)
    client.delegate.onEvent { event, engine in
      guard case .didSendChanges = event else { return }
      task.withLock { $0 = Task.detached { try await engine.fetchChanges() } }
      _ = try? await other.engine.fetchChanges()
    }
    client.edit("n1")
    try await client.settle()
    try await task.withLock({ $0 })?.value
    #expect(world.testbed.misuses.isEmpty)
    #expect(other.delegate.fetched.map(\.recordID) == [note("n1")])
  }

  @Test("fail the test by default")
  func recordedFailure() async throws {
    try await withKnownIssue {
      let world = try World()
      let client = try await world.ready()
      client.delegate.onEvent { event, engine in
        guard case .willSendChanges = event else { return }
        try? await engine.fetchChanges()
      }
      client.edit("n1")
      try await client.settle()
    } matching: { issue in
      issue.error is SyncEngineMisuse
    }
  }

  @Test("of the state are allowed")
  func state() async throws {
    let world = try World()
    let client = try await world.ready()
    client.delegate.set("n2", "text")
    client.delegate.onEvent { event, engine in
      guard case .sentRecordZoneChanges(let sent) = event,
        sent.savedRecords.first?.recordID == note("n1")
      else { return }
      engine.state.add(pendingRecordZoneChanges: [.saveRecord(note("n2"))])
    }
    client.edit("n1")
    try await client.settle()
    // After a batch without failures, the same send has what was added.
    client.expect(
      """
      willSendChanges: scheduled, all zones
      sentRecordZoneChanges: saved Notes:n1
      sentRecordZoneChanges: saved Notes:n2
      didSendChanges: scheduled, all zones
      """)
  }
}

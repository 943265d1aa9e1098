import CloudInterface
import Foundation
import MockCloud
import RecordModel
import Synchronization
import Testing

/// Gates hold calls; crash points end the app.
@Suite(.timeLimit(.minutes(20)))
struct GateTests {
  private let server = FeedContainer()
  private let container: FaultyFeed
  private var database: FaultInjectingDatabase<FeedContainer> { container.privateCloudDatabase }
  private var faults: Faults { container.faults }

  init() { container = FaultInjectingContainer(server) }

  private func save(_ name: String) async -> CloudError? {
    await cloudError { try await database.save(note(name)) }
  }

  @Test("a save is held before it reaches the server")
  func beforeServer() async throws {
    let gate = faults.hold(.modifyRecords)
    async let saved = save("a")
    try await gate.waitForCall()
    #expect(server.names == [])
    #expect(gate.heldCalls.map(\.operation) == [.modifyRecords])
    // Other calls pass, and so does the next save.
    #expect(await save("b") == nil)
    gate.release()
    #expect(await saved == nil)
    #expect(server.names == ["a", "b"])
    #expect(gate.heldCalls.isEmpty)
  }

  @Test("a save is held after the server has answered")
  func afterServer() async throws {
    let gate = faults.hold(.modifyRecords, at: .afterServer)
    async let saved = save("a")
    try await gate.waitForCall()
    #expect(server.names == ["a"])
    gate.release()
    #expect(await saved == nil)
  }

  @Test("a gate that was released lets a later call pass")
  func releasedBefore() async throws {
    let gate = faults.hold(times: .always)
    gate.release()
    #expect(await save("a") == nil)
    try await gate.waitForCall()
  }

  @Test("calls are released one by one, in the order in which they came")
  func oneByOne() async throws {
    let gate = faults.hold(.modifyRecords, times: .always)
    gate.release(1)
    #expect(await save("first") == nil)
    let tasks = ["a", "b", "c"].map { name in Task { await save(name) } }
    try await gate.waitForCall(4)
    #expect(gate.heldCalls.count == 3)
    let first = try #require(gate.heldCalls.first?.request.items.first)
    gate.release(1)
    while server.names.count < 2 {
      // The time limit cancels the task.
      try Task.checkCancellation()
      await Task.yield()
    }
    #expect(server.calls.last?.request.items == [first])
    faults.removeAll()
    for task in tasks { #expect(await task.value == nil) }
    #expect(server.names == ["a", "b", "c", "first"])
  }

  @Test("a call that is cancelled at a gate ends, and the others stay")
  func cancelled() async throws {
    for point in CallPoint.allCases {
      let gate = faults.hold(.modifyRecords, at: point, times: .always)
      let cancelled = Task { await save("cancelled-\(point)") }
      let other = Task { await save("other-\(point)") }
      try await gate.waitForCall(2)
      cancelled.cancel()
      let error = await cancelled.value
      #expect(error?.code == .operationCancelled)
      #expect(gate.heldCalls.count == 1)
      gate.release(1)
      #expect(await other.value == nil)
      faults.removeAll()
    }
    #expect(
      server.names == ["cancelled-afterServer", "other-afterServer", "other-beforeServer"])
  }

  @Test("a task that was cancelled before does not wait")
  func cancelledBefore() async throws {
    let gate = faults.hold(.modifyRecords)
    let release = Suspended()
    let task = Task {
      await release.wait()
      return await save("a")
    }
    task.cancel()
    release.resume()
    #expect(await task.value?.code == .operationCancelled)
    #expect(gate.heldCalls.isEmpty)
  }

  @Test("a wait for a call that never comes can be cancelled")
  func cancelledWatcher() async throws {
    let gate = faults.hold(.modifyRecords)
    let watcher = Task { try await gate.waitForCall() }
    watcher.cancel()
    await #expect(throws: CancellationError.self) { try await watcher.value }
  }

  @Test("cancellation ends latency")
  func cancelledLatency() async throws {
    let clock = ManualClock()
    let container = FaultInjectingContainer(server, clock: clock)
    container.faults.delay(by: .seconds(1000))
    let task = Task {
      await cloudError { try await container.privateCloudDatabase.save(note("a")) }
    }
    try await clock.waitForSleep()
    task.cancel()
    #expect(await task.value?.code == .operationCancelled)
    #expect(server.calls.isEmpty)
  }

  @Test("a hundred calls at once pass a gate, each once")
  func manyCalls() async throws {
    let mock = try MockContainer.inMemory()
    try await mock.privateCloudDatabase.save(RecordZone(zoneID: notes))
    let container = FaultInjectingContainer(mock)
    let gate = container.faults.hold(.modifyRecords, times: .always)
    container.faults.fail(.modifyRecords, with: .networkFailure(.afterServer), times: 10)
    let tasks = (0..<100).map { index in
      Task { await cloudError { try await container.privateCloudDatabase.save(note("\(index)")) } }
    }
    try await gate.waitForCall(100)
    #expect(try mock.privateCloudDatabase.names().isEmpty)
    gate.release(50)
    for index in stride(from: 0, to: 100, by: 10) { tasks[index].cancel() }
    gate.release()
    var errors: [CloudError.Code] = []
    for task in tasks {
      if let error = await task.value { errors.append(error.code) }
    }
    let cancelled = errors.count { $0 == .operationCancelled }
    #expect(cancelled <= 10)
    #expect(errors.count { $0 == .networkFailure } + cancelled >= 10)
    let saved = try mock.privateCloudDatabase.names().count
    #expect((90...100).contains(saved))
    #expect(container.faults.callCount == 100)
  }

  // MARK: Crashes

  private func crashes(_ body: () async throws -> Void) async -> Bool {
    do {
      try await body()
      return false
    } catch {
      return error is SimulatedCrash
    }
  }

  @Test("after a crash every call of the client throws, until the app starts again")
  func crash() async throws {
    let points: [(CrashPoint, [String])] = [
      (.beforeServer, []), (.afterServer, ["a"]), (.afterReturn, ["a"]),
    ]
    for (point, names) in points {
      let server = FeedContainer()
      let container = FaultInjectingContainer(server)
      container.faults.crash(.modifyRecords, at: point)
      let isThrown = await crashes {
        try await container.privateCloudDatabase.save(note("a"))
      }
      #expect(isThrown == (point != .afterReturn))
      #expect(server.names == names)
      #expect(container.isCrashed)
      #expect(throws: SimulatedCrash.self) { try container.checkCrash() }
      #expect(await crashes { _ = try await container.accountStatus() })
      #expect(await crashes { _ = try await container.publicCloudDatabase.allRecordZones() })
      let again = container.restarted()
      #expect(!again.isCrashed)
      _ = try await again.privateCloudDatabase.save(note("b"))
      #expect(container.isCrashed)
    }
  }

  @Test("a crash after a fetch leaves the client with its old token")
  func crashAfterFetch() async throws {
    server.save("a", "b")
    faults.crash(.recordZoneChanges)
    let isCrashed = await crashes { _ = try await changes(database) }
    #expect(isCrashed)
    #expect(try await changes(container.restarted().privateCloudDatabase).pages == [["a", "b"]])
  }

  @Test("a crash ends calls at a gate, and calls that the server is answering")
  func crashWhileHeld() async throws {
    let gate = faults.hold(.modifyRecords, times: .always)
    let task = Task { await crashes { try await database.save(note("a")) } }
    try await gate.waitForCall()
    container.crash()
    #expect(await task.value)
    #expect(server.calls.isEmpty)
    gate.release()

    let again = container.restarted()
    again.faults.run(.modifyRecords) { _ in again.crash() }
    let ends = await crashes { try await again.privateCloudDatabase.save(note("b")) }
    #expect(ends)
    #expect(server.calls.isEmpty)
  }
}

/// Holds one task.
private final class Suspended: Sendable {
  private let isOpen = Mutex(false)
  func resume() { isOpen.withLock { $0 = true } }
  func wait() async {
    while !isOpen.withLock({ $0 }), !Task.isCancelled { await Task.yield() }
  }
}

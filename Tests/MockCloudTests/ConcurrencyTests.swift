import CloudInterface
import Foundation
import MockCloud
import RecordModel
import Synchronization
import Testing

struct ConcurrencyTests {
  @Test("a hundred tasks at once leave the main actor free: gaps under 50 ms")
  func mainActorIsFree() async throws {
    // Another process can take the processor away, but not every time.
    var gap = Duration.seconds(1)
    for _ in 0..<5 where gap >= .milliseconds(50) { gap = try await gapDuringSaves() }
    #expect(gap < .milliseconds(50))
  }

  private func gapDuringSaves() async throws -> Duration {
    let folder = try TestFolder()
    defer { withExtendedLifetime(folder) {} }
    let container = try MockContainer.open(path: folder.path("c.sqlite"), mode: .create)
    let database = container.privateCloudDatabase
    try await database.save(RecordZone(zoneID: notes))
    let isDone = Atomic(false)
    async let gap = longestGap { isDone.load(ordering: .relaxed) }
    try await withThrowingTaskGroup { group in
      for task in 0..<100 {
        group.addTask {
          for number in 0..<5 {
            try await database.modifyRecords(
              saving: (0..<4).map { note("\(task)-\(number)-\($0)") }, deleting: [])
          }
        }
      }
      try await group.waitForAll()
    }
    isDone.store(true, ordering: .relaxed)
    #expect(try database.names().count == 2_000)
    return await gap
  }

  /// The longest time in which the main actor ran nothing else.
  @MainActor
  private func longestGap(until isDone: @Sendable () -> Bool) async -> Duration {
    var longest = Duration.zero
    var last = ContinuousClock.now
    while !isDone() {
      await Task.yield()
      let now = ContinuousClock.now
      longest = max(longest, now - last)
      last = now
      try? await Task.sleep(for: .milliseconds(1))
    }
    return longest
  }

  @Test("of a hundred tasks that change one record unaware of each other, one succeeds")
  func race() async throws {
    let database = try await makeDatabase()
    let first = try await database.save(note("a"))
    let results = await withTaskGroup { group in
      for number in 0..<100 {
        group.addTask {
          var draft = DraftRecord(first)
          draft["text"] = "\(number)"
          let attempt = draft
          return await cloudError { try await database.save(attempt) }?.code
        }
      }
      return await group.reduce(into: [CloudError.Code?]()) { $0.append($1) }
    }
    #expect(results.filter { $0 == nil }.count == 1)
    #expect(results.filter { $0 == .serverRecordChanged }.count == 99)
  }

  @Test("a call of a cancelled task is operationCancelled, and changes nothing")
  func cancellation() async throws {
    let database = try await makeDatabase()
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return await cloudError { try await database.save(note("a")) }
    }
    #expect(await task.value?.code == .operationCancelled)
    #expect(try database.names() == [])
  }

  @Test("a closed container says so")
  func closed() async throws {
    let database = try await makeDatabase()
    try database.container.store.close()
    await #expect(throws: ContainerStoreError.closed) { try await database.save(note("a")) }
  }
}

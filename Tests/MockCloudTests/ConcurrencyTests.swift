import CloudInterface
import Foundation
import MockCloud
import RecordModel
import Testing

struct ConcurrencyTests {
  @Test("a hundred tasks at once leave the main actor free: gaps under 50 ms")
  func mainActorIsFree() async throws {
    let program = try #require(Place.program("ServerWorker"))
    // Other processes can take the processors away, but not every time.
    var gap = 1_000
    for _ in 0..<8 where gap >= 50 {
      let folder = try TestFolder()
      let run = try await Command(program, folder.path("c.sqlite"), "gap")
      gap = Int(run.output.trimmingCharacters(in: .whitespacesAndNewlines)) ?? 1_000
    }
    #expect(gap < 50)
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

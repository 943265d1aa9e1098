import Foundation
import RecordArchive
import RecordModel
import RecordStore
import StoreTestSupport
import Testing

/// A container in memory has one connection: a thread that kept it while it waited for that of
/// another container could wait without end.
@Suite("Containers in memory", .timeLimit(.minutes(20)))
struct MemoryContainerTests {
  private func container(_ count: Int, text: String = "x") throws -> ContainerStore {
    let store = try ContainerStore.inMemory()
    try store.database(.private).save(
      (0..<count).map { number in
        var draft = DraftRecord(
          recordType: "Note", recordID: RecordID(recordName: "note-\(number)"))
        draft["text"] = text
        return draft
      })
    return store
  }

  private func compare(_ first: ContainerStore, _ second: ContainerStore) throws -> Int {
    var comparison = ArchiveComparison(.container(first), .container(second))
    comparison.progress = { _ in }
    return try comparison.run { _ in }.changed
  }

  @Test("are compared in both orders at once")
  func bothOrders() async throws {
    let (one, other) = (try container(5), try container(5, text: "y"))
    try await withThrowingTaskGroup { group in
      for (first, second) in [(one, other), (other, one)] {
        group.addTask {
          for _ in 0..<100 {
            let changed = try compare(first, second)
            #expect(changed == 5)
          }
        }
      }
      try await group.waitForAll()
    }
  }

  @Test("are compared with themselves, and within a read")
  func nested() throws {
    let large = try container(20_000, text: String(repeating: "x", count: 200))
    #expect(try compare(large, large) == 0)
    let (one, other) = (try container(10), try container(10, text: "y"))
    let changed = try one.snapshot { _ in try compare(one, other) }
    #expect(changed == 10)
  }

  @Test("are imported into each other at once, and into themselves")
  func imports() async throws {
    let (one, other) = (try container(50), try container(60))
    try await withThrowingTaskGroup { group in
      for (source, target) in [(one, other), (other, one)] {
        group.addTask {
          var archiver = Archiver()
          archiver.conflictPolicy = .keep
          for _ in 0..<50 {
            try archiver.run(from: [.container(source)], into: .container(target))
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try ArchiveSource.container(one).sections().map(\.records) == [60])
    let result = try Archiver().run(from: [.container(one)], into: .container(one))
    #expect(result.imported.identical == 60 && result.imported.added == 0)
  }
}

import CloudInterface
import Foundation
import MockCloud
import RecordModel
import RecordStore
import Testing

@testable import RecordArchive

/// Downloads of random containers, against what each account sees.
struct DownloadTests {
  let folder: TestFolder

  init() throws { folder = try TestFolder() }

  @Test("a download has what the account sees", arguments: SeededGenerator.seeds(4))
  func random(seed: UInt64) async throws {
    var live = try await LiveContainer(seed: seed)
    try await live.change(120)
    for account in [try live.mira, live.kenji] {
      let file = try ContainerStore.open(
        path: folder.path("\(account.userRecordName).sqlite"), mode: .create)
      let report = try await everything().run(from: account, into: file)
      #expect(report.isComplete)
      #expect(report.problems == [])
      try expectSame(file, await live.mock.expected(for: account), folder)
      _ = try file.verify { Issue.record("\($0)") }
    }
  }

  @Test("a later download fetches what has changed", arguments: SeededGenerator.seeds(4))
  func later(seed: UInt64) async throws {
    var live = try await LiveContainer(seed: seed)
    let accounts = [try live.mira, live.kenji]
    let files = try accounts.map {
      try ContainerStore.open(path: folder.path("\($0.userRecordName).sqlite"), mode: .create)
    }
    for round in 0..<6 {
      try await live.change(round == 0 ? 80 : 15)
      for (account, file) in zip(accounts, files) {
        let report = try await everything().run(from: account, into: file)
        #expect(report.isComplete)
        try expectSame(file, await live.mock.expected(for: account), folder, "round \(round)")
        _ = try file.verify { Issue.record("\($0)") }
      }
    }
  }

  @Test(
    "an interrupted download goes on, and fetches nothing twice but a page",
    arguments: SeededGenerator.seeds(1))
  func interrupted(seed: UInt64) async throws {
    var live = try await LiveContainer(seed: seed)
    try await live.change(30)
    let mira = try live.mira
    let expected = try await live.mock.expected(for: mira)
    let whole = CountingContainer(mira)
    let report = try await everything().run(from: whole, into: ContainerStore.inMemory())
    for number in 1...whole.calls {
      for point in [CallPoint.beforeServer, .afterServer] {
        let counting = CountingContainer(mira)
        let container = FaultInjectingContainer(counting)
        container.faults.fail(
          with: .error(CloudError(.networkFailure), point), times: .nth(number))
        let file = try ContainerStore.inMemory()
        let error = await #expect(throws: ArchiveError.self) {
          _ = try await everything().run(from: container, into: file)
        }
        guard case .downloadInterrupted(let cause, let partial) = error else {
          Issue.record("\(String(describing: error))")
          continue
        }
        #expect(cause.code == .networkFailure)
        #expect(!partial.isComplete)
        let resumed = try await everything().run(from: container, into: file)
        #expect(resumed.isComplete)
        #expect(resumed.counts.records == report.counts.records)
        #expect(counting.records <= whole.records + 3)
        try expectSame(file, expected, folder, "interrupted at \(number)")
      }
    }
  }
}

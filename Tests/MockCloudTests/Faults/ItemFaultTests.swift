import CloudInterface
import Foundation
import MockCloud
import RecordModel
import Testing

/// Faults of single items.
struct ItemFaultTests {
  private let server = FeedContainer()
  private let container: FaultyFeed
  private var database: FaultInjectingDatabase<FeedContainer> { container.privateCloudDatabase }
  private var faults: Faults { container.faults }

  init() { container = FaultInjectingContainer(server) }

  @Test("an item's error fails its atomic zone, and nothing of it reaches the server")
  func atomicZone() async throws {
    let other = ZoneID(zoneName: "Other")
    faults.fail(
      .modifyRecords,
      with: .partialFailure(of: [id("b")], with: CloudError(.serviceUnavailable, retryAfter: 2)))
    let answer = try await database.modifyRecords(
      saving: [note("a"), note("b"), note("c", in: other), note("d", in: .default)],
      deleting: [id("x"), id("y", in: other)])
    #expect(answer.saveResults[id("b")]?.cloudError?.code == .serviceUnavailable)
    #expect(answer.saveResults[id("b")]?.cloudError?.retryAfterSeconds == 2)
    #expect(answer.saveResults[id("a")]?.cloudError?.code == .batchRequestFailed)
    #expect(answer.deleteResults[id("x")]?.cloudError?.message == "Atomic failure")
    #expect(answer.saveResults[id("c", in: other)]?.isSuccess == true)
    #expect(answer.saveResults[id("d", in: .default)]?.isSuccess == true)
    #expect(answer.deleteResults[id("y", in: other)]?.isSuccess == true)
    #expect(server.names == ["c", "d"])
  }

  @Test("without atomicity, and in the default zone, only the item fails")
  func notAtomic() async throws {
    let error = CloudError(.quotaExceeded)
    faults.fail(.modifyRecords, with: .partialFailure(of: [id("b")], with: error))
    let answer = try await database.modifyRecords(
      saving: [note("a"), note("b")], deleting: [], atomically: false)
    #expect(answer.saveResults[id("a")]?.isSuccess == true)
    #expect(answer.saveResults[id("b")]?.cloudError?.message == "Quota exceeded")
    #expect(server.names == ["a"])

    faults.fail(
      .modifyRecords, with: .partialFailure(of: [id("d", in: .default)], with: error))
    let inDefault = try await database.modifyRecords(
      saving: [note("c", in: .default), note("d", in: .default)], deleting: [])
    #expect(inDefault.saveResults[id("c", in: .default)]?.isSuccess == true)
    #expect(inDefault.saveResults[id("d", in: .default)]?.cloudError?.code == .quotaExceeded)
  }

  @Test("a request whose items all fail does not reach the server")
  func allFail() async throws {
    faults.fail(
      .modifyRecords, with: .partialFailure(of: [id("a")], with: CloudError(.quotaExceeded)))
    let error = await cloudError { try await database.save(note("a")) }
    #expect(error?.code == .quotaExceeded)
    #expect(server.calls.isEmpty)
  }

  @Test("a fault of items waits for a call that has them")
  func otherItems() async throws {
    faults.fail(
      .modifyRecords, with: .partialFailure(of: [id("b")], with: CloudError(.quotaExceeded)))
    #expect(await cloudError { try await database.save(note("a")) } == nil)
    #expect(await cloudError { try await database.save(note("b")) }?.code == .quotaExceeded)
  }

  @Test("a fetched item fails in lookups, queries and changes")
  func fetched() async throws {
    server.save("a", "b")
    let fault = Fault.partialFailure(of: [id("b")], with: CloudError(.assetNotAvailable))
    faults.fail(with: fault, times: 3)
    let found = try await database.records(for: [id("a"), id("b")])
    #expect(found[id("a")]?.isSuccess == true)
    #expect(found[id("b")]?.cloudError?.code == .assetNotAvailable)
    let matches = try await database.records(matching: RecordQuery(recordType: "Note"))
    #expect(matches.matchResults.map { $0.1.isSuccess } == [true, false])
    let page = try await database.recordZoneChanges(inZoneWith: notes, since: nil)
    #expect(page.modificationResultsByID[id("b")]?.cloudError?.code == .assetNotAvailable)
    #expect(try await database.records(for: [id("b")])[id("b")]?.isSuccess == true)
  }
}

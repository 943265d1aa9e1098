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
    #expect(answer.saveResults[id("b")]?.cloudError?.retryAfter == 2)
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

  @Test("a record is missing in a lookup")
  func skippedLookup() async throws {
    server.save("a", "b")
    faults.fail(.records, with: .skippedResults(of: [id("b")]))
    let found = try await database.records(for: [id("a"), id("b")])
    #expect(Set(found.keys) == [id("a")])
    faults.fail(.records, with: .skippedResults(of: [id("a")]))
    await #expect(throws: CloudError.self) { try await database.record(for: id("a")) }
  }

  @Test("a change that is missing in a page comes with the next one, as it is then")
  func skippedChange() async throws {
    server.save("a", "b", "c")
    faults.fail(.recordZoneChanges, with: .skippedResults(of: [id("a")]))
    let all = try await changes(database)
    #expect(all.pages == [["b"], ["a", "c"]])
    #expect(try await changes(database, since: all.token).pages == [[]])

    server.save("a")
    faults.fail(.recordZoneChanges, with: .skippedResults(of: [id("a")]))
    let first = try await database.recordZoneChanges(inZoneWith: notes, since: all.token)
    #expect(first.modificationResultsByID.isEmpty)
    #expect(first.moreComing)
    server.save("a", text: "newer")
    let next = try await database.recordZoneChanges(inZoneWith: notes, since: first.changeToken)
    let record = try next.modificationResultsByID[id("a")]?.get().record
    #expect(record?["text"] == "newer")
    // A client that was killed fetches the page again.
    #expect(try await changes(database, since: first.changeToken).pages == [["a"]])
  }

  @Test("a skipped record that is deleted comes as a deletion only")
  func skippedThenDeleted() async throws {
    server.save("a")
    faults.fail(.recordZoneChanges, with: .skippedResults(of: [id("a")]))
    let first = try await database.recordZoneChanges(inZoneWith: notes, since: nil)
    server.delete("a")
    #expect(try await changes(database, since: first.changeToken).pages == [["-a"]])
  }

  @Test("a skipped deletion comes with the next page, unless the record is there again")
  func skippedDeletion() async throws {
    server.save("a", "b")
    let token = try await changes(database).token
    server.delete("a")
    faults.fail(.recordZoneChanges, with: .skippedResults(of: [id("a")]), times: 2)
    #expect(try await changes(database, since: token).pages == [[], [], ["-a"]])
    faults.removeAll()
    faults.fail(.recordZoneChanges, with: .skippedResults(of: [id("a")]))
    let first = try await database.recordZoneChanges(inZoneWith: notes, since: token)
    server.save("a")
    #expect(try await changes(database, since: first.changeToken).pages == [["a"]])
  }

  @Test("a skipped match of a query comes with the next page, also after the last one")
  func skippedMatch() async throws {
    server.save("a", "b", "c")
    faults.fail(.query, with: .skippedResults(of: [id("a")]))
    faults.fail(.continueQuery, with: .skippedResults(of: [id("c")]))
    var pages: [[String]] = []
    var page = try await database.records(matching: RecordQuery(recordType: "Note"))
    pages.append(page.matchResults.map(\.0.recordName))
    while let cursor = page.queryCursor {
      page = try await database.records(continuingMatchFrom: cursor)
      pages.append(page.matchResults.map(\.0.recordName))
    }
    #expect(pages == [["b"], ["a"], ["c"]])
  }

  @Test("what several faults leave out of one page comes with the next one")
  func skippedTwice() async throws {
    server.save("a", "b", "c")
    for operation in [CloudOperation.query, .recordZoneChanges] {
      for name in ["b", "a"] { faults.fail(operation, with: .skippedResults(of: [id(name)])) }
    }
    let page = try await database.records(matching: RecordQuery(recordType: "Note"))
    #expect(page.matchResults.isEmpty)
    let cursor = try #require(page.queryCursor)
    let next = try await database.records(continuingMatchFrom: cursor)
    #expect(next.matchResults.map(\.0.recordName) == ["a", "b", "c"])
    #expect(try await changes(database).pages == [[], ["a", "b", "c"]])
  }

  @Test("a zone that is missing in the changes of the database comes later")
  func skippedZone() async throws {
    server.save("a")
    faults.fail(.databaseChanges, with: .skippedResults(of: [.zone(notes)]))
    let first = try await database.databaseChanges(since: nil)
    #expect(first.modifications.isEmpty)
    #expect(first.moreComing)
    let next = try await database.databaseChanges(since: first.changeToken)
    #expect(next.modifications == [DatabaseChange.Modification(zoneID: notes)])
    #expect(!next.moreComing)
  }
}

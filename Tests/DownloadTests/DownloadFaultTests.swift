import CloudInterface
import Foundation
import MockCloud
import RecordModel
import RecordStore
import StoreTestSupport
import Testing

@testable import RecordArchive

/// Downloads from a server that fails.
struct DownloadFaultTests {
  static let notes = ZoneID(zoneName: "Notes")

  let folder: TestFolder
  let mock: MockContainer
  let file: ContainerStore

  init() async throws {
    folder = try TestFolder()
    var rules = ServerRules.native
    rules.maxResults = 4
    mock = try MockContainer.inMemory(
      info: ContainerInfo(identifier: "iCloud.notes", currentUserRecordName: "_mira"),
      rules: rules, now: { testDate })
    file = try ContainerStore.open(path: folder.path("file.sqlite"), mode: .create)
    try await mock.privateCloudDatabase.save(RecordZone(zoneID: Self.notes))
    try await save(Array(0..<10))
  }

  func id(_ number: Int) -> RecordID {
    RecordID(recordName: "n\(number)", zoneID: Self.notes)
  }

  func save(_ numbers: [Int], _ title: String = "a title") async throws {
    let drafts = numbers.map { number in
      var draft = DraftRecord(recordType: "Note", recordID: id(number))
      draft["title"] = title
      return draft
    }
    try await mock.privateCloudDatabase.modifyRecords(
      saving: drafts, deleting: [], savePolicy: .allKeys)
  }

  func expectWhole(_ sourceLocation: SourceLocation = #_sourceLocation) async throws {
    let expected = try await mock.expected(for: mock)
    try expectSame(file, expected, folder, sourceLocation: sourceLocation)
  }

  @Test(
    "an expired token begins the zone or database anew, and what is gone is removed",
    arguments: [CloudOperation.recordZoneChanges, .databaseChanges])
  func expiredToken(operation: CloudOperation) async throws {
    _ = try await everything().run(from: mock, into: file)
    try await save([3, 20], "changed")
    try await mock.privateCloudDatabase.deleteRecord(withID: id(5))
    let container = FaultInjectingContainer(mock)
    container.faults.fail(operation, with: .changeTokenExpired)
    let report = try await everything().run(from: container, into: file)
    #expect(report.counts.deletedRecords == 1)
    #expect(report.counts.records == (operation == .recordZoneChanges ? 10 : 2))
    try await expectWhole()
    // Nothing is left of the listing.
    let tables = try file.mirrorTransaction { try $0.notes("download").count }
    #expect(tables > 0)
    _ = try file.verify { Issue.record("\($0)") }
  }

  @Test("a token that expires again and again ends the download")
  func everExpired() async throws {
    let container = FaultInjectingContainer(mock)
    container.faults.fail(.recordZoneChanges, with: .changeTokenExpired, times: .always)
    await #expect(throws: ArchiveError.self) {
      try await everything().run(from: container, into: file)
    }
  }

  @Test(
    "an interrupted new beginning goes on, and still removes what is gone", arguments: 1...5)
  func expiredTokenInterrupted(number: Int) async throws {
    _ = try await everything().run(from: mock, into: file)
    try await save(Array(30..<36))
    try await mock.privateCloudDatabase.deleteRecord(withID: id(5))
    let container = FaultInjectingContainer(mock)
    container.faults.fail(.recordZoneChanges, with: .changeTokenExpired)
    container.faults.fail(.recordZoneChanges, with: .networkFailure(), times: .nth(number))
    _ = try? await everything().run(from: container, into: file)
    container.faults.removeAll()
    _ = try await everything().run(from: container, into: file)
    try await expectWhole()
  }

  @Test("a zone that is deleted in the middle is removed", arguments: [true, false])
  func deletedZone(isPurged: Bool) async throws {
    let container = FaultInjectingContainer(mock)
    container.faults.run(.recordZoneChanges, times: .nth(2)) { [mock] _ in
      if isPurged {
        try await mock.purgeRecordZone(withID: Self.notes)
      } else {
        try await mock.privateCloudDatabase.deleteRecordZone(withID: Self.notes)
      }
    }
    let report = try await everything().run(from: container, into: file)
    #expect(report.counts.deletedZones == 1)
    #expect(report.isComplete)
    #expect(try file.database(.private).zones().map(\.zoneID) == [.default])
    try await expectWhole()
  }

  @Test("a zone that is deleted and made anew between two downloads is fetched anew")
  func recreatedZone() async throws {
    _ = try await everything().run(from: mock, into: file)
    try await mock.privateCloudDatabase.deleteRecordZone(withID: Self.notes)
    try await mock.privateCloudDatabase.save(RecordZone(zoneID: Self.notes))
    try await save([1, 50], "new")
    _ = try await everything().run(from: mock, into: file)
    #expect(try file.database(.private).recordTypes().map(\.recordCount) == [2])
    try await expectWhole()
  }

  @Test("a record that the server does not send is asked for alone, and reported if that fails")
  func itemError() async throws {
    let container = FaultInjectingContainer(mock)
    let error = CloudError(.serviceUnavailable)
    container.faults.fail(.recordZoneChanges, with: .partialFailure(of: [id(2)], with: error))
    let report = try await everything().run(from: container, into: file)
    #expect(report.isComplete)
    try await expectWhole()

    try await save([2, 3], "changed")
    container.faults.fail(
      with: .partialFailure(of: [id(2)], with: error), times: .always)
    let second = try await everything().run(from: container, into: file)
    #expect(!second.isComplete)
    #expect(second.problems.map(\.subject) == [.record(id(2))])
    let third = try await everything().run(from: container, into: file)
    #expect(third.problems.map(\.subject) == [.record(id(2))])
    #expect(try file.database(.private).record(for: id(2))["title"] == "a title")
    container.faults.removeAll()
    #expect(try await everything().run(from: container, into: file).isComplete)
    try await expectWhole()
  }

  @Test("a cursor that has expired begins the query anew")
  func expiredCursor() async throws {
    for number in 0..<9 {
      try await mock.privateCloudDatabase.save(
        DraftRecord(recordType: "Todo", recordID: RecordID(recordName: "t\(number)")))
    }
    _ = try await everything().run(from: mock, into: file)
    try await mock.privateCloudDatabase.deleteRecord(withID: RecordID(recordName: "t4"))
    let container = FaultInjectingContainer(mock)
    container.faults.fail(
      .continueQuery, with: .error(CloudError(.invalidArguments, "the cursor has expired")))
    let report = try await everything().run(from: container, into: file)
    #expect(report.counts.deletedRecords == 1)
    #expect(report.isComplete)
    try await expectWhole()
  }

  @Test("faults of every kind, until it is complete", arguments: SeededGenerator.seeds(5))
  func everyFault(seed: UInt64) async throws {
    var live = try await LiveContainer(seed: seed)
    try await live.change(60)
    let clock = ManualClock(advancesWhenSleeping: true)
    var container = FaultInjectingContainer(try live.mira, clock: clock)
    container.faults.follow(FaultSchedule(seed: seed, .everyKind(0.03)))
    var download = everything()
    download.maxRetries = 1
    // A list from which some are missing looks like a whole one.
    download.includesSubscriptions = false
    download.sleep = { try await clock.sleep(for: $0) }
    var attempts = 0
    for round in 0..<3 {
      if round > 0 { try await live.change(10) }
      // Problems of single records are tried again by the next download.
      while true {
        attempts += 1
        try #require(attempts < 200)
        do {
          if try await download.run(from: container, into: file).isComplete { break }
        } catch is ArchiveError {
          continue
        } catch is SimulatedCrash {
          container = container.restarted()
        }
      }
      let expected = try await live.mock.expected(for: live.mira, subscriptions: false)
      try expectSame(file, expected, folder, "round \(round)")
    }
    #expect(!container.faults.log.faults.isEmpty)
  }
}

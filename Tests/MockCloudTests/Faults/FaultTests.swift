import CloudInterface
import Foundation
import MockCloud
import RecordModel
import Testing

typealias FaultyFeed = FaultInjectingContainer<FeedContainer>

/// What each fault does to a call, and to which calls.
@Suite(.timeLimit(.minutes(20)))
struct FaultTests {
  private let server = FeedContainer()
  private let clock = ManualClock()
  private let container: FaultyFeed
  private var database: FaultInjectingDatabase<FeedContainer> { container.privateCloudDatabase }
  private var faults: Faults { container.faults }

  init() { container = FaultInjectingContainer(server, clock: clock) }

  private func save(_ name: String) async -> CloudError? {
    await cloudError { try await database.save(note(name)) }
  }

  @Test("calls that nothing was set up for go to the server unchanged")
  func unchanged() async throws {
    #expect(await save("a") == nil)
    #expect(server.names == ["a"])
    #expect(try await container.accountStatus() == .available)
    #expect(try await container.userRecordID().recordName == "_feed")
    #expect(container.containerIdentifier == "iCloud.test")
    #expect(faults.log.faults.isEmpty)
    #expect(faults.callCount == 3)
  }

  // MARK: Which calls

  @Test("a fault happens once, some times, on the nth call, or always")
  func times() async throws {
    faults.fail(.modifyRecords, with: .networkUnavailable)
    #expect(await save("a")?.code == .networkUnavailable)
    #expect(await save("a") == nil)
    faults.fail(.modifyRecords, with: .networkUnavailable, times: 2)
    #expect(await save("b")?.code == .networkUnavailable)
    #expect(await save("b")?.code == .networkUnavailable)
    #expect(await save("b") == nil)
    faults.fail(.modifyRecords, with: .networkUnavailable, times: .nth(3))
    #expect(await save("c") == nil)
    #expect(await save("c") == nil)
    #expect(await save("c")?.code == .networkUnavailable)
    #expect(await save("c") == nil)
    faults.fail(.modifyRecords, with: .networkUnavailable, times: .always)
    for _ in 0..<5 { #expect(await save("d")?.code == .networkUnavailable) }
    faults.removeAll()
    #expect(await save("d") == nil)
  }

  @Test("a probability fails the same calls for the same seed, and about so many")
  func probability() async throws {
    func failures(_ seed: UInt64) async -> [Bool] {
      let container = FaultInjectingContainer(FeedContainer(), clock: clock)
      container.faults.fail(with: .networkUnavailable, times: .probability(0.3, seed: seed))
      var failures: [Bool] = []
      for _ in 0..<200 {
        let error = await cloudError { try await container.accountStatus() }
        failures.append(error != nil)
      }
      return failures
    }
    let first = await failures(1)
    #expect(await failures(1) == first)
    #expect(await failures(2) != first)
    #expect((30...90).contains(first.count(where: \.self)))
  }

  @Test("calls are chosen by operation, database, zone and record")
  func filters() async throws {
    server.save("a", "b")
    let other = ZoneID(zoneName: "Other")
    faults.fail(.records, in: .shared, with: .serverError, times: .always)
    faults.fail(.modifyRecords, zone: other, with: .quotaExceeded, times: .always)
    faults.fail(record: id("b"), with: .networkFailure(), times: .always)
    #expect(await cloudError { try await database.record(for: id("a")) } == nil)
    let shared = await cloudError {
      try await container.sharedCloudDatabase.record(for: id("a"))
    }
    #expect(shared?.code == .serverRejectedRequest)
    #expect(await save("a") == nil)
    let elsewhere = await cloudError { try await database.save(note("x", in: other)) }
    #expect(elsewhere?.code == .quotaExceeded)
    #expect(await save("b")?.code == .networkFailure)
    #expect(
      await cloudError { try await database.record(for: id("b")) }?.code == .networkFailure)
    #expect(
      await cloudError { try await database.deleteRecord(withID: id("b")) }?.code
        == .networkFailure)
  }

  // MARK: Whole calls

  @Test("errors have CloudKit's words")
  func words() async throws {
    let words: [(Fault, CloudError.Code, String)] = [
      (.requestRateLimited(), .requestRateLimited, "Request failed with http status code 503"),
      (.serviceUnavailable(), .serviceUnavailable, "Request failed with http status code 503"),
      (.serverError, .serverRejectedRequest, "Request failed with http status code 500"),
      (.networkUnavailable, .networkUnavailable, "The Internet connection appears to be offline."),
      (.networkFailure(), .networkFailure, "The network connection was lost."),
      (.quotaExceeded, .quotaExceeded, "Quota exceeded"),
      (.userDeletedZone, .userDeletedZone, "Zone was purged by user"),
      (.error(CloudError(.zoneBusy, "own words")), .zoneBusy, "own words"),
    ]
    for (fault, code, message) in words {
      faults.fail(.modifyRecords, with: fault)
      let error = await save("a")
      #expect(error?.code == code)
      #expect(error?.message == message)
    }
    #expect(server.names.isEmpty)
  }

  @Test("a failure before the server saves nothing, one after it has saved")
  func networkFailure() async throws {
    faults.fail(.modifyRecords, with: .networkFailure(.beforeServer))
    #expect(await save("a")?.code == .networkFailure)
    #expect(server.names == [])
    faults.fail(.modifyRecords, with: .networkFailure(.afterServer))
    #expect(await save("a")?.code == .networkFailure)
    #expect(server.names == ["a"])
    faults.fail(.modifyRecords, with: .serverResponseLost)
    #expect(await save("b")?.code == .serverResponseLost)
    #expect(server.names == ["a", "b"])
  }

  @Test("a call that does not wait for retryAfter is limited again, until the time is over")
  func rateLimit() async throws {
    faults.fail(.modifyRecords, with: .requestRateLimited(retryAfter: 30))
    let first = await save("a")
    #expect(first?.retryAfterSeconds == 30)
    clock.advance(by: .seconds(9.5))
    let second = await save("a")
    #expect(second?.code == .requestRateLimited)
    #expect(second?.retryAfterSeconds == 20.5)
    #expect(
      second?.message
        == "Operation throttled by previous server http 503 reply. Retry after 20.5 seconds. "
        + "(Other operations may be allowed.)")
    #expect(await cloudError { try await database.allRecordZones() } == nil)
    clock.advance(by: .seconds(20.5))
    #expect(await save("a") == nil)
    #expect(server.calls.count == 2)
  }

  @Test("after serviceUnavailable, a call that does not wait is limited")
  func serviceUnavailable() async throws {
    faults.fail(with: .serviceUnavailable(retryAfter: 3))
    #expect(await save("a")?.code == .serviceUnavailable)
    #expect(await save("a")?.code == .requestRateLimited)
    clock.advance(by: .seconds(3))
    #expect(await save("a") == nil)
  }

  @Test("a busy zone does not limit other zones")
  func zoneBusy() async throws {
    faults.fail(.modifyRecords, with: .zoneBusy(retryAfter: 5))
    #expect(await save("a")?.code == .zoneBusy)
    let other = ZoneID(zoneName: "Other")
    #expect(await cloudError { try await database.save(note("x", in: other)) } == nil)
    let second = await save("a")
    #expect(second?.code == .zoneBusy)
    #expect(second?.retryAfterSeconds == 5)
    faults.removeAll()
    #expect(await save("a") == nil)
  }

  @Test("a client that halves a request which is too large succeeds")
  func limitExceeded() async throws {
    faults.fail(.modifyRecords, with: .limitExceeded(over: 2), times: .always)
    let drafts = (1...7).map { note("\($0)") }
    let whole = await cloudError { try await database.modifyRecords(saving: drafts, deleting: []) }
    #expect(whole?.code == .limitExceeded)
    #expect(
      whole?.message
        == "Your request contains 7 items which is more than the maximum number of items in a "
        + "single request (2)")
    func save(_ drafts: [DraftRecord]) async throws {
      do {
        try await database.modifyRecords(saving: drafts, deleting: [])
      } catch CloudError.limitExceeded {
        try await save(Array(drafts.prefix(drafts.count / 2)))
        try await save(Array(drafts.dropFirst(drafts.count / 2)))
      }
    }
    try await save(drafts)
    #expect(server.names == ["1", "2", "3", "4", "5", "6", "7"])
  }

  @Test("an expired token fails only calls with a token")
  func changeTokenExpired() async throws {
    server.save("a")
    faults.fail(with: .changeTokenExpired)
    let token = try await changes(database).token
    let expired = await cloudError {
      try await database.recordZoneChanges(inZoneWith: notes, since: token)
    }
    #expect(expired?.code == .changeTokenExpired)
    #expect(expired?.message == "client knowledge differs from server knowledge")
    #expect(try await changes(database, since: token).pages == [[]])
  }

  @Test("latency passes on the clock, without waiting")
  func latency() async throws {
    faults.delay(.modifyRecords, by: .seconds(5), times: .once)
    async let saving = save("a")
    try await clock.waitForSleep()
    #expect(server.calls.isEmpty)
    clock.advance(by: .seconds(4))
    #expect(server.calls.isEmpty)
    clock.advance(by: .seconds(1))
    #expect(await saving == nil)

    let running = ManualClock(advancesWhenSleeping: true)
    let container = FaultInjectingContainer(server, clock: running)
    container.faults.delay(by: .seconds(60), at: .afterServer)
    _ = try await container.privateCloudDatabase.save(note("b"))
    #expect(running.now.offset == .seconds(60))
    #expect(running.date == Date(timeIntervalSinceReferenceDate: 60))
  }

  @Test("the test's code runs in the middle of a call")
  func run() async throws {
    let mock = try MockContainer.inMemory()
    let container = FaultInjectingContainer(mock)
    container.faults.run(.modifyRecords) { _ in mock.setAccountStatus(.noAccount) }
    container.faults.run(.modifyRecords, at: .afterServer) { _ in
      mock.setAccountStatus(.available)
    }
    let error = await cloudError { try await container.privateCloudDatabase.save(note("a")) }
    #expect(error?.code == .notAuthenticated)
    #expect(try await container.accountStatus() == .available)
  }

  @Test("an error of the test's code is the call's")
  func runThrows() async throws {
    faults.run(.modifyRecords) { call in
      throw CloudError(.userDeletedZone, "\(call)")
    }
    let error = await save("a")
    #expect(
      error?.message == "modifyRecords in the private database: save Notes:a")
  }
}

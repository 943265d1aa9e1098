import CloudInterface
import Foundation
import MockCloud
import RecordCoding
import RecordModel
import Synchronization
import Testing

/// Schedules give the same faults for the same calls.
struct FaultScheduleTests {
  /// Makes some hundred calls of all kinds that depend only on the seed, and returns what each one
  /// ended with.
  private func run(
    _ schedule: FaultSchedule, seed: UInt64
  ) async throws -> (outcomes: [String], log: FaultLog) {
    let server = FeedContainer()
    let clock = ManualClock(advancesWhenSleeping: true)
    var container = FaultInjectingContainer(server, clock: clock)
    container.faults.follow(schedule)
    var random = SeededGenerator(seed)
    var token: ServerChangeToken?
    var outcomes: [String] = []
    for _ in 0..<300 {
      let database = container.privateCloudDatabase
      let names = (0..<(1 + random.below(4))).map { _ in "\(random.below(20))" }
      do {
        switch random.below(5) {
        case 0:
          let results = try await database.records(for: names.map { id($0) })
          outcomes.append("found \(results.values.count(where: \.isSuccess))")
        case 1:
          let page = try await database.recordZoneChanges(inZoneWith: notes, since: token)
          token = page.changeToken
          outcomes.append("changed \(page.modificationResultsByID.keys.sorted())")
        case 2:
          let page = try await database.records(matching: RecordQuery(recordType: "Note"))
          outcomes.append("matches \(page.matchResults.map(\.0.recordName))")
        default:
          let drafts = Set(names).sorted().map { note($0) }
          let results = try await database.modifyRecords(saving: drafts, deleting: [])
          outcomes.append("saved \(results.saveResults.values.count(where: \.isSuccess))")
        }
      } catch let error as CloudError {
        outcomes.append("\(error)")
        if error.code == .changeTokenExpired { token = nil }
        if let delay = error.retryAfterSeconds, random.chance(2) {
          clock.advance(by: .seconds(delay))
        }
      } catch is SimulatedCrash {
        outcomes.append("crash")
        container = container.restarted()
      }
    }
    outcomes.append("\(server.names)")
    return (outcomes, container.faults.log)
  }

  @Test("the same seed gives the same faults, another one others")
  func deterministic() async throws {
    let schedule = FaultSchedule(seed: 7, .everyKind(0.03))
    let first = try await run(schedule, seed: 1)
    let second = try await run(schedule, seed: 1)
    #expect(first.outcomes == second.outcomes)
    #expect(first.log == second.log)
    let other = try await run(FaultSchedule(seed: 8, .everyKind(0.03)), seed: 1)
    #expect(first.log != other.log)
  }

  @Test("every kind of fault happens")
  func allKinds() async throws {
    for kind in FaultKind.allCases {
      let schedule = FaultSchedule(seed: 3, [kind: 0.3])
      #expect(try await run(schedule, seed: 2).log.faults.count > 10, "\(kind)")
    }
  }

  @Test("without the calls that had no fault, a schedule gives the same faults", arguments: 1...10)
  func calls(seed: UInt64) async throws {
    let all = try await run(FaultSchedule(seed: seed, .everyKind(0.05)), seed: seed)
    #expect(all.log.faults.count > 20)
    let numbers = Set(all.log.faults.map(\.call))
    let same = try await run(
      FaultSchedule(seed: seed, .everyKind(0.05), calls: numbers), seed: seed)
    #expect(same.outcomes == all.outcomes)
    #expect(same.log == all.log)
    let first = try #require(numbers.min())
    let one = try await run(
      FaultSchedule(seed: seed, .everyKind(0.05), calls: [first]), seed: seed)
    #expect(one.log.faults.first == all.log.faults.first)
    #expect(one.log.faults.count < all.log.faults.count)
  }

  @Test("a log has a line for each fault, in words")
  func log() async throws {
    let container = FaultInjectingContainer(FeedContainer(), clock: ManualClock())
    let faults = container.faults
    faults.fail(
      .modifyRecords,
      with: .partialFailure(of: [id("b")], with: CloudError(.serverRecordChanged, "changed")))
    faults.fail(.records, with: .networkFailure(.afterServer))
    faults.crash(.userRecordID, at: .afterReturn)
    let database = container.privateCloudDatabase
    _ = try await database.modifyRecords(saving: [note("a"), note("b")], deleting: [])
    _ = try? await database.records(for: [id("a")])
    _ = try await container.userRecordID()
    #expect(
      faults.log.description == """
        call 1, modifyRecords in the private database: \
        \(CloudError(.serverRecordChanged, "changed")), for record 'Notes:b'
        call 2, records in the private database: \
        \(CloudError(.networkFailure, "The network connection was lost.")), \
        after the server's response
        call 3, userRecordID: crash, afterReturn
        """)
  }

  @Test("a time that no clock can wait for is a very long one", arguments: [1e300, -1e300])
  func absurdTimes(seconds: Double) async throws {
    let container = FaultInjectingContainer(
      FeedContainer(), clock: ManualClock(advancesWhenSleeping: true))
    container.faults.fail(.recordZones, with: .zoneBusy(retryAfter: seconds))
    let error = await cloudError {
      try await container.privateCloudDatabase.recordZones(for: [notes])
    }
    #expect(error?.code == .zoneBusy)
  }

  @Test("a schedule runs the test's actions")
  func actions() async throws {
    let count = Mutex(0)
    var schedule = FaultSchedule(seed: 1, [:])
    schedule.addAction("switch account", probability: 0.2) { count.withLock { $0 += 1 } }
    let container = FaultInjectingContainer(FeedContainer())
    container.faults.follow(schedule)
    for _ in 0..<100 { _ = try await container.accountStatus() }
    let drawn = count.withLock { $0 }
    #expect((5...40).contains(drawn))

    // It starts at the next call.
    container.faults.follow(schedule)
    for _ in 0..<100 { _ = try await container.accountStatus() }
    #expect(count.withLock { $0 } == 2 * drawn)
  }
}

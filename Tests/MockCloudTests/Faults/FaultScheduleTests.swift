import CloudInterface
import Foundation
import MockCloud
import RecordCoding
import RecordModel
import Synchronization
import Testing

/// Schedules give the same faults for the same calls, and can be printed and read.
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
        if let delay = error.retryAfter, random.chance(2) { clock.advance(by: .seconds(delay)) }
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

  @Test("a schedule's text gives the same faults")
  func seedText() async throws {
    for schedule in [
      FaultSchedule(seed: .max, .everyKind(0.04, crashes: 0.001)),
      FaultSchedule(seed: 0, [.zoneBusy: 0.5, .latency: 0.1]),
    ] {
      let text = schedule.description
      let read = try FaultSchedule(text)
      #expect(read.description == text)
      #expect(try await run(read, seed: 5).outcomes == run(schedule, seed: 5).outcomes)
    }
    #expect(
      FaultSchedule(seed: 1, [.zoneBusy: 0.5]).description
        == #"{"kind":"faultSchedule","version":1,"seed":1,"probabilities":{"zoneBusy":0.5},"#
        + #""actions":{}}"#)
  }

  @Test(
    "the printed log is a schedule with the same faults", arguments: 1...10 as ClosedRange<UInt64>)
  func logText(seed: UInt64) async throws {
    let drawn = try await run(FaultSchedule(seed: seed, .everyKind(0.05)), seed: seed)
    #expect(drawn.log.faults.count > 20)
    let listed = try FaultSchedule(drawn.log.description)
    let replayed = try await run(listed, seed: seed)
    #expect(replayed.outcomes == drawn.outcomes)
    #expect(replayed.log.faults.map(\.call) == drawn.log.faults.map(\.call))
    // A line can be removed.
    let lines = drawn.log.description.split(separator: "\n")
    let fewer = try FaultSchedule(lines.dropLast().joined(separator: "\n") + "\n\n")
    #expect(try await run(fewer, seed: seed).log.faults.count <= drawn.log.faults.count)
  }

  @Test("faults that a test sets up are in the log, too, and can be replayed")
  func rulesInLog() async throws {
    func outcomes(_ setUp: (Faults) throws -> Void) async throws -> (String, FaultLog) {
      let container = FaultInjectingContainer(FeedContainer(), clock: ManualClock())
      try setUp(container.faults)
      let database = container.privateCloudDatabase
      var text = ""
      for name in ["a", "b", "c", "d", "e"] {
        do {
          let results = try await database.modifyRecords(
            saving: [note(name), note("x")], deleting: [])
          text += "\(results.saveResults.values.count(where: \.isSuccess)) "
        } catch {
          text += "\(error) \((error as? CloudError)?.retryAfter ?? 0) "
        }
      }
      let found = try? await database.records(for: [id("a"), id("x")]).count
      return (text + "\(found ?? -1)", container.faults.log)
    }
    let first = try await outcomes { faults in
      faults.fail(
        .modifyRecords, record: id("b"),
        with: .partialFailure(of: [id("b")], with: CloudError(.serverRecordChanged, "changed")))
      faults.fail(.modifyRecords, record: id("c"), with: .zoneBusy(retryAfter: 3))
      faults.fail(.records, with: .skippedResults(of: [id("a")]))
    }
    #expect(first.0.contains("zoneBusy"))
    let text = first.1.description
    let second = try await outcomes { $0.follow(try FaultSchedule(text)) }
    #expect(second.0 == first.0)
  }

  @Test(
    "an error of a log is read with all its parts, whatever its text",
    arguments: ["a\u{2028}b", "a\u{85}b", "a\r\nb", "a\u{C}b", "\"\\"])
  func errorsInLogs(message: String) async throws {
    var partial = CloudError(.partialFailure, message)
    partial.partialErrors = [id("a"): CloudError(.zoneBusy, message, retryAfter: 3)]
    var conflict = CloudError(.serverRecordChanged, message)
    conflict.conflict = CloudError.Conflict(serverRecord: try note("a").resultRecord())
    func thrown(_ container: FaultInjectingContainer<FeedContainer>) async -> [CloudError?] {
      var errors: [CloudError?] = []
      for _ in 0..<2 {
        errors.append(
          await cloudError { try await container.privateCloudDatabase.records(for: [id("a")]) })
      }
      return errors
    }
    let container = FaultInjectingContainer(FeedContainer())
    for error in [partial, conflict] { container.faults.fail(.records, with: .error(error)) }
    #expect(await thrown(container) == [partial, conflict])
    let again = FaultInjectingContainer(FeedContainer())
    again.faults.follow(try FaultSchedule("\(container.faults.log)"))
    #expect(await thrown(again) == [partial, conflict])
  }

  @Test("a time that no clock can wait for is a very long one", arguments: [1e300, -1e300])
  func absurdTimes(seconds: Double) async throws {
    let container = FaultInjectingContainer(
      FeedContainer(), clock: ManualClock(advancesWhenSleeping: true))
    container.faults.follow(
      try FaultSchedule(
        """
        {"kind":"faultSchedule","version":1}
        {"call":1,"operation":"records","fault":"latency","seconds":\(seconds)}
        """))
    container.faults.fail(.recordZones, with: .zoneBusy(retryAfter: seconds))
    _ = try await container.privateCloudDatabase.records(for: [id("a")])
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

    var listed = try FaultSchedule(container.faults.log.description)
    listed.addAction("switch account") { count.withLock { $0 += 100 } }
    // It starts at the next call.
    container.faults.follow(listed)
    for _ in 0..<100 { _ = try await container.accountStatus() }
    #expect(count.withLock { $0 } == 101 * drawn)
  }

  @Test(
    "text that is no schedule is refused with the line",
    arguments: [
      ("", "an empty text"),
      ("{", "line 1"),
      (#"{"kind":"recording","version":1}"#, "faultSchedule"),
      (#"{"kind":"faultSchedule","version":2}"#, "version 2"),
      (#"{"kind":"faultSchedule","version":1,"seed":-1}"#, "seed"),
      (#"{"kind":"faultSchedule","version":1,"seed":1,"probabilities":{"no":1}}"#, "\"no\""),
      ("{\"kind\":\"faultSchedule\",\"version\":1}\n{\"call\":1}", "line 2"),
      (
        "{\"kind\":\"faultSchedule\",\"version\":1}\n\n"
          + "{\"call\":1,\"operation\":\"records\",\"fault\":\"nothing\"}", "line 3"
      ),
    ])
  func badText(text: String, part: String) throws {
    let error = #expect(throws: RecordCodingError.self) { try FaultSchedule(text) }
    #expect(error?.description.contains(part) == true, "\(error?.description ?? "")")
  }
}

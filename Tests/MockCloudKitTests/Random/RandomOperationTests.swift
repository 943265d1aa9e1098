import Foundation
import MockCloud
import TestSupport
import Testing

#if os(Linux)
  import CloudKit
#else
  import MockCloudKit
#endif

/// Random operations on queues, with dependencies and cancellation: each block is called once, the
/// result block last.
@Suite(.timeLimit(.minutes(20))) struct RandomOperationTests {
  @Test(arguments: SeededGenerator.seeds(6)) func eachBlockIsCalledOnceAndTheResultBlockLast(
    seed: UInt64
  ) async throws {
    var random = SeededGenerator(seed)
    let fixture = try await Fixture.withZone()
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = [1, 3][Int(seed % 2)]
    var runs: [Run] = []
    for index in 0..<20 {
      let run = Run(index, fixture, &random)
      if let other = runs.randomElement(using: &random), Int.random(in: 0..<3, using: &random) == 0
      {
        run.operation.addDependency(other.operation)
        run.dependency = other.index
      }
      run.operation.queuePriority = Bool.random(using: &random) ? .high : .low
      runs.append(run)
    }
    let log = Log()
    let cancelled = runs.filter { _ in Int.random(in: 0..<4, using: &random) == 0 }
    let early = cancelled.filter { _ in Bool.random(using: &random) }
    for run in early { run.operation.cancel() }
    await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
      let group = DispatchGroup()
      for run in runs {
        group.enter()
        run.operation.completionBlock = { group.leave() }
        run.start(log)
        queue.addOperation(run.operation)
      }
      for run in cancelled { run.operation.cancel() }
      group.notify(queue: .global()) { continuation.resume() }
    }
    let calls = log.calls
    for run in runs {
      let own = calls.filter { $0.index == run.index }.map(\.call)
      let wasCancelled = cancelled.contains { $0 === run }
      let isEarly = early.contains { $0 === run }
      #expect(own.last == "none" || wasCancelled && own.last == "operationCancelled", "\(own)")
      #expect(own.dropLast().sorted() == (own.last == "none" ? run.items : []))
      #expect(!isEarly || own == ["operationCancelled"])
      // A cancelled operation does not wait (Apple's documentation of `Operation.cancel()`).
      if let dependency = run.dependency, !wasCancelled {
        let first = calls.firstIndex { $0.index == run.index }
        let end = calls.lastIndex { $0.index == dependency }
        #expect(try #require(end) < #require(first))
      }
    }
    // On a serial queue the calls of an operation are not mixed with those of others.
    if queue.maxConcurrentOperationCount == 1 {
      let order = calls.map(\.index)
      let changes = zip(order, order.dropFirst()).filter { $0 != $1 }.count
      #expect(changes == runs.count - 1)
    }
  }
}

/// The calls of blocks, in their order.
private final class Log: @unchecked Sendable {
  private let lock = NSLock()
  private var all: [(index: Int, call: String)] = []

  func add(_ index: Int, _ call: String) { lock.withLock { all.append((index, call)) } }
  var calls: [(index: Int, call: String)] { lock.withLock { all } }
}

/// An operation, and the items that it should report.
private final class Run: @unchecked Sendable {
  let index: Int
  let operation: CKDatabaseOperation
  let items: [String]
  var dependency: Int?

  init(_ index: Int, _ fixture: Fixture, _ random: inout SeededGenerator) {
    self.index = index
    let ids = (0..<3).map { fixture.record("r\(index)-\($0)").recordID }
    switch Int.random(in: 0..<3, using: &random) {
    case 0:
      operation = CKModifyRecordsOperation(
        recordsToSave: ids.map { CKRecord(recordType: "Note", recordID: $0) })
      items = ids.map { "\($0.recordName) none" }
    case 1:
      operation = CKFetchRecordsOperation(recordIDs: ids)
      items = ids.map { "\($0.recordName) unknownItem" }
    default:
      operation = CKModifyRecordZonesOperation(
        recordZonesToSave: [CKRecordZone(zoneName: "Z\(index)")])
      items = ["Z\(index) none"]
    }
    operation.database = fixture.database
  }

  func start(_ log: Log) {
    let index = index
    switch operation {
    case let operation as CKModifyRecordsOperation:
      operation.perRecordSaveBlock = { log.add(index, "\($0.recordName) \(name($1.failure))") }
      operation.modifyRecordsResultBlock = { log.add(index, name($0.failure)) }
    case let operation as CKFetchRecordsOperation:
      operation.perRecordResultBlock = { log.add(index, "\($0.recordName) \(name($1.failure))") }
      operation.fetchRecordsResultBlock = { log.add(index, name($0.failure)) }
    case let operation as CKModifyRecordZonesOperation:
      operation.perRecordZoneSaveBlock = { log.add(index, "\($0.zoneName) \(name($1.failure))") }
      operation.modifyRecordZonesResultBlock = { log.add(index, name($0.failure)) }
    default: break
    }
  }
}

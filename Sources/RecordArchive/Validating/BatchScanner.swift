import Foundation
import RecordPlatform
import RecordSchema

/// Scans batches of records on several threads while the caller reads further ones, and hands the
/// results over in the order of the batches, in the caller's thread.
final class BatchScanner: @unchecked Sendable {
  // Unchecked: everything that changes is guarded by `condition`.
  private let condition = NSCondition()
  private let work: @Sendable (RecordBatch) throws -> RecordCensus
  private let window: Int
  private var waiting: [(number: Int, batch: RecordBatch)] = []
  private var results: [Int: Result<RecordCensus, any Error>] = [:]
  private var nextNumber = 0
  private var nextResult = 0
  private var isFinished = false

  /// - Parameter threads: with one, batches are scanned in the caller's thread.
  init(threads: Int, _ work: @escaping @Sendable (RecordBatch) throws -> RecordCensus) {
    self.work = work
    let workers = threads > 1 ? min(threads, 64) : 0
    window = workers * 2
    for _ in 0..<workers {
      WorkerThread.start(name: "recordpack.scan") { [self] in run() }
    }
  }

  private func run() {
    condition.lock()
    while true {
      while waiting.isEmpty, !isFinished { condition.wait() }
      guard !waiting.isEmpty, !isFinished else { break }
      let (number, batch) = waiting.removeFirst()
      condition.unlock()
      let result = Result { try work(batch) }
      condition.lock()
      results[number] = result
      condition.broadcast()
    }
    condition.unlock()
  }

  /// Gives a batch to the workers, and takes what is ready; waits where too much is on its way.
  func scan(_ batch: RecordBatch, _ take: (RecordCensus) throws -> Void) throws {
    guard window > 0 else { return try take(work(batch)) }
    while nextNumber - nextResult >= window { try take(next()) }
    condition.withLock {
      waiting.append((nextNumber, batch))
      nextNumber += 1
      condition.broadcast()
    }
  }

  /// Takes all that is still on its way.
  func drain(_ take: (RecordCensus) throws -> Void) throws {
    while nextResult < nextNumber { try take(next()) }
  }

  private func next() throws -> RecordCensus {
    try condition.withLock {
      while results[nextResult] == nil { condition.wait() }
      defer { nextResult += 1 }
      return try results.removeValue(forKey: nextResult)?.get() ?? RecordCensus(source: "")
    }
  }

  /// Ends the workers; what they are at is thrown away.
  func finish() {
    condition.withLock {
      isFinished = true
      condition.broadcast()
    }
  }
}

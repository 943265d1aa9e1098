import Foundation
import RecordModel
import RecordPlatform

/// The records of a source as something that can be asked for the next one.
///
/// A thread reads the source and stays a few batches ahead. Two of these side by side are what a
/// comparison walks through.
final class RecordStream: @unchecked Sendable {
  typealias Element = (database: DatabaseScope, record: ResultRecord)

  private static let batchSize = 256
  private static let mostBatches = 4

  private let condition = NSCondition()
  private var batches: [[Element]] = []
  private var failure: (any Error)?
  private var isEnded = false
  private var isStopped = false
  /// What the consumer is at; only its thread touches these.
  private var current: [Element] = []
  private var position = 0

  private struct Stopped: Error {}

  init(_ source: ArchiveSource, _ filter: RecordFilter) {
    WorkerThread.start(name: "recordpack.read") { [self] in produce(source, filter) }
  }

  /// Ends the reading early.
  func stop() {
    condition.withLock {
      isStopped = true
      condition.broadcast()
    }
  }

  /// The next record; nil behind the last.
  func next() throws -> Element? {
    if position == current.count {
      guard let batch = try nextBatch() else { return nil }
      current = batch
      position = 0
    }
    defer { position += 1 }
    return current[position]
  }

  private func nextBatch() throws -> [Element]? {
    condition.lock()
    defer { condition.unlock() }
    while batches.isEmpty && !isEnded { condition.wait() }
    if !batches.isEmpty {
      condition.broadcast()
      return batches.removeFirst()
    }
    if let failure { throw failure }
    return nil
  }

  private func produce(_ source: ArchiveSource, _ filter: RecordFilter) {
    var batch: [Element] = []
    var error: (any Error)?
    do {
      try source.forEachRecord(filter) { record, database in
        batch.append((database, record))
        if batch.count == Self.batchSize {
          try hand(over: batch)
          batch.removeAll(keepingCapacity: true)
        }
      }
      if !batch.isEmpty { try hand(over: batch) }
    } catch is Stopped {
    } catch let thrown {
      error = thrown
    }
    condition.withLock {
      failure = error
      isEnded = true
      condition.broadcast()
    }
  }

  private func hand(over batch: [Element]) throws {
    condition.lock()
    defer { condition.unlock() }
    while batches.count >= Self.mostBatches && !isStopped { condition.wait() }
    if isStopped { throw Stopped() }
    batches.append(batch)
    condition.broadcast()
  }
}

import Foundation
import RecordBundle
import RecordModel
import RecordPlatform

/// A sequence of the records of a source, read by its own thread a few batches ahead.
final class RecordStream: @unchecked Sendable {
  // Unchecked: the state that both threads use is guarded by `condition`.

  /// A record. Its bytes are valid until the stream advances.
  struct Element {
    let section: RecordSection
    /// The record's name in UTF-8.
    let name: UnsafeRawBufferPointer
    /// The record's canonical JSON.
    let dictionary: UnsafeRawBufferPointer
  }

  private static let maxBatches = 2

  private let condition = NSCondition()
  private var batches: [PreparedBatch] = []
  private var failure: (any Error)?
  private var isEnded = false
  private var isStopped = false

  /// The current record; nil at the end.
  private(set) var current: Element?
  private var batch: PreparedBatch?
  private var position = 0

  /// Starts reading and advances to the first record.
  ///
  /// - Throws: ``SystemError`` if there is no thread to read on.
  init(_ source: ArchiveSource, _ filter: RecordFilter) throws {
    try WorkerThread.start(name: "recordpack.compare") { [self] in produce(source, filter) }
    try advance()
  }

  /// Stops reading early.
  func stop() {
    condition.withLock {
      isStopped = true
      condition.broadcast()
    }
  }

  /// Advances to the next record.
  func advance() throws {
    current = nil
    while true {
      if let batch, position < batch.records.count {
        let record = batch.records[position]
        position += 1
        current = Element(
          section: batch.section(of: record), name: batch.name(of: record),
          dictionary: batch.dictionary(of: record))
        return
      }
      batch = try nextBatch()
      position = 0
      if batch == nil { return }
    }
  }

  private func nextBatch() throws -> PreparedBatch? {
    try condition.withLock {
      while batches.isEmpty && !isEnded { condition.wait() }
      if batches.isEmpty, let failure { throw failure }
      condition.broadcast()
      return batches.isEmpty ? nil : batches.removeFirst()
    }
  }

  private func produce(_ source: ArchiveSource, _ filter: RecordFilter) {
    let result = Result {
      try source.read { reader in
        try reader.mapBatches(
          of: LineSelection([.record], filter), threads: BundleThreads.recommended,
          transform: { lines in
            let batch = PreparedBatch()
            try batch.fill(lines)
            return batch
          }, consume: { try hand(over: $0) })
      }
    }
    condition.withLock {
      if case .failure(let error) = result, !(error is StopReading) { failure = error }
      isEnded = true
      condition.broadcast()
    }
  }

  private func hand(over batch: PreparedBatch) throws {
    try condition.withLock {
      while batches.count >= Self.maxBatches && !isStopped { condition.wait() }
      if isStopped { throw StopReading() }
      batches.append(batch)
      condition.broadcast()
    }
  }
}

import Foundation
import RecordBundle
import RecordModel
import RecordPlatform

/// The records of a source, one after the other.
///
/// A thread reads the source and stays a few batches ahead. Two of these side by side are what a
/// comparison walks through.
final class RecordStream: @unchecked Sendable {
  // Unchecked: what both threads touch is guarded by `condition`.

  /// A record; its bytes are valid until the stream goes on.
  struct Element {
    let section: RecordSection
    /// Its name in UTF-8.
    let name: UnsafeRawBufferPointer
    /// Its canonical JSON.
    let dictionary: UnsafeRawBufferPointer
  }

  private static let maxBatches = 2

  private let condition = NSCondition()
  private var batches: [PreparedBatch] = []
  private var failure: (any Error)?
  private var isEnded = false
  private var isStopped = false

  /// The record at hand; nil behind the last.
  private(set) var current: Element?
  private var batch: PreparedBatch?
  private var position = 0

  private struct Stopped: Error {}

  /// Begins to read; the first record is at hand then.
  init(_ source: ArchiveSource, _ filter: RecordFilter) throws {
    WorkerThread.start(name: "recordpack.compare") { [self] in produce(source, filter) }
    try advance()
  }

  /// Ends the reading early.
  func stop() {
    condition.withLock {
      isStopped = true
      condition.broadcast()
    }
  }

  /// Goes on to the next record.
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
            try batch.fill(lines, counts: false)
            return batch
          }, consume: { try hand(over: $0) })
      }
    }
    condition.withLock {
      if case .failure(let error) = result, !(error is Stopped) { failure = error }
      isEnded = true
      condition.broadcast()
    }
  }

  private func hand(over batch: PreparedBatch) throws {
    try condition.withLock {
      while batches.count >= Self.maxBatches && !isStopped { condition.wait() }
      if isStopped { throw Stopped() }
      batches.append(batch)
      condition.broadcast()
    }
  }
}

import Foundation
import RecordBundle
import RecordModel
import RecordPlatform

/// A sequence of records, or of other lines of a source, read by its own thread a few batches ahead.
final class LineStream<Element>: @unchecked Sendable {
  // Unchecked: the state that both threads use is guarded by `condition`.

  private let maxBatches = 2
  /// Returns the element of a batch at a position; nil after the last.
  private let element: (PreparedBatch, Int) -> Element?
  private let condition = NSCondition()
  /// The source until it is read. The thread does not keep it longer, so that it is closed with its owner.
  private var source: ArchiveSource?
  private var batches: [PreparedBatch] = []
  private var failure: (any Error)?
  private var isEnded = false
  private var isStopped = false

  /// The current element; nil at the end.
  private(set) var current: Element?
  private var batch: PreparedBatch?
  private var position = 0

  /// Starts reading and advances to the first element.
  ///
  /// - Throws: ``SystemError`` if there is no thread to read on.
  init(
    _ source: ArchiveSource, _ selection: LineSelection,
    element: @escaping (PreparedBatch, Int) -> Element?
  ) throws {
    self.element = element
    self.source = source
    try WorkerThread.start(name: "recordpack.compare") { [self] in produce(selection) }
    try advance()
  }

  /// Stops reading early, and waits until nothing is read any more.
  func stop() {
    condition.withLock {
      isStopped = true
      condition.broadcast()
      while !isEnded { condition.wait() }
    }
  }

  /// Advances to the next element.
  func advance() throws {
    current = nil
    while true {
      if let batch, let next = element(batch, position) {
        position += 1
        current = next
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

  private func produce(_ selection: LineSelection) {
    let result = Result {
      try condition.withLock { source.take() }?.read { reader in
        try reader.mapBatches(
          of: selection, threads: BundleThreads.recommended,
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
      while batches.count >= maxBatches && !isStopped { condition.wait() }
      if isStopped { throw StopReading() }
      batches.append(batch)
      condition.broadcast()
    }
  }
}

/// A record of a ``LineStream``. Its bytes are valid until the stream advances.
struct RecordElement {
  let section: RecordSection
  /// The record's name in UTF-8.
  let name: UnsafeRawBufferPointer
  /// The record's canonical JSON.
  let dictionary: UnsafeRawBufferPointer

  /// Returns a sequence of the records of a source.
  static func stream(
    _ source: ArchiveSource, _ filter: RecordFilter
  ) throws -> LineStream<RecordElement> {
    try LineStream(source, LineSelection([.record], filter)) { batch, position in
      guard position < batch.records.count else { return nil }
      let record = batch.records[position]
      return RecordElement(
        section: batch.section(of: record), name: batch.name(of: record),
        dictionary: batch.dictionary(of: record))
    }
  }
}

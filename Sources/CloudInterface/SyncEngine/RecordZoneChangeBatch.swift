import RecordModel
import Synchronization

/// The records of one request (`CKSyncEngine.RecordZoneChangeBatch`).
///
/// ```swift
/// let pending = syncEngine.state.pendingRecordZoneChanges.filter(context.options.scope.contains)
/// return await RecordZoneChangeBatch(pendingChanges: pending) { id in
///   await self.notes[id].map { DraftRecord($0) }
/// }
/// ```
public struct RecordZoneChangeBatch: Sendable {
  /// The records to save.
  public var recordsToSave: [DraftRecord]
  /// The records to delete.
  public var recordIDsToDelete: [RecordID]
  /// Whether an error of one record fails the others of its zone in the batch, with
  /// `batchRequestFailed`.
  public var atomicByZone: Bool

  /// The maximum number of changes in a batch that is made from pending changes: 250. Source:
  /// measured with iOS 27, in the documentation of `pfriesch/sqlite-data`.
  package static let maxCount = 250
  /// The maximum size of the fields in a batch that is made from pending changes, in bytes: 2 MB
  /// (2,000,000). Source: Apple's documentation of `CKError.Code.limitExceeded`.
  package static let maxSize = 2_000_000

  /// Creates a batch from the first pending changes, as many as a request takes. Returns nil if
  /// there is nothing to send.
  ///
  /// - Parameters:
  ///   - pendingChanges: the changes, in the order in which they are sent.
  ///   - recordProvider: returns the record to save; nil skips the change, which stays pending.
  public init?(
    pendingChanges: [PendingRecordZoneChange],
    recordProvider: @Sendable (RecordID) async -> DraftRecord?
  ) async {
    guard
      let chosen = await Self.choose(
        from: pendingChanges,
        { recordID in
          await recordProvider(recordID).map { ($0, $0.requestSize) }
        })
    else { return nil }
    self.init(recordsToSave: chosen.records, recordIDsToDelete: chosen.deletions)
  }

  /// Chooses the first pending changes, as many as a request takes. Returns nil if there is nothing to
  /// send.
  ///
  /// - Parameter provider: Returns the record to save and the size of its changes; nil skips the change.
  package static func choose<Record>(
    from pendingChanges: [PendingRecordZoneChange],
    _ provider: (RecordID) async -> (record: Record, size: Int)?
  ) async -> (records: [Record], deletions: [RecordID])? {
    var (records, deletions): ([Record], [RecordID]) = ([], [])
    var size = 0
    for change in pendingChanges {
      if records.count + deletions.count == maxCount { break }
      guard case .saveRecord(let recordID) = change else {
        deletions.append(change.recordID)
        continue
      }
      guard let provided = await provider(recordID) else {
        SkippedChanges.current?.insert(recordID)
        continue
      }
      size += provided.size
      guard size <= maxSize || records.isEmpty else { break }
      records.append(provided.record)
    }
    return records.isEmpty && deletions.isEmpty ? nil : (records, deletions)
  }

  /// Creates a batch. A request with more than 400 records, or 2 MB of fields, fails with
  /// `limitExceeded`.
  public init(
    recordsToSave: [DraftRecord] = [], recordIDsToDelete: [RecordID] = [],
    atomicByZone: Bool = false
  ) {
    self.recordsToSave = recordsToSave
    self.recordIDsToDelete = recordIDsToDelete
    self.atomicByZone = atomicByZone
  }

  /// Whether there is nothing to send.
  package var isEmpty: Bool { recordsToSave.isEmpty && recordIDsToDelete.isEmpty }
}

extension RecordZoneChangeBatch: CustomStringConvertible {
  /// The records of the batch in one line, without their fields.
  public var description: String {
    EventText.joined([
      ("save", EventText.list(recordsToSave) { "\($0.recordID)" }),
      ("delete", EventText.list(recordIDsToDelete)),
    ])
  }
}

extension DraftRecord {
  /// The size of the fields that a save sends, in bytes, without assets.
  package var requestSize: Int {
    fields.reduce(0) { size, field in
      hasChanged(field.name) ? size + field.name.utf8.count + field.value.approximateSize : size
    }
  }
}

/// The records that a batch skipped because the provider did not have them.
package final class SkippedChanges: Sendable {
  /// The collector of the engine that asks for a batch.
  @TaskLocal package static var current: SkippedChanges?

  private let ids = Mutex<Set<RecordID>>([])

  /// Creates an empty collector.
  package init() {}

  func insert(_ recordID: RecordID) { ids.withLock { _ = $0.insert(recordID) } }

  /// The records.
  package var all: Set<RecordID> { ids.withLock { $0 } }
}

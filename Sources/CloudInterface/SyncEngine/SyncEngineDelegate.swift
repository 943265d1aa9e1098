import RecordModel

/// The app's side of a sync (`CKSyncEngineDelegate`). An actor may conform.
///
/// An engine makes one call at a time, and the next one only after the last has returned.
///
/// > Important: Do not call ``SyncEngine/fetchChanges(_:)``, ``SyncEngine/sendChanges(_:)`` or
/// > ``SyncEngine/cancelOperations()`` from these functions, nor from a `Task { }` that they create.
/// > CloudKit ends the process with "BUG IN CLIENT OF CLOUDKIT".
///
/// ```swift
/// func handleEvent(_ event: SyncEngine.Event, syncEngine: any SyncEngine) async {
///   guard case .fetchedRecordZoneChanges(let changes) = event else { return }
///   for modification in changes.modifications {
///     notes[modification.record.recordID] = modification.record
///   }
/// }
/// ```
public protocol SyncEngineDelegate: AnyObject, Sendable {
  /// Handles an event. The engine goes on when this returns.
  func handleEvent(_ event: SyncEngineEvent, syncEngine: any SyncEngine) async

  /// Returns the next records to save and delete, or nil if there are none.
  ///
  /// - Parameters:
  ///   - context: the reason for the send, and the scope to which the batch must keep.
  ///   - syncEngine: the engine that asks.
  func nextRecordZoneChangeBatch(
    _ context: SendChangesContext, syncEngine: any SyncEngine
  ) async -> RecordZoneChangeBatch?

  /// Returns the zones of the next request of a fetch. By default these are the zones of the
  /// context's options.
  func nextFetchChangesOptions(
    _ context: FetchChangesContext, syncEngine: any SyncEngine
  ) async -> FetchChangesOptions
}

extension SyncEngineDelegate {
  /// Returns the context's options.
  public func nextFetchChangesOptions(
    _ context: FetchChangesContext, syncEngine: any SyncEngine
  ) async -> FetchChangesOptions {
    context.options
  }
}

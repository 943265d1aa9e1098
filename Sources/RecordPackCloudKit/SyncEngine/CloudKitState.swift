#if canImport(CloudKit)
  import CloudInterface
  import CloudKit
  import RecordModel

  /// The state of CloudKit's engine.
  final class CloudKitState: SyncEngineState {
    private let state: CKSyncEngine.State
    private let onError: @Sendable (any Error) -> Void

    init(_ state: CKSyncEngine.State, _ onError: @escaping @Sendable (any Error) -> Void) {
      self.state = state
      self.onError = onError
    }

    var pendingRecordZoneChanges: [PendingRecordZoneChange] {
      state.pendingRecordZoneChanges.compactMap { PendingRecordZoneChange($0) }
    }

    var pendingDatabaseChanges: [PendingDatabaseChange] {
      state.pendingDatabaseChanges.compactMap { PendingDatabaseChange($0) }
    }

    var hasPendingUntrackedChanges: Bool {
      get { state.hasPendingUntrackedChanges }
      set { state.hasPendingUntrackedChanges = newValue }
    }

    var zoneIDsWithUnfetchedServerChanges: [ZoneID] {
      state.zoneIDsWithUnfetchedServerChanges.map { ZoneID($0) }
    }

    func add(pendingRecordZoneChanges changes: [PendingRecordZoneChange]) {
      state.add(pendingRecordZoneChanges: valid(changes) { try .init(checking: $0) })
    }

    func remove(pendingRecordZoneChanges changes: [PendingRecordZoneChange]) {
      state.remove(pendingRecordZoneChanges: valid(changes) { try .init(checking: $0) })
    }

    func add(pendingDatabaseChanges changes: [PendingDatabaseChange]) {
      state.add(pendingDatabaseChanges: valid(changes) { try .init(checking: $0) })
    }

    func remove(pendingDatabaseChanges changes: [PendingDatabaseChange]) {
      state.remove(pendingDatabaseChanges: valid(changes) { try .init(checking: $0) })
    }

    /// Returns the valid changes, and reports the others. CloudKit raises an exception for an invalid
    /// name.
    private func valid<Change, CKChange>(
      _ changes: [Change], _ convert: (Change) throws -> CKChange
    ) -> [CKChange] {
      changes.compactMap { change in
        do {
          return try convert(change)
        } catch {
          onError(error)
          return nil
        }
      }
    }
  }
#endif

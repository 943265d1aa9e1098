import RecordPack

/// Keeps the records of one zone the same on all devices of a user.
///
/// A change is stored first and sent later, so that it survives a crash, a sign-out and a network that
/// is not there. What other devices have changed is merged, field by field.
///
/// ```swift
/// let engine = SyncEngine(database: container.privateCloudDatabase, zone: notes)
/// try await engine.edit("n1") { $0["title"] = "Shopping" }
/// try await engine.sync()
/// ```
public actor SyncEngine {
  /// Returns the value of a field that two devices have changed.
  public typealias Merge = @Sendable (FieldConflict) -> RecordValue?

  private let database: any CloudDatabase
  private let zoneID: ZoneID
  private let recordType: String
  private let merge: Merge
  private let store: @Sendable (SyncState) async throws -> Void
  private let wait: @Sendable (Double) async throws -> Void
  /// What the device knows.
  public private(set) var state: SyncState

  /// Creates an engine.
  ///
  /// - Parameters:
  ///   - database: the user's private database.
  ///   - zone: the zone of the records; it is created when it does not exist.
  ///   - recordType: the type of the records.
  ///   - state: what was stored last.
  ///   - store: stores the state, so that it survives the end of the process.
  ///   - wait: waits so many seconds, as the server asked.
  ///   - merge: decides about a field that two devices have changed; by default, the own change is
  ///     kept.
  public init(
    database: any CloudDatabase, zone: ZoneID, recordType: String = "Note",
    state: SyncState = SyncState(),
    store: @escaping @Sendable (SyncState) async throws -> Void = { _ in },
    wait: @escaping @Sendable (Double) async throws -> Void = {
      try await Task.sleep(for: .seconds($0))
    },
    merge: @escaping Merge = { $0.mine }
  ) {
    self.database = database
    zoneID = zone
    self.recordType = recordType
    self.state = state
    self.store = store
    self.wait = wait
    self.merge = merge
  }

  // MARK: Changing

  /// Changes a record, or creates it.
  public func edit(_ name: String, _ change: @Sendable (inout DraftRecord) -> Void) async throws {
    try await update { state in
      var draft =
        state[name]
        ?? DraftRecord(
          recordType: recordType, recordID: RecordID(recordName: name, zoneID: zoneID))
      change(&draft)
      state.drafts[name] = draft
    }
  }

  /// Deletes a record.
  public func delete(_ name: String) async throws {
    try await update { state in
      state.drafts[name] = nil
      state.deletions.insert(name)
    }
  }

  // MARK: Synchronizing

  /// Fetches what has changed, and sends the own changes.
  ///
  /// - Throws: what keeps the engine from the server, such as `networkFailure` or
  ///   `notAuthenticated`. Nothing is lost then: sync again later.
  public func sync() async throws {
    try await retrying { try await fetch() }
    try await retrying { try await send() }
  }

  private func fetch() async throws {
    var moreComing = true
    while moreComing {
      do {
        let page = try await database.recordZoneChanges(inZoneWith: zoneID, since: state.token)
        // An error of one record must not be skipped: its change would not come again.
        let changed = try page.modificationResultsByID.values.map { try $0.get().record }
        try await update { state in
          for record in changed { state.update(record, merge) }
          for deletion in page.deletions { state.remove(deletion.recordID.recordName) }
          state.token = page.changeToken
        }
        moreComing = page.moreComing
      } catch CloudError.changeTokenExpired {
        try await update { $0.startOver() }
      } catch CloudError.zoneNotFound {
        try await database.save(RecordZone(zoneID: zoneID))
      } catch CloudError.userDeletedZone {
        // The user does not want the data any more, on any device.
        try await update { $0 = SyncState() }
        try await database.save(RecordZone(zoneID: zoneID))
      }
    }
  }

  private func send() async throws {
    var limit = 400
    while !state.isSynced {
      let drafts = state.drafts.sorted { $0.key < $1.key }.map(\.value).prefix(limit)
      let deletions = state.deletions.sorted().prefix(limit - drafts.count)
      do {
        let answer = try await database.modifyRecords(
          saving: Array(drafts), deleting: deletions.map { id($0) }, atomically: false)
        for (recordID, result) in answer.saveResults.sorted(by: { $0.key < $1.key }) {
          try await apply(result, to: recordID)
        }
        for (recordID, result) in answer.deleteResults {
          try result.get()
          try await update { $0.remove(recordID.recordName) }
        }
      } catch CloudError.limitExceeded where drafts.count + deletions.count > 1 {
        limit = max(1, (drafts.count + deletions.count) / 2)
      }
    }
  }

  private func apply(_ result: Result<ResultRecord, any Error>, to recordID: RecordID) async throws
  {
    do {
      let record = try result.get()
      try await update { $0.update(record, merge) }
    } catch let error as CloudError where error.code == .serverRecordChanged {
      var record = error.conflict?.serverRecord
      if record == nil { record = try await database.record(for: recordID) }
      if let record { try await update { $0.update(record, merge) } }
    } catch CloudError.unknownItem {
      // Another device has deleted it.
      try await update { $0.remove(recordID.recordName) }
    }
  }

  private func id(_ name: String) -> RecordID { RecordID(recordName: name, zoneID: zoneID) }

  /// Stores a changed state, and only then works with it.
  private func update(_ change: (inout SyncState) throws -> Void) async throws {
    var changed = state
    try change(&changed)
    guard changed != state else { return }
    try await store(changed)
    state = changed
  }

  /// Does something again as long as the server asks to wait.
  private func retrying(_ body: () async throws -> Void) async throws {
    for _ in 0..<10 {
      do {
        return try await body()
      } catch let error as CloudError where error.retryAfter != nil {
        try await wait(error.retryAfter ?? 0)
      }
    }
    try await body()
  }
}

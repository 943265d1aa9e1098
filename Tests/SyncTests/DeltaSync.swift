import RecordPack

/// Keeps the records of one zone the same on all devices of a user.
///
/// A change is stored first and sent later, so that it survives a crash, a sign-out and a network that
/// is not there. What other devices have changed is merged, field by field.
actor DeltaSync {
  /// Returns the value of a field that two devices have changed.
  typealias Merge = @Sendable (FieldConflict) -> RecordValue?

  private let database: any CloudDatabase
  private let zoneID: ZoneID
  private let recordType: String
  private let merge: Merge
  private let detach: @Sendable (inout DraftRecord) -> Void
  private let store: @Sendable (DeltaState) throws -> Void
  private let wait: @Sendable (Double) async throws -> Void
  /// What the device knows.
  private(set) var state: DeltaState

  /// Creates an engine.
  ///
  /// - Parameters:
  ///   - database: the user's private database, or the shared one.
  ///   - zone: the zone of the records. In a private database, it is created when it does not exist.
  ///   - recordType: the type of new records, where ``edit(_:recordType:_:)`` does not name one.
  ///   - state: what was stored last.
  ///   - store: stores the state, so that it survives the end of the process.
  ///   - wait: waits so many seconds, as the server asked.
  ///   - detach: removes what refers to a record that another device has deleted.
  ///   - merge: decides about a field that two devices have changed; by default, the own change is
  ///     kept.
  init(
    database: any CloudDatabase, zone: ZoneID, recordType: String = "Note",
    state: DeltaState = DeltaState(),
    store: @escaping @Sendable (DeltaState) throws -> Void = { _ in },
    wait: @escaping @Sendable (Double) async throws -> Void = {
      try await Task.sleep(for: .seconds($0))
    },
    detach: @escaping @Sendable (inout DraftRecord) -> Void = { $0.parent = nil },
    merge: @escaping Merge = { $0.mine }
  ) {
    self.database = database
    zoneID = zone
    self.recordType = recordType
    self.state = state
    self.store = store
    self.wait = wait
    self.detach = detach
    self.merge = merge
  }

  // MARK: Changing

  /// Changes a record, or creates it.
  ///
  /// - Parameters:
  ///   - name: the name of the record.
  ///   - type: the type of the record if it is new; nil for that of the engine.
  ///   - change: changes the record as the device has it.
  func edit(
    _ name: String, recordType type: String? = nil,
    _ change: @Sendable (inout DraftRecord) throws -> Void
  ) async throws {
    try update { state in
      var draft = state[name] ?? DraftRecord(recordType: type ?? recordType, recordID: id(name))
      try change(&draft)
      state.drafts[name] = draft
    }
  }

  /// Deletes a record.
  func delete(_ name: String) async throws {
    try update { state in
      state.drafts[name] = nil
      state.deletions.insert(name)
    }
  }

  // MARK: Synchronizing

  /// Fetches what has changed, and sends the own changes.
  ///
  /// - Throws: what keeps the engine from the server, such as `networkFailure` or
  ///   `notAuthenticated`. Nothing is lost then: sync again later.
  func sync() async throws {
    try await retry { try await fetch() }
    try await retry { try await send() }
  }

  private func fetch() async throws {
    var moreComing = true
    while moreComing {
      do {
        let page = try await database.recordZoneChanges(inZoneWith: zoneID, since: state.token)
        // An error of one record must not be skipped: its change would not come again.
        let changed = try page.modificationResultsByID.values.map { try $0.get().record }
        try update { state in
          for record in changed { state.update(record, merge) }
          for deletion in page.deletions { state.remove(deletion.recordID.recordName) }
          state.token = page.changeToken
        }
        moreComing = page.moreComing
      } catch CloudError.changeTokenExpired {
        try update { $0.startOver() }
      } catch CloudError.zoneNotFound where database.databaseScope == .private {
        try await database.save(RecordZone(zoneID: zoneID))
      } catch CloudError.userDeletedZone {
        // The user does not want the data any more, on any device.
        try update { $0 = DeltaState() }
        try await database.save(RecordZone(zoneID: zoneID))
      }
    }
  }

  private func send() async throws {
    var limit = 400
    while !state.isSynced {
      let drafts = Array(state.drafts.sorted { $0.key < $1.key }.map(\.value).prefix(limit))
      let deletions = state.deletions.sorted().prefix(limit - drafts.count)
      do {
        let answer = try await database.modifyRecords(
          saving: drafts, deleting: deletions.map { id($0) }, atomically: false)
        for (recordID, result) in answer.saveResults.sorted(by: { $0.key < $1.key }) {
          try await apply(result, to: recordID, sent: drafts)
        }
        for (recordID, result) in answer.deleteResults {
          try result.get()
          try update { $0.remove(recordID.recordName) }
        }
      } catch CloudError.limitExceeded where drafts.count + deletions.count > 1 {
        limit = max(1, (drafts.count + deletions.count) / 2)
      }
    }
  }

  private func apply(
    _ result: Result<ResultRecord, any Error>, to recordID: RecordID, sent: [DraftRecord]
  ) async throws {
    do {
      let record = try result.get()
      guard let draft = sent.first(where: { $0.recordID == recordID }) else { return }
      try update { $0.update(record, sentAs: draft) }
    } catch let error as CloudError where error.code == .serverRecordChanged {
      var record = error.conflict?.serverRecord
      if record == nil { record = try await database.record(for: recordID) }
      if let record { try update { $0.update(record, merge) } }
    } catch CloudError.unknownItem {
      // Another device has deleted it.
      try update { $0.remove(recordID.recordName) }
    } catch CloudError.referenceViolation {
      // Another device has deleted what it belongs to.
      guard var draft = state.drafts[recordID.recordName] else { return }
      let before = draft
      detach(&draft)
      guard draft != before else { throw CloudError(.referenceViolation) }
      try update { $0.drafts[recordID.recordName] = draft }
    }
  }

  /// Sends a request again as long as the server asks to wait, ten times at most.
  private func retry(_ body: () async throws -> Void) async throws {
    for _ in 0..<10 {
      do {
        return try await body()
      } catch let error as CloudError where error.retryAfterSeconds != nil {
        try await wait(error.retryAfterSeconds ?? 0)
      }
    }
    try await body()
  }

  private func id(_ name: String) -> RecordID { RecordID(recordName: name, zoneID: zoneID) }

  /// Stores a changed state, and only then works with it.
  ///
  /// Nothing here waits, so that no other change of the state can come between.
  private func update(_ change: (inout DeltaState) throws -> Void) throws {
    var changed = state
    try change(&changed)
    guard changed != state else { return }
    try store(changed)
    state = changed
  }
}

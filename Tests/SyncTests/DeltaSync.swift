import RecordPack

/// Keeps the notes the same on all devices of a user.
///
/// A change is stored first and sent later, so that it survives a crash, a sign-out and a missing
/// network. Changes of other devices are merged, field by field.
actor DeltaSync {
  /// Returns the value of a field that two devices have changed.
  typealias Merge = @Sendable (FieldConflict) -> RecordValue?

  private let database: any CloudDatabase
  private let storage: DeviceStorage
  private let merge: Merge
  /// The state of the device.
  private var state: DeltaState

  /// Creates an engine with the state that the device has stored.
  ///
  /// - Parameters:
  ///   - database: The user's private database.
  ///   - storage: The storage of the device.
  ///   - merge: Decides about a field that two devices have changed.
  init(
    _ database: any CloudDatabase, _ storage: DeviceStorage, merge: @escaping Merge
  ) throws {
    self.database = database
    self.storage = storage
    self.merge = merge
    state = try storage.load(DeltaState.self) ?? DeltaState()
  }

  // MARK: Changing

  /// Adds a word to a note, or creates the note with it.
  func add(_ word: String, to note: String) throws {
    try update { state in
      var draft = state[note] ?? DraftRecord(recordType: "Note", recordID: id(note))
      draft.words.append(word)
      state.drafts[note] = draft
    }
  }

  /// Deletes a note.
  func delete(_ note: String) throws {
    try update { state in
      state.drafts[note] = nil
      state.deletions.insert(note)
    }
  }

  /// Returns the words of each note, as the device has them.
  func contents() -> [String: Set<String>] {
    var contents: [String: Set<String>] = [:]
    for name in state.names { contents[name] = state[name].map { Set($0.words) } }
    return contents
  }

  // MARK: Synchronizing

  /// Fetches what has changed, and sends the own changes.
  ///
  /// - Throws: The error that keeps the engine from the server, such as `networkFailure` or
  ///   `notAuthenticated`. Nothing is lost then: sync again later.
  func sync() async throws {
    try await retry { try await fetch() }
    try await retry { try await send() }
  }

  private func fetch() async throws {
    var moreComing = true
    while moreComing {
      do {
        let page = try await database.recordZoneChanges(inZoneWith: notes, since: state.token)
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
        try await database.save(RecordZone(zoneID: notes))
      } catch CloudError.userDeletedZone {
        // The user does not want the data any more, on any device.
        try update { $0 = DeltaState() }
        try await database.save(RecordZone(zoneID: notes))
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
      var record = error.serverRecord
      if record == nil { record = try await database.record(for: recordID) }
      if let record { try update { $0.update(record, merge) } }
    } catch CloudError.unknownItem {
      // Another device has deleted it.
      try update { $0.remove(recordID.recordName) }
    }
  }

  /// Sends a request again as long as the server asks to wait, ten times at most.
  private func retry(_ body: () async throws -> Void) async throws {
    for _ in 0..<10 {
      do {
        return try await body()
      } catch let error as CloudError where error.retryAfterSeconds != nil {
        try await storage.wait(error.retryAfterSeconds ?? 0)
      }
    }
    try await body()
  }

  private func id(_ name: String) -> RecordID { RecordID(recordName: name, zoneID: notes) }

  /// Stores a changed state, and only then works with it.
  ///
  /// Nothing here waits, so that no other change of the state can come between.
  private func update(_ change: (inout DeltaState) throws -> Void) throws {
    var changed = state
    try change(&changed)
    guard changed != state else { return }
    try storage.store(changed)
    state = changed
  }
}

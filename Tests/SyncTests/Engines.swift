import RecordPack

/// Saves whole notes over those of the server, and fetches everything each time.
actor NaiveEngine: TestEngine {
  struct State: Codable {
    var notes: [String: [String]] = [:]
    var changed: Set<String> = []
    var deleted: Set<String> = []
  }

  private let database: any CloudDatabase
  private let storage: DeviceStorage
  private var state: State

  init(_ database: any CloudDatabase, _ storage: DeviceStorage) throws {
    self.database = database
    self.storage = storage
    state = try storage.load(State.self) ?? State()
  }

  func add(_ word: String, to note: String) throws {
    state.notes[note, default: []].append(word)
    state.changed.insert(note)
    try storage.store(state)
  }

  func delete(_ note: String) throws {
    state.notes[note] = nil
    state.changed.remove(note)
    state.deleted.insert(note)
    try storage.store(state)
  }

  func sync() async throws {
    let drafts = state.changed.sorted().map { name in
      var draft = DraftRecord(
        recordType: "Note", recordID: RecordID(recordName: name, zoneID: notes))
      draft.words = state.notes[name] ?? []
      return draft
    }
    let deletions = state.deleted.sorted().map { RecordID(recordName: $0, zoneID: notes) }
    let answer = try await database.modifyRecords(
      saving: drafts, deleting: deletions, savePolicy: .allKeys)
    for result in answer.saveResults.values { _ = try result.get() }
    for result in answer.deleteResults.values { try result.get() }
    state.changed = []
    state.deleted = []
    var fetched: [String: [String]] = [:]
    var token: ServerChangeToken?
    var moreComing = true
    while moreComing {
      let page = try await database.recordZoneChanges(inZoneWith: notes, since: token)
      for result in page.modificationResultsByID.values {
        let record = DraftRecord(try result.get().record)
        fetched[record.recordID.recordName] = record.words
      }
      for deletion in page.deletions { fetched[deletion.recordID.recordName] = nil }
      (token, moreComing) = (page.changeToken, page.moreComing)
    }
    state.notes = fetched
    try storage.store(state)
  }

  func contents() -> [String: Set<String>] { state.notes.mapValues { Set($0) } }
}

/// Fetches changes by tokens and saves only over what it knows; of two changes, the later one counts.
actor DeltaEngine: TestEngine {
  private let engine: DeltaSync

  init(_ database: any CloudDatabase, _ storage: DeviceStorage) throws {
    engine = try DeltaSync(database, storage) { $0.mine }
  }

  func add(_ word: String, to note: String) async throws { try await engine.add(word, to: note) }
  func delete(_ note: String) async throws { try await engine.delete(note) }
  func sync() async throws { try await engine.sync() }
  func contents() async -> [String: Set<String>] { await engine.contents() }
}

/// Fetches changes by tokens, and merges what two devices have changed.
actor MergingEngine: TestEngine {
  private let engine: DeltaSync

  init(_ database: any CloudDatabase, _ storage: DeviceStorage) throws {
    engine = try DeltaSync(database, storage, merge: union)
  }

  func add(_ word: String, to note: String) async throws { try await engine.add(word, to: note) }
  func delete(_ note: String) async throws { try await engine.delete(note) }
  func sync() async throws { try await engine.sync() }
  func contents() async -> [String: Set<String>] { await engine.contents() }
}

import CloudInterface
import NoteSync
import NotesModel
import RecordCoding
import RecordModel

import class NoteSync.SyncEngine

/// The notes and folders of a user, and those that others share with the user, on one device.
///
/// What the user changes is stored on the device at once, and sent by ``sync()``.
///
/// ```swift
/// let library = try NoteLibrary(container: container, files: StateFiles(folder: folder))
/// let note = Note(title: "Shopping", body: "Milk")
/// try await library.add(note)
/// try await library.sync()
/// ```
public actor NoteLibrary {
  let container: any CloudContainer
  let retry: Retry
  private let files: StateFiles
  private let wait: @Sendable (Double) async throws -> Void
  private var engines: [ZoneID: SyncEngine] = [:]
  private(set) var state: LibraryState

  /// Creates the library of a device.
  ///
  /// - Parameters:
  ///   - container: CloudKit's container, or a mock.
  ///   - files: where the device stores what it knows.
  ///   - wait: waits so many seconds, as the server asked.
  /// - Throws: what reading the files throws.
  public init(
    container: any CloudContainer, files: StateFiles,
    wait: @escaping @Sendable (Double) async throws -> Void = {
      try await Task.sleep(for: .seconds($0))
    }
  ) throws {
    self.container = container
    self.files = files
    self.wait = wait
    retry = Retry(wait: wait)
    state = try files.load(LibraryState.self, named: "Library") ?? LibraryState()
    for zoneID in [.notes] + state.sharedZones {
      engines[zoneID] = try Self.engine(for: zoneID, container, files, wait)
    }
  }

  // MARK: Reading

  /// The folders on this device.
  public var folders: [Folder] { get async throws { try await all(Folder.self) } }

  /// The notes on this device.
  public var notes: [Note] { get async throws { try await all(Note.self) } }

  private func all<Value: TypedRecord>(_: Value.Type) async throws -> [Value] {
    var values: [Value] = []
    for zoneID in engines.keys.sorted() {
      guard let state = await engines[zoneID]?.state else { continue }
      for draft in state.names.compactMap({ state[$0] }) where draft.recordType == Value.recordType
      {
        values.append(try Value(draft.resultRecord()))
      }
    }
    return values
  }

  // MARK: Changing

  /// Adds a note or a folder.
  ///
  /// - Throws: `CloudError`: `limitExceeded` for text that is too long for a record.
  public func add(_ value: some TypedRecord & Sendable) async throws {
    let (recordID, type) = (value.recordID, type(of: value).recordType)
    try await engine(for: recordID.zoneID).edit(recordID.recordName, recordType: type) {
      try value.update(&$0)
      _ = try $0.resultRecord()
    }
  }

  /// Changes a note or a folder. Only what `change` changes is sent, so that changes of other devices
  /// stay.
  ///
  /// - Throws: `CloudError`: `unknownItem` if the device does not have it, and what ``add(_:)`` throws.
  public func edit<Value: TypedRecord>(
    _ type: Value.Type, _ recordID: RecordID, _ change: @Sendable (inout Value) -> Void
  ) async throws {
    let engine = try engine(for: recordID.zoneID)
    guard await engine.state[recordID.recordName] != nil else { throw CloudError(.unknownItem) }
    try await engine.edit(recordID.recordName, recordType: Value.recordType) { draft in
      var value = try Value(draft.resultRecord())
      change(&value)
      try value.update(&draft)
      _ = try draft.resultRecord()
    }
  }

  /// Deletes a note, or a folder with its notes.
  public func delete(_ recordID: RecordID) async throws {
    let engine = try engine(for: recordID.zoneID)
    // The server deletes them, too; the device does not wait for the next fetch.
    for note in try await notes where note.folder?.recordID == recordID {
      try await engine.delete(note.recordID.recordName)
    }
    try await engine.delete(recordID.recordName)
  }

  // MARK: Synchronizing

  /// Fetches what has changed, and sends the own changes.
  ///
  /// - Throws: what keeps the device from the server. Nothing is lost then: sync again later.
  public func sync() async throws {
    try await syncOwn()
    try await syncShared()
  }

  func syncOwn() async throws { try await engine(for: .notes).sync() }

  func syncShared() async throws {
    try await retry { try await fetchSharedZones() }
    for zoneID in state.sharedZones { try await engine(for: zoneID).sync() }
  }

  /// Finds out which zones others share with the user, since the last time.
  private func fetchSharedZones() async throws {
    var moreComing = true
    while moreComing {
      do {
        let database = container.sharedCloudDatabase
        let page = try await database.databaseChanges(since: state.sharedToken)
        try update { state in
          let gone = page.deletions.map(\.zoneID)
          let zones = Set(state.sharedZones).subtracting(gone)
          state.sharedZones = zones.union(page.modifications.map(\.zoneID)).sorted()
          state.sharedToken = page.changeToken
        }
        moreComing = page.moreComing
      } catch CloudError.changeTokenExpired {
        try update { $0.sharedToken = nil }
      }
    }
  }

  /// Stores a changed state, and has an engine for each zone in it.
  func update(_ change: (inout LibraryState) -> Void) throws {
    var changed = state
    change(&changed)
    for zoneID in changed.sharedZones where engines[zoneID] == nil {
      engines[zoneID] = try Self.engine(for: zoneID, container, files, wait)
    }
    try files.save(changed, named: "Library")
    for zoneID in state.sharedZones where !changed.sharedZones.contains(zoneID) {
      engines[zoneID] = nil
      try files.remove(Self.fileName(for: zoneID))
    }
    state = changed
  }

  // MARK: Engines

  private func engine(for zoneID: ZoneID) throws -> SyncEngine {
    guard let engine = engines[zoneID] else { throw CloudError(.zoneNotFound) }
    return engine
  }

  private static func engine(
    for zoneID: ZoneID, _ container: any CloudContainer, _ files: StateFiles,
    _ wait: @escaping @Sendable (Double) async throws -> Void
  ) throws -> SyncEngine {
    let name = fileName(for: zoneID)
    return SyncEngine(
      database: zoneID == .notes ? container.privateCloudDatabase : container.sharedCloudDatabase,
      zone: zoneID, recordType: Note.recordType,
      state: try files.load(SyncState.self, named: name) ?? SyncState(),
      store: { try files.save($0, named: name) }, wait: wait, detach: Note.detach,
      merge: Note.merge)
  }

  private static func fileName(for zoneID: ZoneID) -> String {
    "\(zoneID.zoneName) of \(zoneID.ownerName)"
  }
}

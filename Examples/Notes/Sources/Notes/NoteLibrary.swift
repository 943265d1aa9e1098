import CloudInterface
import Foundation
import NotesModel
import RecordCoding
import RecordModel

/// The notes and folders of a user, and those that others share with the user, on one device.
///
/// An edit is stored on the device at once, and sent by the engine of its database.
///
/// ```swift
/// let library = try await NoteLibrary(
///   container: container, folder: folder, makeEngine: { CloudKitSyncEngine($0) })
/// try await library.add(Note(title: "Shopping", body: "Milk"))
/// ```
public actor NoteLibrary {
  let container: any CloudContainer
  let retry: Retry
  private let journal: Journal
  private(set) var content = LibraryContent()
  private var engines: [any SyncEngine] = []
  /// The edits of the running request of each database, as they were sent.
  var sentDrafts: [DatabaseScope: [RecordID: DraftRecord]] = [:]
  /// The databases whose storage is full. Edits wait for the next edit, or the next launch.
  var fullDatabases: Set<DatabaseScope> = []
  /// Whether fetched changes could not be stored. The engines' states must then not be stored either:
  /// after the next launch, the engines fetch these changes again.
  var hasLostChanges = false

  /// Creates the library of a device.
  ///
  /// - Parameters:
  ///   - container: CloudKit's container, or a mock.
  ///   - folder: the folder in which the device stores what it knows.
  ///   - wait: waits so many seconds, as the server asked.
  ///   - willWrite: is called before the library writes; a test throws an error, as a full disk does.
  ///   - makeEngine: makes Apple's engine, or one for a test.
  /// - Throws: the errors of reading the files.
  public init(
    container: any CloudContainer, folder: URL,
    wait: @escaping @Sendable (Double) async throws -> Void = {
      try await Task.sleep(for: .seconds($0))
    },
    willWrite: @escaping @Sendable () throws -> Void = {},
    makeEngine: @Sendable (SyncEngineConfiguration) -> any SyncEngine
  ) async throws {
    self.container = container
    retry = Retry(wait: wait)
    journal = try Journal(folder: folder, willWrite: willWrite)
    let entries = try journal.read()
    for entry in entries { content.apply(entry) }
    let current = content.entries
    if entries.count > 2 * current.count + 1_000 { try journal.replace(with: current) }
    let databases: [any CloudDatabase] = [
      container.privateCloudDatabase, container.sharedCloudDatabase,
    ]
    engines = databases.map { database in
      makeEngine(
        SyncEngineConfiguration(
          database: database, stateSerialization: content.engineStates[database.databaseScope],
          delegate: self))
    }
    // The engine's state may be older than the edits.
    for engine in engines { addPendingChanges(to: engine) }
  }

  // MARK: Reading

  /// The folders on this device.
  public var folders: [Folder] { get throws { try all(Folder.self) } }

  /// The notes on this device.
  public var notes: [Note] { get throws { try all(Note.self) } }

  private func all<Value: TypedRecord>(_: Value.Type) throws -> [Value] {
    try content.all.filter { $0.recordType == Value.recordType }
      .map { try Value($0.resultRecord()) }
  }

  // MARK: Editing

  /// Adds notes or folders.
  ///
  /// - Throws: `CloudError`: `limitExceeded` for text that is too long for a record.
  public func add(_ values: any TypedRecord...) throws { try add(values) }

  /// Adds notes or folders.
  ///
  /// - Throws: `CloudError`: `limitExceeded` for text that is too long for a record.
  public func add(_ values: [any TypedRecord]) throws {
    try store(
      values.map { value in
        var draft = DraftRecord(
          recordType: type(of: value).recordType, recordID: value.recordID)
        try value.update(&draft)
        _ = try draft.resultRecord()
        return .draft(draft)
      })
    editsChanged()
  }

  /// Edits a note or a folder. Only the fields that `change` changes are sent, so that changes of
  /// other devices stay.
  ///
  /// - Throws: `CloudError`: `unknownItem` if the device does not have it, and the errors of
  ///   ``add(_:)-(TypedRecord...)``.
  public func edit<Value: TypedRecord>(
    _ type: Value.Type, _ recordID: RecordID, _ change: @Sendable (inout Value) -> Void
  ) throws {
    guard var draft = content[recordID] else { throw CloudError(.unknownItem) }
    var value = try Value(draft.resultRecord())
    change(&value)
    try value.update(&draft)
    _ = try draft.resultRecord()
    try store([.draft(draft)])
    editsChanged()
  }

  /// Deletes a note, or a folder with its notes.
  public func delete(_ recordID: RecordID) throws {
    // The server deletes them, too; the device does not wait for the next fetch.
    let inside = try notes.filter { $0.folder?.recordID == recordID }.map(\.recordID)
    try store((inside + [recordID]).map { .deletion($0) })
    editsChanged()
  }

  private func editsChanged() {
    fullDatabases = []
    for engine in engines { addPendingChanges(to: engine) }
  }

  // MARK: Synchronizing

  /// Fetches changes and sends edits now, instead of when the system has time for it.
  ///
  /// - Throws: the error that keeps the device from the server. Nothing is lost then: the engine
  ///   tries again later.
  public func sync() async throws {
    for engine in engines {
      try await engine.fetchChanges()
      try await engine.sendChanges()
    }
  }

  /// Stores entries, and only then works with them.
  func store(_ entries: [Journal.Entry]) throws {
    guard !entries.isEmpty else { return }
    try journal.append(entries)
    for entry in entries { content.apply(entry) }
  }
}

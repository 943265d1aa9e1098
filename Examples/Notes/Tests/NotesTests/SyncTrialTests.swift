import Notes
import NotesModel
import RecordPackTesting
import Testing

/// The app's sync, led into the known traps of a sync engine.
@Suite("Sync of notes", .timeLimit(.minutes(5)))
struct SyncTrialTests {
  private static let trials = SyncTrials(checksWrites: true) { device in
    try await NoteLibrary(
      container: device.container, folder: device.folder, willWrite: { try device.checkWrite() },
      makeEngine: { device.engine($0) })
  }

  // The app never uses the name of a deleted note again.
  @Test("passes", arguments: trials.all.filter { $0 != .recreatedItem })
  func passes(_ trial: SyncTrial) async throws {
    try await Self.trials.run(trial)
  }
}

extension NoteLibrary: SyncTrialStore {
  /// Makes edits of notes, with the text as body.
  public func apply(_ edits: [SyncTrialEdit]) async throws {
    var new: [Note] = []
    for edit in edits {
      let recordID = RecordID(recordName: edit.item, zoneID: .notes)
      switch edit {
      case .create(_, let text, _): new.append(Note(recordID: recordID, body: text))
      case .change(_, let text): try self.edit(Note.self, recordID) { $0.body = text }
      case .delete: try delete(recordID)
      }
    }
    try add(new)
  }

  /// The bodies of all notes.
  public func items() async throws -> [String: String] {
    Dictionary(uniqueKeysWithValues: try notes.map { ($0.recordID.recordName, $0.body ?? "") })
  }
}

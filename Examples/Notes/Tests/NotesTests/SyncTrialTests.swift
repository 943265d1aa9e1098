import Notes
import NotesModel
import RecordPackTesting
import Testing

/// The app's sync, led into the known traps of a sync engine.
@Suite("Sync of notes", .timeLimit(.minutes(5)))
struct SyncTrialTests {
  private static let trials = SyncTrials(checksWrites: true) { device in
    let library = try await NoteLibrary(
      container: device.container, folder: device.folder, willWrite: { try device.checkWrite() },
      makeEngine: { device.engine($0) })
    return SyncTrialStore(
      set: { items in
        let new = items.filter(\.isNew).map { Note(recordID: .note($0.name), body: $0.text) }
        try await library.add(new)
        for item in items where !item.isNew {
          try await library.edit(Note.self, .note(item.name)) { $0.body = item.text }
        }
      },
      delete: { try await library.delete(.note($0)) },
      items: {
        let notes = try await library.notes
        return Dictionary(
          uniqueKeysWithValues: notes.map { ($0.recordID.recordName, $0.body ?? "") })
      })
  }

  // The app never uses the name of a deleted note again.
  @Test("passes", arguments: trials.all.filter { $0 != .recreatedItem })
  func passes(_ trial: SyncTrial) async throws {
    try await Self.trials.run(trial)
  }
}

extension RecordID {
  fileprivate static func note(_ name: String) -> RecordID {
    RecordID(recordName: name, zoneID: .notes)
  }
}

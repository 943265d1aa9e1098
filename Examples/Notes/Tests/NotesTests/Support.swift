import Notes
import NotesModel
import RecordPackTesting

extension NoteLibrary {
  /// The library of a device with nothing stored, which does not wait.
  static func new(_ container: some CloudContainer) throws -> NoteLibrary {
    try NoteLibrary(container: container, files: .temporary(), wait: { _ in })
  }

  /// The titles of all notes, sorted.
  var titles: [String] { get async throws { try await notes.compactMap(\.title).sorted() } }
}

import RecordPackTesting

// The code in the module's doc comments that takes objects of an app, compiled only.

private struct Note {
  var id: String
  var body: String
}

private final class NoteStore: @unchecked Sendable {
  private(set) var notes: [Note] = []

  func add(_ note: Note) throws { notes.append(note) }
  func delete(_ id: String) throws { notes.removeAll { $0.id == id } }
  func change(_ id: String, _ body: (inout Note) -> Void) throws {
    for index in notes.indices where notes[index].id == id { body(&notes[index]) }
  }
}

extension NoteStore: SyncTrialStore {
  func apply(_ edits: [SyncTrialEdit]) async throws {
    for edit in edits {
      switch edit {
      case .create(let item, let text, _): try add(Note(id: item, body: text))
      case .change(let item, let text): try change(item) { $0.body = text }
      case .delete(let item): try delete(item)
      }
    }
  }
  func items() async throws -> [String: String] {
    Dictionary(uniqueKeysWithValues: notes.map { ($0.id, $0.body) })
  }
}

private protocol SyncingApp {
  func sync() async throws
}

private func snapshot(of app: any SyncingApp, _ container: MockContainer) async throws {
  try await app.sync()
  expectSnapshot(container, matches: "Snapshots/AfterSync.recordpack")
}

import Foundation
import Notes
import NotesApp
import NotesModel
import RecordPackTesting
import Testing

@Suite("The app", .deviceFolders)
struct AppTests {
  private let folder: URL

  init() throws { folder = try DeviceFoldersTrait.newPath() }

  #if DEBUG
    @Test("begins with the bundle that its environment names, each time it starts")
    func fixture() async throws {
      let bundle = try #require(
        Bundle.module.url(forResource: "Fixtures/Notes.recordpack", withExtension: nil))
      let environment = [MockContainer.fixtureVariable: bundle.path]
      for _ in 1...2 {
        let library = try await NoteLibrary.ofApp(environment: environment, folder: folder)
        #expect(try await library.notes.isEmpty)
        try await library.sync()
        let notes = try await library.notes
        // The UI test waits for this title.
        #expect(notes.count == 40 && notes.contains { $0.title == "Eat choose" })
      }
    }
  #endif

  #if os(Linux)
    @Test("needs CloudKit, or a bundle")
    func nothing() async throws {
      await #expect(throws: CloudError.self) {
        try await NoteLibrary.ofApp(environment: [:], folder: folder)
      }
    }
  #endif
}

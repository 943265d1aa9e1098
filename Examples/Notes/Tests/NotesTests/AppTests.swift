import Foundation
import Notes
import NotesApp
import NotesModel
import RecordPackTesting
import Testing

@Suite("The app", .deviceFolders)
struct AppTests {
  private let folder: URL

  init() throws { folder = try StateFiles.temporary().folder }

  #if DEBUG
    @Test("begins with the bundle that its environment names, each time it starts")
    func fixture() async throws {
      let bundle = try #require(
        Bundle.module.url(forResource: "Fixtures/Notes.recordpack", withExtension: nil))
      let environment = [MockContainer.fixtureVariable: bundle.path]
      for _ in 1...2 {
        let library = try NoteLibrary.ofApp(environment: environment, folder: folder)
        #expect(try await library.notes.isEmpty)
        try await library.sync()
        #expect(try await library.notes.count == 40)
      }
    }
  #endif

  #if os(Linux)
    @Test("needs CloudKit, or a bundle")
    func nothing() throws {
      #expect(throws: CloudError.self) {
        try NoteLibrary.ofApp(environment: [:], folder: folder)
      }
    }
  #endif
}

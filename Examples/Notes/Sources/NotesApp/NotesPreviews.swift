#if canImport(SwiftUI) && DEBUG
  import Foundation
  import Notes
  import RecordPack
  import SwiftUI

  /// The app with the bundle of the tests. A preview runs where the sources are.
  struct NotesPreviews: PreviewProvider {
    static var previews: some View {
      if let library = try? library() { NotesView(library: library) }
    }

    private static func library() throws -> NoteLibrary {
      let package = URL(filePath: #filePath).appending(path: "../../..")
      let bundle = package.appending(path: "Tests/NotesTests/Fixtures/Notes.recordpack")
      return try NoteLibrary(
        container: MockContainer.fixture(at: bundle),
        files: .new(in: FileManager.default.temporaryDirectory))
    }
  }
#endif

#if canImport(SwiftUI) && DEBUG
  import Foundation
  import Notes
  import RecordPack
  import SwiftUI

  /// The app with the bundle of the tests. A preview runs where the sources are.
  struct NotesPreviews: PreviewProvider {
    static var previews: some View {
      NotesView {
        let package = URL(filePath: #filePath).appending(path: "../../..")
        let bundle = package.appending(path: "Tests/NotesTests/Fixtures/Notes.recordpack")
        return try await .onMock(
          MockContainer.fixture(at: bundle), folder: FileManager.default.temporaryDirectory)
      }
    }
  }
#endif

import CloudInterface
import Foundation
import Notes
import RecordModel

#if DEBUG
  import RecordPack
#endif

extension NoteLibrary {
  /// Creates the library of the app.
  ///
  /// In a debug build, a UI test or the scheme can name a bundle, in the variable
  /// `RECORDPACK_FIXTURE`. Then the app runs on a mock container with the bundle's contents, and
  /// begins with nothing stored. Otherwise its container is CloudKit's.
  ///
  /// - Parameters:
  ///   - environment: The environment of the process.
  ///   - folder: A folder for the files of the device, which is not part of a backup.
  public static func ofApp(
    environment: [String: String], folder: URL
  ) async throws -> NoteLibrary {
    #if DEBUG
      if let container = try MockContainer.fixture(environment: environment) {
        return try await onMock(container, folder: folder)
      }
    #endif
    #if os(Linux)
      throw CloudError(.notAuthenticated, "this system does not have CloudKit")
    #else
      return try await NoteLibrary(folder: folder.appending(path: "CloudKit"))
    #endif
  }

  #if DEBUG
    /// Creates a library with nothing stored, on a mock container.
    static func onMock(_ container: MockContainer, folder: URL) async throws -> NoteLibrary {
      try await NoteLibrary(
        container: container, folder: folder.appending(path: UUID().uuidString),
        makeEngine: { MockSyncEngine($0, account: container) })
    }
  #endif
}

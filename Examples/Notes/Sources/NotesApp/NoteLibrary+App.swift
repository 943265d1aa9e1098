import CloudInterface
import Foundation
import Notes

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
  ///   - folder: A folder for what the device stores, which is not part of a backup.
  public static func ofApp(environment: [String: String], folder: URL) throws -> NoteLibrary {
    #if DEBUG
      if let container = try MockContainer.fixture(environment: environment) {
        return try NoteLibrary(container: container, files: .new(in: folder))
      }
    #endif
    #if canImport(CloudKit)
      return try NoteLibrary(files: StateFiles(folder: folder.appending(path: "CloudKit")))
    #else
      throw CloudError(.notAuthenticated, "this system does not have CloudKit")
    #endif
  }
}

extension StateFiles {
  /// A place where no run of the app has stored anything.
  static func new(in folder: URL) -> StateFiles {
    StateFiles(folder: folder.appending(path: UUID().uuidString))
  }
}

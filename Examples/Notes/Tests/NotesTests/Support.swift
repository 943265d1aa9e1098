import Foundation
import Notes
import NotesModel
import RecordPackTesting

extension NoteLibrary {
  /// The library of a device with nothing stored.
  static func new(_ device: some SyncDevice, _ testbed: SyncTestbed) async throws -> NoteLibrary {
    try await launch(device, testbed, folder: DeviceFoldersTrait.newPath())
  }

  /// The library of an app that is started with the files in a folder.
  static func launch(
    _ device: some SyncDevice, _ testbed: SyncTestbed, folder: URL
  ) async throws -> NoteLibrary {
    try await NoteLibrary(
      container: device, folder: folder, wait: { testbed.clock.advance(by: .seconds($0)) },
      makeEngine: { testbed.engine($0, on: device) })
  }

  /// The titles of all notes, sorted.
  var titles: [String] { get throws { try notes.compactMap(\.title).sorted() } }
}

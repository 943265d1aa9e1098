import Foundation
import RecordModel
import Synchronization

/// An asset of a fetched record that has a file of its own as long as it lives.
package final class AssetHolder: Sendable {
  /// The place of an asset.
  package struct Place: Hashable, Sendable {
    let recordID: RecordID
    let field: String
    let index: Int

    package init(_ recordID: RecordID, field: String, index: Int = 0) {
      self.recordID = recordID
      self.field = field
      self.index = index
    }
  }

  /// The holder of the file that a task asks for; nil for a file without a holder.
  @TaskLocal package static var current: AssetHolder?

  let place: Place

  package init(_ place: Place) { self.place = place }
}

/// The files of the assets that were asked for, in a folder that is deleted with the object.
///
/// Apps move the files of fetched assets, and write into them. So two assets share no file. The same
/// place on the same device gets a file again, if the asset before is gone and the app neither moved nor
/// changed the file: a record that is fetched often does not fill the disk.
final class TemporaryAssets: Sendable {
  /// The content of a file, and the place that it is for.
  struct Key: Hashable {
    let sha256: String
    let device: DeviceKey
    let place: AssetHolder.Place?
  }

  private struct File {
    let url: URL
    weak var holder: AssetHolder?
  }

  private struct State {
    var folder: URL?
    var files: [Key: [File]] = [:]
  }

  private let state = Mutex(State())
  /// The modification date of the files: each write replaces it, also one of the same size at once.
  private let date = Date(timeIntervalSince1970: 1_000_000_000)

  deinit {
    if let folder = state.withLock({ $0.folder }) {
      try? FileManager.default.removeItem(at: folder)
    }
  }

  /// Returns a file, which `write` makes if there is none to use again.
  func file(_ key: Key, for holder: AssetHolder?, _ write: (URL) throws -> Void) throws -> URL {
    try state.withLock { state in
      var files = state.files[key, default: []].filter { isUnchanged($0.url) }
      let url: URL
      if let index = files.firstIndex(where: { $0.holder == nil }) {
        files[index].holder = holder
        url = files[index].url
      } else {
        let folder = try state.folder ?? Self.makeFolder()
        state.folder = folder
        url = folder.appending(path: UUID().uuidString)
        try write(url)
        try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: url.path)
        files.append(File(url: url, holder: holder))
      }
      state.files[key] = files
      return url
    }
  }

  private func isUnchanged(_ file: URL) -> Bool {
    let attributes = try? FileManager.default.attributesOfItem(atPath: file.path)
    return attributes?[.modificationDate] as? Date == date
  }

  private static func makeFolder() throws -> URL {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "RecordPack-\(UUID().uuidString)")
    try FileManager.default.createDirectory(
      at: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    return folder
  }
}

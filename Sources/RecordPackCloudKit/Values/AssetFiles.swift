#if canImport(CloudKit)
  import CloudKit
  import Foundation
  import RecordModel

  /// A folder for the files of assets.
  ///
  /// CloudKit owns the file of an asset that it has fetched, and may delete it. A second link to the
  /// file, or a copy on another volume, lasts until the app removes it. Files of assets that are
  /// saved from memory lie in the folder only until CloudKit has saved them.
  public struct AssetFiles: Sendable {
    /// The folder; created when the first file is added, readable by its owner alone.
    public let folder: URL

    /// Creates a place for files.
    ///
    /// - Parameter folder: The folder. The default is `RecordPackAssets` in the folder for temporary
    ///   files, which the system empties.
    public init(
      folder: URL = FileManager.default.temporaryDirectory
        .appendingPathComponent("RecordPackAssets", isDirectory: true)
    ) {
      self.folder = folder
    }

    /// Links a file into the folder, or copies it if it lies on another volume.
    ///
    /// - Returns: The link.
    /// - Throws: The error of the file system.
    func keep(_ file: URL) throws -> URL {
      let link = try newFile()
      do {
        try FileManager.default.linkItem(at: file, to: link)
      } catch {
        try FileManager.default.copyItem(at: file, to: link)
      }
      return link
    }

    /// Writes bytes to a new file in the folder.
    func write(_ data: Data) throws -> URL {
      let file = try newFile()
      try data.write(to: file, options: .atomic)
      try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
      return file
    }

    /// Returns a new folder in this one, for the files of one request.
    func temporary() -> AssetFiles {
      AssetFiles(folder: folder.appendingPathComponent(UUID().uuidString, isDirectory: true))
    }

    /// Removes the folder and its files, if it was created.
    func remove() { try? FileManager.default.removeItem(at: folder) }

    private func newFile() throws -> URL {
      try FileManager.default.createDirectory(
        at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      return folder.appendingPathComponent(UUID().uuidString, isDirectory: false)
    }
  }
#endif

#if canImport(CloudKit)
  import Foundation
  import RecordModel
  import RecordPlatform

  /// A folder with the content of assets, each in a file that is named after its SHA-256.
  ///
  /// CloudKit owns the file of an asset that it has fetched, and may delete it. A second link to the
  /// file, or a copy on another volume, lasts until the app removes it. The bytes of an asset in
  /// memory are written to the folder when it is saved.
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

    /// Returns the file with the content of an asset; nil if there is none.
    public func fileURL(for asset: Asset) -> URL? {
      if case .file(let url) = asset.content { return url }
      guard let sha256 = asset.sha256, let digest = SHA256Digest(hexadecimal: sha256) else {
        return nil
      }
      let url = url(of: digest)
      return FileManager.default.fileExists(atPath: url.path) ? url : nil
    }

    /// Links a file into the folder, or copies it if it lies on another volume.
    ///
    /// - Returns: The SHA-256 and the size of the content.
    /// - Throws: The error of the file system.
    func keep(_ file: URL) throws -> (digest: SHA256Digest, size: Int64) {
      let content = try Self.digest(of: file)
      try add(content.digest) { new in
        do {
          try FileManager.default.linkItem(at: file, to: new)
        } catch {
          try FileManager.default.copyItem(at: file, to: new)
        }
      }
      return content
    }

    /// Writes bytes to a file in the folder.
    func write(_ data: Data) throws -> URL {
      try add(data.withUnsafeBytes { SHA256Digest(of: $0) }) { new in
        try data.write(to: new)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: new.path)
      }
    }

    private func url(of digest: SHA256Digest) -> URL {
      folder.appendingPathComponent(digest.description, isDirectory: false)
    }

    /// Adds a file under the name of its content, unless it is there.
    ///
    /// - Parameter make: Makes a file, which gets its name when it is whole.
    @discardableResult
    private func add(_ digest: SHA256Digest, _ make: (URL) throws -> Void) throws -> URL {
      let url = url(of: digest)
      if FileManager.default.fileExists(atPath: url.path) { return url }
      try FileManager.default.createDirectory(
        at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      let new = folder.appendingPathComponent(UUID().uuidString, isDirectory: false)
      defer { try? FileManager.default.removeItem(at: new) }
      try make(new)
      do {
        try FileManager.default.moveItem(at: new, to: url)
      } catch  where FileManager.default.fileExists(atPath: url.path) {
        // Another request has added it meanwhile.
      }
      return url
    }

    /// Returns the SHA-256 and the size of a file.
    private static func digest(of file: URL) throws -> (digest: SHA256Digest, size: Int64) {
      let handle = try FileHandle(forReadingFrom: file)
      defer { try? handle.close() }
      var hash = SHA256()
      var size: Int64 = 0
      while let chunk = try handle.read(upToCount: 1 << 20), !chunk.isEmpty {
        chunk.withUnsafeBytes { hash.update($0) }
        size += Int64(chunk.count)
      }
      return (hash.finalize(), size)
    }
  }
#endif

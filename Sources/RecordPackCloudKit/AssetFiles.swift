#if canImport(CloudKit)
  import Foundation
  import RecordModel
  import RecordPlatform

  /// A folder with the content of assets, each in a file that is named after its SHA-256.
  ///
  /// CloudKit owns the file of an asset that it has fetched, and may delete it. A copy lasts until the
  /// app removes it; on one volume of APFS both share their content on the disk. The bytes of an asset
  /// in memory are written to the folder when it is saved.
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

    /// Copies a file to the folder. A second link would change with a file that is written to, such as
    /// the app's own that it has just saved.
    ///
    /// - Returns: The asset with the SHA-256 and the size of the content.
    /// - Throws: The error of the file system.
    func keep(_ file: URL) throws -> Asset {
      try FileManager.default.createDirectory(
        at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      let copy = newFile()
      defer { try? FileManager.default.removeItem(at: copy) }
      // A copy of a symbolic link would be one, too.
      try FileManager.default.copyItem(at: file.resolvingSymlinksInPath(), to: copy)
      let content = try Self.digest(of: copy)
      try move(copy, to: url(of: content.digest))
      return Asset(sha256: content.digest.description, size: content.size)
    }

    /// Returns fields whose assets have the SHA-256 and the size of their files, which are kept.
    func keepingFiles(of fields: [Field]) throws -> [Field] {
      try fields.map { field in
        try field.replacingAssets { asset in
          guard case .file(let url) = asset.content else { return asset }
          return try keep(url)
        }
      }
    }

    /// Writes bytes to a file in the folder.
    func write(_ data: Data) throws -> URL {
      let url = url(of: data.withUnsafeBytes { SHA256Digest(of: $0) })
      if FileManager.default.fileExists(atPath: url.path) { return url }
      try FileManager.default.createDirectory(
        at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      let new = newFile()
      defer { try? FileManager.default.removeItem(at: new) }
      try data.write(to: new)
      try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: new.path)
      try move(new, to: url)
      return url
    }

    private func url(of digest: SHA256Digest) -> URL {
      folder.appendingPathComponent(digest.description, isDirectory: false)
    }

    private func newFile() -> URL {
      folder.appendingPathComponent(UUID().uuidString, isDirectory: false)
    }

    /// Gives a whole file the name of its content, unless another has it already.
    private func move(_ file: URL, to url: URL) throws {
      do {
        try FileManager.default.moveItem(at: file, to: url)
      } catch  where FileManager.default.fileExists(atPath: url.path) {
        // The content is the same.
      }
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

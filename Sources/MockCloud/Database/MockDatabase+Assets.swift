import Foundation
import RecordModel
import RecordStore
import Synchronization

extension MockDatabase {
  /// Returns the content of an asset of a fetched or saved record.
  ///
  /// - Throws: `CloudError`: `assetNotAvailable` if the container does not have the content.
  public func data(for asset: Asset) async throws -> Data {
    try await reading { snapshot in
      try Self.content(of: asset) { try snapshot.base.assetData(sha256: $0) }
    }
  }

  /// Returns a file with the content of an asset of a fetched or saved record, as `CKAsset.fileURL`.
  ///
  /// The file is in a temporary folder, which only its owner can read and which is deleted with the
  /// container object. It has no extension.
  ///
  /// - Throws: `CloudError`: `assetNotAvailable` if the container does not have the content; the
  ///   errors of writing a file.
  public func fileURL(for asset: Asset) async throws -> URL {
    let files = container.assetFiles
    return try await reading { snapshot in
      try Self.content(of: asset) { sha256 in
        try files.file(named: sha256) { try snapshot.base.copyAsset(sha256: sha256, to: $0) }
      }
    }
  }

  private static let digits = "0123456789abcdef".utf8

  private static func content<T>(of asset: Asset, _ body: (String) throws -> T) throws -> T {
    guard let sha256 = asset.sha256 else {
      throw CloudError(.assetNotAvailable, "the asset has no SHA-256; fetch its record first")
    }
    let missing = CloudError(
      .assetNotAvailable, "no content with the SHA-256 '\(sha256.prefix(80))' is stored")
    // It becomes the name of a file.
    guard sha256.utf8.count == 64, sha256.utf8.allSatisfy({ Self.digits.contains($0) }) else {
      throw missing
    }
    do {
      return try body(sha256)
    } catch let error as ContainerStoreError where error.code == .assetNotFound {
      throw missing
    }
  }
}

/// The files of the assets that were asked for, in a folder that is deleted with the object.
final class TemporaryAssets: Sendable {
  private let folder = Mutex<URL?>(nil)

  deinit {
    if let folder = folder.withLock({ $0 }) { try? FileManager.default.removeItem(at: folder) }
  }

  /// Returns a file, which `write` makes if it is not there yet.
  func file(named name: String, _ write: (URL) throws -> Void) throws -> URL {
    try folder.withLock { folder in
      let place = try folder ?? Self.makeFolder()
      folder = place
      let file = place.appending(path: name)
      if !FileManager.default.fileExists(atPath: file.path) { try write(file) }
      return file
    }
  }

  private static func makeFolder() throws -> URL {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "RecordPack-\(UUID().uuidString)")
    try FileManager.default.createDirectory(
      at: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    return folder
  }
}

import Foundation
import RecordModel
import RecordStore

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
  /// container object. It has no extension. Each device has files of its own. A further call returns the
  /// same file, or a new one if the file was moved or changed.
  ///
  /// - Throws: `CloudError`: `assetNotAvailable` if the container does not have the content; the
  ///   errors of writing a file.
  public func fileURL(for asset: Asset) async throws -> URL {
    let (files, device, holder) = (container.assetFiles, device, AssetHolder.current)
    return try await reading { snapshot in
      try Self.content(of: asset) { sha256 in
        let key = TemporaryAssets.Key(sha256: sha256, device: device, place: holder?.place)
        return try files.file(key, for: holder) {
          try snapshot.base.copyAsset(sha256: sha256, to: $0)
        }
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

import Foundation
import RecordModel

extension ContainerStore {
  /// Returns the content of an asset.
  ///
  /// - Parameters:
  ///   - sha256: the SHA-256 of the asset, 64 lowercase hexadecimal digits.
  ///   - limit: the maximum number of bytes to load into memory.
  /// - Throws: ``ContainerStoreError/assetNotFound(sha256:)``, or
  ///   ``ContainerStoreError/assetTooLarge(sha256:size:limit:)``.
  public func assetData(sha256: String, limit: Int64 = 50_000_000) throws -> Data {
    try snapshot { try $0.assetData(sha256: sha256, limit: limit) }
  }

  /// Calls `body` with the content of an asset in chunks of 256 KiB, valid only during the call.
  public func forEachAssetChunk(
    sha256: String, _ body: (_ offset: Int64, UnsafeRawBufferPointer) throws -> Void
  ) throws {
    try snapshot { try $0.forEachAssetChunk(sha256: sha256, body) }
  }

  /// Writes the content of an asset to a new file.
  public func copyAsset(sha256: String, to url: URL) throws {
    try snapshot { try $0.copyAsset(sha256: sha256, to: url) }
  }
}

import RecordModel

import struct Foundation.URL

extension CloudDatabase {
  /// Returns the file of the asset's content.
  ///
  /// - Throws: `CloudError`: `assetNotAvailable` if it has none.
  public func fileURL(for asset: Asset) async throws -> URL {
    guard case .file(let url) = asset.content else {
      throw CloudError(.assetNotAvailable, "the asset came without its file")
    }
    return url
  }
}

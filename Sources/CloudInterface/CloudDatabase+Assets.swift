import RecordModel

import struct Foundation.URL

extension CloudDatabase {
  /// Returns the file of the asset's content.
  ///
  /// - Throws: `CloudError`: `assetNotAvailable` if it has none.
  public func fileURL(for asset: Asset) async throws -> URL { try asset.contentFile }
}

extension Asset {
  /// The file of the asset's content.
  ///
  /// - Throws: `CloudError`: `assetNotAvailable` if it has none.
  package var contentFile: URL {
    get throws {
      guard case .file(let url) = content else {
        throw CloudError(.assetNotAvailable, "the asset came without its file")
      }
      return url
    }
  }
}

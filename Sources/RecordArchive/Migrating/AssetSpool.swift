import Foundation
import RecordBundle

/// A temporary file for new assets, which a bundle contains last, in the order of their digests.
final class AssetSpool {
  private let handle: FileHandle
  private var places: [String: (offset: UInt64, size: Int)] = [:]
  private var end: UInt64 = 0

  init(path: String) throws {
    _ = FileManager.default.createFile(
      atPath: path, contents: nil, attributes: [.posixPermissions: 0o600])
    guard let handle = FileHandle(forUpdatingAtPath: path) else {
      throw FrameError.system(errno, in: path, "create a file for new assets")
    }
    self.handle = handle
  }

  deinit { try? handle.close() }

  func add(_ asset: MigratedBatch.NewAsset) throws {
    guard places[asset.sha256] == nil else { return }
    try handle.seek(toOffset: end)
    try handle.write(contentsOf: asset.data)
    places[asset.sha256] = (end, asset.data.count)
    end += UInt64(asset.data.count)
  }

  /// The digests, in the order of a bundle.
  var digests: [String] { places.keys.sorted() }

  /// Writes an asset in chunks.
  func write(_ sha256: String, to writer: BundleWriter) throws {
    guard let place = places[sha256] else { return }
    try handle.seek(toOffset: place.offset)
    var offset = 0
    repeat {
      let count = min(AssetChunk.size, place.size - offset)
      let data = count == 0 ? Data() : try handle.read(upToCount: count) ?? Data()
      guard data.count == count else {
        throw FrameError.system(EIO, in: "the new assets", "read asset \(sha256)")
      }
      try data.withUnsafeBytes {
        try writer.writeAssetChunk(
          sha256: sha256, assetSize: place.size, offset: offset, bytes: $0)
      }
      offset += count
    } while offset < place.size
  }
}

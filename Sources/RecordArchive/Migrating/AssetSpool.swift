import Foundation
import RecordBundle
import RecordPlatform

/// A temporary file for new assets, which a bundle contains last, in the order of their digests.
final class AssetSpool {
  private let handle: FileHandle
  private var places: [String: (offset: UInt64, size: Int)] = [:]
  private var end: UInt64 = 0

  init(path: String) throws {
    _ = FileManager.default.createFile(
      atPath: path, contents: nil, attributes: [.posixPermissions: 0o600])
    guard let handle = FileHandle(forUpdatingAtPath: path) else {
      throw ArchiveError.temporaryFile(
        "\(path): \(SystemError(errno, "create a file for new assets"))")
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
    try writer.writeAsset(sha256: sha256, size: place.size) { body in
      var rest = place.size
      while rest > 0 {
        guard let data = try handle.read(upToCount: min(AssetChunk.size, rest)), !data.isEmpty
        else { throw ArchiveError.temporaryFile("cannot read the new asset \(sha256)") }
        try data.withUnsafeBytes(body)
        rest -= data.count
      }
    }
  }
}

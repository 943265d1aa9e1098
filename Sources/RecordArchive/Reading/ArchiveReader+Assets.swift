import Foundation
import MockCloud
import RecordBundle
import RecordMigration
import RecordModel
import RecordPlatform

extension ArchiveReader {
  /// The number of assets of a container whose bytes are missing.
  ///
  /// - Parameter digests: which assets; nil for all that records hold.
  func missingAssets(among digests: Set<String>?) throws -> Int {
    guard case .snapshot(let snapshot, _) = content else { return 0 }
    var count = 0
    try snapshot.forEachAsset {
      if $0.size == nil, digests?.contains($0.sha256) != false { count += 1 }
    }
    return count
  }

  /// Finds the bytes of assets by their digests; nil where they are not at hand.
  ///
  /// The bytes must have that digest, and be few enough to be taken into memory.
  func assetLookup() throws -> MigrationEnvironment.AssetLookup {
    switch content {
    case .bundle(let bundle):
      let size = lineBytes(of: LineSelection([.asset])) ?? 0
      if size > BundleReader.maxAssetSize { return { try bundle.assetData(sha256: $0) } }
      // Small assets share a frame: each frame is read once.
      var known: [String: Data] = [:]
      try forEachItem(of: LineSelection([.asset])) {
        guard case .asset(let chunk) = $0 else { return }
        known[chunk.sha256, default: Data()].append(contentsOf: chunk.data)
      }
      return { [known] sha256 in try known[sha256.lowercased()]?.checked(sha256) }
    case .snapshot(let snapshot, let container):
      let before = try snapshot.lastChanges()
      return { sha256 in
        // Another thread has another view; only where that is of a later moment can one be missing.
        try container.snapshot { now in
          do {
            return try now.assetData(sha256: sha256)
          } catch MockContainerError.assetNotFound {
            guard try now.lastChanges() == before else {
              throw MigrationError.source(
                "\(container.name) was changed while it was read: the asset \(sha256) is gone. "
                  + "Nothing was written; try again")
            }
            return nil
          }
        }
      }
    }
  }

  /// Whether several threads can look up assets. A container in memory has one view, which belongs
  /// to the thread that reads.
  var hasConcurrentAssets: Bool {
    guard case .snapshot(_, let container) = content else { return true }
    return container.path != nil
  }
}

extension ContainerSnapshot {
  fileprivate func lastChanges() throws -> [Int64] {
    try DatabaseScope.allCases.map { try lastChange(in: $0) }
  }
}

extension BundleReader {
  /// The most bytes of an asset that are taken into memory; as for a container.
  fileprivate static let maxAssetSize = 50_000_000

  /// The bytes of an asset; nil where the bundle does not hold it.
  fileprivate func assetData(sha256: String) throws -> Data? {
    var data = Data()
    do {
      try forEachAssetChunk(of: sha256.lowercased()) { chunk in
        guard chunk.assetSize <= Self.maxAssetSize else {
          throw MockContainerError.assetTooLarge(
            sha256: sha256, size: Int64(chunk.assetSize), limit: Int64(Self.maxAssetSize))
        }
        data.append(contentsOf: chunk.data)
      }
    } catch let error as BundleError where error.kind == .notFound {
      return nil
    }
    return try data.checked(sha256)
  }
}

extension Data {
  /// - Throws: `MockContainerError.assetDigest` for other bytes than those of a digest.
  fileprivate func checked(_ sha256: String) throws -> Data {
    let found = withUnsafeBytes { SHA256Digest(of: $0).description }
    guard found == sha256.lowercased() else {
      throw MockContainerError.assetDigest(expected: sha256, found: found)
    }
    return self
  }
}

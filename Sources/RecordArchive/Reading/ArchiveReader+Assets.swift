import Foundation
import RecordStore
import RecordBundle
import RecordMigration
import RecordModel
import RecordPlatform

extension ArchiveReader {
  /// The number of assets of a container without stored bytes.
  ///
  /// - Parameter digests: The assets to look at; nil for all.
  func missingAssets(among digests: Set<String>?) throws -> Int {
    guard case .snapshot(let snapshot, _) = content else { return 0 }
    guard let digests else { return try snapshot.missingAssets() }
    var stored = 0
    try snapshot.forEachAsset { if $0.size != nil, digests.contains($0.sha256) { stored += 1 } }
    return digests.count - stored
  }

  /// Returns a function that finds the bytes of an asset by digest, or nil if they are not stored.
  ///
  /// The function throws for bytes with another digest or another size than their lines state, and
  /// for assets too large to load into memory.
  func assetLookup() throws -> MigrationEnvironment.AssetLookup {
    switch content {
    case .bundle(let bundle):
      let size = lineBytes(of: LineSelection([.asset])) ?? 0
      if size > BundleReader.maxAssetSize { return { try bundle.assetData(sha256: $0) } }
      // Small assets share a frame, so each frame is read once.
      var known: [String: (data: Data, size: Int)] = [:]
      try forEachItem(of: LineSelection([.asset])) {
        guard case .asset(let chunk) = $0 else { return }
        known[chunk.sha256, default: (Data(), 0)].data.append(contentsOf: chunk.data)
        known[chunk.sha256]?.size = chunk.assetSize
      }
      return { [known] sha256 in
        guard let (data, size) = known[sha256.lowercased()] else { return nil }
        try bundle.checkEnd(ofAsset: sha256, after: data.count, of: size)
        return try data.checked(sha256)
      }
    case .snapshot(let snapshot, let container):
      let before = try snapshot.lastChanges()
      return { sha256 in
        // Another thread reads another snapshot. An asset can be missing there only if that
        // snapshot is newer.
        try container.snapshot { now in
          do {
            return try now.assetData(sha256: sha256)
          } catch let error as ContainerStoreError where error.code == .assetNotFound {
            guard try now.lastChanges() == before else {
              throw MigrationError(
                .source,
                "\(container.name) changed while it was being read: asset \(sha256) is missing. "
                  + "Nothing was written; try again")
            }
            return nil
          }
        }
      }
    }
  }

  /// Whether several threads can look up assets. A container in memory has one snapshot, used by
  /// the thread that reads.
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
  /// The size limit for loading an asset into memory, the same as for a container.
  fileprivate static let maxAssetSize = 50_000_000

  /// The bytes of an asset; nil if the bundle does not contain it.
  fileprivate func assetData(sha256: String) throws -> Data? {
    var data = Data()
    do {
      try forEachAssetChunk(of: sha256.lowercased()) { chunk in
        guard chunk.assetSize <= Self.maxAssetSize else {
          throw ContainerStoreError.assetTooLarge(
            sha256: sha256, size: Int64(chunk.assetSize), limit: Int64(Self.maxAssetSize))
        }
        data.append(contentsOf: chunk.data)
      }
    } catch let error as BundleError where error.code == .notFound {
      return nil
    }
    return try data.checked(sha256)
  }
}

extension Data {
  /// - Throws: `ContainerStoreError` if the bytes have another digest.
  fileprivate func checked(_ sha256: String) throws -> Data {
    let found = withUnsafeBytes { SHA256Digest(of: $0).description }
    guard found == sha256.lowercased() else {
      throw ContainerStoreError.assetDigest(expected: sha256, found: found)
    }
    return self
  }
}

import RecordPlatform

/// Checks that every asset that a record refers to is in the bundle, and vice versa, and that the
/// bytes of each match its digest.
struct AssetCheck {
  /// The assets that records refer to.
  private(set) var wanted: Set<SHA256Digest> = []
  /// The complete assets that match their digest.
  private(set) var stored: Set<SHA256Digest> = []
  /// The asset whose chunks are being read.
  private var current: (sha256: String, seen: Int, hash: SHA256)?

  mutating func addReferences(_ digests: [SHA256Digest]) { wanted.formUnion(digests) }

  /// Adds a chunk of an asset. Its order is checked elsewhere.
  ///
  /// - Returns: what is wrong with the asset that the chunk completes; nil otherwise.
  mutating func add(_ chunk: AssetChunk) -> String? {
    if chunk.offset == 0 { current = (chunk.sha256, 0, SHA256()) }
    guard var asset = current, asset.sha256 == chunk.sha256 else { return nil }
    current = nil
    chunk.data.withUnsafeBytes { asset.hash.update($0) }
    asset.seen += chunk.data.count
    guard asset.seen >= chunk.assetSize else {
      current = asset
      return nil
    }
    let digest = asset.hash.finalize()
    guard digest.description == asset.sha256 else {
      return "the bytes of asset \(asset.sha256) have the SHA-256 \(digest)"
    }
    stored.insert(digest)
    return nil
  }

  /// The assets that records refer to and that are missing or incomplete.
  var missing: Set<SHA256Digest> { wanted.subtracting(stored) }

  /// Returns the assets that are missing, and those that no record refers to.
  func problems() -> [String] {
    let missing = missing.map(\.description).sorted()
      .map { "a record refers to asset \($0), which is not in the bundle" }
    let unused = stored.subtracting(wanted).map(\.description).sorted()
      .map { "no record refers to asset \($0): an import would leave it out" }
    return missing + unused
  }
}

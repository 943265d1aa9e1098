import RecordPlatform

/// Checks that every asset a record refers to is in the bundle, and the other way round, and that
/// the bytes of each have its digest.
struct AssetCheck {
  private var wanted: Set<SHA256Digest> = []
  private var stored: Set<SHA256Digest> = []
  /// The asset whose pieces are being read.
  private var current: (sha256: String, seen: Int, hash: SHA256)?

  /// The number of assets that are whole and have their digest.
  var count: Int { stored.count }

  /// Notes the assets that a record refers to.
  mutating func use(_ digests: [SHA256Digest]) { wanted.formUnion(digests) }

  /// Adds a piece. Whether it comes in order is checked elsewhere.
  ///
  /// - Returns: what is wrong with the asset that the piece ends; nil otherwise.
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

  /// What is missing, and what no record refers to.
  func problems() -> [String] {
    let missing = wanted.subtracting(stored).map(\.description).sorted()
      .map { "a record refers to asset \($0), which is not in the bundle" }
    let unused = stored.subtracting(wanted).map(\.description).sorted()
      .map { "no record refers to asset \($0): an import would leave it out" }
    return missing + unused
  }
}

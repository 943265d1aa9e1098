import RecordPlatform

/// Checks that every asset that a record refers to is in the bundle, and vice versa, and that the
/// bytes of each match its digest.
struct AssetCheck {
  private var wanted: Set<SHA256Digest> = []
  private var stored: Set<SHA256Digest> = []
  /// The asset whose chunks are being read.
  private var current: (sha256: String, seen: Int, hash: SHA256)?

  /// The number of complete assets that match their digest.
  var count: Int { stored.count }

  /// Adds the assets that a record refers to.
  mutating func use(_ digests: [SHA256Digest]) { wanted.formUnion(digests) }

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

  /// The reason to leave an asset out.
  enum Problem {
    /// Bytes are missing, or do not match the digest.
    case incomplete
    /// No record refers to the asset.
    case unused
  }

  /// Returns the reason to leave an asset out, after all lines were added; nil if there is none.
  func problem(of sha256: String) -> Problem? {
    guard let digest = SHA256Digest(hexadecimal: sha256), stored.contains(digest) else {
      return .incomplete
    }
    return wanted.contains(digest) ? nil : .unused
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

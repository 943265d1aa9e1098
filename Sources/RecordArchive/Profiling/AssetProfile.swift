import RecordPlatform

/// The assets of a bundle or container.
package struct AssetProfile: Sendable {
  /// Assets of similar sizes.
  package struct SizeRange: Sendable, Hashable {
    /// The sizes are below this one, in bytes; nil for no limit.
    package var below: Int?
    package var count = 0
    package var bytes = 0
  }

  /// The number of assets with stored bytes. With a filter, of those that its records refer to.
  package internal(set) var stored = 0
  package internal(set) var storedBytes = 0
  /// The stored assets by their sizes: below 1 kB, 10 kB, … 1 GB, and larger.
  package internal(set) var sizes: [SizeRange] = limits.map { SizeRange(below: $0) }
  /// The number of stored assets that no record refers to; nil with a filter.
  package internal(set) var unused: Int?
  /// How often records refer to assets.
  package internal(set) var references = 0
  /// How often records refer to assets whose bytes are not stored.
  package internal(set) var missing = 0

  private static let limits: [Int?] =
    [1000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000, nil]

  package init() {}

  mutating func addStored(_ size: Int) {
    stored += 1
    storedBytes = storedBytes.clampedSum(size)
    let place = sizes.firstIndex { $0.below.map { size < $0 } ?? true } ?? 0
    sizes[place].count += 1
    sizes[place].bytes = sizes[place].bytes.clampedSum(size)
  }
}

/// The assets with stored bytes, by their digests: about 100 bytes each.
struct StoredAssets: Sendable {
  private(set) var places: [SHA256Digest: Int] = [:]
  private(set) var sizes: [Int] = []
  /// Whether records refer to each.
  private(set) var isUsed: [Bool] = []

  mutating func add(_ asset: ArchiveSource.StoredAsset) {
    guard let digest = SHA256Digest(hexadecimal: asset.sha256), places[digest] == nil else {
      return
    }
    places[digest] = sizes.count
    sizes.append(asset.size)
    isUsed.append(false)
  }

  /// Marks an asset as used.
  ///
  /// - Returns: Whether it was not used before.
  mutating func use(_ place: Int) -> Bool {
    guard !isUsed[place] else { return false }
    isUsed[place] = true
    return true
  }
}

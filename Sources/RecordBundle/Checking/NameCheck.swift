import RecordModel
import RecordPlatform

/// Finds names that two records of a zone have, or a record and a tombstone.
///
/// Lines of one section are ordered by name, so only zones with several sections are checked. Names
/// are kept as hashes, of which each pass checks a bounded number.
struct NameCheck {
  /// The maximum number of hashes at a time: 32 MiB of them.
  private static let hashesPerPass = 4 << 20

  /// The zones in which a name may be repeated.
  private let zones: Set<ZoneLocation>
  /// The number of passes that the hashes are divided into.
  private let passes: UInt64
  private var hashes: [UInt64] = []

  init(_ sections: [BundleSection], hashesPerPass: Int = Self.hashesPerPass) {
    var counts: [ZoneLocation: (sections: Int, lines: Int)] = [:]
    for section in sections where section.kind == .record || section.kind == .tombstone {
      guard let database = section.database, let zoneID = section.zoneID else { continue }
      let key = ZoneLocation(database, zoneID)
      let known = counts[key] ?? (0, 0)
      counts[key] = (known.sections + 1, known.lines + section.lines)
    }
    counts = counts.filter { $0.value.sections > 1 }
    zones = Set(counts.keys)
    let lines = counts.values.reduce(0) { $0 + $1.lines }
    passes = UInt64(lines / hashesPerPass + 1)
  }

  mutating func add(_ name: String, _ zoneID: ZoneID, _ database: DatabaseScope) {
    guard zones.contains(ZoneLocation(database, zoneID)) else { return }
    let hash = Self.hash(name, zoneID, database)
    if hash % passes == 0 { hashes.append(hash) }
  }

  private static func hash(_ name: String, _ zoneID: ZoneID, _ database: DatabaseScope) -> UInt64 {
    var bytes = Array(name.utf8)
    for part in [zoneID.zoneName, zoneID.ownerName, database.rawValue] {
      bytes.append(0xFF)
      bytes.append(contentsOf: part.utf8)
    }
    return bytes.withUnsafeBytes { XXH64.hash($0) }
  }

  /// Returns the repeated names, after all names were added once.
  mutating func problems(in reader: BundleReader, threads: Int) throws -> [String] {
    var repeated = takeRepeated()
    for pass in 1..<max(1, passes) {
      try Self.forEachName(in: reader, threads) { [zones, passes] name, zoneID, database, _ in
        guard zones.contains(ZoneLocation(database, zoneID)) else { return }
        let hash = Self.hash(name, zoneID, database)
        if hash % passes == pass { hashes.append(hash) }
      }
      repeated.formUnion(takeRepeated())
    }
    guard !repeated.isEmpty else { return [] }
    return try Self.confirm(repeated, in: reader, threads)
  }

  /// Returns the repeated hashes, and removes all.
  private mutating func takeRepeated() -> Set<UInt64> {
    hashes.sort()
    defer { hashes.removeAll(keepingCapacity: true) }
    return Set(zip(hashes, hashes.dropFirst()).filter { $0 == $1 }.map(\.0))
  }

  /// Compares the names themselves, as different names may have the same hash.
  private static func confirm(
    _ repeated: Set<UInt64>, in reader: BundleReader, _ threads: Int
  ) throws -> [String] {
    var found: [UInt64: [(name: String, zoneID: ZoneID, database: DatabaseScope, what: String)]] =
      [:]
    var problems: [String] = []
    try forEachName(in: reader, threads) { name, zoneID, database, what in
      let hash = Self.hash(name, zoneID, database)
      guard repeated.contains(hash) else { return }
      let same = found[hash, default: []].first {
        $0.name.sameScalars(as: name) && $0.zoneID == zoneID && $0.database == database
      }
      if let same {
        problems.append(
          "'\(name)' is repeated in zone '\(zoneID)' of the \(database) database: as \(same.what) "
            + "and as \(what)")
      } else {
        found[hash, default: []].append((name, zoneID, database, what))
      }
    }
    return problems
  }

  private static func forEachName(
    in reader: BundleReader, _ threads: Int,
    _ body: (String, ZoneID, DatabaseScope, _ what: String) throws -> Void
  ) throws {
    try reader.forEachRecordID(threads: threads) { recordID, type, database in
      try body(recordID.recordName, recordID.zoneID, database, "a record of type '\(type)'")
    }
    try reader.forEachItem(of: [.tombstone], threads: threads) { item in
      guard case .tombstone(let tombstone, let database) = item else { return }
      let recordID = tombstone.recordID
      try body(recordID.recordName, recordID.zoneID, database, "a deleted record")
    }
  }
}

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

import RecordModel

/// Checks that lines are in the order of the format and not repeated.
struct LineOrder {
  /// The sort key of a line without its name.
  enum Key: Equatable {
    case start
    case zone(DatabaseScope, ZoneID)
    case subscription(DatabaseScope, String)
    case record(DatabaseScope, ZoneID, String)
    case tombstone(DatabaseScope, ZoneID)
    case zoneTombstone(DatabaseScope, ZoneID)
    case asset

    fileprivate var rank: Int {
      switch self {
      case .start: 0
      case .zone: 1
      case .subscription: 2
      case .record: 3
      case .tombstone: 4
      case .zoneTombstone: 5
      case .asset: 6
      }
    }

    /// Returns the part that is empty although CloudKit requires it not to be.
    fileprivate var emptyName: String? {
      switch self {
      case .start, .asset: nil
      case .subscription(_, let id): id.isEmpty ? "subscription identifier" : nil
      case .record(_, let zone, let type): type.isEmpty ? "record type" : Self.emptyName(of: zone)
      case .zone(_, let zone), .tombstone(_, let zone), .zoneTombstone(_, let zone):
        Self.emptyName(of: zone)
      }
    }

    private static func emptyName(of zone: ZoneID) -> String? {
      if zone.zoneName.isEmpty { return "zone name" }
      return zone.ownerName.isEmpty ? "owner of a zone" : nil
    }

    fileprivate var description: String {
      switch self {
      case .start: "the beginning"
      case .zone(let scope, let zone): "zone '\(zone)' of the \(scope) database"
      case .subscription(let scope, let id): "subscription '\(id)' of the \(scope) database"
      case .record(let scope, let zone, let type):
        "a record of type '\(type)' in zone '\(zone)' of the \(scope) database"
      case .tombstone(let scope, let zone):
        "a deleted record of zone '\(zone)' of the \(scope) database"
      case .zoneTombstone(let scope, let zone):
        "deleted zone '\(zone)' of the \(scope) database"
      case .asset: "an asset"
      }
    }
  }

  private var key = Key.start
  private var name: [UInt8] = []
  /// The last name if it was an uppercase UUID that is not yet in ``name``.
  private var packedName: (UInt64, UInt64)?
  private var asset: (sha256: String, size: Int, next: Int)?

  /// Advances to a line that its key alone identifies.
  mutating func advance(to next: Key, in source: String, line: Int? = nil) throws {
    try checkAssetIsWhole(in: source, line: line)
    if let what = next.emptyName { throw Self.emptyError(what, source, line) }
    guard Self.precedes(key, next) else {
      throw Self.error(
        key == next
          ? "\(next.description) comes twice"
          : "\(next.description) comes after \(key.description)", source, line)
    }
    key = next
    name.removeAll(keepingCapacity: true)
    packedName = nil
  }

  /// Advances to a line that its name distinguishes from others with the same key.
  mutating func advance(to next: Key, name text: String, in source: String, line: Int? = nil) throws
  {
    var text = text
    try text.withUTF8 {
      try advance(to: next, utf8Name: UnsafeRawBufferPointer($0), in: source, line: line)
    }
  }

  /// Advances to a record.
  ///
  /// Uppercase UUIDs are compared as numbers, which have the same order as their digits.
  mutating func advance(
    toRecord recordID: RecordID, type: String, _ database: DatabaseScope, in source: String
  ) throws {
    if case .upperUUID(let high, let low) = recordID.packedName, let packedName,
      case .record(let lastDatabase, let lastZone, let lastType) = key, lastDatabase == database,
      lastZone.isIdentical(to: recordID.zoneID), lastType.sameScalars(as: type),
      packedName < (high, low)
    {
      self.packedName = (high, low)
      return
    }
    try advance(
      to: .record(database, recordID.zoneID, type), name: recordID.recordName, in: source)
    if case .upperUUID(let high, let low) = recordID.packedName { packedName = (high, low) }
  }

  /// Converts the last packed name to text.
  private mutating func unpackName() {
    guard let (high, low) = packedName else { return }
    name = Array(PackedName.upperUUID(high, low).string.utf8)
    packedName = nil
  }

  /// Advances to a line that its UTF-8 name distinguishes from others with the same key.
  mutating func advance(
    to next: Key, utf8Name: UnsafeRawBufferPointer, in source: String, line: Int? = nil
  ) throws {
    guard !utf8Name.isEmpty else { throw Self.emptyError("record name", source, line) }
    unpackName()
    if !Self.isSame(key, next) {
      try advance(to: next, in: source, line: line)
    } else {
      let order = name.withUnsafeBytes { compareBytes($0, utf8Name) }
      guard order < 0 else {
        let text = String(decoding: utf8Name, as: UTF8.self)
        throw Self.error(
          order == 0
            ? "'\(text)', \(next.description), comes twice"
            : "'\(text)', \(next.description), comes after "
              + "'\(String(decoding: name, as: UTF8.self))'", source, line)
      }
    }
    name.removeAll(keepingCapacity: true)
    name.append(contentsOf: utf8Name)
  }

  /// Advances to a chunk of an asset.
  mutating func advance(
    toAsset sha256: String, size: Int, offset: Int, count: Int, in source: String,
    line: Int? = nil
  ) throws {
    if let asset, asset.sha256 == sha256 {
      guard asset.next == offset, asset.size == size else {
        throw Self.error(
          "the piece of asset \(sha256) at byte \(offset) should begin at byte \(asset.next)",
          source, line)
      }
    } else {
      try checkAssetIsWhole(in: source, line: line)
      guard offset == 0 else {
        throw Self.error(
          "asset \(sha256) begins with a piece at byte \(offset)", source, line)
      }
      if let asset, compareUTF8(asset.sha256, sha256) >= 0 {
        throw Self.error("asset \(sha256) comes after \(asset.sha256)", source, line)
      }
      guard key.rank <= Key.asset.rank else {
        throw Self.error("an asset comes after \(key.description)", source, line)
      }
      key = .asset
    }
    guard count <= size - offset, count > 0 || size == 0,
      count == min(AssetChunk.size, size - offset)
    else {
      throw Self.error(
        "a piece of \(count) bytes at byte \(offset) of asset \(sha256), which has \(size); pieces "
          + "have \(AssetChunk.size) bytes, and the last one the rest", source, line)
    }
    asset = (sha256, size, offset + count)
  }

  /// Checks that the last asset is complete.
  func checkAssetIsWhole(in source: String, line: Int? = nil) throws {
    guard let asset, asset.next < asset.size else { return }
    throw Self.error(
      "asset \(asset.sha256) ends after \(asset.next) of its \(asset.size) bytes", source, line)
  }

  private static func emptyError(
    _ what: String, _ source: String, _ line: Int?
  ) -> BundleError {
    BundleError(
      .malformed, in: source, line: line, "an empty \(what); names have at least one character")
  }

  private static func error(_ message: String, _ source: String, _ line: Int?) -> BundleError {
    BundleError(
      .order, in: source, line: line,
      message + "; lines are ordered by kind, database, zone, record type and name")
  }

  private static func isSame(_ lhs: Key, _ rhs: Key) -> Bool {
    if case .record(let a, let zone, let type) = lhs,
      case .record(let b, let other, let otherType) = rhs
    {
      return a == b && zone == other && type.sameScalars(as: otherType)
    }
    return lhs == rhs
  }

  private static func precedes(_ lhs: Key, _ rhs: Key) -> Bool {
    if lhs.rank != rhs.rank { return lhs.rank < rhs.rank }
    switch (lhs, rhs) {
    case (.zone(let a, let x), .zone(let b, let y)),
      (.tombstone(let a, let x), .tombstone(let b, let y)),
      (.zoneTombstone(let a, let x), .zoneTombstone(let b, let y)):
      return a != b ? a < b : x < y
    case (.subscription(let a, let x), .subscription(let b, let y)):
      return a != b ? a < b : compareUTF8(x, y) < 0
    case (.record(let a, let x, let s), .record(let b, let y, let t)):
      if a != b { return a < b }
      return x != y ? x < y : compareUTF8(s, t) < 0
    default: return false
    }
  }
}

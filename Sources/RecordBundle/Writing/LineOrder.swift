import RecordModel

/// Checks that lines are in the order of the format and not repeated.
struct LineOrder {
  /// The key of the last line; nil at the beginning.
  private var key: LineKey?
  private var name: [UInt8] = []
  /// The last name if it was an uppercase UUID that is not yet in ``name``.
  private var packedName: (UInt64, UInt64)?
  private var asset: (sha256: String, size: Int, next: Int)?

  /// Advances to an item other than a chunk of an asset.
  ///
  /// Uppercase UUIDs are compared as numbers, which have the same order as their digits.
  mutating func advance(to item: BundleItem, in source: String) throws {
    guard case .record(let record, let database) = item,
      case .upperUUID(let high, let low) = record.recordID.packedName
    else { return try advance(to: item.key, name: item.name, in: source) }
    if let packedName, let key, key.kind == .record, key.database == database,
      key.zoneID?.isIdentical(to: record.recordID.zoneID) == true,
      key.recordType?.sameScalars(as: record.recordType) == true, packedName < (high, low)
    {
      self.packedName = (high, low)
      return
    }
    try advance(to: item.key, name: item.name, in: source)
    packedName = (high, low)
  }

  /// Advances to a line with a key, and with a name unless the key alone identifies it.
  mutating func advance(
    to next: LineKey, name text: String?, in source: String, line: Int? = nil
  ) throws {
    guard var text else { return try advance(to: next, utf8Name: nil, in: source, line: line) }
    try text.withUTF8 {
      try advance(to: next, utf8Name: UnsafeRawBufferPointer($0), in: source, line: line)
    }
  }

  /// Advances to a line with a key, and with a name in UTF-8 unless the key alone identifies it.
  mutating func advance(
    to next: LineKey, utf8Name: UnsafeRawBufferPointer?, in source: String, line: Int? = nil
  ) throws {
    if utf8Name?.isEmpty == true {
      let what = next.kind == .subscription ? "subscription identifier" : "record name"
      throw Self.emptyError(what, source, line)
    }
    unpackName()
    if let key, key.isSame(as: next) {
      let order = utf8Name.map { next in name.withUnsafeBytes { compareBytes($0, next) } } ?? 0
      guard order < 0 else { throw orderError(key, utf8Name, isRepeated: order == 0, source, line) }
    } else {
      try checkAssetIsWhole(in: source, line: line)
      if let what = next.emptyPart { throw Self.emptyError(what, source, line) }
      if let key, !key.precedes(next) {
        throw orderError(next, utf8Name, isRepeated: false, source, line)
      }
      key = next
    }
    name.removeAll(keepingCapacity: true)
    if let utf8Name { name.append(contentsOf: utf8Name) }
  }

  /// Converts the last packed name to text.
  private mutating func unpackName() {
    guard let (high, low) = packedName else { return }
    name = Array(PackedName.upperUUID(high, low).string.utf8)
    packedName = nil
  }

  /// Advances to a chunk of an asset.
  mutating func advance(
    toAsset sha256: String, size: Int, offset: Int, count: Int, in source: String,
    line: Int? = nil
  ) throws {
    if let asset, asset.sha256 == sha256 {
      guard asset.next == offset, asset.size == size else {
        throw Self.error(
          "the chunk of asset \(sha256) at byte \(offset) should begin at byte \(asset.next)",
          source, line)
      }
    } else {
      try checkAssetIsWhole(in: source, line: line)
      guard offset == 0 else {
        throw Self.error(
          "asset \(sha256) begins with a chunk at byte \(offset)", source, line)
      }
      if let asset, compareUTF8(asset.sha256, sha256) >= 0 {
        throw Self.error("asset \(sha256) comes after \(asset.sha256)", source, line)
      }
      // Assets are the last lines.
      key = LineKey(kind: .asset)
      name = Array(sha256.utf8)
    }
    guard count <= size - offset, count > 0 || size == 0,
      count == min(AssetChunk.size, size - offset)
    else {
      throw Self.error(
        "a chunk of \(count) bytes at byte \(offset) of asset \(sha256), which has \(size); chunks "
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

  private func orderError(
    _ next: LineKey, _ utf8Name: UnsafeRawBufferPointer?, isRepeated: Bool, _ source: String,
    _ line: Int?
  ) -> BundleError {
    let last = key?.description(of: name.isEmpty ? nil : String(decoding: name, as: UTF8.self))
    let found = next.description(of: utf8Name.map { String(decoding: $0, as: UTF8.self) })
    return Self.error(
      isRepeated ? "\(found) is repeated" : "\(found) comes after \(last ?? "the beginning")",
      source, line)
  }
}

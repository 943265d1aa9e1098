import RecordModel

/// Checks that lines are in the order of the format and not repeated.
struct LineOrderCheck {
  /// The key of the last line; nil at the beginning.
  private var key: LineKey?
  private var name: [UInt8] = []
  /// The last name if it was an uppercase UUID that is not yet in ``name``.
  private var packedName: (UInt64, UInt64)?
  private var asset: (sha256: String, size: Int, next: Int)?

  /// Advances to a record that follows the last line with the same key; both names are uppercase
  /// UUIDs, which are compared as numbers, and have the same order as their digits.
  ///
  /// - Returns: False, and changes nothing, if that is not certain.
  mutating func advance(within record: ResultRecord, _ database: DatabaseScope) -> Bool {
    let recordID = record.recordID
    guard let packedName, case .upperUUID(let high, let low) = recordID.packedName,
      isSection(database, recordID.zoneID, record.recordType), packedName < (high, low)
    else { return false }
    self.packedName = (high, low)
    return true
  }

  /// Advances to a record that follows the last line with the same key.
  ///
  /// - Parameter utf8Name: The name of the record.
  /// - Returns: False, and changes nothing, if that is not certain.
  mutating func advance(
    toRecord utf8Name: UnsafeRawBufferPointer, _ database: DatabaseScope, _ zoneID: ZoneID,
    _ recordType: String
  ) -> Bool {
    guard packedName == nil, isSection(database, zoneID, recordType),
      name.withUnsafeBytes({ compareBytes($0, utf8Name) }) < 0
    else { return false }
    keep(utf8Name)
    return true
  }

  /// Whether the last line is certainly a record of a section.
  @inline(__always)
  private func isSection(
    _ database: DatabaseScope, _ zoneID: ZoneID, _ recordType: String
  ) -> Bool {
    key?.kind == .record && key?.database == database
      && key?.zoneID?.isIdentical(to: zoneID) == true
      && key?.recordType?.sameScalars(as: recordType) == true
  }

  /// Keeps the name of the last line.
  private mutating func keep(_ utf8Name: UnsafeRawBufferPointer) {
    if name.count == utf8Name.count {
      name.withUnsafeMutableBytes { $0.copyMemory(from: utf8Name) }
    } else {
      name.removeAll(keepingCapacity: true)
      name.append(contentsOf: utf8Name)
    }
  }

  /// Advances to an item other than a chunk of an asset.
  mutating func advance(to item: BundleItem, at location: LineLocation) throws {
    if case .record(let record, let database) = item {
      if advance(within: record, database) { return }
      try advance(to: item.key, name: item.name, at: location)
      if case .upperUUID(let high, let low) = record.recordID.packedName {
        packedName = (high, low)
      }
    } else {
      try advance(to: item.key, name: item.name, at: location)
    }
  }

  /// Advances to a line with a key, and with a name unless the key alone identifies it.
  mutating func advance(
    to next: LineKey, name text: String?, at location: LineLocation
  ) throws {
    guard var text else { return try advance(to: next, utf8Name: nil, at: location) }
    try text.withUTF8 {
      try advance(to: next, utf8Name: UnsafeRawBufferPointer($0), at: location)
    }
  }

  /// Advances to a line with a key, and with a name in UTF-8 unless the key alone identifies it.
  mutating func advance(
    to next: LineKey, utf8Name: UnsafeRawBufferPointer?, at location: LineLocation
  ) throws {
    if utf8Name?.isEmpty == true {
      let what = next.kind == .subscription ? "subscription identifier" : "record name"
      throw Self.emptyError(what, location)
    }
    unpackName()
    if let key, key.isSame(as: next) {
      let order = utf8Name.map { next in name.withUnsafeBytes { compareBytes($0, next) } } ?? 0
      guard order < 0 else { throw orderError(key, utf8Name, isRepeated: order == 0, location) }
    } else {
      try checkAssetIsWhole(at: location)
      if let what = next.emptyPart { throw Self.emptyError(what, location) }
      if let key, !key.precedes(next) {
        throw orderError(next, utf8Name, isRepeated: false, location)
      }
    }
    // Also an equal key: the next record may have the same objects.
    key = next
    keep(utf8Name ?? UnsafeRawBufferPointer(start: nil, count: 0))
  }

  /// Converts the last packed name to text.
  private mutating func unpackName() {
    guard let (high, low) = packedName else { return }
    name = Array(CompactName.upperUUID(high, low).string.utf8)
    packedName = nil
  }

  mutating func advance(
    toAsset sha256: String, size: Int, offset: Int, count: Int, at location: LineLocation
  ) throws {
    if let asset, asset.sha256 == sha256 {
      guard asset.next == offset, asset.size == size else {
        throw Self.error(
          "the chunk of asset \(sha256) at byte \(offset) should begin at byte \(asset.next)",
          location)
      }
    } else {
      try checkAssetIsWhole(at: location)
      guard offset == 0 else {
        throw Self.error(
          "asset \(sha256) begins with a chunk at byte \(offset)", location)
      }
      if let asset, compareUTF8(asset.sha256, sha256) >= 0 {
        throw Self.error("asset \(sha256) comes after \(asset.sha256)", location)
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
          + "have \(AssetChunk.size) bytes, and the last one the rest", location)
    }
    asset = (sha256, size, offset + count)
  }

  /// Checks that the last asset is complete.
  func checkAssetIsWhole(at location: LineLocation) throws {
    guard let asset, asset.next < asset.size else { return }
    throw Self.error(
      "asset \(asset.sha256) ends after \(asset.next) of its \(asset.size) bytes", location)
  }

  private static func emptyError(_ what: String, _ location: LineLocation) -> BundleError {
    location.error(.malformed, "an empty \(what); names have at least one character")
  }

  private static func error(_ message: String, _ location: LineLocation) -> BundleError {
    location.error(
      .order, message + "; lines are ordered by kind, database, zone, record type and name")
  }

  private func orderError(
    _ next: LineKey, _ utf8Name: UnsafeRawBufferPointer?, isRepeated: Bool,
    _ location: LineLocation
  ) -> BundleError {
    let last = key?.description(of: name.isEmpty ? nil : String(decoding: name, as: UTF8.self))
    let found = next.description(of: utf8Name.map { String(decoding: $0, as: UTF8.self) })
    return Self.error(
      isRepeated ? "\(found) is repeated" : "\(found) comes after \(last ?? "the beginning")",
      location)
  }
}

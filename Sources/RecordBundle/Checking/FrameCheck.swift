import RecordCoding
import RecordModel
import RecordPlatform

/// The checks of one frame that run on any thread; ``BundleCheck`` checks the rest in order.
struct FrameCheck: Sendable {
  enum Entry: Sendable {
    case header
    case zone(ZoneID, DatabaseScope, line: SHA256Digest)
    case subscription(Subscription, DatabaseScope)
    case record(ZoneID, type: String, name: String, DatabaseScope, assets: [SHA256Digest])
    case tombstone(RecordID, DatabaseScope)
    case zoneTombstone(ZoneID, DatabaseScope)
    case asset(AssetChunk)
    case wrong(String)
  }

  let file: BundleFile
  let frame: Int
  let contentHash: ContentHash
  let bytes: Int
  var entries: [(line: Int, size: Int, entry: Entry)] = []

  init(_ frame: BundleFrame) {
    file = frame.file
    self.frame = frame.number
    contentHash = frame.contentHash()
    bytes = frame.size
    frame.forEachLineOrError { line, number, size in
      let entry =
        switch line {
        case .success(let line): Self.entry(line, number, frame)
        case .failure(let error): Entry.wrong(error.message)
        }
      entries.append((number, size, entry))
    }
  }

  private static func entry(
    _ line: UnsafeRawBufferPointer, _ number: Int, _ frame: BundleFrame
  ) -> Entry {
    do {
      guard let item = try frame.item(line, number: number) else {
        return try headerOrIndex(line, number, frame)
      }
      guard try isCanonical(line, item, frame) else {
        return .wrong(
          "the line can be read, but is not written as the format says: import and export put that "
            + "right")
      }
      return entry(item, line)
    } catch let error as BundleError {
      return .wrong(error.message)
    } catch {
      return .wrong("\(error)")
    }
  }

  private static func headerOrIndex(
    _ line: UnsafeRawBufferPointer, _ number: Int, _ frame: BundleFrame
  ) throws -> Entry {
    guard LineKind.anyKind(of: line) == .header else {
      return .wrong("an index stands before the end")
    }
    guard number == 1 else { return .wrong("a header stands behind the first line") }
    let header = frame.file.header
    // The header of an older version has another form.
    guard header.formatVersion == BundleHeader.currentFormatVersion else { return .header }
    let buffer = ByteBuffer(capacity: line.count)
    try header.jsonValue().write(to: buffer)
    return compareBytes(buffer.bytes, line) == 0
      ? .header : .wrong("the header is not written as the format says")
  }

  private static func isCanonical(
    _ line: UnsafeRawBufferPointer, _ item: BundleItem, _ frame: BundleFrame
  ) throws -> Bool {
    if case .record(let record, _) = item, record.isCanonical { return true }
    let buffer = ByteBuffer(capacity: line.count)
    try item.writeLine(to: buffer)
    return compareBytes(buffer.bytes, line) == 0
  }

  private static func entry(_ item: BundleItem, _ line: UnsafeRawBufferPointer) -> Entry {
    switch item {
    case .zone(let zone, let database):
      return .zone(zone.zoneID, database, line: SHA256Digest(of: line))
    case .subscription(let subscription, let database):
      return .subscription(subscription, database)
    case .record(let record, let database):
      var assets: [SHA256Digest] = []
      AssetReferences.forEach(in: line) { assets.append($0) }
      return .record(
        record.recordID.zoneID, type: record.recordType, name: record.recordID.recordName,
        database, assets: assets)
    case .tombstone(let tombstone, let database): return .tombstone(tombstone.recordID, database)
    case .zoneTombstone(let zoneID, let database): return .zoneTombstone(zoneID, database)
    case .asset(let chunk): return .asset(chunk)
    }
  }
}

extension ResultRecord {
  /// Whether the record is known to come from canonical bytes.
  fileprivate var isCanonical: Bool { storage.values == nil }
}

import RecordCoding
import RecordModel
import RecordPlatform

/// What the threads find out about one frame; the rest is checked in order, by ``BundleCheck``.
struct FrameCheck: Sendable {
  enum Entry: Sendable {
    case header
    case zone(ZoneID, DatabaseScope)
    case subscription(String, DatabaseScope)
    case record(ZoneID, type: String, name: String, DatabaseScope, assets: [String])
    case tombstone(RecordID, DatabaseScope)
    case zoneTombstone(ZoneID, DatabaseScope)
    case asset(AssetChunk)
    case wrong(String)
  }

  let file: BundleFile
  let frame: Int
  let digest: SHA256Digest
  let bytes: Int
  var entries: [(line: Int, size: Int, entry: Entry)] = []

  init(_ frame: BundleFrame) {
    file = frame.file
    self.frame = frame.number
    digest = frame.digest
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
        return LineKind.kind(of: line) == .header
          ? .header : .wrong("an index stands before the end")
      }
      guard try isCanonical(line, item, frame) else {
        return .wrong(
          "the line can be read, but is not written as the format says: import and export put that "
            + "right")
      }
      return entry(item)
    } catch let error as BundleError {
      return .wrong(error.message)
    } catch {
      return .wrong("\(error)")
    }
  }

  private static func isCanonical(
    _ line: UnsafeRawBufferPointer, _ item: BundleItem, _ frame: BundleFrame
  ) throws -> Bool {
    if case .record(let record, _) = item, record.isCanonical { return true }
    let buffer = ByteBuffer(capacity: line.count)
    try item.writeLine(to: buffer)
    return compareBytes(buffer.bytes, line) == 0
  }

  private static func entry(_ item: BundleItem) -> Entry {
    switch item {
    case .zone(let zone, let database): .zone(zone.zoneID, database)
    case .subscription(let subscription, let database):
      .subscription(subscription.subscriptionID, database)
    case .record(let record, let database):
      .record(
        record.recordID.zoneID, type: record.recordType, name: record.recordID.recordName,
        database, assets: record.assetDigests)
    case .tombstone(let tombstone, let database): .tombstone(tombstone.recordID, database)
    case .zoneTombstone(let zoneID, let database): .zoneTombstone(zoneID, database)
    case .asset(let chunk): .asset(chunk)
    }
  }
}

extension ResultRecord {
  /// Whether the record is known to come from canonical bytes.
  fileprivate var isCanonical: Bool { storage.values == nil }
}

import RecordModel

/// Selects the lines that can follow each other in a bundle, without duplicates, from frames in any
/// order and repeated lines.
struct RecoverySieve {
  private var order = LineOrder()
  private var asset: (sha256: String, size: Int, next: Int)?

  /// Whether a chunk of an asset continues the chunks before it.
  mutating func takes(_ chunk: AssetChunk) -> Bool {
    guard chunk.data.count == min(AssetChunk.size, chunk.assetSize - chunk.offset) else {
      return false
    }
    if let asset, asset.sha256 == chunk.sha256 {
      guard asset.size == chunk.assetSize, asset.next == chunk.offset, !chunk.data.isEmpty else {
        return false
      }
    } else {
      guard chunk.offset == 0, asset.map({ $0.sha256 < chunk.sha256 }) ?? true else { return false }
    }
    asset = (chunk.sha256, chunk.assetSize, chunk.offset + chunk.data.count)
    return true
  }

  /// Advances to a line that is neither a zone nor a chunk of an asset.
  ///
  /// - Throws: ``BundleError`` for a line that is repeated or out of order.
  mutating func advance(to item: BundleItem, in source: String) throws {
    // Zones are written before everything else, wherever they were.
    if case .zone = item { return }
    guard asset == nil else {
      throw BundleError(.order, in: source, "a \(item.kind.rawValue) comes after an asset")
    }
    switch item {
    case .zone, .asset: return
    case .subscription(let subscription, let database):
      try order.advance(to: .subscription(database, subscription.subscriptionID), in: source)
    case .record(let record, let database):
      try order.advance(
        toRecord: record.recordID, type: record.recordType, database, in: source)
    case .tombstone(let tombstone, let database):
      let recordID = tombstone.recordID
      try order.advance(
        to: .tombstone(database, recordID.zoneID), name: recordID.recordName, in: source)
    case .zoneTombstone(let zoneID, let database):
      try order.advance(to: .zoneTombstone(database, zoneID), in: source)
    }
  }
}

import RecordModel

/// Selects the lines that can follow each other in a bundle, without duplicates, from frames in any
/// order and repeated lines.
struct RecoveryFilter {
  private var order = LineOrder()
  private var asset: (sha256: String, size: Int, next: Int)?

  /// Whether a line can follow those before it. Zones may be anywhere: they are written before
  /// everything else.
  ///
  /// - Returns: false for a chunk that does not continue the chunks before it.
  /// - Throws: ``BundleError`` for a line that is repeated or out of order.
  mutating func accepts(_ item: BundleItem, of source: String) throws -> Bool {
    switch item {
    case .zone: return true
    case .asset(let chunk): return continues(with: chunk)
    default:
      guard asset == nil else {
        throw BundleError(.order, in: source, "a \(item.kind.noun) comes after an asset")
      }
      try order.advance(to: item, at: LineLocation(source: source))
      return true
    }
  }

  private mutating func continues(with chunk: AssetChunk) -> Bool {
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
}

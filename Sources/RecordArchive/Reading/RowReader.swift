import RecordStore
import RecordBundle
import RecordCoding
import RecordModel
import RecordPlatform

/// Reads a container as batches of lines in the order of a bundle, on the thread of its snapshot.
final class RowReader {
  private let snapshot: ContainerSnapshot
  private let source: String
  private let selection: LineSelection
  private let buffers: RowBatch.Buffers
  /// Items that are not records, collected for the next batch.
  private var items: [BundleItem] = []
  private var itemBytes = 0

  init(
    _ snapshot: ContainerSnapshot, named source: String, _ selection: LineSelection,
    _ buffers: RowBatch.Buffers
  ) {
    self.snapshot = snapshot
    self.source = source
    self.selection = selection
    self.buffers = buffers
  }

  func forEachBatch(_ body: (RowBatch) throws -> Void) throws {
    for scope in scopes(with: .zone) {
      for zone in try snapshot.zones(in: scope).sorted(by: { $0.zoneID < $1.zoneID }) {
        try add(.zone(zone, scope), body)
      }
    }
    for scope in scopes(with: .subscription) {
      let subscriptions = try snapshot.subscriptions(in: scope)
      for subscription in subscriptions.sorted(by: {
        compareUTF8($0.subscriptionID, $1.subscriptionID) < 0
      }) {
        try add(.subscription(subscription, scope), body)
      }
    }
    try flush(body)
    for scope in scopes(with: .record) { try records(of: scope, body) }
    for scope in scopes(with: .tombstone) {
      try snapshot.forEachTombstone(in: scope, filter: selection.filter) {
        try add(.tombstone($0, scope), body)
      }
    }
    for scope in scopes(with: .zoneTombstone) {
      for tombstone in try snapshot.zoneTombstones(in: scope).sorted(by: {
        $0.zoneID < $1.zoneID
      }) {
        try add(.zoneTombstone(tombstone, scope), body)
      }
    }
    if selection.contains(.asset) { try assets(body) }
    try flush(body)
  }

  private func scopes(with kind: LineKind) -> [DatabaseScope] {
    selection.contains(kind)
      ? DatabaseScope.allCases.filter { selection.filter.contains(database: $0) } : []
  }

  // MARK: Items that are not records

  private func add(
    _ item: BundleItem, bytes: Int = 1024, _ body: (RowBatch) throws -> Void
  ) throws {
    items.append(item)
    itemBytes += bytes
    if itemBytes >= RowBatch.fullSize { try flush(body) }
  }

  private func flush(_ body: (RowBatch) throws -> Void) throws {
    guard !items.isEmpty else { return }
    try body(RowBatch(source, items))
    (items, itemBytes) = ([], 0)
  }

  private func assets(_ body: (RowBatch) throws -> Void) throws {
    try snapshot.forEachAsset { asset in
      guard let size = asset.size.map(Int.init), selection.assets?.contains(asset.sha256) != false
      else { return }
      func chunk(_ offset: Int, _ data: [UInt8]) -> BundleItem {
        .asset(AssetChunk(sha256: asset.sha256, assetSize: size, offset: offset, data: data))
      }
      if size == 0 { try add(chunk(0, []), body) }
      try snapshot.forEachAssetChunk(sha256: asset.sha256) { offset, bytes in
        try add(chunk(Int(offset), Array(bytes)), bytes: 1024 + bytes.count, body)
      }
    }
  }

  // MARK: Records

  private func records(of scope: DatabaseScope, _ body: (RowBatch) throws -> Void) throws {
    var filter = selection.filter
    if let sections = selection.sections?.filter({ $0.database == scope }) {
      guard !sections.isEmpty else { return }
      filter.zoneIDs = Set(sections.map(\.zoneID))
      filter.recordTypes = NameSet(sections.map(\.recordType))
    }
    var batch = try RowBatch(source, scope, buffers)
    var wanted = SectionChoice(selection)
    try snapshot.forEachRecordBytes(in: scope, filter: filter) { dictionary, key in
      guard wanted.contains(scope, key.zoneID, key.recordType) else { return }
      batch.add(dictionary)
      guard batch.isFull else { return }
      batch.close()
      try body(batch)
      batch = try RowBatch(source, scope, buffers)
    }
    batch.close()
    if !batch.isEmpty { try body(batch) }
  }
}

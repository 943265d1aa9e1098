import MockCloud
import RecordBundle
import RecordCoding
import RecordModel
import RecordPlatform

/// Reads a bundle, or a container as it is at one moment, in the same way: in the order of a bundle.
///
/// It is valid in the closure that gets it, on its thread.
struct ArchiveReader {
  enum Content {
    case bundle(BundleReader)
    case snapshot(ContainerSnapshot, of: MockContainer)
  }

  let content: Content
  /// All lines of a container in memory that is to be changed while it is read: it has one view only.
  private var lines: [RowBatch]?
  /// What messages call the source.
  let name: String

  init(_ bundle: BundleReader) {
    content = .bundle(bundle)
    name = bundle.fileNames.first ?? "the source"
  }

  init(_ snapshot: ContainerSnapshot, of container: MockContainer) {
    content = .snapshot(snapshot, of: container)
    name = container.name
  }

  /// Prepares for changes of the container while it is read: what is read stays as it is now.
  mutating func load() throws {
    guard case .snapshot(let snapshot, let container) = content, container.path == nil else {
      return
    }
    var lines: [RowBatch] = []
    // Assets are looked up one by one; they stay until the changes are complete.
    let selection = LineSelection(Set(LineKind.allCases).subtracting([.asset]))
    try RowReader(snapshot, named: name, selection, RowBatch.buffers(keeping: 0))
      .forEachBatch { lines.append($0) }
    self.lines = lines
  }

  // MARK: Batches

  /// Makes a value out of each batch of lines on several threads, and hands the values over in
  /// order, in the caller's thread.
  ///
  /// - Parameters:
  ///   - selection: which lines; batches without any are not read.
  ///   - threads: 1 makes the values in the caller's thread.
  func mapBatches<T: Sendable>(
    of selection: LineSelection = LineSelection(), threads: Int,
    transform: @escaping @Sendable (LineBatch) throws -> T, consume: (T) throws -> Void
  ) throws {
    switch content {
    case .bundle(let bundle):
      try bundle.mapFrames(
        where: { selection.contains($0) }, threads: threads,
        transform: { try transform(LineBatch($0, selection)) }, consume: consume)
    case .snapshot(let snapshot, _):
      let readers = ResourcePool(keeping: threads) { RecordJSONReader() }
      try OrderedMap.run(
        threads: threads, window: threads + 1,
        transform: { rows in
          try readers.with { try transform(LineBatch(rows, selection, $0)) }
        }, consume: consume,
        produce: { add in
          if let lines { return try lines.forEach(add) }
          try RowReader(
            snapshot, named: name, selection, RowBatch.buffers(keeping: threads + 2)
          ).forEachBatch(add)
        })
    }
  }

  /// Visits what is no record: zones, subscriptions, tombstones, pieces of assets.
  func forEachItem(
    of selection: LineSelection, threads: Int = BundleThreads.recommended,
    _ body: (BundleItem) throws -> Void
  ) throws {
    try mapBatches(
      of: selection, threads: threads,
      transform: { batch in
        var items: [BundleItem] = []
        try batch.forEach(scanned: { _, _, _ in }, item: { item, _ in items.append(item) })
        return items
      }, consume: { try $0.forEach(body) })
  }

  private func items<T>(
    of kind: LineKind, _ filter: RecordFilter = .all, _ pick: (BundleItem) -> T?
  ) throws -> [T] {
    var found: [T] = []
    try forEachItem(of: LineSelection([kind], filter)) {
      if let item = pick($0) { found.append(item) }
    }
    return found
  }

  // MARK: What there is

  /// What is known of the container.
  func info() throws -> ContainerInfo {
    switch content {
    case .bundle(let bundle): bundle.container
    case .snapshot(let snapshot, _): try snapshot.info()
    }
  }

  /// Records by section, in the order of a bundle.
  func sections(_ filter: RecordFilter = .all) throws -> [ArchiveSource.Section] {
    switch content {
    case .bundle(let bundle):
      return bundle.sections.compactMap { section in
        guard let key = RecordSection(section), filter.contains(key) else { return nil }
        return ArchiveSource.Section(key, records: section.lines, bytes: section.bytes)
      }
    case .snapshot(let snapshot, _):
      return try DatabaseScope.allCases.flatMap { scope in
        try snapshot.recordTypes(in: scope).map {
          (RecordSection(scope, $0.zoneID, $0.recordType), $0.recordCount, Int($0.byteCount))
        }.filter { filter.contains($0.0) }.sorted { $0.0.precedes($1.0) }.map {
          ArchiveSource.Section($0.0, records: $0.1, bytes: $0.2)
        }
      }
    }
  }

  /// The number of records that a filter lets pass; nil where that is not known beforehand.
  func recordCount(_ filter: RecordFilter) throws -> Int? {
    guard filter.modifiedSince == nil else { return nil }
    return try sections(filter).reduce(0) { $0 + $1.records }
  }

  /// Bytes of the lines that are read; nil where that is not known beforehand.
  func lineBytes(of selection: LineSelection) -> Int? {
    guard case .bundle(let bundle) = content else { return nil }
    return bundle.sections.filter(selection.contains).reduce(0) { $0 + $1.bytes }
  }

  /// The zones of each database.
  func zones() throws -> [(database: DatabaseScope, zone: RecordZone)] {
    if case .bundle(let bundle) = content { return try bundle.zones() }
    return try items(of: .zone) {
      if case .zone(let zone, let scope) = $0 { (scope, zone) } else { nil }
    }
  }

  func subscriptions(
    _ filter: RecordFilter = .all
  ) throws -> [(database: DatabaseScope, subscription: Subscription)] {
    try items(of: .subscription, filter) {
      if case .subscription(let subscription, let scope) = $0 { (scope, subscription) } else { nil }
    }
  }

  func zoneTombstones(
    _ filter: RecordFilter = .all
  ) throws -> [(database: DatabaseScope, zoneID: ZoneID)] {
    try items(of: .zoneTombstone, filter) {
      if case .zoneTombstone(let zoneID, let scope) = $0 { (scope, zoneID) } else { nil }
    }
  }

  func forEachTombstone(
    _ filter: RecordFilter = .all, _ body: (Tombstone, DatabaseScope) throws -> Void
  ) throws {
    try forEachItem(of: LineSelection([.tombstone], filter)) {
      if case .tombstone(let tombstone, let scope) = $0 { try body(tombstone, scope) }
    }
  }

  func storedAssets() throws -> [ArchiveSource.StoredAsset] {
    var assets: [ArchiveSource.StoredAsset] = []
    switch content {
    case .bundle:
      try forEachItem(of: LineSelection([.asset])) {
        guard case .asset(let chunk) = $0, chunk.offset == 0 else { return }
        assets.append(.init(sha256: chunk.sha256, size: chunk.assetSize))
      }
    case .snapshot(let snapshot, _):
      try snapshot.forEachAsset { asset in
        if let size = asset.size { assets.append(.init(sha256: asset.sha256, size: Int(size))) }
      }
    }
    return assets
  }

  func forEachRecord(
    _ filter: RecordFilter, _ body: (ResultRecord, DatabaseScope) throws -> Void
  ) throws {
    switch content {
    case .bundle(let bundle): try bundle.forEachRecord(filter, body)
    case .snapshot(let snapshot, _):
      for scope in DatabaseScope.allCases where filter.contains(database: scope) {
        try snapshot.forEachRecord(in: scope, filter: filter) { try body($0, scope) }
      }
    }
  }

  func forEachRecordID(
    _ filter: RecordFilter, _ body: (RecordID, String, DatabaseScope) throws -> Void
  ) throws {
    switch content {
    case .bundle(let bundle): try bundle.forEachRecordID(filter, body)
    case .snapshot(let snapshot, _):
      for scope in DatabaseScope.allCases where filter.contains(database: scope) {
        try snapshot.forEachRecordBytes(in: scope, filter: filter) { _, key in
          try body(key.recordID, key.recordType, scope)
        }
      }
    }
  }

  /// The records of a name, in any zone of any database that the filter lets pass.
  func records(
    named recordName: String, _ filter: RecordFilter
  ) throws -> [(database: DatabaseScope, record: ResultRecord)] {
    switch content {
    case .bundle(let bundle): return try bundle.records(named: recordName, filter)
    case .snapshot(let snapshot, _):
      var found: [(DatabaseScope, ResultRecord)] = []
      for (scope, zone) in try zones() {
        let recordID = RecordID(recordName: recordName, zoneID: zone.zoneID)
        guard let record = try snapshot.record(for: recordID, in: scope),
          filter.contains(record, database: scope)
        else { continue }
        found.append((scope, record))
      }
      return found
    }
  }
}

extension ArchiveSource.Section {
  fileprivate init(_ section: RecordSection, records: Int, bytes: Int) {
    self.init(
      database: section.database, zoneID: section.zoneID, recordType: section.recordType,
      records: records, bytes: bytes)
  }

  var key: RecordSection { RecordSection(database, zoneID, recordType) }
}

extension MockContainer {
  /// What messages call it.
  var name: String { path.map { "'\($0)'" } ?? "the container" }
}

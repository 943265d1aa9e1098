import RecordStore
import RecordBundle
import RecordCoding
import RecordModel
import RecordPlatform

/// Reads a bundle, or a snapshot of a container, in the order of a bundle. Valid only in the
/// closure that receives it, on its thread.
struct ArchiveReader {
  enum Content {
    case bundle(BundleReader)
    case snapshot(ContainerSnapshot, of: ContainerStore)
  }

  let content: Content
  /// The name of the source in messages.
  let name: String

  init(_ bundle: BundleReader) {
    content = .bundle(bundle)
    name = bundle.fileNames.first ?? "the source"
  }

  init(_ snapshot: ContainerSnapshot, of container: ContainerStore, named name: String? = nil) {
    content = .snapshot(snapshot, of: container)
    self.name = name ?? container.name
  }

  var isBundle: Bool { if case .bundle = content { true } else { false } }

  // MARK: Batches

  /// Transforms batches of lines on several threads, the caller's among them, and passes the results
  /// in order to `consume` on the caller's thread.
  ///
  /// - Parameters:
  ///   - selection: The lines to read. Batches without any are skipped.
  ///   - threads: The number of threads; 1 transforms on the caller's thread.
  func mapBatches<T: Sendable>(
    of selection: LineSelection = LineSelection(), threads: Int,
    transform: @escaping @Sendable (LineBatch) throws -> T, consume: (T) throws -> Void
  ) throws {
    try beginBatches(of: selection, threads: threads, transform: transform) { try $0(consume) }
  }

  /// Transforms batches of lines, and calls `body` as soon as other threads read the first of a
  /// bundle.
  ///
  /// - Parameter body: Receives a function that passes all results on in order, once.
  func beginBatches<T: Sendable, R>(
    of selection: LineSelection, threads: Int,
    transform: @escaping @Sendable (LineBatch) throws -> T,
    _ body: (_ forEach: @escaping (_ consume: (T) throws -> Void) throws -> Void) throws -> R
  ) throws -> R {
    switch content {
    case .bundle(let bundle):
      return try bundle.beginFrames(
        where: { selection.contains($0) }, threads: threads,
        transform: { try transform(LineBatch($0, selection)) }, body)
    case .snapshot(let snapshot, _):
      let readers = ResourcePool(keeping: threads) { RecordJSONReader() }
      return try body { consume in
        try OrderedMap.run(
          threads: threads, window: threads + 1,
          transform: { rows in
            try readers.with { try transform(LineBatch(rows, selection, $0)) }
          }, consume: consume,
          produce: { add in
            try RowReader(
              snapshot, named: name, selection, RowBatch.buffers(keeping: threads + 2)
            ).forEachBatch(add)
          })
      }
    }
  }

  /// Counts batches of lines on several threads.
  ///
  /// - Parameters:
  ///   - progress: Called after each batch; an error it throws ends the count.
  ///   - counting: Counts the lines of a batch.
  ///   - add: Adds the counts of a batch, and returns the number of records so far.
  func count<T: Sendable>(
    _ selection: LineSelection, threads: Int, _ progress: ((ArchiveProgress) throws -> Void)?,
    counting: @escaping @Sendable (LineBatch) throws -> T, add: (T) throws -> Int
  ) throws {
    var done = ArchiveProgress(records: 0, bytes: 0)
    done.totalBytes = lineBytes(of: selection)
    done.totalRecords = try recordCount(selection.filter)
    try mapBatches(
      of: selection, threads: threads, transform: { (try counting($0), $0.size) },
      consume: { found, size in
        done.records = try add(found)
        done.bytes += size
        try progress?(done)
      })
  }

  /// Calls `body` with each item that is not a record: zones, subscriptions, tombstones, asset
  /// chunks.
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

  // MARK: Content

  func info() throws -> ContainerInfo {
    switch content {
    case .bundle(let bundle): return bundle.container
    case .snapshot(let snapshot, _):
      return try snapshot.info()
    }
  }

  /// The errors of the settings, users, zones and subscriptions of a container that cannot be read: what
  /// reads them has the others only, and damaged zones with their identity. Of a container that leaves
  /// out what cannot be read, the errors of all rows that were read so far.
  func damagedMetadata() throws -> [ContainerStoreError] {
    guard case .snapshot(let snapshot, _) = content else { return [] }
    return try snapshot.damage?.errors ?? snapshot.damagedMetadata()
  }

  /// - Throws: the first error of ``damagedMetadata()``.
  func checkMetadata() throws {
    if case .snapshot(let snapshot, _) = content, snapshot.damage != nil { return }
    if let error = try damagedMetadata().first { throw error }
  }

  /// The record sections, in the order of a bundle.
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
          // As lines of a bundle, each with its end.
          let extra = RecordLine.size(ofDictionary: 0, in: scope) + 1
          return ArchiveSource.Section($0.0, records: $0.1, bytes: $0.2 + $0.1 * extra)
        }
      }
    }
  }

  /// The number of records that pass a filter; nil if it is not known in advance.
  func recordCount(_ filter: RecordFilter) throws -> Int? {
    guard !filter.isByDate else { return nil }
    return try sections(filter).reduce(0) { $0 + $1.records }
  }

  /// The number of bytes in the selected lines; nil if it is not known in advance.
  func lineBytes(of selection: LineSelection) -> Int? {
    guard case .bundle(let bundle) = content else { return nil }
    return bundle.sections.filter(selection.contains).reduce(0) { $0 + $1.bytes }
  }

  func zones(
    _ filter: RecordFilter = .all
  ) throws -> [(database: DatabaseScope, zone: RecordZone)] {
    if case .bundle(let bundle) = content {
      return try bundle.zones().filter {
        filter.contains(database: $0.database, zoneID: $0.zone.zoneID)
      }
    }
    return try items(of: .zone, filter) {
      if case .zone(let zone, let scope) = $0 { (scope, zone) } else { nil }
    }
  }

  func subscriptions(
    _ filter: RecordFilter = .all
  ) throws -> [(database: DatabaseScope, subscription: CloudSubscription)] {
    try items(of: .subscription, filter) {
      if case .subscription(let subscription, let scope) = $0 { (scope, subscription) } else { nil }
    }
  }

  func zoneTombstones(
    _ filter: RecordFilter = .all
  ) throws -> [(database: DatabaseScope, tombstone: DeletedZone)] {
    try items(of: .zoneTombstone, filter) {
      if case .zoneTombstone(let tombstone, let scope) = $0 { (scope, tombstone) } else { nil }
    }
  }

  func forEachTombstone(
    _ filter: RecordFilter = .all, _ body: (DeletedRecord, DatabaseScope) throws -> Void
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

  /// Transforms each record, and calls `body` with the results; see ``ArchiveSource``.
  func forEachRecord<T: Sendable>(
    _ filter: RecordFilter,
    transform: @escaping @Sendable (ResultRecord, DatabaseScope) throws -> T?,
    progress: (Int) throws -> Void, _ body: (T) throws -> Void
  ) throws {
    try mapBatches(
      of: LineSelection([.record], filter), threads: BundleThreads.recommended,
      transform: { batch in
        var count = 0
        var made: [T] = []
        try batch.forEachRecord { record, database, _ in
          count += 1
          if let value = try transform(record, database) { made.append(value) }
        }
        return (count, made)
      },
      consume: { (count: Int, made: [T]) in
        try progress(count)
        for value in made { try body(value) }
      })
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

  /// The records with a name, in all zones and databases that the filter includes.
  func records(
    named recordName: String, _ filter: RecordFilter
  ) throws -> [(database: DatabaseScope, record: ResultRecord)] {
    var found: [(database: DatabaseScope, record: ResultRecord)] = []
    try forEachName([recordName], filter) { found = $1 }
    return found
  }

  /// Calls `body` with each name and the records with that name. The zones are read once.
  ///
  /// - Parameter damaged: see ``ArchiveSource/forEachName(_:_:damaged:_:)``.
  func forEachName(
    _ names: [String], _ filter: RecordFilter, damaged: ((RecordLocation) -> Void)? = nil,
    _ body: (String, [(database: DatabaseScope, record: ResultRecord)]) throws -> Void
  ) throws {
    switch content {
    case .bundle(let bundle): try bundle.forEachName(names, filter, body)
    case .snapshot(let snapshot, _):
      let zones = try zones(filter)
      for name in names {
        let found = try zones.compactMap { scope, zone -> (DatabaseScope, ResultRecord)? in
          let recordID = RecordID(recordName: name, zoneID: zone.zoneID)
          switch try snapshot.readableRecord(recordID, in: scope) {
          case .success(let stored):
            guard let record = stored?.record, filter.contains(record, database: scope) else {
              return nil
            }
            return (scope, record)
          case .failure(let error):
            guard let damaged else {
              try snapshot.leaveOut(error)
              return nil
            }
            damaged(RecordLocation(scope, recordID))
            return nil
          }
        }
        try body(name, found)
      }
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

extension ContainerStore {
  /// The name of the container in messages.
  var name: String { path.map { "'\($0)'" } ?? "the container" }
}

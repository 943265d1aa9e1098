import Foundation
import RecordBundle
import RecordCoding
import RecordModel
import RecordPlatform

/// Writes a bundle of the replaced items of a source.
///
/// The records are read once, replaced on several threads, and sorted by their new names. Temporary
/// files contain replaced records only.
final class TransformedExport {
  private let archiver: Archiver
  private let reader: ArchiveReader
  private let workers: WorkerPool
  private let transform: any SourceTransform
  private let sorter: RecordSorter
  private var progress = ArchiveProgress(records: 0, bytes: 0)
  private var tombstones: [(database: DatabaseScope, tombstone: DeletedRecord)] = []
  /// The replacements of the source's assets, by their digests.
  private var assets: [String: AssetReplacement] = [:]

  private var filter: RecordFilter { archiver.filter }

  init(_ archiver: Archiver, _ reader: ArchiveReader, _ transform: any SourceTransform) throws {
    self.archiver = archiver
    self.reader = reader
    self.transform = transform
    workers = WorkerPool(transform, try reader.info())
    sorter = RecordSorter(threads: archiver.threads)
  }

  /// - Throws: Errors of malformed lines, without their content, which must not appear.
  func run(to path: String, overwrite: Bool) throws -> BundleSummary {
    do {
      return try write(to: path, overwrite: overwrite)
    } catch let error as BundleError where error.code == .malformed || error.code == .order {
      throw BundleError(
        error.code, in: error.source, line: error.line,
        "the line cannot be read or replaced; 'recordpack verify' tells more")
    } catch is RecordCodingError {
      throw BundleError(
        .malformed, in: reader.name,
        "a record cannot be read or replaced; 'recordpack verify' tells more")
    }
  }

  private func write(to path: String, overwrite: Bool) throws -> BundleSummary {
    try reader.checkMetadata()
    let main = workers.main
    let info = try main.info(reader.info())
    var first: [BundleItem] = try reader.zones(filter).map {
      .zone(try main.zone($0.zone, in: $0.database), $0.database)
    }
    first += try reader.subscriptions(filter).compactMap { one in
      try main.subscription(one.subscription, in: one.database).map {
        .subscription($0, one.database)
      }
    }
    let zoneTombstones = try reader.zoneTombstones(filter).map {
      BundleItem.zoneTombstone(
        try main.zoneTombstone($0.tombstone, in: $0.database), $0.database)
    }
    try readAssets()
    try readRecords()
    let last = tombstones.map { BundleItem.tombstone($0.tombstone, $0.database) } + zoneTombstones
    let found = Dictionary(
      assets.values.map { ($0.sha256, $0) }, uniquingKeysWith: { first, _ in first })
    let usedAssets = workers.all.reduce(into: Set()) { $0.formUnion($1.usedAssets) }
    let missing = usedAssets.count { found[$0] == nil }
    try transform.finish(
      workers.all, assets: usedAssets.count - missing, missingAssets: missing)
    // Nothing is written before all of it is known to be replaced.
    let writer = try BundleWriter(
      path: path, container: info, options: archiver.bundleOptions, overwrite: overwrite)
    try Self.requireDifferentNames {
      for item in first.sorted(by: { $0.precedes($1) }) { try writer.write(item) }
      var written = 0
      try sorter.write(to: writer) { bytes in
        progress.bytes += bytes
        written += 1
        if written & 1023 == 0 { try archiver.report(progress) }
      }
      for item in last.sorted(by: { $0.precedes($1) }) { try writer.write(item) }
    }
    for sha256 in usedAssets.sorted() {
      guard let asset = found[sha256] else { continue }
      try writer.writeAsset(
        sha256: sha256, size: asset.size, forEachPiece: asset.forEachChunk)
    }
    var summary = try writer.finish()
    summary.missingAssets = missing
    return summary
  }

  /// Calls `body`, which writes items in their order. An item that does not follow the last one
  /// has the same name.
  private static func requireDifferentNames(_ body: () throws -> Void) throws {
    do {
      try body()
    } catch let error as BundleError where error.code == .order {
      throw ArchiveError.unsupported(
        "two different names of the source get the same name; use another key")
    }
  }

  // MARK: Reading

  /// Replaces each asset, and computes the new digest.
  private func readAssets() throws {
    try reader.forEachItem(of: LineSelection([.asset]), threads: archiver.threads) { item in
      guard case .asset(let chunk) = item, chunk.offset == 0 else { return }
      assets[chunk.sha256] = chunk.data.withUnsafeBytes {
        transform.replacement(forAsset: chunk.sha256, size: chunk.assetSize, beginning: $0)
      }
    }
  }

  private func readRecords() throws {
    let batches = ResourcePool(keeping: archiver.threads + 2) { TransformedBatch() }
    let digests = assets.mapValues(\.sha256)
    if archiver.progress != nil {
      let records = try reader.sections(filter)
      progress.totalRecords = records.reduce(0) { $0 + $1.records }
      // Each is read and written.
      progress.totalBytes = 2 * records.reduce(0) { $0 + $1.bytes }
    }
    try reader.mapBatches(
      of: LineSelection([.record, .tombstone], filter), threads: archiver.threads,
      transform: { [workers] lines in
        let batch = try batches.take()
        try workers.with {
          $0.assets = digests
          try batch.fill(lines, $0)
        }
        return batch
      },
      consume: { (batch: TransformedBatch) in
        tombstones += batch.tombstones
        progress.records += batch.records.count
        progress.bytes += batch.size
        try archiver.report(progress)
        try sorter.add(batch)
        batches.putBack(batch)
      })
  }
}

/// A batch of lines that a worker has replaced.
final class TransformedBatch: RecordLines, @unchecked Sendable {
  // Unchecked: one thread at a time uses a batch.
  private(set) var tombstones: [(database: DatabaseScope, tombstone: DeletedRecord)] = []
  /// The size of the lines of the source in bytes.
  private(set) var size = 0

  /// Replaces the content with a batch of lines whose items are replaced.
  func fill(_ batch: LineBatch, _ worker: any TransformWorker) throws {
    removeAll()
    tombstones.removeAll(keepingCapacity: true)
    size = batch.size
    try batch.forEachRecord { record, database, _ in
      try add(record, database, worker)
    } other: { item in
      guard case .tombstone(let tombstone, let database) = item else { return }
      try worker.tombstone(tombstone, in: database).map { tombstones.append((database, $0)) }
    }
  }

  private func add(
    _ record: ResultRecord, _ database: DatabaseScope, _ worker: any TransformWorker
  ) throws {
    let start = buffer.count
    guard let recordID = try worker.write(record, in: database, to: buffer) else { return }
    let dictionary = start..<buffer.count
    append(
      Record(
        section: section(database, recordID.zoneID, record.storage.recordType),
        dictionary: dictionary, name: append(nameOf: recordID)))
  }
}

/// The workers of a transform, one for each thread.
private final class WorkerPool: @unchecked Sendable {
  // Unchecked: `lock` protects the lists, and one thread at a time uses a worker.
  private let lock = NSLock()
  private let transform: any SourceTransform
  private let info: ContainerInfo
  private var free: [any TransformWorker] = []
  private(set) var all: [any TransformWorker]
  /// The worker of the thread that writes.
  let main: any TransformWorker

  init(_ transform: any SourceTransform, _ info: ContainerInfo) {
    self.transform = transform
    self.info = info
    main = transform.makeWorker(for: info)
    all = [main]
  }

  func with<R>(_ body: (any TransformWorker) throws -> R) rethrows -> R {
    let worker = lock.withLock {
      if let known = free.popLast() { return known }
      let made = transform.makeWorker(for: info)
      all.append(made)
      return made
    }
    defer { lock.withLock { free.append(worker) } }
    return try body(worker)
  }
}

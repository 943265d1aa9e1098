import Foundation
import RecordBundle
import RecordCoding
import RecordModel
import RecordPlatform

/// Writes a bundle of what replaces the items of a source.
///
/// The records are read once, replaced on several threads, and sorted by their new names. Temporary
/// files contain replaced records only.
final class TransformedExport {
  private let archiver: Archiver
  private let reader: ArchiveReader
  private let workers: WorkerPool
  private let transform: any SourceTransform
  private let spool: SortSpool
  private var progress = ArchiveProgress(records: 0, bytes: 0)
  /// What replaces the assets of the source, by their digests.
  private var assets: [String: AssetReplacement] = [:]
  /// The new digests of the assets that replaced records refer to.
  private var usedAssets: Set<String> = []

  private var filter: RecordFilter { archiver.filter }

  init(_ archiver: Archiver, _ reader: ArchiveReader, _ transform: any SourceTransform) throws {
    self.archiver = archiver
    self.reader = reader
    self.transform = transform
    workers = WorkerPool(transform, try reader.info())
    spool = SortSpool(threads: archiver.threads)
  }

  /// - Throws: Errors of malformed lines without what was found there, which is to be replaced.
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
    let main = workers.main
    let zones = try reader.zones().filter {
      filter.contains(database: $0.database, zoneID: $0.zone.zoneID)
    }
    var targets = try zones.map { ($0.database, try main.zone($0.zone)) }
    targets.sort { $0.0 != $1.0 ? $0.0 < $1.0 : $0.1.zoneID < $1.1.zoneID }
    var info = try main.info(reader.info())
    info.history = nil
    let subscriptions = try reader.subscriptions(filter).map {
      ($0.database, try main.subscription($0.subscription))
    }
    let zoneTombstones = try reader.zoneTombstones(filter).map {
      ($0.database, try main.zoneTombstone($0.tombstone))
    }
    let places = LinePlaces(
      try reader.sections(filter).map(\.key), zones, replacement: main.zoneID)
    try readAssets()
    try readRecords(places)
    let found = Dictionary(
      assets.values.map { ($0.sha256, $0) }, uniquingKeysWith: { first, _ in first })
    let missing = usedAssets.count { found[$0] == nil }
    try transform.finish(
      workers.all, assets: usedAssets.count - missing, missingAssets: missing)
    // Nothing is written before all of it is known to be replaced.
    let writer = try BundleWriter(
      path: path, container: info, options: archiver.bundleOptions, overwrite: overwrite)
    do {
      for (database, zone) in targets { try writer.write(zone, database: database) }
      for (database, subscription) in subscriptions.sorted(by: {
        $0.0 != $1.0
          ? $0.0 < $1.0 : compareUTF8($0.1.subscriptionID, $1.1.subscriptionID) < 0
      }) {
        try writer.write(subscription, database: database)
      }
      try writeLines(places, to: writer)
      for (database, tombstone) in zoneTombstones.sorted(by: {
        $0.0 != $1.0 ? $0.0 < $1.0 : $0.1.zoneID < $1.1.zoneID
      }) {
        try writer.write(tombstone, database: database)
      }
      for sha256 in usedAssets.sorted() {
        guard let asset = found[sha256] else { continue }
        try writer.writeAsset(
          sha256: sha256, size: asset.size, forEachPiece: asset.forEachChunk)
      }
      var summary = try writer.finish()
      summary.missingAssets = missing
      return summary
    } catch {
      writer.cancel()
      throw error
    }
  }

  // MARK: Reading

  /// Determines what replaces each asset, and its digest.
  private func readAssets() throws {
    let transform = transform
    try reader.mapBatches(
      of: LineSelection([.asset]), threads: archiver.threads,
      transform: { batch in
        var found: [(String, AssetReplacement)] = []
        try batch.forEach(scanned: { _, _, _ in }) { item, _ in
          guard case .asset(let chunk) = item, chunk.offset == 0 else { return }
          let replacement = chunk.data.withUnsafeBytes {
            transform.replacement(
              forAsset: chunk.sha256, size: chunk.assetSize, beginning: $0)
          }
          found.append((chunk.sha256, replacement))
        }
        return found
      },
      consume: { (found: [(String, AssetReplacement)]) in
        for (sha256, replacement) in found { assets[sha256] = replacement }
      })
  }

  private func readRecords(_ places: LinePlaces) throws {
    // The batches of both runs of the spool.
    let batches = ResourcePool(keeping: 64) { TransformedBatch() }
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
          try batch.fill(lines, $0, places)
        }
        return batch
      },
      consume: { (batch: TransformedBatch) in
        usedAssets.formUnion(batch.usedAssets)
        progress.records += batch.recordCount
        progress.bytes += batch.size
        try archiver.report(progress)
        try spool.add(batch.lines) { batches.putBack(batch) }
      })
  }

  // MARK: Writing

  private func writeLines(_ places: LinePlaces, to writer: BundleWriter) throws {
    var written = 0
    try spool.drain { rank, name, line in
      if let section = places.section(of: rank) {
        try writer.write(section, name: name, line)
      } else if let database = places.database(ofTombstones: rank) {
        try writer.write(DeletedRecord(json: JSONParser.parse(line)), database: database)
      }
      progress.bytes += line.count
      written += 1
      if written & 1023 == 0 { try archiver.report(progress) }
    }
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

/// A batch of lines that a worker has replaced.
final class TransformedBatch: @unchecked Sendable {
  // Unchecked: one thread at a time uses a batch.
  /// What replaces the lines of the batch.
  let lines = UnsortedLines()
  private let writer = RecordJSONWriter()
  @exclusivity(unchecked) private var lastSection: (section: RecordSection, rank: UInt32)?
  /// The zone and the type of the last section, where they are known as an object.
  @exclusivity(unchecked) private var lastSource: RecordPrefix?
  @exclusivity(unchecked) private(set) var recordCount = 0
  /// The size of the lines of the source in bytes.
  private(set) var size = 0
  /// The digests of the assets of the replaced records.
  private(set) var usedAssets: Set<String> = []

  private var buffer: ByteBuffer { lines.buffer }

  /// Replaces the content with what replaces a batch of lines.
  func fill(
    _ batch: LineBatch, _ worker: any TransformWorker, _ places: LinePlaces
  ) throws {
    lines.removeAll()
    let buffer = buffer
    usedAssets.removeAll(keepingCapacity: true)
    (lastSection, lastSource) = (nil, nil)
    (size, recordCount) = (batch.size, 0)
    try batch.forEach(
      line: { line in
        let start = buffer.count
        if let record = try worker.rewrite(line, batch.reader, to: buffer) {
          if lastSource !== record.source || lastSection?.section.database != record.database {
            let source = record.source
            try select(record.database, source.zoneID, source.recordType, places, batch.source)
            lastSource = source
          }
          add(start, record.name, mayContainAssets: record.mayContainAssets, worker)
        } else if let (database, record) = batch.reader.readCanonicalLine(line) {
          try add(record, database, worker, places, batch.source)
        } else {
          return false
        }
        return true
      },
      item: { item, _ in
        switch item {
        case .record(let record, let database):
          try add(record, database, worker, places, batch.source)
        case .tombstone(let tombstone, let database):
          let rank = try places.rank(
            ofTombstonesIn: tombstone.recordID.zoneID, database, in: batch.source)
          let replaced = try worker.tombstone(tombstone)
          let start = buffer.count
          try replaced.jsonValue().write(to: buffer)
          let end = buffer.count
          buffer.append(text: replaced.recordID.recordName)
          append(rank, end..<buffer.count, start..<end, worker)
        default: break
        }
      })
  }

  private func add(
    _ record: ResultRecord, _ database: DatabaseScope, _ worker: any TransformWorker,
    _ places: LinePlaces, _ source: String
  ) throws {
    try select(database, record.recordID.zoneID, record.recordType, places, source)
    let replaced = try worker.record(record)
    let start = buffer.count
    try writer.write(replaced, to: buffer)
    let end = buffer.count
    buffer.append(text: replaced.recordID.recordName)
    add(start, end..<buffer.count, end: end, mayContainAssets: true, worker)
  }

  /// Finds the rank of a section of the source.
  private func select(
    _ database: DatabaseScope, _ zoneID: ZoneID, _ recordType: String, _ places: LinePlaces,
    _ source: String
  ) throws {
    if let section = lastSection?.section, section.database == database,
      section.zoneID.isIdentical(to: zoneID), section.recordType.sameScalars(as: recordType)
    {
      return
    }
    let section = RecordSection(database, zoneID, recordType)
    lastSource = nil
    lastSection = (section, try places.rank(of: section, in: source))
  }

  /// - Parameter end: The end of the dictionary; nil if it is that of the buffer.
  private func add(
    _ start: Int, _ name: Range<Int>, end: Int? = nil, mayContainAssets: Bool,
    _ worker: any TransformWorker
  ) {
    let content = start..<(end ?? buffer.count)
    if mayContainAssets {
      let bytes = UnsafeRawBufferPointer(rebasing: buffer.bytes[content])
      AssetReferences.forEach(in: bytes) { usedAssets.insert($0.description) }
    }
    append(lastSection?.rank ?? 0, name, content, worker)
    recordCount += 1
  }

  private func append(
    _ rank: UInt32, _ name: Range<Int>, _ content: Range<Int>, _ worker: any TransformWorker
  ) {
    worker.inspect(UnsafeRawBufferPointer(rebasing: buffer.bytes[content]))
    lines.append(rank, name: name, content: content)
  }
}

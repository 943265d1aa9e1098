import Foundation
import RecordBundle
import RecordCoding
import RecordMigration
import RecordModel
import RecordPlatform
import RecordStore

/// A batch of lines that a worker thread has migrated, ready to write.
final class MigratedBatch: RecordLines, @unchecked Sendable {
  /// A new asset of a result.
  struct NewAsset {
    var sha256: String
    var data: Data
  }

  private let stage: MigrationPass
  private(set) var items: [BundleItem] = []
  private(set) var newAssets: [NewAsset] = []
  /// The stored assets that results refer to, if the stage collects them.
  @exclusivity(unchecked) private(set) var usedAssets: Set<String> = []
  /// The size of the lines in bytes.
  let size: Int
  /// The reader for results that are saved in place; another one is in use for the source.
  private let reader: RecordJSONReader?

  private(set) var report: MigrationReport
  /// The identities that the stage looks for.
  private(set) var locations: [RecordLocation] = []
  /// The records that the migration left behind.
  private(set) var leftBehind: [(database: DatabaseScope, recordID: RecordID)] = []

  init(_ batch: LineBatch, _ stage: MigrationPass, _ runners: RunnerPool) throws {
    self.stage = stage
    report = stage.migrator.emptyReport()
    size = batch.size
    let writesResults: Bool
    switch stage.purpose {
    case .write: (reader, writesResults) = (nil, true)
    case .save: (reader, writesResults) = (RecordJSONReader(), true)
    case .findNewIDs, .findConflicts, .findOldIDs: (reader, writesResults) = (nil, false)
    }
    super.init(buffer: try stage.buffers.take())
    if writesResults { buffer.reserve(size + size / 4) }
    let (runner, record) = runners.runner(for: batch.reader)
    try batch.forEach(
      loading: record, loaded: { try take(record, runner) },
      item: { item, _ in items.append(item) })
    (report, leftBehind) = runner.takeOutcome()
    usedAssets.subtract(newAssets.map(\.sha256))
  }

  deinit {
    buffer.reset(keeping: 2 * size)
    stage.buffers.putBack(buffer)
  }

  private func take(_ record: EditableRecord, _ runner: MigrationRunner) throws {
    try runner.run(record)
    let results = runner.results
    switch stage.purpose {
    case .write:
      for result in results {
        if stage.makesAssets { try storeAssets(of: result) }
        append(try write(result, isNewIdentity: isNewIdentity(result, of: record)))
      }
    case .save(let limits):
      for result in results {
        if stage.makesAssets { try storeAssets(of: result) }
        // A new record of a Swift step has no changes either, but differs from the source.
        if result === record && result.isUnchanged { continue }
        try appendChanged(result, of: record, limits)
      }
    case .findNewIDs:
      for result in results where isNewIdentity(result, of: record) {
        locations.append(RecordLocation(record.database, result.recordID))
      }
    case .findConflicts(let newIDs):
      for result in results where !isNewIdentity(result, of: record) {
        let location = RecordLocation(record.database, result.recordID)
        if newIDs.contains(location) { locations.append(location) }
      }
    case .findOldIDs:
      if results.allSatisfy({ isNewIdentity($0, of: record) }) {
        locations.append(RecordLocation(record.database, record.sourceID))
      }
    }
  }

  private func isNewIdentity(_ result: EditableRecord, of record: EditableRecord) -> Bool {
    (result !== record || record.didChangeID) && result.recordID != record.sourceID
  }

  /// Writes a result to the buffer.
  private func write(_ record: EditableRecord, isNewIdentity: Bool) throws -> Record {
    let start = buffer.count
    try record.write(to: buffer)
    guard buffer.count <= stage.maxBytes(ofBatch: size) else { throw stage.tooLarge(size) }
    let end = buffer.count
    let name: Range<Int>
    if let place = record.nameInDictionary {
      name = (start + place.lowerBound)..<(start + place.upperBound)
    } else {
      record.appendName(to: buffer)
      name = end..<buffer.count
    }
    if stage.collectsAssets, record.mayContainAssets {
      AssetReferences.forEach(in: bytes(start..<end)) { usedAssets.insert($0.description) }
    }
    return Record(
      section: section(record.database, record.zoneID, record.recordType),
      dictionary: start..<end, name: name,
      change: stage.needsStamps ? ImportTransaction.change(ofTag: record.recordChangeTag) : 0,
      modified: stage.needsStamps ? record.modificationDate?.timeIntervalSinceReferenceDate : nil,
      isNewIdentity: isNewIdentity)
  }

  /// Adds a result for a save in place, unless it is unchanged.
  private func appendChanged(
    _ result: EditableRecord, of record: EditableRecord, _ limits: RecordLimits
  ) throws {
    let isNewIdentity = isNewIdentity(result, of: record)
    var saved = try write(result, isNewIdentity: isNewIdentity)
    let body = UnsafeRawBufferPointer(rebasing: bytes(saved.dictionary).dropFirst())
    // If the source is not canonical, an unchanged result cannot be detected.
    let source = record.sourceBytes
    if let source, !isNewIdentity, compareBytes(source, body) == 0 {
      return buffer.setCount(saved.dictionary.lowerBound)
    }
    try check(result, isNewIdentity: isNewIdentity, limits)
    saved.stamps = reader?.stampRanges(in: body)
    if let source, result !== record {
      // A Swift step may have created the record, so the creation stamp comes from the source.
      let created = reader?.stampRanges(in: source)?.created ?? 0..<0
      let start = buffer.count
      buffer.append(UnsafeRawBufferPointer(rebasing: source[created]))
      saved.created = start..<buffer.count
    } else if let created = saved.stamps?.created {
      let start = saved.dictionary.lowerBound + 1
      saved.created = (start + created.lowerBound)..<(start + created.upperBound)
    }
    append(saved)
  }

  /// Throws if no app could save a result. The name of a stored record is not checked.
  private func check(
    _ result: EditableRecord, isNewIdentity: Bool, _ limits: RecordLimits
  ) throws {
    do {
      try limits.check(DraftRecord(result.resultRecord), isStored: !isNewIdentity)
    } catch var error as CloudError {
      error.message +=
        "; a migration in place saves records as an app would: change the plan, or write another "
        + "file, which takes the record as it is. Nothing was written"
      throw error
    }
  }

  /// Replaces the content of assets with its digest.
  private func storeAssets(of record: EditableRecord) throws {
    for index in 0..<record.fieldCount where record.hasNewValue(at: index) {
      let type = record.valueType(at: index)
      guard type == .asset || type == .assetList else { continue }
      let field = record.field(at: index)
      guard field.value.assets.contains(where: { $0.content != nil }) else { continue }
      record.set(try field.replacingAssets(store))
    }
  }

  private func store(_ asset: Asset) throws -> Asset {
    let data: Data
    switch asset.content {
    case .data(let bytes)?: data = bytes
    case .file(let url)?: data = try Data(contentsOf: url)
    case nil: return asset
    }
    var stored = asset
    stored.content = nil
    let sha256 = data.withUnsafeBytes { SHA256Digest(of: $0).description }
    stored.sha256 = sha256
    stored.size = Int64(data.count)
    newAssets.append(NewAsset(sha256: sha256, data: data))
    return stored
  }
}

/// Migrates batches of lines on any thread.
struct MigrationPass: Sendable {
  /// The purpose of a pass over the source.
  enum Purpose: Sendable {
    /// Writes all results.
    case write
    /// Saves the results that differ from their records in place, within these limits.
    case save(RecordLimits)
    /// Finds the new identities of renamed or moved records; counts failures.
    case findNewIDs
    /// Finds the records that keep an identity which is a new one of others; counts failures.
    case findConflicts(with: Set<RecordLocation>)
    /// Finds the records that are renamed, moved or left behind.
    case findOldIDs
  }

  let migrator: Migrator
  /// The name of the source in messages.
  let source: String
  var environment = MigrationEnvironment()
  var purpose = Purpose.write
  /// Whether to collect the assets that results refer to.
  var collectsAssets = false
  /// Whether to read the modification dates and change tags of results, for a container.
  var needsStamps = true
  let makesAssets: Bool
  let changesIdentity: Bool
  /// The buffers for results. They are reused, as new memory from the system must be cleared first.
  let buffers: ResourcePool<ByteBuffer>

  init(_ migrator: Migrator, source: String, threads: Int) {
    self.migrator = migrator
    self.source = source
    buffers = ResourcePool(keeping: threads + 1) { ByteBuffer() }
    makesAssets = migrator.makesAssets
    changesIdentity = migrator.stages.contains(where: \.changesIdentity)
  }

  /// Whether failures are counted and results discarded.
  fileprivate var isDryRun: Bool {
    switch purpose {
    case .findNewIDs, .findConflicts: true
    case .write, .save, .findOldIDs: false
    }
  }

  /// The size limit for the results of a batch in bytes.
  func maxBytes(ofBatch size: Int) -> Int { (256 << 20) + 16 * size }

  func tooLarge(_ size: Int) -> MigrationError {
    MigrationError(
      .invalid,
      "\(source): records of \(size) bytes would become more than \(maxBytes(ofBatch: size)), as "
        + "the steps create far larger values than they read. Nothing was written")
  }
}

/// The runners of one pass over a source: one for each reader of lines, because what a runner
/// learns from a record holds for the records of the same reader.
final class RunnerPool: @unchecked Sendable {
  // Unchecked: `lock` protects the runners, and one thread at a time uses a reader.
  private struct Entry {
    /// Retained, so that no other reader can have the same identity.
    let reader: RecordJSONReader
    let runner: MigrationRunner
    let record: EditableRecord
  }

  private let lock = NSLock()
  private let make: @Sendable () -> MigrationRunner
  private var entries: [Entry] = []

  init(_ stage: MigrationPass) {
    make = {
      MigrationRunner(stage.migrator, environment: stage.environment, isDryRun: stage.isDryRun)
    }
  }

  /// Returns the runner for the records of a reader, and a record to load them into.
  func runner(for reader: RecordJSONReader) -> (MigrationRunner, EditableRecord) {
    lock.withLock {
      if let known = entries.first(where: { $0.reader === reader }) {
        return (known.runner, known.record)
      }
      let made = Entry(reader: reader, runner: make(), record: EditableRecord())
      entries.append(made)
      return (made.runner, made.record)
    }
  }
}

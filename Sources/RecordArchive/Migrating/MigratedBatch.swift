import Foundation
import MockCloud
import RecordBundle
import RecordCoding
import RecordMigration
import RecordModel
import RecordPlatform

/// Lines, migrated on a worker thread: what is left to do is to write the results down.
final class MigratedBatch: RecordBatch, @unchecked Sendable {
  /// An asset of a result that is not stored yet.
  struct NewAsset {
    var sha256: String
    var data: Data
  }

  private let stage: MigrationStage
  let buffer: ByteBuffer
  private let runner: MigrationRunner
  /// The results.
  private(set) var sections = SectionList()
  private(set) var records: [BatchRecord] = []
  private(set) var items: [BundleItem] = []
  private(set) var newAssets: [NewAsset] = []
  /// The assets results refer to beside new ones, where that is asked for.
  private(set) var usedAssets: Set<String> = []
  /// Bytes of the lines.
  let size: Int
  /// What it takes to save results in their place; nil where they are written anew.
  private let saving: Saving?

  private(set) var report: MigrationReport
  /// In a dry run: the names and zones that records have got newly.
  private(set) var arrivals: [RecordLocation] = []
  /// In a dry run: records that keep a name and zone which others get.
  private(set) var taken: [RecordLocation] = []
  /// The records that leave their names and zones, or are left behind, where only these are looked
  /// for.
  private(set) var departures: [RecordLocation] = []
  /// The records that were left behind.
  private(set) var leftBehind: [(database: DatabaseScope, recordID: RecordID)] = []

  init(_ batch: LineBatch, _ stage: MigrationStage) throws {
    self.stage = stage
    buffer = try stage.buffers.take()
    runner = MigrationRunner(
      stage.migrator, environment: stage.environment, isDryRun: stage.isDryRun)
    report = runner.report
    size = batch.size
    saving = stage.savingLimits.map(Saving.init)
    if !stage.isDryRun && !stage.findsDepartures { buffer.reserve(size + size / 4) }
    let record = EditableRecord()
    try batch.forEach(
      loading: record, loaded: { try take(record) },
      item: { item, _ in items.append(item) })
    report = runner.report
    leftBehind = runner.leftBehind
    usedAssets.subtract(newAssets.map(\.sha256))
  }

  deinit {
    buffer.reset(keeping: 2 * size)
    stage.buffers.giveBack(buffer)
  }

  private func take(_ record: EditableRecord) throws {
    try runner.run(record)
    guard !stage.isDryRun else { return noteNames(record) }
    guard !stage.findsDepartures else { return noteDeparture(of: record) }
    for result in runner.results {
      if stage.makesAssets { try storeAssets(of: result) }
      let isNew = isNewIdentity(result, of: record)
      if let saving {
        // What a step in Swift has made is as it came too, but it is another record.
        if result === record && result.isAsItCame { continue }
        try appendChanged(result, of: record, isNewIdentity: isNew, saving)
      } else {
        try append(result, isNewIdentity: isNew)
      }
    }
  }

  private func isNewIdentity(_ result: EditableRecord, of record: EditableRecord) -> Bool {
    (result !== record || record.hasNewIdentity) && result.recordID != record.sourceID
  }

  private func noteNames(_ record: EditableRecord) {
    guard stage.changesIdentity else { return }
    for result in runner.results {
      let isNew = isNewIdentity(result, of: record)
      guard isNew || !stage.arrivals.isEmpty else { continue }
      let location = RecordLocation(record.database, result.recordID)
      if isNew {
        arrivals.append(location)
      } else if stage.arrivals.contains(location) {
        taken.append(location)
      }
    }
  }

  private func noteDeparture(of record: EditableRecord) {
    if runner.results.contains(where: { !isNewIdentity($0, of: record) }) { return }
    departures.append(RecordLocation(record.database, record.sourceID))
  }

  private func append(_ record: EditableRecord, isNewIdentity: Bool) throws {
    let start = buffer.count
    try record.write(to: buffer)
    guard buffer.count <= stage.maxBytes(ofBatch: size) else { throw stage.tooLarge(size) }
    let end = buffer.count
    record.appendName(to: buffer)
    if stage.collectsAssets {
      AssetReferences.forEach(in: bytes(start..<end)) { usedAssets.insert($0.description) }
    }
    records.append(
      BatchRecord(
        section: sections.place(of: record.database, record.zoneID, record.recordType),
        dictionary: start..<end, name: end..<buffer.count,
        change: stage.needsStamps ? ContainerWriter.change(ofTag: record.recordChangeTag) : 0,
        modified: stage.needsStamps ? record.modificationDate?.timeIntervalSinceReferenceDate : nil,
        isNewIdentity: isNewIdentity))
  }

  /// Adds a result that is to be saved in its place; nothing where it is the same as before.
  private func appendChanged(
    _ result: EditableRecord, of record: EditableRecord, isNewIdentity: Bool, _ saving: Saving
  ) throws {
    try append(result, isNewIdentity: isNewIdentity)
    var saved = records.removeLast()
    let body = UnsafeRawBufferPointer(rebasing: bytes(saved.dictionary).dropFirst())
    // Where the source is not canonical, nothing tells that a result is the same.
    let source = record.sourceBytes
    if let source, !isNewIdentity, compareBytes(source, body) == 0 {
      return buffer.truncate(to: saved.dictionary.lowerBound)
    }
    try saving.check(result, name: bytes(saved.name), size: body.count)
    saved.stamps = saving.reader.stampPlaces(in: body)
    if let source, result !== record {
      // A step in Swift may have made the record from nothing: what it replaces says when.
      let created = saving.reader.stampPlaces(in: source)?.created ?? 0..<0
      let start = buffer.count
      buffer.append(UnsafeRawBufferPointer(rebasing: source[created]))
      saved.created = start..<buffer.count
    } else if let created = saved.stamps?.created {
      let start = saved.dictionary.lowerBound + 1
      saved.created = (start + created.lowerBound)..<(start + created.upperBound)
    }
    records.append(saved)
  }

  /// Gives assets that hold their bytes the digest they are stored by.
  private func storeAssets(of record: EditableRecord) throws {
    for index in 0..<record.fieldCount where record.hasNewValue(at: index) {
      let type = record.valueType(at: index)
      guard type == .asset || type == .assetList else { continue }
      let field = record.field(at: index)
      switch field.value {
      case .asset(let asset) where asset.content != nil:
        record.set(field.replacing(.asset(try store(asset))))
      case .assetList(let assets) where assets.contains(where: { $0.content != nil }):
        record.set(field.replacing(.assetList(try assets.map(store))))
      default: break
      }
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

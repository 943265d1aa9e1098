import Foundation
import RecordBundle
import RecordCoding
import RecordMigration
import RecordModel
import RecordPlatform

/// Which records of a bundle are meant, by what a section is made of.
struct SectionKey: Hashable, Sendable {
  var database: DatabaseScope
  var zoneID: ZoneID
  var recordType: String

  init(_ database: DatabaseScope, _ zoneID: ZoneID, _ recordType: String) {
    self.database = database
    self.zoneID = zoneID
    self.recordType = recordType
  }

  init?(_ section: BundleSection) {
    guard section.kind == .record, let database = section.database, let zoneID = section.zoneID,
      let recordType = section.recordType
    else { return nil }
    self.init(database, zoneID, recordType)
  }

  static func == (lhs: SectionKey, rhs: SectionKey) -> Bool {
    lhs.database == rhs.database && lhs.zoneID == rhs.zoneID
      && lhs.recordType.sameScalars(as: rhs.recordType)
  }

  /// Whether it comes before another in a bundle.
  func precedes(_ other: SectionKey) -> Bool {
    if database != other.database { return database < other.database }
    if zoneID != other.zoneID { return zoneID < other.zoneID }
    return compareUTF8(recordType, other.recordType) < 0
  }
}

/// A frame of a bundle, migrated on a worker thread: what is left to do is to write it down.
final class MigratedFrame: @unchecked Sendable {
  /// A result: its keys, and where its canonical JSON lies.
  struct Entry {
    /// The number of its section.
    var section: Int
    var name: Range<Int>
    var dictionary: Range<Int>
    var modified: Date?
    var changeTag: String?
    var holdsAssets: Bool
    /// Whether the record had another name or zone before.
    var isNewIdentity: Bool
  }

  /// An asset that a result holds and that no one has stored yet.
  struct NewAsset {
    var sha256: String
    var data: Data
  }

  private let job: MigrationJob
  private let buffer: ByteBuffer
  private let runner: MigrationRunner
  private(set) var entries: [Entry] = []
  /// The sections of the results.
  private(set) var sections: [SectionKey] = []
  private(set) var items: [BundleItem] = []
  private(set) var newAssets: [NewAsset] = []
  /// The assets results refer to beside new ones, where that is asked for.
  private(set) var usedAssets: Set<String> = []
  let size: Int
  private var lastSource: (key: SectionKey, isWanted: Bool)?

  private(set) var report: MigrationReport
  /// In a dry run: the names and zones that records have got newly.
  private(set) var arrivals: [SideStore.ArrivalKey] = []
  /// In a dry run: records that keep a name and zone which others get.
  private(set) var taken: [SideStore.ArrivalKey] = []
  /// The records that were left behind.
  private(set) var leftBehind: [(database: DatabaseScope, recordID: RecordID)] = []

  /// - Parameter sections: only records of these; nil for everything in the frame.
  init(_ frame: BundleFrame, _ job: MigrationJob, only sections: Set<SectionKey>?) throws {
    self.job = job
    buffer = try job.buffers.take()
    runner = MigrationRunner(
      job.migrator, environment: job.environment, isDryRun: job.isDryRun)
    report = runner.report
    size = frame.size
    buffer.reserve(frame.size + frame.size / 4)
    let record = EditableRecord()
    let isFiltered = job.filter != .all
    try frame.forEachLine { line, number in
      guard !isFiltered, frame.reader.load(record, from: line) else {
        return try slowly(line, number, frame, sections, record)
      }
      if let sections, !isWanted(record, sections) { return }
      try take(record)
    }
    report = runner.report
    leftBehind = runner.leftBehind
    usedAssets.subtract(newAssets.map(\.sha256))
  }

  deinit {
    buffer.reset(keeping: 2 * size)
    job.buffers.giveBack(buffer)
  }

  /// Whether a record is of one of the sections; those of a section follow each other.
  private func isWanted(_ record: EditableRecord, _ sections: Set<SectionKey>) -> Bool {
    let (zoneID, recordType) = (record.sourceZoneID, record.sourceType)
    if let last = lastSource, last.key.recordType.sameScalars(as: recordType),
      last.key.database == record.database, last.key.zoneID.isIdentical(to: zoneID)
    {
      return last.isWanted
    }
    let key = SectionKey(record.database, zoneID, recordType)
    let isWanted = sections.contains(key)
    lastSource = (key, isWanted)
    return isWanted
  }

  func bytes(_ range: Range<Int>) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: buffer.bytes[range])
  }

  private func slowly(
    _ line: UnsafeRawBufferPointer, _ number: Int, _ frame: BundleFrame,
    _ sections: Set<SectionKey>?, _ record: EditableRecord
  ) throws {
    guard let item = try frame.item(line, number: number), job.filter.containsItem(item) else {
      return
    }
    guard case .record(let value, let database) = item else {
      if sections == nil { items.append(item) }
      return
    }
    record.load(value, in: database)
    if let sections, !isWanted(record, sections) { return }
    try take(record)
  }

  private func take(_ record: EditableRecord) throws {
    try runner.run(record)
    guard !job.isDryRun else { return noteNames(record) }
    for result in runner.results {
      if job.makesAssets { try storeAssets(of: result) }
      let isNewIdentity =
        result === record ? record.hasNewIdentity : result.recordID != record.sourceID
      try append(result, isNewIdentity: isNewIdentity)
    }
  }

  private func noteNames(_ record: EditableRecord) {
    guard job.changesIdentity else { return }
    for result in runner.results {
      let isNewIdentity =
        result === record ? record.hasNewIdentity : result.recordID != record.sourceID
      guard isNewIdentity || !job.arrivals.isEmpty else { continue }
      let key = SideStore.ArrivalKey(database: record.database, recordID: result.recordID)
      if isNewIdentity {
        arrivals.append(key)
      } else if job.arrivals.contains(key) {
        taken.append(key)
      }
    }
  }

  private func append(_ record: EditableRecord, isNewIdentity: Bool) throws {
    let start = buffer.count
    try record.write(to: buffer)
    guard buffer.count <= job.mostBytes(ofFrame: size) else { throw job.tooLarge(size) }
    let end = buffer.count
    record.appendName(to: buffer)
    entries.append(
      Entry(
        section: section(of: record),
        name: end..<buffer.count, dictionary: start..<end,
        modified: job.needsStamps ? record.modificationDate : nil,
        changeTag: job.needsStamps ? record.recordChangeTag : nil,
        holdsAssets: noteAssets(of: record), isNewIdentity: isNewIdentity))
  }

  /// The number of a result's section; those of a section nearly always follow each other.
  private func section(of record: EditableRecord) -> Int {
    if let last = sections.last, last.recordType.sameScalars(as: record.recordType),
      last.database == record.database, last.zoneID.isIdentical(to: record.zoneID)
    {
      return sections.count - 1
    }
    sections.append(SectionKey(record.database, record.zoneID, record.recordType))
    return sections.count - 1
  }

  private func noteAssets(of record: EditableRecord) -> Bool {
    var holdsAssets = false
    for index in 0..<record.fieldCount {
      let type = record.valueType(at: index)
      guard type == .asset || type == .assetList else { continue }
      holdsAssets = true
      guard job.collectsAssets else { return true }
      switch record.field(at: index).value {
      case .asset(let asset): if let sha256 = asset.sha256 { usedAssets.insert(sha256) }
      case .assetList(let assets): usedAssets.formUnion(assets.compactMap(\.sha256))
      default: break
      }
    }
    return holdsAssets
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

extension RecordFilter {
  /// Whether what is no record passes.
  func containsItem(_ item: BundleItem) -> Bool {
    switch item {
    case .record(let record, let database): contains(record, database: database)
    case .zone(let zone, let database): contains(database: database, zoneID: zone.zoneID)
    case .subscription(let subscription, let database): contains(subscription, database)
    case .tombstone(let tombstone, let database): contains(tombstone, database: database)
    case .zoneTombstone(let zoneID, let database): contains(database: database, zoneID: zoneID)
    case .asset: true
    }
  }
}

import Crypto
import Foundation
import RecordBundle
import RecordCoding
import RecordMigration
import RecordModel

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
    var section: SectionKey
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
  private let buffer = ByteBuffer()
  private let writer = RecordJSONWriter()
  private let tally: MigrationTally
  private(set) var entries: [Entry] = []
  private(set) var items: [BundleItem] = []
  private(set) var newAssets: [NewAsset] = []
  /// The assets results refer to, where that is asked for.
  private(set) var usedAssets: Set<String> = []
  let size: Int
  private(set) var recordCount = 0
  private var lastSection: SectionKey?
  private var lastSource: (key: SectionKey, isWanted: Bool)?

  var report: MigrationReport { tally.report }

  /// - Parameter sections: only records of these; nil for everything in the frame.
  init(_ frame: BundleFrame, _ job: MigrationJob, only sections: Set<SectionKey>?) throws {
    self.job = job
    tally = MigrationTally(job.migrator.emptyReport())
    size = frame.size
    buffer.reserve(frame.size + frame.size / 8)
    try frame.forEachLine { line, number in
      guard let (database, record) = frame.reader.readCanonicalLine(line) else {
        return try slowly(line, number, frame, sections)
      }
      if let sections, !isWanted(record, database, sections) { return }
      try take(record, database)
    }
  }

  /// Whether a record is of one of the sections; those of a section follow each other.
  private func isWanted(
    _ record: ResultRecord, _ database: DatabaseScope, _ sections: Set<SectionKey>
  ) -> Bool {
    let (zoneID, type) = (record.recordID.zoneID, record.recordType)
    if let last = lastSource, last.key.recordType == type, last.key.database == database,
      last.key.zoneID.isIdentical(to: zoneID)
    {
      return last.isWanted
    }
    let key = SectionKey(database, zoneID, type)
    let isWanted = sections.contains(key)
    lastSource = (key, isWanted)
    return isWanted
  }

  func bytes(_ range: Range<Int>) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: buffer.bytes[range])
  }

  private func slowly(
    _ line: UnsafeRawBufferPointer, _ number: Int, _ frame: BundleFrame,
    _ sections: Set<SectionKey>?
  ) throws {
    guard let item = try frame.item(line, number: number) else { return }
    guard case .record(let record, let database) = item else {
      if sections == nil, job.filter.containsItem(item) { items.append(item) }
      return
    }
    let key = SectionKey(database, record.recordID.zoneID, record.recordType)
    guard sections?.contains(key) != false else { return }
    try take(record, database)
  }

  private func take(_ record: ResultRecord, _ database: DatabaseScope) throws {
    guard job.filter == .all || job.filter.contains(record, database: database) else { return }
    recordCount += 1
    let results = try job.migrator.migrate(
      record, in: database, environment: job.environment, isDryRun: job.isDryRun, tally: tally)
    guard !job.isDryRun else { return }
    for result in results {
      try append(
        job.makesAssets ? try storingAssets(of: result) : result, database,
        isNewIdentity: job.changesIdentity && result.recordID != record.recordID)
    }
  }

  private func append(
    _ record: ResultRecord, _ database: DatabaseScope, isNewIdentity: Bool
  ) throws {
    let (recordID, recordType) = (record.recordID, record.recordType)
    let system = job.needsStamps ? record.systemFields : nil
    let start = buffer.count
    try writer.write(record, to: buffer)
    let end = buffer.count
    buffer.append(recordID.recordName)
    let section = section(database, recordID.zoneID, recordType)
    let holdsAssets = noteAssets(of: record)
    entries.append(
      Entry(
        section: section, name: end..<buffer.count, dictionary: start..<end,
        modified: system?.modificationDate, changeTag: system?.recordChangeTag,
        holdsAssets: holdsAssets, isNewIdentity: isNewIdentity))
  }

  /// The section of a result; those of a section nearly always follow each other.
  private func section(
    _ database: DatabaseScope, _ zoneID: ZoneID, _ recordType: String
  ) -> SectionKey {
    if let lastSection, lastSection.recordType == recordType, lastSection.database == database,
      lastSection.zoneID.isIdentical(to: zoneID)
    {
      return lastSection
    }
    let section = SectionKey(database, zoneID, recordType)
    lastSection = section
    return section
  }

  private func noteAssets(of record: ResultRecord) -> Bool {
    let storage = record.storage
    var holdsAssets = false
    for index in 0..<storage.fieldCount {
      let type = storage.valueType(at: index)
      guard type == .asset || type == .assetList else { continue }
      holdsAssets = true
      guard job.collectsAssets else { return true }
      switch storage.field(at: index).value {
      case .asset(let asset): if let sha256 = asset.sha256 { usedAssets.insert(sha256) }
      case .assetList(let assets): usedAssets.formUnion(assets.compactMap(\.sha256))
      default: break
      }
    }
    return holdsAssets
  }

  /// Gives assets that hold their bytes the digest they are stored by.
  private func storingAssets(of record: ResultRecord) throws -> ResultRecord {
    let storage = record.storage
    let hasContent = (0..<storage.fieldCount).contains { index in
      let type = storage.valueType(at: index)
      guard type == .asset || type == .assetList else { return false }
      switch storage.field(at: index).value {
      case .asset(let asset): return asset.content != nil
      case .assetList(let assets): return assets.contains { $0.content != nil }
      default: return false
      }
    }
    guard hasContent else { return record }
    let fields = try record.fields.map { field in
      switch field.value {
      case .asset(let asset): field.with(.asset(try store(asset)))
      case .assetList(let assets): field.with(.assetList(try assets.map(store)))
      default: field
      }
    }
    return ResultRecord(systemFields: record.systemFields, fields: fields)
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
    stored.sha256 = SHA256.hash(data: data).hexadecimal
    stored.size = Int64(data.count)
    newAssets.append(NewAsset(sha256: stored.sha256 ?? "", data: data))
    return stored
  }
}

extension Field {
  fileprivate func with(_ value: RecordValue) -> Field {
    Field(name: name, value: value, isEncrypted: isEncrypted, otherMembers: otherMembers)
  }
}

extension SHA256.Digest {
  /// 64 lower-case hexadecimal digits.
  var hexadecimal: String {
    let digits = Array("0123456789abcdef".utf8)
    return String(
      decoding: flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }
}

extension RecordFilter {
  /// Whether what is no record passes.
  func containsItem(_ item: BundleItem) -> Bool {
    switch item {
    case .record(let record, let database): contains(record, database: database)
    case .zone(let zone, let database): contains(database: database, zoneID: zone.zoneID)
    case .subscription(let subscription, let database): contains(subscription, database)
    case .tombstone(let tombstone, let database):
      contains(database: database, zoneID: tombstone.recordID.zoneID)
        && contains(modificationDate: tombstone.deletionDate)
    case .zoneTombstone(let zoneID, let database): contains(database: database, zoneID: zoneID)
    case .asset: true
    }
  }
}

import RecordBundle
import RecordCoding
import RecordModel

/// The lines of a bundle or container to read.
struct LineSelection: Sendable {
  /// The kinds of lines; nil for all.
  var kinds: Set<LineKind>?
  /// The record sections, to which reading is then restricted; nil for all.
  var sections: Set<RecordSection>?
  /// The filter for records and other items.
  var filter = RecordFilter.all
  /// The assets to read, regardless of the filter; nil for all.
  var assets: Set<String>?

  init(_ kinds: Set<LineKind>? = nil, _ filter: RecordFilter = .all) {
    self.kinds = kinds
    self.filter = filter
  }

  init(sections: Set<RecordSection>, _ filter: RecordFilter = .all) {
    self.init([.record], filter)
    self.sections = sections
  }

  func contains(_ kind: LineKind) -> Bool { kinds?.contains(kind) != false }

  func contains(_ item: BundleItem) -> Bool {
    switch item {
    case .asset(let chunk) where assets?.contains(chunk.sha256) == false: return false
    case .record(let record, let database):
      let section = RecordSection(database, record.recordID.zoneID, record.recordType)
      if sections?.contains(section) == false { return false }
    default: break
    }
    return contains(item.kind) && filter.contains(item)
  }

  /// Whether a section of a bundle may contain selected lines.
  func contains(_ section: BundleSection) -> Bool {
    guard contains(section.kind), filter.contains(section) else { return false }
    guard let sections else { return true }
    return RecordSection(section).map(sections.contains) ?? false
  }
}

/// Checks whether records are selected. Remembers the last section, as its records are adjacent.
struct SectionChoice {
  private let selection: LineSelection
  let isAll: Bool
  private var last: (section: RecordSection, isWanted: Bool)?
  private var lastRecord: (envelope: RecordEnvelope, database: DatabaseScope, isWanted: Bool)?

  init(_ selection: LineSelection) {
    self.selection = selection
    isAll = selection.filter == .all && selection.sections == nil
  }

  @inline(__always)
  mutating func contains(_ record: EditableRecord) -> Bool {
    isAll
      || containsSection(of: record)
        && selection.filter.contains(modificationDate: record.modificationDate)
  }

  @inline(__always)
  private mutating func containsSection(of record: EditableRecord) -> Bool {
    let envelope = record.sourceEnvelope
    if let lastRecord, lastRecord.envelope === envelope, lastRecord.database == record.database {
      return lastRecord.isWanted
    }
    let isWanted = contains(record.database, record.sourceZoneID, record.sourceType)
    lastRecord = envelope.map { ($0, record.database, isWanted) }
    return isWanted
  }

  @inline(__always)
  mutating func contains(_ scan: RecordScan) -> Bool {
    isAll
      || contains(scan.database, scan.zoneID, scan.recordType)
        && selection.filter.contains(modificationDate: scan.modificationDate)
  }

  /// Whether the records of a section are selected, regardless of their dates.
  @inline(__always)
  mutating func contains(
    _ database: DatabaseScope, _ zoneID: ZoneID, _ recordType: String
  ) -> Bool {
    if isAll { return true }
    if let last, last.section.recordType.sameScalars(as: recordType),
      last.section.database == database, last.section.zoneID.isIdentical(to: zoneID)
    {
      return last.isWanted
    }
    let section = RecordSection(database, zoneID, recordType)
    let isWanted =
      selection.filter.contains(section) && selection.sections?.contains(section) != false
    last = (section, isWanted)
    return isWanted
  }
}

extension RecordSection {
  /// Creates the section of an index entry; nil if the entry is not for records.
  init?(_ section: BundleSection) {
    guard section.kind == .record, let database = section.database, let zoneID = section.zoneID,
      let recordType = section.recordType
    else { return nil }
    self.init(database, zoneID, recordType)
  }
}

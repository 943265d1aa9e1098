import RecordBundle
import RecordCoding
import RecordModel

/// Which lines of a bundle or container are read.
struct LineSelection: Sendable {
  /// The kinds of lines; nil for all.
  var kinds: Set<LineKind>?
  /// The sections of records, beside which no other lines are read; nil for all.
  var sections: Set<RecordSection>?
  /// Which records and items pass.
  var filter = RecordFilter.all
  /// The assets whose pieces are read, whatever the filter; nil for all.
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

  /// Whether a section of a bundle holds lines that may pass.
  func contains(_ section: BundleSection) -> Bool {
    guard contains(section.kind), filter.contains(section) else { return false }
    guard let sections else { return true }
    return RecordSection(section).map(sections.contains) ?? false
  }
}

/// Tells which records a selection wants, one after the other: those of a section follow each other.
struct SectionChoice {
  private let selection: LineSelection
  private let isAll: Bool
  private var last: (section: RecordSection, isWanted: Bool)?

  init(_ selection: LineSelection) {
    self.selection = selection
    isAll = selection.filter == .all && selection.sections == nil
  }

  @inline(__always)
  mutating func contains(_ record: EditableRecord) -> Bool {
    isAll
      || contains(record.database, record.sourceZoneID, record.sourceType)
        && selection.filter.contains(modificationDate: record.modificationDate)
  }

  @inline(__always)
  mutating func contains(_ scan: RecordScan) -> Bool {
    isAll
      || contains(scan.database, scan.zoneID, scan.recordType)
        && selection.filter.contains(modificationDate: scan.modificationDate)
  }

  /// Whether records of a section are wanted, their dates aside.
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
  /// The section of records that an index lists; nil for one of other lines.
  init?(_ section: BundleSection) {
    guard section.kind == .record, let database = section.database, let zoneID = section.zoneID,
      let recordType = section.recordType
    else { return nil }
    self.init(database, zoneID, recordType)
  }
}

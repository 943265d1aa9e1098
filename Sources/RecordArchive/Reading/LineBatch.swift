import RecordBundle
import RecordCoding
import RecordModel

/// A batch of canonical lines: a frame of a bundle, or rows of a container. Valid only in the
/// closure that receives it, on one thread.
struct LineBatch {
  private enum Content {
    case frame(BundleFrame)
    case rows(RowBatch)
  }

  private let content: Content
  private let selection: LineSelection
  /// The reader for the lines; one thread at a time uses it.
  let reader: RecordJSONReader

  init(_ frame: BundleFrame, _ selection: LineSelection) {
    content = .frame(frame)
    reader = frame.reader
    self.selection = selection
  }

  init(_ rows: RowBatch, _ selection: LineSelection, _ reader: RecordJSONReader) {
    content = .rows(rows)
    self.reader = reader
    self.selection = selection
  }

  /// The name of the source in error messages.
  var source: String {
    switch content {
    case .frame(let frame): frame.source
    case .rows(let rows): rows.source
    }
  }

  /// The size of the lines in bytes.
  var size: Int {
    switch content {
    case .frame(let frame): frame.size
    case .rows(let rows): rows.size
    }
  }

  /// Calls `scanned` with the scan of each canonical record line, and `item` with everything else.
  ///
  /// - Parameters:
  ///   - scanned: Called with the scan, the line and its number.
  ///   - item: Called with each record whose line is not canonical and each item that is not a
  ///     record, and its line number; 0 if it has none.
  @inline(__always)
  func forEach(
    scanned: (RecordHeader, UnsafeRawBufferPointer, Int) throws -> Void,
    item: (BundleItem, Int) throws -> Void
  ) throws {
    var wanted = SectionMatcher(selection)
    let hasRecords = selection.contains(.record)
    try forEachLine { line, number in
      guard hasRecords, let scan = reader.scanLine(line) else {
        return try visit(line, number, item)
      }
      if wanted.contains(scan) { try scanned(scan, line, number) }
    }
    try forEachItem(item)
  }

  /// Calls `body` with each record, whose fields are decoded on access, and `other` with each other
  /// item.
  ///
  /// - Parameter body: Receives the record, its database, and the size of its line; nil for a line that
  ///   is not canonical.
  func forEachRecord(
    _ body: (ResultRecord, DatabaseScope, Int?) throws -> Void,
    other: (BundleItem) throws -> Void = { _ in }
  ) throws {
    var wanted = SectionMatcher(selection)
    let hasRecords = selection.contains(.record)
    func pass(_ item: BundleItem, _: Int) throws {
      guard case .record(let record, let database) = item else { return try other(item) }
      try body(record, database, nil)
    }
    func read(_ line: UnsafeRawBufferPointer) -> (DatabaseScope, ResultRecord?)? {
      wanted.isAll
        ? reader.readCanonicalLine(line).map { ($0, $1) }
        : reader.readCanonicalLine(line) { wanted.contains($0) }
    }
    try forEachLine { line, number in
      guard hasRecords, let (database, record) = read(line) else {
        return try visit(line, number, pass)
      }
      if let record { try body(record, database, line.count) }
    }
    try forEachItem(pass)
  }

  /// Loads each record into `record` and calls `loaded`; calls `item` with everything else.
  @inline(__always)
  func forEach(
    loading record: EditableRecord, loaded: () throws -> Void,
    item: (BundleItem, Int) throws -> Void
  ) throws {
    var wanted = SectionMatcher(selection)
    try forEachLine { line, number in
      if reader.load(record, from: line) {
        if wanted.contains(record) { try loaded() }
        return
      }
      try visit(line, number) { found, number in
        guard case .record(let value, let database) = found else { return try item(found, number) }
        record.load(value, in: database)
        try loaded()
      }
    }
    try forEachItem(item)
  }

  @inline(__always)
  private func forEachLine(_ body: (UnsafeRawBufferPointer, Int) throws -> Void) throws {
    switch content {
    case .frame(let frame): try frame.forEachLine(body)
    case .rows(let rows): try rows.forEachLine(body)
    }
  }

  private func forEachItem(_ body: (BundleItem, Int) throws -> Void) throws {
    guard case .rows(let rows) = content else { return }
    for item in rows.items where selection.contains(item) { try body(item, 0) }
  }

  /// Decodes a line that is not a canonical record.
  ///
  /// Inlined, it would copy the content for each line.
  @inline(never)
  private func visit(
    _ line: UnsafeRawBufferPointer, _ number: Int, _ body: (BundleItem, Int) throws -> Void
  ) throws {
    if let kind = LineKind.kind(of: line), !selection.contains(kind) { return }
    let found: BundleItem?
    switch content {
    case .frame(let frame): found = try frame.item(line, number: number)
    case .rows(let rows): found = .record(try rows.record(line, with: reader), rows.database)
    }
    if let found, selection.contains(found) { try body(found, number) }
  }
}

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
struct SectionMatcher {
  private let selection: LineSelection
  let isAll: Bool
  private var last: (section: RecordSection, isWanted: Bool)?
  private var lastRecord: (envelope: RecordPrefix, database: DatabaseScope, isWanted: Bool)?

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
    let envelope = record.sourcePrefix
    if let lastRecord, lastRecord.envelope === envelope, lastRecord.database == record.database {
      return lastRecord.isWanted
    }
    let isWanted = contains(record.database, record.sourceZoneID, record.sourceType)
    lastRecord = envelope.map { ($0, record.database, isWanted) }
    return isWanted
  }

  @inline(__always)
  mutating func contains(_ scan: RecordHeader) -> Bool {
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

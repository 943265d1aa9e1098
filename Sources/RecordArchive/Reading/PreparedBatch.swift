import RecordBundle
import RecordCoding
import RecordModel
import RecordPlatform
import RecordSchema
import RecordStore

/// A batch of lines that a worker thread has checked and split into records, ready to write or
/// compare.
final class PreparedBatch: RecordBatch, @unchecked Sendable {
  /// An item that is not a record.
  struct Item {
    let item: BundleItem
    let line: Int
    /// The number of records before it.
    let position: Int
  }

  private(set) var source = ""
  private(set) var size = 0
  let buffer = ByteBuffer()
  private let writer = RecordJSONWriter()
  private(set) var sections = SectionList()
  private(set) var records: [BatchRecord] = []
  private(set) var items: [Item] = []
  /// The kinds of values in the records, if they are validated.
  private(set) var census: RecordCensus?

  /// Replaces the content with a batch of lines. Reuses the memory, as allocating large blocks for
  /// each batch makes the heap grow.
  func fill(_ batch: LineBatch, counts: Bool) throws {
    source = batch.source
    size = batch.size
    var shapes = counts ? ShapeCensus(source: source) : nil
    sections.removeAll()
    records.removeAll(keepingCapacity: true)
    items.removeAll(keepingCapacity: true)
    buffer.reset(keeping: Self.keptCapacity)
    buffer.reserve(batch.size)
    try batch.forEach(
      scanned: { scan, line, number in
        shapes?.add(scan, line, batch.reader)
        add(scan, line, number, batch.reader)
      },
      item: { item, number in
        shapes?.add(item)
        if case .record(let record, let database) = item {
          try add(record, database, number)
        } else {
          items.append(Item(item: item, line: number, position: records.count))
        }
      })
    census = try shapes?.census()
  }

  /// The capacity to keep; memory beyond it is freed.
  private static let keptCapacity = 8 << 20

  private func add(
    _ scan: RecordHeader, _ line: UnsafeRawBufferPointer, _ number: Int, _ reader: RecordJSONReader
  ) {
    let start = buffer.count
    buffer.append(UInt8(ascii: "{"))
    buffer.append(UnsafeRawBufferPointer(rebasing: line[scan.bodyStart...]))
    let shift = start + 1 - scan.bodyStart
    var name = (scan.name.lowerBound + shift)..<(scan.name.upperBound + shift)
    let end = buffer.count
    if bytes(name).contains(UInt8(ascii: "\\")) {
      // An escaped name is appended unescaped after the record.
      name = append(name: reader.recordName(of: line, scan))
    }
    add(
      BatchRecord(
        section: sections.place(of: scan.database, scan.zoneID, scan.recordType),
        dictionary: start..<end, name: name,
        change: ContainerWriter.change(ofTag: scan.changeTag),
        modified: scan.modificationDate?.timeIntervalSinceReferenceDate,
        mayContainAssets: scan.mayContainAssets, line: number))
  }

  private func add(_ record: ResultRecord, _ database: DatabaseScope, _ number: Int) throws {
    let start = buffer.count
    try writer.write(record, to: buffer)
    let end = buffer.count
    let recordID = record.recordID
    let name = append(name: recordID.recordName)
    add(
      BatchRecord(
        section: sections.place(of: database, recordID.zoneID, record.recordType),
        dictionary: start..<end, name: name,
        change: ContainerWriter.change(ofTag: record.recordChangeTag),
        modified: record.modificationDate?.timeIntervalSinceReferenceDate, line: number))
  }

  private func add(_ record: BatchRecord) {
    records.append(record)
    records[records.count - 1].hashes = RecordRow.Hashes(
      name: name(of: record), payload: dictionary(of: record))
  }

  private func append(name: String) -> Range<Int> {
    let start = buffer.count
    buffer.append(text: name)
    return start..<buffer.count
  }
}

extension ArchiveReader {
  /// A function that passes prepared batches in order to `consume`, once. A batch is reused
  /// afterwards.
  typealias PreparedBatches = (_ consume: (PreparedBatch) throws -> Void) throws -> Void

  /// Passes prepared batches in order to `consume`. A batch is reused afterwards.
  func mapPreparedBatches(
    _ selection: LineSelection, counts: Bool = false, threads: Int,
    _ consume: (PreparedBatch) throws -> Void
  ) throws {
    try beginPreparedBatches(selection, counts: counts, threads: threads) { try $0(consume) }
  }

  /// Calls `body` as soon as other threads prepare the first batches of a bundle.
  func beginPreparedBatches<R>(
    _ selection: LineSelection, counts: Bool, threads: Int,
    _ body: (@escaping PreparedBatches) throws -> R
  ) throws -> R {
    let batches = ResourcePool(keeping: threads + 2) { PreparedBatch() }
    return try beginBatches(
      of: selection, threads: threads,
      transform: { lines in
        let batch = try batches.take()
        try batch.fill(lines, counts: counts)
        return batch
      }
    ) { forEach in
      try body { consume in
        try forEach { batch in
          defer { batches.putBack(batch) }
          try consume(batch)
        }
        // An import still sorts names.
        batches.removeAll()
      }
    }
  }
}

/// A batch of records that a worker thread has prepared for a writer.
protocol RecordBatch: AnyObject {
  /// The JSON and the names of the records.
  var buffer: ByteBuffer { get }
  var sections: SectionList { get }
  var records: [BatchRecord] { get }
}

extension RecordBatch {
  func bytes(_ range: Range<Int>) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: buffer.bytes[range])
  }

  func dictionary(of record: BatchRecord) -> UnsafeRawBufferPointer { bytes(record.dictionary) }

  /// The name of a record in UTF-8, unescaped.
  func name(of record: BatchRecord) -> UnsafeRawBufferPointer { bytes(record.name) }

  func section(of record: BatchRecord) -> RecordSection { sections[record.section] }

  /// Calls `body` with each record, and its section, which is looked up once for all of it.
  @inline(__always)
  func forEachRecord(_ body: (BatchRecord, RecordSection) throws -> Void) rethrows {
    let (records, sections) = (records, sections)
    var place = records.startIndex
    while place < records.endIndex {
      let (number, section) = (records[place].section, sections[records[place].section])
      while place < records.endIndex, records[place].section == number {
        try body(records[place], section)
        place += 1
      }
    }
  }
}

/// A record of a batch. It has no references, so that copies are cheap.
struct BatchRecord {
  /// The index of its section in ``RecordBatch/sections``.
  let section: Int
  let dictionary: Range<Int>
  let name: Range<Int>
  /// The number in its change tag; 0 if the tag is not a number.
  var change: Int64 = 0
  /// The modification date in seconds since 2001.
  var modified: Double?
  var mayContainAssets = true
  /// The hashes for the checksum of its row, if the batch has computed them.
  var hashes: RecordRow.Hashes?
  /// The line number in the source; 0 if the source has no lines.
  var line = 0
  /// Whether its name or zone is new.
  var isNewIdentity = false
  /// The ranges where a save in place writes its stamps.
  var stamps: StampRanges?
  /// The range of the member with the creation stamp, for a save in place; empty if there is none.
  var created = 0..<0
}

/// The sections of the records in a batch. A section is repeated if others are between its records.
struct SectionList {
  private var sections: [RecordSection] = []

  subscript(index: Int) -> RecordSection { sections[index] }

  mutating func removeAll() { sections.removeAll(keepingCapacity: true) }

  /// Returns the index of the section of the next record.
  @inline(__always)
  mutating func place(
    of database: DatabaseScope, _ zoneID: ZoneID, _ recordType: String
  ) -> Int {
    if let last = sections.last, last.database == database,
      last.zoneID.isIdentical(to: zoneID) || last.zoneID == zoneID,
      last.recordType.sameScalars(as: recordType)
    {
      return sections.count - 1
    }
    sections.append(RecordSection(database, zoneID, recordType))
    return sections.count - 1
  }
}

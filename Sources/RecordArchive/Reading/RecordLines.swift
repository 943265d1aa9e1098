import RecordBundle
import RecordCoding
import RecordModel
import RecordPlatform
import RecordSchema
import RecordStore

/// Records as canonical JSON in one buffer, with their sections and names, which a thread has
/// prepared for a writer, a sorter or a comparison.
class RecordLines: @unchecked Sendable {
  // Unchecked: one thread at a time uses it.
  /// A record. It has no references, so that copies are cheap.
  struct Record {
    /// The index of its section in ``RecordLines/sections``.
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

  /// The JSON and the names of the records.
  final let buffer: ByteBuffer
  /// The sections of the records. A section is repeated if others are between its records.
  @exclusivity(unchecked) final private(set) var sections: [RecordSection] = []
  @exclusivity(unchecked) final private(set) var records: [Record] = []

  init(buffer: ByteBuffer = ByteBuffer()) { self.buffer = buffer }

  final func bytes(_ range: Range<Int>) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: buffer.bytes[range])
  }

  final func dictionary(of record: Record) -> UnsafeRawBufferPointer { bytes(record.dictionary) }

  /// The name of a record in UTF-8, unescaped.
  final func name(of record: Record) -> UnsafeRawBufferPointer { bytes(record.name) }

  final func section(of record: Record) -> RecordSection { sections[record.section] }

  /// Calls `body` with each record, and its section, which is looked up once for all of it.
  @inline(__always)
  final func forEachRecord(_ body: (Record, RecordSection) throws -> Void) rethrows {
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

  final func append(_ record: Record) { records.append(record) }

  /// Appends a record's name to the buffer.
  final func append(name: String) -> Range<Int> {
    let start = buffer.count
    buffer.append(text: name)
    return start..<buffer.count
  }

  /// Appends the name of a record's identity to the buffer.
  final func append(nameOf recordID: RecordID) -> Range<Int> {
    let start = buffer.count
    buffer.append(recordID.packedName)
    return start..<buffer.count
  }

  /// Removes all records. Reuses the memory, as allocating large blocks for each batch makes the
  /// heap grow.
  final func removeAll() {
    sections.removeAll(keepingCapacity: true)
    records.removeAll(keepingCapacity: true)
    buffer.reset(keeping: 8 << 20)
  }

  /// Returns the index of the section of the next record.
  @inline(__always)
  final func section(
    _ database: DatabaseScope, _ zoneID: ZoneID, _ recordType: String
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

extension RecordLocation {
  /// - Parameter name: The record's name in UTF-8.
  init(_ section: RecordSection, name: UnsafeRawBufferPointer) {
    let name = String(decoding: name, as: UTF8.self)
    self.init(section.database, RecordID(recordName: name, zoneID: section.zoneID))
  }
}

/// A batch of lines that a worker thread has checked and split into records, ready to write or
/// compare.
final class PreparedBatch: RecordLines, @unchecked Sendable {
  /// An item that is not a record.
  struct Item {
    let item: BundleItem
    let line: Int
    /// The number of records before it.
    let position: Int
  }

  private(set) var source = ""
  private(set) var size = 0
  private let writer = RecordJSONWriter()
  private(set) var items: [Item] = []
  private var computesHashes = false
  /// The kinds of values in the records, if they are validated.
  private(set) var census: RecordCensus?

  /// Replaces the content with a batch of lines.
  ///
  /// - Parameters:
  ///   - counts: Whether to count the kinds of values.
  ///   - hashes: Whether to compute the hashes of rows, for a container.
  func fill(_ batch: LineBatch, counts: Bool = false, hashes: Bool = false) throws {
    computesHashes = hashes
    source = batch.source
    size = batch.size
    census = counts ? RecordCensus(source: source) : nil
    removeAll()
    items.removeAll(keepingCapacity: true)
    buffer.reserve(batch.size)
    try batch.forEach(
      scanned: { scan, line, number in
        try census?.add(line, batch.reader)
        add(scan, line, number, batch.reader)
      },
      item: { item, number in
        try census?.add(item)
        if case .record(let record, let database) = item {
          try add(record, database, number)
        } else {
          items.append(Item(item: item, line: number, position: records.count))
        }
      })
  }

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
      Record(
        section: section(scan.database, scan.zoneID, scan.recordType),
        dictionary: start..<end, name: name,
        change: ImportTransaction.change(ofTag: scan.changeTag),
        modified: scan.modificationDate?.timeIntervalSinceReferenceDate,
        mayContainAssets: scan.mayContainAssets, line: number))
  }

  private func add(_ record: ResultRecord, _ database: DatabaseScope, _ number: Int) throws {
    let start = buffer.count
    try writer.write(record, to: buffer)
    let end = buffer.count
    let recordID = record.recordID
    let name = append(nameOf: recordID)
    add(
      Record(
        section: section(database, recordID.zoneID, record.recordType),
        dictionary: start..<end, name: name,
        change: ImportTransaction.change(ofTag: record.recordChangeTag),
        modified: record.modificationDate?.timeIntervalSinceReferenceDate, line: number))
  }

  private func add(_ record: Record) {
    var record = record
    if computesHashes {
      record.hashes = RecordRow.Hashes(name: name(of: record), payload: dictionary(of: record))
    }
    append(record)
  }
}

extension ArchiveReader {
  /// A function that passes prepared batches in order to `consume`, once. A batch is reused
  /// afterwards.
  typealias PreparedBatches = (_ consume: (PreparedBatch) throws -> Void) throws -> Void

  /// Calls `body` as soon as other threads prepare the first batches of a bundle.
  func prepareBatches<R>(
    _ selection: LineSelection, counts: Bool = false, hashes: Bool = false, threads: Int,
    _ body: (@escaping PreparedBatches) throws -> R
  ) throws -> R {
    let batches = ResourcePool(keeping: threads + 2) { PreparedBatch() }
    return try beginBatches(
      of: selection, threads: threads,
      transform: { lines in
        let batch = try batches.take()
        try batch.fill(lines, counts: counts, hashes: hashes)
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

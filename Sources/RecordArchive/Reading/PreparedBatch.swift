import RecordStore
import RecordBundle
import RecordCoding
import RecordModel
import RecordPlatform
import RecordSchema

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
    _ scan: RecordScan, _ line: UnsafeRawBufferPointer, _ number: Int, _ reader: RecordJSONReader
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

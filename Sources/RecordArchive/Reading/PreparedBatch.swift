import RecordBundle
import RecordCoding
import RecordModel
import RecordSchema

import struct Foundation.Date

/// A record on its way to a writer: its keys, and where its canonical JSON and its name lie in the
/// bytes of its batch.
struct BatchRecord {
  let section: RecordSection
  let dictionary: Range<Int>
  let name: Range<Int>
  var changeTag: String?
  var modified: Date?
  var mayHoldAssets = true
  /// Whether it had another name or zone before.
  var isNewIdentity = false
  /// Where a save puts its stamps, where the record is to be saved in its place.
  var stamps: StampPlaces?
  /// The member that says when it was created, where it has one and is to be saved in its place.
  var created = 0..<0
}

/// Lines, checked and taken apart on a worker thread: what is left to do is to write them down, or to
/// compare them.
final class PreparedBatch: @unchecked Sendable {
  enum Entry {
    case record(BatchRecord, line: Int)
    /// What is no record.
    case item(BundleItem, line: Int)
  }

  private(set) var source = ""
  private(set) var size = 0
  private let buffer = ByteBuffer()
  private let writer = RecordJSONWriter()
  private(set) var entries: [Entry] = []
  private(set) var recordCount = 0
  /// What kinds of values the records hold, where they are validated.
  private(set) var census: RecordCensus?

  /// Takes lines in the place of those before.
  ///
  /// The memory stays: large blocks that come and go with each batch make the heap grow.
  func fill(_ batch: LineBatch, counts: Bool) throws {
    source = batch.source
    size = batch.size
    var shapes = counts ? ShapeCensus(source: source) : nil
    entries.removeAll(keepingCapacity: true)
    recordCount = 0
    buffer.reset(keeping: Self.keptCapacity)
    buffer.reserve(batch.size)
    try batch.forEach(
      scanned: { scan, line, number in
        try shapes?.add(scan, line, batch.reader)
        add(scan, line, number, batch.reader)
      },
      item: { item, number in
        shapes?.add(item)
        if case .record(let record, let database) = item {
          try add(record, database, number)
        } else {
          entries.append(.item(item, line: number))
        }
      })
    census = try shapes?.census()
  }

  /// What a larger batch needs is given back after it.
  private static let keptCapacity = 8 << 20

  func bytes(_ range: Range<Int>) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: buffer.bytes[range])
  }

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
      // An escaped name is written out behind the record.
      name = append(name: reader.recordName(of: line, scan))
    }
    recordCount += 1
    let section = RecordSection(scan.database, scan.zoneID, scan.recordType)
    entries.append(
      .record(
        BatchRecord(
          section: section, dictionary: start..<end, name: name, changeTag: scan.changeTag,
          modified: scan.modificationDate, mayHoldAssets: scan.mayHoldAssets), line: number))
  }

  /// Adds a record whose line is not canonical.
  private func add(_ record: ResultRecord, _ database: DatabaseScope, _ number: Int) throws {
    let start = buffer.count
    try writer.write(record, to: buffer)
    let end = buffer.count
    let recordID = record.recordID
    let name = append(name: recordID.recordName)
    recordCount += 1
    let section = RecordSection(database, recordID.zoneID, record.recordType)
    entries.append(
      .record(
        BatchRecord(
          section: section, dictionary: start..<end, name: name,
          changeTag: record.recordChangeTag, modified: record.modificationDate), line: number))
  }

  private func append(name: String) -> Range<Int> {
    let start = buffer.count
    buffer.append(name)
    return start..<buffer.count
  }
}

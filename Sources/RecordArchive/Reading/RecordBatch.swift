import MockCloud
import RecordCoding
import RecordModel
import RecordPlatform

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
  var stamps: StampPlaces?
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

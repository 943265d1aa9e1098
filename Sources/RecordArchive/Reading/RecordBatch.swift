import MockCloud
import RecordCoding
import RecordModel
import RecordPlatform

/// Records on their way to a writer, made ready on a worker thread.
protocol RecordBatch: AnyObject {
  /// Where the JSON and the names of the records lie.
  var buffer: ByteBuffer { get }
  var sections: SectionList { get }
}

extension RecordBatch {
  func bytes(_ range: Range<Int>) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: buffer.bytes[range])
  }

  /// The canonical JSON of a record.
  func dictionary(of record: BatchRecord) -> UnsafeRawBufferPointer { bytes(record.dictionary) }

  /// The name of a record in UTF-8, as it reads.
  func name(of record: BatchRecord) -> UnsafeRawBufferPointer { bytes(record.name) }

  func section(of record: BatchRecord) -> RecordSection { sections[record.section] }
}

/// A record of a batch: it holds no references, so that a copy costs nothing.
struct BatchRecord {
  /// The place of its section in the list of the batch.
  let section: Int
  let dictionary: Range<Int>
  let name: Range<Int>
  /// The number of its change tag; 0 where that is no number.
  var change: Int64 = 0
  /// When it was last modified, in seconds since 2001.
  var modified: Double?
  var mayHoldAssets = true
  /// Hashes for the checksum of its row, where the batch has made them.
  var hashes: RecordRow.Hashes?
  /// Its line in the source; 0 where that has no lines.
  var line = 0
  /// Whether it had another name or zone before.
  var isNewIdentity = false
  /// Where a save puts its stamps, where the record is to be saved in its place.
  var stamps: StampPlaces?
  /// The member that says when it was created, where it has one and is to be saved in its place.
  var created = 0..<0
}

/// The sections that the records of a batch lie in, a section more than once where others lie
/// between.
struct SectionList {
  private var sections: [RecordSection] = []

  subscript(index: Int) -> RecordSection { sections[index] }

  mutating func removeAll() { sections.removeAll(keepingCapacity: true) }

  /// The place of the section of the next record.
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

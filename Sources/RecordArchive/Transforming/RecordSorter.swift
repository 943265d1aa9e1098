import RecordBundle
import RecordCoding
import RecordModel

/// Sorts records of a source by their places in a bundle, in bounded memory.
package final class RecordSorter {
  private static let batchSize = 1 << 20

  private let source: String
  private let places: LinePlaces
  private let spool: SortSpool
  private let json = RecordJSONWriter()
  private var batch = UnsortedLines()

  package init(of source: ArchiveSource, threads: Int = BundleThreads.recommended) throws {
    self.source = source.name
    places = LinePlaces(try source.read { try $0.sections(.all).map(\.key) })
    spool = SortSpool(threads: threads)
  }

  /// Adds a record, once.
  ///
  /// - Throws: `BundleError` if the source had no record of the type in the zone.
  package func add(_ record: ResultRecord, _ database: DatabaseScope) throws {
    let recordID = record.recordID
    let rank = try places.rank(
      of: RecordSection(database, recordID.zoneID, record.recordType), in: source)
    let buffer = batch.buffer
    let start = buffer.count
    try json.write(record, to: buffer)
    let end = buffer.count
    recordID.withUTF8RecordName(buffer.append)
    batch.append(rank, name: end..<buffer.count, content: start..<end)
    if buffer.count >= Self.batchSize { try endBatch() }
  }

  private func endBatch() throws {
    try spool.add(batch) {}
    batch = UnsortedLines()
  }

  /// Writes all records, and removes them.
  package func write(to writer: BundleWriter) throws {
    try endBatch()
    try spool.drain { rank, name, dictionary in
      guard let section = places.section(of: rank) else { return }
      try writer.write(section, name: name, dictionary)
    }
  }
}

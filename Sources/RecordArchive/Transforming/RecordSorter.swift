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

/// The order in a bundle of the lines of a source after they were replaced: that of their sections.
struct LinePlaces: Sendable {
  /// The replaced sections, in order.
  private var sections: [RecordSection] = []
  /// The zones whose tombstones follow, in order, as sections with an empty type.
  private var zones: [RecordSection] = []
  private var recordRanks: [RecordSection: UInt32] = [:]
  private var tombstoneRanks: [RecordSection: UInt32] = [:]

  /// - Parameters:
  ///   - sections: The record sections of the source.
  ///   - zones: The zones of the source.
  ///   - replacement: Returns what replaces a zone.
  init(
    _ sections: [RecordSection], _ zones: [(database: DatabaseScope, zone: RecordZone)] = [],
    replacement: (ZoneID) -> ZoneID = { $0 }
  ) {
    let pairs = sections.map { source in
      (source, RecordSection(source.database, replacement(source.zoneID), source.recordType))
    }.sorted { $0.1.precedes($1.1) }
    for (rank, (source, target)) in pairs.enumerated() {
      recordRanks[source] = UInt32(rank)
      self.sections.append(target)
    }
    let zonePairs = zones.map { database, zone in
      (
        RecordSection(database, zone.zoneID, ""),
        RecordSection(database, replacement(zone.zoneID), "")
      )
    }.sorted { $0.1.precedes($1.1) }
    for (rank, (source, target)) in zonePairs.enumerated() {
      tombstoneRanks[source] = UInt32(self.sections.count + rank)
      self.zones.append(target)
    }
  }

  /// The rank of a section of the source.
  func rank(of section: RecordSection, in source: String) throws -> UInt32 {
    guard let rank = recordRanks[section] else {
      throw BundleError(
        .malformed, in: source,
        "the index does not have a section with the type \(section.recordType)")
    }
    return rank
  }

  /// The rank of the tombstones of a zone of the source.
  func rank(
    ofTombstonesIn zoneID: ZoneID, _ database: DatabaseScope, in source: String
  ) throws -> UInt32 {
    guard let rank = tombstoneRanks[RecordSection(database, zoneID, "")] else {
      throw BundleError(
        .malformed, in: source, "a deleted record is in a zone that is not there")
    }
    return rank
  }

  /// The replaced section of a rank; nil for tombstones.
  func section(of rank: UInt32) -> RecordSection? {
    Int(rank) < sections.count ? sections[Int(rank)] : nil
  }

  /// The database of the tombstones of a rank; nil for records.
  func database(ofTombstones rank: UInt32) -> DatabaseScope? {
    let place = Int(rank) - sections.count
    return zones.indices.contains(place) ? zones[place].database : nil
  }
}

import RecordBundle
import RecordCoding
import RecordModel
import RecordSchema

extension ArchiveSource {
  /// Counts the kinds of values in records and subscriptions, on several threads, in bounded
  /// memory.
  ///
  /// - Parameters:
  ///   - name: The name of the source in reports.
  ///   - filter: The records and subscriptions to count.
  ///   - maxExamples: The number of records to name as examples of each kind.
  ///   - threads: The number of threads that scan records.
  ///   - progress: Called periodically; an error it throws ends the count.
  /// - Throws: Errors of the source, and `RecordCensusError`.
  public func census(
    named name: String, _ filter: RecordFilter = .all,
    maxExamples: Int = RecordCensus.defaultExamples,
    threads: Int = BundleThreads.recommended,
    progress: ((ArchiveProgress) throws -> Void)? = nil
  ) throws -> RecordCensus {
    let census = RecordCensus(source: name, maxExamples: maxExamples)
    if case .responses(let responses) = self {
      return try responses.census(census, filter, progress)
    }
    return try read { try $0.census(census, filter, threads, progress) }
  }
}

extension ResponseSet {
  /// Counts all records, including those that a later response replaces or deletes.
  fileprivate func census(
    _ start: RecordCensus, _ filter: RecordFilter, _ progress: ((ArchiveProgress) throws -> Void)?
  ) throws -> RecordCensus {
    var census = start
    var done = ArchiveProgress(records: 0, bytes: 0)
    try forEachResponse { response, size in
      for record in response.records where filter.contains(record, database: database) {
        try census.add(record, in: database)
      }
      for subscription in response.subscriptions
      where filter.contains(subscription, database: database) {
        census.add(subscription, in: database)
      }
      done.records = census.recordCount
      done.bytes += size
      try progress?(done)
    }
    return census
  }
}

extension ArchiveReader {
  func census(
    _ start: RecordCensus, _ filter: RecordFilter, _ threads: Int,
    _ progress: ((ArchiveProgress) throws -> Void)?
  ) throws -> RecordCensus {
    var census = start
    let selection = LineSelection([.record, .subscription], filter)
    var done = ArchiveProgress(records: 0, bytes: 0)
    done.totalBytes = lineBytes(of: selection)
    done.totalRecords = try recordCount(filter)
    let (source, maxExamples) = (start.source, start.maxExamples)
    try mapBatches(
      of: selection, threads: threads,
      transform: { batch in
        var shapes = ShapeCensus(source: source, maxExamples: maxExamples)
        try batch.forEach(
          scanned: { scan, line, _ in shapes.add(scan, line, batch.reader) },
          item: { item, _ in shapes.add(item) })
        return (try shapes.census(), batch.size)
      },
      consume: { counted, size in
        try census.add(counted)
        done.records = census.recordCount
        done.bytes += size
        try progress?(done)
      })
    return census
  }
}

extension ShapeCensus {
  /// Counts a record from its scanned line.
  mutating func add(
    _ scan: RecordScan, _ line: UnsafeRawBufferPointer, _ reader: RecordJSONReader
  ) {
    add(
      scan.shape, recordType: scan.recordType, in: scan.database, zoneID: scan.zoneID,
      name: UnsafeRawBufferPointer(rebasing: line[scan.name]), size: line.count,
      recordID: RecordID(recordName: reader.recordName(of: line, scan), zoneID: scan.zoneID),
      record: { reader.readCanonicalLine(line)?.record })
  }

  /// Counts a subscription, or a record whose line is not canonical.
  mutating func add(_ item: BundleItem) {
    switch item {
    case .record(let record, let database): add(record, in: database)
    case .subscription(let subscription, let database): add(subscription, in: database)
    case .zone, .tombstone, .zoneTombstone, .asset: break
    }
  }
}

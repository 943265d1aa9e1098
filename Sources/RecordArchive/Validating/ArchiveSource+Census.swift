import MockCloud
import RecordBundle
import RecordCoding
import RecordModel
import RecordSchema

extension ArchiveSource {
  /// Counts what kinds of values the records hold, on all cores and in bounded memory; subscriptions
  /// come along.
  ///
  /// - Parameters:
  ///   - name: The name under which reports show the source.
  ///   - filter: Which records and subscriptions are counted.
  ///   - mostExamples: How many records are named as examples of each kind.
  ///   - threads: How many threads scan records.
  ///   - progress: Called now and then; what it throws ends the count.
  /// - Throws: what is wrong with the source, and `RecordCensusError`.
  public func census(
    named name: String, _ filter: RecordFilter = .all,
    mostExamples: Int = RecordCensus.defaultExamples,
    threads: Int = BundleThreads.recommended,
    progress: ((ArchiveProgress) throws -> Void)? = nil
  ) throws -> RecordCensus {
    switch self {
    case .bundle(let bundle):
      try bundle.census(
        RecordCensus(source: name, mostExamples: mostExamples), filter, threads, progress)
    case .container(let container):
      try container.snapshot {
        try $0.census(
          RecordCensus(source: name, mostExamples: mostExamples), filter, threads, progress)
      }
    }
  }
}

extension BundleReader {
  fileprivate func census(
    _ start: RecordCensus, _ filter: RecordFilter, _ threads: Int,
    _ progress: ((ArchiveProgress) throws -> Void)?
  ) throws -> RecordCensus {
    var census = start
    var done = ArchiveProgress(records: 0, bytes: 0)
    done.totalBytes = indexes.reduce(0) { $0 + $1.bytes }
    try mapFrames(
      where: { ($0.kind == .record || $0.kind == .subscription) && filter.contains($0) },
      threads: threads,
      transform: { frame in
        var shapes = ShapeCensus(source: start.source, mostExamples: start.mostExamples)
        try frame.forEachLine { try shapes.add($0, number: $1, of: frame, filter) }
        return (try shapes.census(), frame.size)
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
  fileprivate mutating func add(
    _ line: UnsafeRawBufferPointer, number: Int, of frame: BundleFrame, _ filter: RecordFilter
  ) throws {
    if let scan = frame.reader.scanLine(line) {
      guard filter == .all || filter.contains(scan) else { return }
      add(
        scan.shape, recordType: scan.recordType, in: scan.database,
        recordID: RecordID(
          recordName: frame.reader.recordName(of: line, scan), zoneID: scan.zoneID))
      return
    }
    let kind = LineKind.kind(of: line)
    guard kind == nil || kind == .record || kind == .subscription else { return }
    switch try frame.item(line, number: number) {
    case .record(let record, let database):
      if filter.contains(record, database: database) { add(record, in: database) }
    case .subscription(let subscription, let database):
      if filter.contains(subscription, database: database) { add(subscription, in: database) }
    default: break
    }
  }
}

extension RecordFilter {
  /// Whether a scanned record passes.
  func contains(_ scan: RecordScan) -> Bool {
    contains(database: scan.database, zoneID: scan.zoneID, recordType: scan.recordType)
      && contains(modificationDate: scan.modificationDate)
  }
}

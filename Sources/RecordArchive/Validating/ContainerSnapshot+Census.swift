import MockCloud
import RecordCoding
import RecordModel
import RecordSchema

extension ContainerSnapshot {
  /// Counts the records of a container: this thread reads them, others scan them.
  func census(
    _ start: RecordCensus, _ filter: RecordFilter, _ threads: Int,
    _ progress: ((ArchiveProgress) throws -> Void)?
  ) throws -> RecordCensus {
    var census = start
    var done = ArchiveProgress(records: 0, bytes: 0)
    let scopes = DatabaseScope.allCases.filter { filter.contains(database: $0) }
    if progress != nil, filter.modifiedSince == nil {
      done.totalRecords = try scopes.flatMap { scope in
        try recordTypes(in: scope).filter {
          filter.contains(database: scope, zoneID: $0.zoneID, recordType: $0.recordType)
        }
      }.reduce(0) { $0 + $1.recordCount }
    }
    let scanner = BatchScanner(threads: threads) { try $0.census(like: start) }
    defer { scanner.finish() }
    func take(_ counted: RecordCensus) throws {
      try census.add(counted)
      done.records = census.recordCount
      try progress?(done)
    }
    for scope in scopes {
      var batch = RecordBatch(database: scope)
      try forEachRecordBytes(in: scope, filter: filter) { dictionary, key in
        batch.add(dictionary, key)
        done.bytes += dictionary.count
        guard batch.isFull else { return }
        try scanner.scan(batch, take)
        batch = RecordBatch(database: scope)
      }
      try scanner.scan(batch, take)
    }
    try scanner.drain(take)
    for scope in scopes {
      for subscription in try subscriptions(in: scope)
      where filter.contains(subscription, database: scope) {
        census.add(subscription, in: scope)
      }
    }
    return census
  }
}

/// Some records of one database, copied out of a container.
struct RecordBatch: @unchecked Sendable {
  // Unchecked: handed on, never shared.
  private static let size = 1 << 20

  let database: DatabaseScope
  private let buffer = ByteBuffer(capacity: size + (64 << 10))
  private var entries: [(range: Range<Int>, recordID: RecordID)] = []

  init(database: DatabaseScope) { self.database = database }

  var isFull: Bool { buffer.count >= Self.size }

  mutating func add(_ dictionary: UnsafeRawBufferPointer, _ key: borrowing RecordKey) {
    let start = buffer.count
    buffer.append(dictionary)
    entries.append((start..<buffer.count, key.recordID))
  }

  /// Counts the records; those that are not in canonical form one by one.
  func census(like start: RecordCensus) throws -> RecordCensus {
    let reader = RecordJSONReader()
    var shapes = ShapeCensus(source: start.source, mostExamples: start.mostExamples)
    for (range, recordID) in entries {
      let bytes = UnsafeRawBufferPointer(rebasing: buffer.bytes[range])
      if let (type, shape) = reader.scanDictionary(bytes) {
        shapes.add(shape, recordType: type, in: database, recordID: recordID)
      } else {
        do {
          shapes.add(try reader.read(bytes), in: database)
        } catch {
          throw MockContainerError.unreadable(
            name: "record '\(recordID.recordName)'", detail: "\(error)")
        }
      }
    }
    return try shapes.census()
  }
}

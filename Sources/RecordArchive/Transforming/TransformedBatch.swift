import RecordBundle
import RecordCoding
import RecordModel

/// A batch of lines that a worker has replaced.
final class TransformedBatch: @unchecked Sendable {
  // Unchecked: one thread at a time uses a batch.
  /// What replaces the lines of the batch.
  let lines = UnsortedLines()
  private let writer = RecordJSONWriter()
  @exclusivity(unchecked) private var lastSection: (section: RecordSection, rank: UInt32)?
  /// The zone and the type of the last section, where they are known as an object.
  @exclusivity(unchecked) private var lastSource: RecordEnvelope?
  @exclusivity(unchecked) private(set) var recordCount = 0
  /// The size of the lines of the source in bytes.
  private(set) var size = 0
  /// The digests of the assets of the replaced records.
  private(set) var usedAssets: Set<String> = []

  private var buffer: ByteBuffer { lines.buffer }

  /// Replaces the content with what replaces a batch of lines.
  func fill(
    _ batch: LineBatch, _ worker: any TransformWorker, _ places: LinePlaces
  ) throws {
    lines.removeAll()
    let buffer = buffer
    usedAssets.removeAll(keepingCapacity: true)
    (lastSection, lastSource) = (nil, nil)
    (size, recordCount) = (batch.size, 0)
    try batch.forEach(
      line: { line in
        let start = buffer.count
        if let record = try worker.rewrite(line, batch.reader, to: buffer) {
          if lastSource !== record.source || lastSection?.section.database != record.database {
            let source = record.source
            try select(record.database, source.zoneID, source.recordType, places, batch.source)
            lastSource = source
          }
          add(start, record.name, mayContainAssets: record.mayContainAssets, worker)
        } else if let (database, record) = batch.reader.readCanonicalLine(line) {
          try add(record, database, worker, places, batch.source)
        } else {
          return false
        }
        return true
      },
      item: { item, _ in
        switch item {
        case .record(let record, let database):
          try add(record, database, worker, places, batch.source)
        case .tombstone(let tombstone, let database):
          let rank = try places.rank(
            ofTombstonesIn: tombstone.recordID.zoneID, database, in: batch.source)
          let replaced = try worker.tombstone(tombstone)
          let start = buffer.count
          try replaced.jsonValue().write(to: buffer)
          let end = buffer.count
          buffer.append(text: replaced.recordID.recordName)
          append(rank, end..<buffer.count, start..<end, worker)
        default: break
        }
      })
  }

  private func add(
    _ record: ResultRecord, _ database: DatabaseScope, _ worker: any TransformWorker,
    _ places: LinePlaces, _ source: String
  ) throws {
    try select(database, record.recordID.zoneID, record.recordType, places, source)
    let replaced = try worker.record(record)
    let start = buffer.count
    try writer.write(replaced, to: buffer)
    let end = buffer.count
    buffer.append(text: replaced.recordID.recordName)
    add(start, end..<buffer.count, end: end, mayContainAssets: true, worker)
  }

  /// Finds the rank of a section of the source.
  private func select(
    _ database: DatabaseScope, _ zoneID: ZoneID, _ recordType: String, _ places: LinePlaces,
    _ source: String
  ) throws {
    if let section = lastSection?.section, section.database == database,
      section.zoneID.isIdentical(to: zoneID), section.recordType.sameScalars(as: recordType)
    {
      return
    }
    let section = RecordSection(database, zoneID, recordType)
    lastSource = nil
    lastSection = (section, try places.rank(of: section, in: source))
  }

  /// - Parameter end: The end of the dictionary; nil if it is that of the buffer.
  private func add(
    _ start: Int, _ name: Range<Int>, end: Int? = nil, mayContainAssets: Bool,
    _ worker: any TransformWorker
  ) {
    let content = start..<(end ?? buffer.count)
    if mayContainAssets {
      let bytes = UnsafeRawBufferPointer(rebasing: buffer.bytes[content])
      AssetReferences.forEach(in: bytes) { usedAssets.insert($0.description) }
    }
    append(lastSection?.rank ?? 0, name, content, worker)
    recordCount += 1
  }

  private func append(
    _ rank: UInt32, _ name: Range<Int>, _ content: Range<Int>, _ worker: any TransformWorker
  ) {
    worker.inspect(UnsafeRawBufferPointer(rebasing: buffer.bytes[content]))
    lines.append(rank, name: name, content: content)
  }
}

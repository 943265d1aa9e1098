import RecordBundle
import RecordCoding
import RecordModel

/// A batch of lines that a worker has replaced.
final class TransformedBatch: @unchecked Sendable {
  // Unchecked: one thread at a time uses a batch.
  private struct Line {
    var rank: UInt32
    var name: Range<Int>
    var content: Range<Int>
  }

  private let buffer = ByteBuffer()
  private let writer = RecordJSONWriter()
  private var lines: [Line] = []
  private var lastSection: (section: RecordSection, rank: UInt32)?
  private(set) var recordCount = 0
  /// The size of the lines of the source in bytes.
  private(set) var size = 0
  /// The digests of the assets of the replaced records.
  private(set) var usedAssets: Set<String> = []

  /// The capacity to keep; memory beyond it is freed.
  private static let keptCapacity = 8 << 20

  /// Replaces the content with what replaces a batch of lines.
  func fill(
    _ batch: LineBatch, _ worker: any TransformWorker, _ assets: [String: String],
    _ places: LinePlaces
  ) throws {
    buffer.reset(keeping: Self.keptCapacity)
    lines.removeAll(keepingCapacity: true)
    usedAssets.removeAll(keepingCapacity: true)
    lastSection = nil
    (size, recordCount) = (batch.size, 0)
    try batch.forEach(
      scanned: { _, line, number in
        guard let (database, record) = batch.reader.readCanonicalLine(line) else { return }
        try add(record, database, worker, assets, places, batch.source)
      },
      item: { item, _ in
        switch item {
        case .record(let record, let database):
          try add(record, database, worker, assets, places, batch.source)
        case .tombstone(let tombstone, let database):
          let rank = try places.rank(
            ofTombstonesIn: tombstone.recordID.zoneID, database, in: batch.source)
          let replaced = try worker.tombstone(tombstone)
          let start = buffer.count
          try replaced.jsonValue().write(to: buffer)
          append(rank, start, name: replaced.recordID.recordName, worker)
        default: break
        }
      })
  }

  private func add(
    _ record: ResultRecord, _ database: DatabaseScope, _ worker: any TransformWorker,
    _ assets: [String: String], _ places: LinePlaces, _ source: String
  ) throws {
    let section = RecordSection(database, record.recordID.zoneID, record.recordType)
    if lastSection?.section != section {
      lastSection = (section, try places.rank(of: section, in: source))
    }
    let replaced = try worker.record(record, assets)
    let start = buffer.count
    try writer.write(replaced, to: buffer)
    if !assets.isEmpty || record.fields.contains(where: { $0.value.isOfAssets }) {
      usedAssets.formUnion(replaced.assetDigests)
    }
    append(lastSection?.rank ?? 0, start, name: replaced.recordID.recordName, worker)
    recordCount += 1
  }

  private func append(
    _ rank: UInt32, _ start: Int, name: String, _ worker: any TransformWorker
  ) {
    let end = buffer.count
    worker.inspect(UnsafeRawBufferPointer(rebasing: buffer.bytes[start..<end]))
    buffer.append(text: name)
    lines.append(Line(rank: rank, name: end..<buffer.count, content: start..<end))
  }

  /// Calls `body` with each line.
  func forEach(
    _ body: (UInt32, _ name: UnsafeRawBufferPointer, _ line: UnsafeRawBufferPointer) throws -> Void
  ) rethrows {
    for line in lines {
      try body(
        line.rank, UnsafeRawBufferPointer(rebasing: buffer.bytes[line.name]),
        UnsafeRawBufferPointer(rebasing: buffer.bytes[line.content]))
    }
  }
}

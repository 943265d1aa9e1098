import RecordBundle
import RecordCoding
import RecordModel
import RecordSchema

/// A frame of a bundle, checked and taken apart on a worker thread, so that the thread that writes
/// to the container only has to bind what is here.
final class PreparedFrame: @unchecked Sendable {
  enum Entry {
    /// A record: where its dictionary and its name lie in ``bytes``.
    case record(RecordScan, dictionary: Range<Int>, name: Range<Int>, line: Int)
    case item(BundleItem, line: Int)
  }

  private(set) var source = ""
  private(set) var size = 0
  /// A copy of the frame; each record's dictionary in it begins with its brace.
  private let buffer = ByteBuffer()
  private(set) var entries: [Entry] = []
  /// What kinds of values the records hold, where they are validated.
  private(set) var census: RecordCensus?

  /// Takes the lines of a frame in the place of those before.
  ///
  /// The memory stays: large blocks that come and go with each frame make the heap grow.
  func fill(_ frame: BundleFrame, _ filter: RecordFilter, counts: Bool) throws {
    source = frame.source
    size = frame.size
    census = nil
    entries.removeAll(keepingCapacity: true)
    buffer.reset(keeping: Self.keptCapacity)
    buffer.reserve(frame.size)
    try frame.forEachLine { line, number in try add(line, number, frame, filter) }
    if counts { census = try count() }
  }

  /// What a frame that is larger needs is given back after it.
  private static let keptCapacity = 8 << 20

  private func count() throws -> RecordCensus {
    var shapes = ShapeCensus(source: source, mostExamples: RecordCensus.defaultExamples)
    for entry in entries {
      switch entry {
      case .record(let scan, _, let name, _):
        shapes.add(
          scan.shape, recordType: scan.recordType, in: scan.database,
          recordID: RecordID(
            recordName: String(decoding: bytes(name), as: UTF8.self), zoneID: scan.zoneID))
      case .item(.record(let record, let database), _): shapes.add(record, in: database)
      case .item(.subscription(let subscription, let database), _):
        shapes.add(subscription, in: database)
      case .item: break
      }
    }
    return try shapes.census()
  }

  func bytes(_ range: Range<Int>) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: buffer.bytes[range])
  }

  private func add(
    _ line: UnsafeRawBufferPointer, _ number: Int, _ frame: BundleFrame, _ filter: RecordFilter
  ) throws {
    guard let scan = frame.reader.scanLine(line) else {
      return try addItem(line, number, frame, filter)
    }
    guard filter == .all || filter.contains(scan) else { return }
    let start = buffer.count
    buffer.append(UInt8(ascii: "{"))
    buffer.append(UnsafeRawBufferPointer(rebasing: line[scan.bodyStart...]))
    let shift = start + 1 - scan.bodyStart
    var name = (scan.name.lowerBound + shift)..<(scan.name.upperBound + shift)
    let end = buffer.count
    if bytes(name).contains(UInt8(ascii: "\\")) {
      // An escaped name is written out behind the record.
      name = append(name: frame.reader.recordName(of: line, scan))
    }
    entries.append(.record(scan, dictionary: start..<end, name: name, line: number))
  }

  private func append(name: String) -> Range<Int> {
    let start = buffer.count
    buffer.append(name)
    return start..<buffer.count
  }

  private func addItem(
    _ line: UnsafeRawBufferPointer, _ number: Int, _ frame: BundleFrame, _ filter: RecordFilter
  ) throws {
    guard let item = try frame.item(line, number: number), filter.contains(item) else { return }
    entries.append(.item(item, line: number))
  }
}

import RecordCoding
import RecordModel

/// The lines of a bundle's frame, valid only in the closure that receives it.
package struct BundleFrame {
  let file: BundleFile
  let content: FrameContent
  /// The reader for the frame's records, used by one thread at a time.
  package let reader: RecordJSONReader

  /// The name of the file in errors.
  package var source: String { file.name }

  /// The size in bytes of the lines in the file.
  package var size: Int { content.bytes.count }

  /// The number of the frame, from 0.
  var number: Int { content.index }

  /// The number in the file of the first line, from 1.
  var firstLine: Int { file.firstLines[content.index] }

  /// Returns the hash of the lines that count toward the content hash: not the header, nor the zones
  /// in further files of a split bundle, which are in the first.
  func contentHash() -> ContentHash {
    var hash = ContentHash()
    if number == 0 { return hash }
    let leavesOutZones = file.header.shard.map { $0.number > 1 } ?? false
    for line in content.lines {
      if leavesOutZones, LineKind.anyKind(of: line) == .zone { continue }
      hash.add(line)
    }
    return hash
  }

  /// Calls `body` with each line and its number in the file.
  @inline(__always)
  package func forEachLine(_ body: (UnsafeRawBufferPointer, Int) throws -> Void) throws {
    var number = firstLine
    for line in content.lines {
      try body(line, number)
      number += 1
    }
  }

  /// Parses a line, canonical or not; nil if it is not that of a record.
  func record(
    _ line: UnsafeRawBufferPointer, number: Int
  ) throws -> (database: DatabaseScope, record: ResultRecord)? {
    guard LineKind.kind(of: line).map({ $0 == .record }) ?? true,
      case .record(let record, let database)? = try item(line, number: number)
    else { return nil }
    return (database, record)
  }

  /// Parses a line; nil for the header and the index.
  package func item(_ line: UnsafeRawBufferPointer, number: Int) throws -> BundleItem? {
    try BundleItem(line: line, at: LineLocation(source: file.name, line: number), with: reader)
  }
}

import RecordCoding
import RecordModel

/// The lines of a bundle's frame, valid only in the closure that receives it.
///
/// The lines are those of the current format version, whatever the version of the bundle. No code
/// can read lines of an older version by mistake.
package struct BundleFrame {
  let file: BundleFile
  private let content: FrameContent
  /// The upgraded lines of an older version; nil for the current version.
  private let upgraded: UpgradedLines?
  /// The reader for the frame's records, used by one thread at a time.
  package let reader: RecordJSONReader

  init(file: BundleFile, content: FrameContent, reader: RecordJSONReader) {
    self.file = file
    self.content = content
    self.reader = reader
    upgraded =
      file.header.formatVersion == BundleHeader.currentFormatVersion
      ? nil
      : UpgradedLines(
        content, of: file, firstLine: file.firstLines[content.index], with: reader)
  }

  /// The name of the file in errors.
  package var source: String { file.name }

  /// The size in bytes of the lines in the file.
  package var size: Int { content.bytes.count }

  /// The number of the frame, from 0.
  var number: Int { content.index }

  /// Returns the hash of the lines, as they are in the file, that count toward the content hash:
  /// not the header, nor the zones in further files of a split bundle, which are in the first.
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
    var number = file.firstLines[content.index]
    if let upgraded {
      for index in upgraded.indices { try body(try upgraded[index].get(), number + index) }
      return
    }
    for line in content.lines {
      try body(line, number)
      number += 1
    }
  }

  /// Calls `body` with lines that have a line feed between them, and the number of the first in the
  /// file: once with all lines, or with each upgraded line.
  func forEachRun(_ body: (UnsafeRawBufferPointer, Int) throws -> Void) throws {
    let first = file.firstLines[content.index]
    guard let upgraded else { return try body(content.bytes, first) }
    for index in upgraded.indices { try body(try upgraded[index].get(), first + index) }
  }

  /// The place after the last line: see ``lineAround(_:)``.
  var endPlace: Int { upgraded?.indices.upperBound ?? content.bytes.count }

  /// Returns the line at a place, and its places. Places are offsets in the content; of upgraded
  /// lines, they are their numbers.
  func lineAround(
    _ place: Int
  ) throws -> (line: UnsafeRawBufferPointer, places: Range<Int>) {
    if let upgraded { return (try upgraded[place].get(), place..<place + 1) }
    let bytes = content.bytes
    let start = bytes.lastNewline(in: 0..<place).map { $0 + 1 } ?? 0
    let end = bytes.firstNewline(from: place) ?? bytes.count
    return (UnsafeRawBufferPointer(rebasing: bytes[start..<end]), start..<end + 1)
  }

  /// Returns the number in the file of the line that begins at a place.
  func number(ofLineAt place: Int) -> Int {
    let before =
      upgraded == nil
      ? FrameLines(UnsafeRawBufferPointer(rebasing: content.bytes[..<place])).reduce(0) { n, _ in
        n + 1
      }
      : place
    return file.firstLines[content.index] + before
  }

  /// Calls `body` with each line or its error, its number, and its size in the file including the
  /// line feed. For checks, which continue after an invalid line.
  func forEachLineOrError(
    _ body: (Result<UnsafeRawBufferPointer, BundleError>, _ number: Int, _ size: Int) throws -> Void
  ) rethrows {
    let first = file.firstLines[content.index]
    for (index, line) in content.lines.enumerated() {
      try body(upgraded?[index] ?? .success(line), first + index, line.count + 1)
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

import RecordCoding
import RecordModel

/// The lines of one frame of a bundle. Valid only in the closure that gets it.
///
/// Whatever the version of the bundle, the lines are those of the current format version: what a
/// frame holds can be got at in no other way, so that nobody can read an older version's bytes by
/// mistake.
package struct BundleFrame {
  let file: BundleFile
  private let content: FrameContent
  /// The lines of an older version; nil where they are of the current one.
  private let upgraded: UpgradedLines?
  /// The reader of the frame's records, used by one thread at a time.
  package let reader: RecordJSONReader

  init(file: BundleFile, content: FrameContent, reader: RecordJSONReader) {
    self.file = file
    self.content = content
    self.reader = reader
    upgraded =
      file.header.formatVersion == BundleHeader.currentFormatVersion
      ? nil
      : UpgradedLines(
        content, of: file, firstLine: file.place(frame: content.index, line: 0).line, with: reader)
  }

  /// What errors call the file.
  package var source: String { file.name }

  /// Bytes of the lines in the file.
  package var size: Int { content.bytes.count }

  /// The frame's number, from 0.
  var number: Int { content.index }

  /// The hash of the lines in the file that count for the content: not the header's, and of further
  /// files of a split bundle not the zones', which the first has.
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

  private var firstLine: Int { file.place(frame: content.index, line: 0).line }

  /// Calls `body` with each line and its number in the file.
  @inline(__always)
  package func forEachLine(_ body: (UnsafeRawBufferPointer, Int) throws -> Void) throws {
    var number = firstLine
    if let upgraded {
      for index in upgraded.indices { try body(try upgraded[index].get(), number + index) }
      return
    }
    for line in content.lines {
      try body(line, number)
      number += 1
    }
  }

  /// Calls `body` with each line, or what is wrong with it, its number, and its size in the file
  /// with its line feed: for checks, which go on behind a wrong line.
  func forEachLineOrError(
    _ body: (Result<UnsafeRawBufferPointer, BundleError>, _ number: Int, _ size: Int) throws -> Void
  ) rethrows {
    let first = firstLine
    for (index, line) in content.lines.enumerated() {
      try body(upgraded?[index] ?? .success(line), first + index, line.count + 1)
    }
  }

  /// Reads a line; nil for the header and the index.
  package func item(_ line: UnsafeRawBufferPointer, number: Int) throws -> BundleItem? {
    try BundleItem(line: line, at: LinePlace(source: file.name, line: number), with: reader)
  }
}

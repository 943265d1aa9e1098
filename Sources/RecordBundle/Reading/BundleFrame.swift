import RecordCoding
import RecordModel
import RecordPlatform

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

extension BundleReader {
  /// Transforms each frame on several threads, and passes the results on in order.
  ///
  /// - Parameter sections: selects the sections whose frames are read; nil for all.
  package func mapFrames<T: Sendable>(
    where sections: ((BundleSection) -> Bool)? = nil, threads: Int = BundleThreads.recommended,
    transform: @escaping @Sendable (BundleFrame) throws -> T, consume: (T) throws -> Void
  ) throws {
    try beginFrames(where: sections, threads: threads, transform: transform) { try $0(consume) }
  }

  /// Transforms the number of each frame on several threads, and passes the results on in order.
  func mapFrames<T: Sendable>(
    where sections: ((BundleSection) -> Bool)?, threads: Int,
    transform: @escaping @Sendable (BundleFile, Int, RecordJSONReader) throws -> T,
    consume: (T) throws -> Void
  ) throws {
    try beginFrames(where: sections, threads: threads, transform: transform) { try $0(consume) }
  }

  /// Transforms each frame on several threads, and calls `body` as soon as other threads read the
  /// first frames.
  ///
  /// - Parameter body: receives a function that passes all results on in order, once.
  package func beginFrames<T: Sendable, R>(
    where sections: ((BundleSection) -> Bool)?, threads: Int,
    transform: @escaping @Sendable (BundleFrame) throws -> T,
    _ body: (_ forEach: @escaping (_ consume: (T) throws -> Void) throws -> Void) throws -> R
  ) throws -> R {
    try beginFrames(
      where: sections, threads: threads,
      transform: { (file, number, reader) in
        try file.frames.withFrame(number) { content in
          try transform(BundleFrame(file: file, content: content, reader: reader))
        }
      }, body)
  }

  private func beginFrames<T: Sendable, R>(
    where sections: ((BundleSection) -> Bool)?, threads: Int,
    transform: @escaping @Sendable (BundleFile, Int, RecordJSONReader) throws -> T,
    _ body: (_ forEach: @escaping (_ consume: (T) throws -> Void) throws -> Void) throws -> R
  ) throws -> R {
    let readers = ResourcePool(keeping: threads) { RecordJSONReader() }
    let frames = files.flatMap { file in
      file.frameRanges(where: sections).joined().map { (file, $0) }
    }
    return try OrderedMap.begin(
      frames, threads: threads, window: threads + 1,
      transform: { (file: BundleFile, number: Int) in
        try readers.with { try transform(file, number, $0) }
      }, body)
  }
}

extension BundleFile {
  /// Returns the frames of the chosen sections as disjoint ranges.
  fileprivate func frameRanges(where isChosen: ((BundleSection) -> Bool)?) -> [Range<Int>] {
    guard let isChosen else { return [contentFrames] }
    var ranges: [Range<Int>] = []
    for section in index.sections where isChosen(section) {
      let (first, last) = (section.frames.lowerBound, section.frames.upperBound)
      if let end = ranges.last?.upperBound, first <= end {
        let start = ranges.removeLast().lowerBound
        ranges.append(start..<max(end, last + 1))
      } else {
        ranges.append(first..<last + 1)
      }
    }
    return ranges
  }
}

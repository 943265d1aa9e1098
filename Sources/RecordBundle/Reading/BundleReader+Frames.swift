import RecordCoding
import RecordModel
import RecordPlatform

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

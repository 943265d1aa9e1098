import RecordCoding
import RecordModel
import RecordPlatform

extension BundleReader {
  /// Transforms each frame on several threads, and passes the results on in order.
  ///
  /// - Parameters:
  ///   - sections: selects the sections whose frames are read; nil for all.
  ///   - inParts: whether the lines of large frames may come in several parts, each on a thread of
  ///     its own, where there are fewer such frames than threads.
  package func mapFrames<T: Sendable>(
    where sections: ((BundleSection) -> Bool)? = nil, threads: Int = BundleThreads.recommended,
    inParts: Bool = false,
    transform: @escaping @Sendable (BundleFrame) throws -> T, consume: (T) throws -> Void
  ) throws {
    try mapFrames(
      where: sections, threads: threads, inParts: inParts,
      transform: { (job: FrameTask, reader) in
        try job.file.frames.withFrame(job.number) { content in
          try transform(
            BundleFrame(file: job.file, content: content, reader: reader, part: job.part))
        }
      },
      consume: consume)
  }

  /// Transforms the number of each frame on several threads, and passes the results on in order.
  func mapFrames<T: Sendable>(
    where sections: ((BundleSection) -> Bool)?, threads: Int,
    transform: @escaping @Sendable (BundleFile, Int, RecordJSONReader) throws -> T,
    consume: (T) throws -> Void
  ) throws {
    try mapFrames(
      where: sections, threads: threads, inParts: false,
      transform: { (job: FrameTask, reader) in try transform(job.file, job.number, reader) },
      consume: consume)
  }

  private func mapFrames<T: Sendable>(
    where sections: ((BundleSection) -> Bool)?, threads: Int, inParts: Bool,
    transform: @escaping @Sendable (FrameTask, RecordJSONReader) throws -> T,
    consume: (T) throws -> Void
  ) throws {
    let parts = inParts ? largeFrameParts(where: sections, threads: threads) : 1
    let readers = ResourcePool(keeping: threads) { RecordJSONReader() }
    try OrderedMap.run(
      threads: threads, window: threads + 1,
      transform: { (job: FrameTask) in try readers.with { try transform(job, $0) } },
      consume: consume,
      produce: { add in
        for file in files {
          for range in file.frameRanges(where: sections) {
            for number in range {
              let count = file.frames.isLarge(number) ? parts : 1
              for part in 0..<count {
                try add(FrameTask(file: file, number: number, part: .init(number: part, count: count)))
              }
            }
          }
        }
      })
  }

  /// Returns the number of parts of each large frame that keep all threads busy.
  private func largeFrameParts(
    where sections: ((BundleSection) -> Bool)?, threads: Int
  ) -> Int {
    var frames = 0
    for file in files {
      for range in file.frameRanges(where: sections) {
        for number in range where file.frames.isLarge(number) { frames += 1 }
        if frames >= threads { return 1 }
      }
    }
    return frames == 0 ? 1 : threads / frames
  }
}

/// A frame to read, or a part of it.
private struct FrameTask: Sendable {
  var file: BundleFile
  var number: Int
  var part: FramePart
}

extension FrameReader {
  /// Whether it pays to read the lines of a frame on several threads, each of which decompresses it.
  fileprivate func isLarge(_ number: Int) -> Bool { (table[number].size ?? 0) >= 256 << 10 }
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

import RecordCoding
import RecordPlatform

/// Reads the frames of a file in the zstd seekable format, in any order, on any thread.
///
/// Everything is verified before use: the seek table against the file, each frame against the table
/// and the limits, and each content against its checksum.
final class FrameReader: Sendable {
  let file: RandomAccessFile
  /// The locations of the frames.
  let table: SeekTable
  let limits: FrameLimits
  private let decoders: ResourcePool<FrameDecoder>

  /// The number of frames; at least one.
  var frameCount: Int { table.count }

  /// Reads and checks the seek table of a file.
  /// - Throws: ``FrameError``, which says what a file that is not a bundle appears to be.
  convenience init(file: RandomAccessFile, limits: FrameLimits = .standard) throws {
    guard let table = try SeekTable.read(from: file, limits: limits) else {
      throw try FileDiagnosis(file).errorWithoutSeekTable()
    }
    try FileDiagnosis(file).checkBeginning()
    self.init(file: file, table: table, limits: limits)
  }

  /// Creates a reader of frames at known locations.
  init(file: RandomAccessFile, table: SeekTable, limits: FrameLimits) {
    self.file = file
    self.table = table
    self.limits = limits
    decoders = ResourcePool(keeping: WorkerThread.recommendedCount) {
      try FrameDecoder(limits: limits)
    }
  }

  /// Opens the file at a path.
  convenience init(path: String, limits: FrameLimits = .standard) throws {
    try self.init(file: RandomAccessFile(path: path), limits: limits)
  }

  /// Decodes a frame on the caller's thread.
  /// - Parameters:
  ///   - index: the number of the frame, from 0.
  ///   - body: receives the content, which is valid only during the call.
  func withFrame<R>(_ index: Int, _ body: (FrameContent) throws -> R) throws -> R {
    try check(index..<index + 1)
    return try decoders.with { try body($0.decode(table[index], of: file)) }
  }

  /// Transforms each frame on several threads, and passes the results on in order.
  /// - Parameters:
  ///   - range: the frames; `nil` for all.
  ///   - threads: 1 does all work on the caller's thread; n uses n additional threads.
  ///   - window: the maximum number of results at a time; `nil` for one more than `threads`.
  ///   - transform: called on any thread; the content is valid only during the call.
  ///   - consume: called in order on the caller's thread. May throw ``StopReading`` to end early.
  /// - Throws: the error of the first frame that fails, after all frames before it have been
  ///   consumed; or the error of `consume`. All threads have then ended.
  func mapFrames<T: Sendable>(
    _ range: Range<Int>? = nil, threads: Int = WorkerThread.recommendedCount, window: Int? = nil,
    transform: @escaping @Sendable (FrameContent) throws -> T,
    consume: (Int, T) throws -> Void
  ) throws {
    let range = range ?? 0..<frameCount
    try check(range)
    do {
      try OrderedMap.run(
        threads: threads, window: window ?? threads + 1,
        transform: { [self] index in
          (index, try decoders.with { try transform($0.decode(table[index], of: file)) })
        }, consume: { try consume($0.0, $0.1) }, produce: { try range.forEach($0) })
    } catch is StopReading {}
  }

  private func check(_ range: Range<Int>) throws {
    guard range.lowerBound >= 0, range.upperBound <= frameCount else {
      throw FrameError(
        .misuse, in: file.name,
        "frames \(range.lowerBound)..<\(range.upperBound) were asked for; there are \(frameCount)")
    }
  }
}

/// An error that a consumer throws to end reading early.
struct StopReading: Error {}

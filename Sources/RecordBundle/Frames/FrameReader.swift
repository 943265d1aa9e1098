import RecordCoding
import RecordPlatform

/// Reads the frames of a file in the zstd seekable format, in any order, on any thread.
///
/// Everything is checked before it is used: the seek table against the file, each frame against
/// the table and the limits, each content against its checksum. What the reader hands out is what
/// the writer wrote.
final class FrameReader: Sendable {
  /// The file.
  let file: RandomAccessFile
  /// Where the frames lie.
  let table: SeekTable
  /// What is accepted at most.
  let limits: FrameLimits
  private let decoders: ResourcePool<FrameDecoder>

  /// How many frames there are; at least one.
  var frameCount: Int { table.count }

  /// Opens a file and checks its seek table.
  /// - Throws: ``FrameError``; where the file is no bundle, the error says what it seems to be.
  convenience init(file: RandomAccessFile, limits: FrameLimits = .standard) throws {
    guard let table = try SeekTable.read(from: file, limits: limits) else {
      throw try FileDiagnosis(file).errorWithoutSeekTable()
    }
    try FileDiagnosis(file).checkBeginning()
    self.init(file: file, table: table, limits: limits)
  }

  /// Reads frames whose places are known.
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

  /// Decodes one frame in the caller's thread.
  /// - Parameters:
  ///   - index: the frame's number, from 0.
  ///   - body: gets the content, which is valid only there.
  func withFrame<R>(_ index: Int, _ body: (FrameContent) throws -> R) throws -> R {
    try check(index..<index + 1)
    return try decoders.with { try body($0.decode(table[index], of: file)) }
  }

  /// Makes a value out of each frame on several threads, and hands the values over in order.
  /// - Parameters:
  ///   - range: the frames; `nil` for all.
  ///   - threads: 1 does everything in the caller's thread, n uses n threads beside it.
  ///   - window: how many values exist at a time, at most; `nil` for one more than `threads`.
  ///   - transform: makes a value on any thread; the content is valid only there.
  ///   - consume: takes the values in order, in the caller's thread. May throw ``StopReading`` to
  ///     end early without an error.
  /// - Throws: the error of the first frame that has one, after all frames before it have been
  ///   consumed; or what `consume` throws. No thread is left then.
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

/// Thrown by a consumer that has seen enough.
struct StopReading: Error {}

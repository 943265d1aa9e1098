import Foundation
import RecordCoding
import RecordCompression
import RecordPlatform

/// Writes lines in the zstd seekable format: as zstd frames with a seek table at the end.
///
/// A frame holds whole lines. It ends before the line that would exceed its limit; a longer line
/// gets a frame of its own. The limit is an eighth of the content before the frame, rounded down to
/// a power of two, at least ``minFrame`` and at most ``Options/frameSize``: a damaged byte
/// costs a small file only a part of it, and large files compress well. The bytes depend on the
/// lines, the level, the frame size and the version of libzstd, not on the number of threads.
///
/// Use a writer from one thread. After an error every further call throws the same error, and the
/// sink is to be discarded; but a line that is too long, or that fails in ``withLineBuffer(_:)``,
/// is only left out. The caller commits the sink.
final class FrameWriter {
  private enum State {
    case open
    case finished
    case failed(any Error)
  }

  /// The settings of frames.
  let options: Options
  private let sink: any FrameSink
  /// Compresses the frames.
  private let map: OrderedMap<FrameJob, FrameJob>
  /// The frames that were written.
  private var frames: [FrameInfo] = []
  private var freeJobs: [FrameJob] = []
  // One thread uses a writer, so that checks for each line would cost time for nothing.
  @exclusivity(unchecked) private var job: FrameJob
  /// The offset in the job's content of the line that is being written.
  @exclusivity(unchecked) private var lineStart = 0
  @exclusivity(unchecked) private var state = State.open
  /// The number of ended frames.
  @exclusivity(unchecked) private(set) var frameCount = 0
  /// The size in bytes of the lines in ended frames.
  @exclusivity(unchecked) private var endedBytes = 0
  /// The size in bytes of lines at which the current frame ends.
  @exclusivity(unchecked) private var frameLimit: Int
  /// Whether further lines count toward the content hash. Lines that do not must come first.
  @exclusivity(unchecked) var countsLines = true

  /// The size in bytes of the lines in the first frames.
  static let minFrame = 64 << 10

  /// Starts a file in a sink.
  /// - Throws: ``BundleError`` for invalid options.
  init(sink: any FrameSink, options: Options = Options()) throws {
    try options.check(for: sink.name)
    self.options = options
    self.sink = sink
    frameLimit = min(Self.minFrame, options.frameSize)
    job = FrameJob(frameSize: options.frameSize)
    let compressors = ResourcePool(keeping: options.threads) { [name = sink.name] in
      try FrameCompressor(level: options.level, name: name)
    }
    // Besides the frames that are compressed, some wait, so that no thread has to.
    map = OrderedMap(
      threads: options.threads, window: options.threads == 1 ? 1 : options.threads + 3,
      transform: { job in
        try compressors.with { try $0.compress(job) }
        return job
      })
  }

  deinit { map.stop() }

  /// Writes a line.
  /// - Parameter line: the line without its newline, and without a newline inside. No line may have
  ///   been started in ``withLineBuffer(_:)``.
  func appendLine(_ line: UnsafeRawBufferPointer) throws {
    try checkOpen()
    try checkLength(line.count)
    if lineStart > 0, line.count + 1 > frameLimit - lineStart { try endFrame() }
    job.content.reserve(line.count + 1)
    job.content.append(line)
    job.content.append(UInt8(ascii: "\n"))
    acceptLine()
  }

  /// Calls `body` to append a part of the next line directly to the frame's buffer;
  /// ``finishLine()`` ends the line. If `body` throws, the whole line is discarded.
  /// - Parameter body: may only append, and must not append the newline.
  @inline(__always)
  func withLineBuffer<R>(_ body: (ByteBuffer) throws -> R) throws -> R {
    try checkOpen()
    do {
      return try body(job.content)
    } catch {
      discardLine()
      throw error
    }
  }

  /// Ends the line that was written in ``withLineBuffer(_:)``; without one, writes an empty line.
  func finishLine() throws {
    try checkOpen()
    do {
      try checkLength(job.content.count - lineStart)
    } catch {
      discardLine()
      throw error
    }
    job.content.append(UInt8(ascii: "\n"))
    if lineStart > 0, job.content.count > frameLimit { try moveLineToNextFrame() }
    acceptLine()
  }

  /// Discards the line that is being written.
  func discardLine() { job.content.setCount(lineStart) }

  /// Ends the frame; does nothing if it has no lines.
  func endFrame() throws {
    try checkOpen()
    discardLine()
    guard job.lineCount > 0 else { return }
    try guarded { try submit(replacingWith: emptyJob()) }
    lineStart = 0
  }

  /// The size in bytes of the lines in the current frame.
  var openFrameSize: Int { lineStart }

  /// Returns the metadata of an ended frame, after waiting until it has been written. For a frame
  /// that ended several frames ago there is no wait, whatever the timing of threads.
  func info(ofFrame index: Int) throws -> FrameInfo {
    try checkOpen()
    return try guarded {
      while frames.count <= index {
        guard try writeNext() else {
          throw BundleError(.misuse, in: sink.name, "there is no frame \(index) yet")
        }
      }
      return frames[index]
    }
  }

  /// Ends the file: the last frame, the line of `lastFrame` in a frame of its own, the seal and the
  /// seek table. The sink still has to be committed.
  /// - Parameter lastFrame: receives all frames so far and returns the last line without its
  ///   newline, if any.
  func finish(lastFrame: ([FrameInfo]) throws -> [UInt8]? = { _ in nil }) throws -> (
    frames: [FrameInfo], fileSize: UInt64
  ) {
    try endFrame()
    return try guarded {
      while try writeNext() {}
      if let line = try lastFrame(frames) {
        try line.withUnsafeBytes { try appendLine($0) }
        try endFrame()
      }
      while try writeNext() {}
      guard let last = frames.last else {
        throw BundleError(.misuse, in: sink.name, "a file needs at least one line")
      }
      map.stop()
      let tail = FrameSeal.encode(last.digest) + SeekTable.encode(frames)
      try tail.withUnsafeBytes { try sink.write($0) }
      state = .finished
      return (frames, last.endOffset + UInt64(tail.count))
    }
  }

  /// Stops all work and waits for the threads. The sink still has to be discarded.
  func cancel() {
    map.stop()
    if case .open = state {
      state = .failed(BundleError(.cancelled, in: sink.name, "writing was cancelled"))
    }
  }
}

extension FrameWriter {
  @inline(__always)
  private func checkOpen() throws {
    if case .open = state { return }
    try throwClosed()
  }

  private func throwClosed() throws {
    switch state {
    case .open: break
    case .finished: throw BundleError(.misuse, in: sink.name, "the file is already finished")
    case .failed(let error): throw error
    }
  }

  private func checkLength(_ length: Int) throws {
    guard length <= options.limits.maxLine else {
      throw BundleError(
        .limitExceeded, in: sink.name,
        "a line of \(length) bytes exceeds the limit of \(options.limits.maxLine)")
    }
  }

  private func acceptLine() {
    job.lineCount += 1
    if !countsLines { job.uncountedLines += 1 }
    lineStart = job.content.count
  }

  private func moveLineToNextFrame() throws {
    try guarded {
      let next = emptyJob()
      next.content.append(UnsafeRawBufferPointer(rebasing: job.content.bytes[lineStart...]))
      job.content.setCount(lineStart)
      try submit(replacingWith: next)
    }
    lineStart = 0
  }

  private func submit(replacingWith next: FrameJob) throws {
    guard frameCount < options.limits.maxFrames else {
      throw BundleError(
        .limitExceeded, in: sink.name,
        "more than \(options.limits.maxFrames) frames: choose a larger frame size")
    }
    let full = job
    job = next
    frameCount += 1
    endedBytes += full.content.count
    let eighth = max(1, endedBytes / 8)
    let power = 1 << (Int.bitWidth - 1 - eighth.leadingZeroBitCount)
    frameLimit = min(max(power, Self.minFrame), options.frameSize)
    while map.isFull { _ = try writeNext() }
    map.add(full)
  }

  private func emptyJob() -> FrameJob {
    freeJobs.popLast() ?? FrameJob(frameSize: options.frameSize)
  }

  /// Writes the next compressed frame, after waiting for it; false if all frames were written.
  private func writeNext() throws -> Bool {
    guard let job = try map.next() else { return false }
    try sink.write(job.compressed.bytes)
    if var info = job.info {
      info.offset = frames.last?.endOffset ?? 0
      frames.append(info)
    }
    job.reset()
    freeJobs.append(job)
    return true
  }

  /// Closes the writer for good if `body` throws.
  private func guarded<R>(_ body: () throws -> R) throws -> R {
    do {
      return try body()
    } catch {
      if case .open = state { state = .failed(error) }
      map.stop()
      throw error
    }
  }
}

extension FrameWriter {
  /// The settings of frames.
  struct Options: Sendable, Hashable {
    /// zstd's level, -7 (fastest) to 22 (smallest); 1 is tuned for records (``FrameCompressor``).
    var level = 1
    /// The size in bytes of the lines in the frames of a large file, 1 to
    /// ``FrameLimits/maxFrameContent``; the first frames are smaller (``FrameWriter``).
    var frameSize = 1 << 20
    /// The number of threads that compress, the caller's among them. Does not change the bytes.
    var threads = WorkerThread.recommendedCount
    /// The limits on lines and frames.
    var limits = FrameLimits.standard

    /// The maximum size of a compressed frame of ``frameSize``, in bytes.
    var frameBound: Int { Self.bound(of: frameSize) }

    /// Returns the maximum size of a frame with `size` bytes of content.
    static func bound(of size: Int) -> Int { ZstdCompressor.bound(of: size) }

    /// Checks the ranges of the options.
    /// - Throws: ``BundleError`` with the option and its range.
    func check(for name: String) throws {
      try Self.check("compression level", level, -7...max(1, ZstdCompressor.maxLevel), name)
      try Self.check("frame size", frameSize, 1...limits.maxFrameContent, name)
      try Self.check("number of threads", threads, 1...WorkerThread.maxCount, name)
    }

    private static func check(
      _ what: String, _ value: Int, _ range: ClosedRange<Int>, _ name: String
    ) throws {
      guard range.contains(value) else {
        throw BundleError(
          .misuse, in: name,
          "the \(what) is \(value); it must be \(range.lowerBound) to \(range.upperBound)")
      }
    }
  }
}

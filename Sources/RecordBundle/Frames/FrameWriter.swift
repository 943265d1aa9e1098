import Foundation
import RecordCoding

/// Writes lines as zstd frames with a seek table at the end: the zstd seekable format.
///
/// A frame holds whole lines. It ends before the line that would make it larger than its limit; a
/// longer line gets a frame of its own. The limit is an eighth of what lies before the frame, rounded
/// down to a power of two, at least ``smallestFrame`` and at most ``Options/frameSize``: a damaged
/// byte costs a small file a part of it, and a large one does not pay for it. The bytes depend on the
/// lines, the level, the frame size and the version of libzstd, not on the number of threads.
///
/// Use a writer from one thread. After an error every further call throws the same error, and
/// the sink is to be discarded; only a line that is too long, or whose making fails in
/// ``withLineBuffer(_:)``, is merely left out. The sink's ``FrameSink/commit()`` is the caller's.
final class FrameWriter {
  private enum State {
    case open
    case finished
    case failed(any Error)
  }

  /// How frames are made.
  let options: Options
  private let sink: any FrameSink
  private let engine: any FrameEngine
  private var job: FrameJob
  /// Where the line that is being written begins in the job's content.
  private var lineStart = 0
  private var state = State.open
  /// Frames that have been ended.
  private(set) var frameCount = 0
  /// Bytes of lines in the frames that have been ended.
  private var endedBytes = 0
  /// Bytes of lines at which the current frame ends.
  private var frameLimit: Int
  /// Whether the lines that follow count for the content hash. Lines that do not come first.
  var countsLines = true

  /// Bytes of lines that the first frames hold at most.
  static let smallestFrame = 64 << 10

  /// Starts a file in a sink.
  /// - Throws: ``FrameError`` for impossible options.
  init(sink: any FrameSink, options: Options = Options()) throws {
    try options.check(for: sink.name)
    self.options = options
    self.sink = sink
    frameLimit = min(Self.smallestFrame, options.frameSize)
    engine =
      options.threads == 1
      ? try InlineFrameEngine(sink: sink, options: options)
      : try ThreadedFrameEngine(sink: sink, options: options)
    do {
      job = try engine.takeEmptyJob()
    } catch {
      engine.stop()
      throw error
    }
  }

  deinit { engine.stop() }

  /// Writes a line.
  /// - Parameter line: the line without its newline, and without any newline inside. No line may
  ///   have been begun in ``withLineBuffer(_:)``.
  func appendLine(_ line: UnsafeRawBufferPointer) throws {
    try checkOpen()
    try checkLength(line.count)
    if lineStart > 0, line.count + 1 > frameLimit - lineStart { try endFrame() }
    job.content.reserve(line.count + 1)
    job.content.append(line)
    job.content.append(UInt8(ascii: "\n"))
    acceptLine()
  }

  /// Lets `body` append a part of the next line straight to the frame's buffer; ``finishLine()``
  /// ends the line. Where `body` throws, the whole line is forgotten.
  /// - Parameter body: appends only, and leaves out the newline.
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

  /// Ends the line that was written through ``withLineBuffer(_:)``; without one, an empty line.
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

  /// Forgets the line that is being written.
  func discardLine() { job.content.truncate(to: lineStart) }

  /// Ends the frame, so that the next line begins another one. Without lines there is none.
  func endFrame() throws {
    try checkOpen()
    discardLine()
    guard job.lineCount > 0 else { return }
    try guarded {
      let next = try engine.takeEmptyJob()
      try submit(replacingWith: next)
    }
    lineStart = 0
  }

  /// Bytes of the lines in the frame that has not ended.
  var openFrameSize: Int { lineStart }

  /// What is known of a frame that has ended; waits until it has been written. Waiting for a
  /// frame that ended several frames ago costs nothing, and does not depend on thread timing.
  func info(ofFrame index: Int) throws -> FrameInfo {
    try checkOpen()
    return try guarded { try engine.info(ofFrame: index) }
  }

  /// Ends the file: the last frame, then `lastFrame`'s line in a frame of its own, then the seal and
  /// the seek table. The sink still has to be committed.
  /// - Parameter lastFrame: gets all frames so far, and gives the last line without its newline;
  ///   `nil` for none.
  func finish(lastFrame: ([FrameInfo]) throws -> [UInt8]? = { _ in nil }) throws -> FrameSummary {
    try endFrame()
    return try guarded {
      if let line = try lastFrame(engine.drain()) {
        try line.withUnsafeBytes { try appendLine($0) }
        try endFrame()
      }
      let frames = try engine.drain()
      guard let last = frames.last else {
        throw FrameError(.misuse, in: sink.name, "a file needs at least one line")
      }
      engine.stop()
      let tail = FrameSeal.encode(last.digest) + SeekTable.encode(frames)
      try tail.withUnsafeBytes { try sink.write($0) }
      state = .finished
      return FrameSummary(frames: frames, fileSize: last.endOffset + UInt64(tail.count))
    }
  }

  /// Calls everything off and waits for the threads. The sink still has to be discarded.
  func cancel() {
    engine.stop()
    if case .open = state {
      state = .failed(FrameError(.cancelled, in: sink.name, "writing was called off"))
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
    case .finished: throw FrameError(.misuse, in: sink.name, "the file is already finished")
    case .failed(let error): throw error
    }
  }

  private func checkLength(_ length: Int) throws {
    guard length <= options.limits.maxLine else {
      throw FrameError(
        .limitExceeded, in: sink.name,
        "a line of \(length) bytes; at most \(options.limits.maxLine) are possible")
    }
  }

  private func acceptLine() {
    job.lineCount += 1
    if !countsLines { job.uncountedLines += 1 }
    lineStart = job.content.count
  }

  private func moveLineToNextFrame() throws {
    try guarded {
      let next = try engine.takeEmptyJob()
      next.content.append(UnsafeRawBufferPointer(rebasing: job.content.bytes[lineStart...]))
      job.content.truncate(to: lineStart)
      try submit(replacingWith: next)
    }
    lineStart = 0
  }

  private func submit(replacingWith next: FrameJob) throws {
    guard frameCount < options.limits.maxFrames else {
      throw FrameError(
        .limitExceeded, in: sink.name,
        "more than \(options.limits.maxFrames) frames: choose a larger frame size")
    }
    let full = job
    job = next
    frameCount += 1
    endedBytes += full.content.count
    let eighth = max(1, endedBytes / 8)
    let power = 1 << (Int.bitWidth - 1 - eighth.leadingZeroBitCount)
    frameLimit = min(max(power, Self.smallestFrame), options.frameSize)
    try engine.submit(full)
  }

  /// Ends the work for good on an error.
  private func guarded<R>(_ body: () throws -> R) throws -> R {
    do {
      return try body()
    } catch {
      if case .open = state { state = .failed(error) }
      engine.stop()
      throw error
    }
  }
}

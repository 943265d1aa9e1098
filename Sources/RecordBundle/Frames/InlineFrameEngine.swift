/// Compresses and writes on the caller's thread.
final class InlineFrameEngine: FrameEngine {
  private let compressor: FrameCompressor
  private let sink: any FrameSink
  private var empty: [FrameJob]
  private var frames: [FrameInfo] = []

  /// Creates an engine without threads.
  init(sink: any FrameSink, options: FrameWriter.Options) throws {
    compressor = try FrameCompressor(level: options.level, name: sink.name)
    self.sink = sink
    // Two, because a line that does not fit moves to the next job before the first is submitted.
    empty = (0..<2).map { _ in FrameJob(frameSize: options.frameSize) }
  }

  func takeEmptyJob() throws -> FrameJob {
    guard let job = empty.popLast() else {
      throw FrameError(.misuse, in: sink.name, "two frames are already being filled")
    }
    return job
  }

  func submit(_ job: FrameJob) throws {
    job.index = frames.count
    try compressor.compress(job)
    if let info = job.info(at: frames.last?.endOffset ?? 0) {
      try sink.write(job.compressed.bytes)
      frames.append(info)
    }
    job.reset()
    empty.append(job)
  }

  func info(ofFrame index: Int) throws -> FrameInfo {
    guard frames.indices.contains(index) else {
      throw FrameError(.misuse, in: sink.name, "there is no frame \(index) yet")
    }
    return frames[index]
  }

  func drain() throws -> [FrameInfo] { frames }

  func stop() {}
}

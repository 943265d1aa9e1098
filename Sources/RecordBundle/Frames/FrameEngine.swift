import Foundation
import RecordPlatform

/// Compresses filled jobs to frames, and writes them to a sink in the order of submission: on the
/// caller's thread and on others.
///
/// The caller compresses, too, whenever it would have to wait: so there are no more threads than
/// processors, and none waits for one while the queue runs empty.
///
/// It cannot deadlock: jobs are taken from the queue in order, each together with an object for its
/// compressed frame, so the next frame to be written is being compressed, being written or first in
/// the queue; and if it is there, all objects are free or get free without it. The caller waits
/// only for workers. An error sets `failure`, which every wait checks, and ends the workers. Only
/// the sink can block it, such as a pipe without a reader.
final class FrameEngine: @unchecked Sendable {
  /// Protects everything below.
  private let condition = NSCondition()
  private let sink: any FrameSink
  private let frameSize: Int
  /// The compressor of the caller's thread.
  private let ownCompressor: FrameCompressor
  /// The number of jobs that may still be created. Small files do not pay for unused buffers.
  private var unmade: Int
  private var empty: [FrameJob] = []
  private var queue: [FrameJob] = []
  private var submitted = 0
  private var emptyFrames: [CompressedFrame] = []
  /// The number of objects for compressed frames that may still be created.
  private var unmadeFrames: Int
  /// Compressed frames that wait for their turn. Jobs do not wait with them: a thread that loses its
  /// processor while it compresses the next one would stop the others.
  private var compressed: [Int: CompressedFrame] = [:]
  /// Whether a worker is writing; no other thread then uses the sink.
  private var isWriting = false
  private var frames: [FrameInfo] = []
  private var failure: (any Error)?
  private var isStopping = false
  private var liveWorkers: Int

  init(sink: any FrameSink, options: FrameWriter.Options) throws {
    self.sink = sink
    frameSize = options.frameSize
    let compressors = try (0..<options.threads).map { _ in
      CompressorBox(try FrameCompressor(level: options.level, name: sink.name))
    }
    ownCompressor = compressors[0].value
    let workers = compressors.dropFirst()
    // One is being filled, one has the line that moves to the next frame before the first is
    // submitted, and one waits while the others are compressed.
    unmade = workers.isEmpty ? 2 : options.threads + 3
    unmadeFrames = workers.isEmpty ? 1 : options.threads + 6
    liveWorkers = workers.count
    for compressor in workers {
      do {
        try WorkerThread.start(name: "recordpack.compress") { self.work(compressor.value) }
      } catch {
        // The system has no more threads. The caller's compresses what this one would have.
        condition.withLock { liveWorkers -= 1 }
      }
    }
  }

  /// Returns an empty job, waiting for one if necessary. A caller may hold at most two.
  /// - Throws: the first error of any earlier frame.
  func takeEmptyJob() throws -> FrameJob {
    try condition.withLock {
      while true {
        try check()
        if let job = empty.popLast() { return job }
        if unmade > 0 {
          unmade -= 1
          return FrameJob(frameSize: frameSize)
        }
        help()
      }
    }
  }

  /// Takes back a filled job, which becomes the next frame.
  /// - Throws: the first error of this or any earlier frame.
  func submit(_ job: FrameJob) throws {
    try condition.withLock {
      try check()
      job.index = submitted
      submitted += 1
      queue.append(job)
      condition.broadcast()
    }
  }

  /// Waits until a submitted frame has been written.
  /// - Throws: the first error of any frame.
  func info(ofFrame index: Int) throws -> FrameInfo {
    try condition.withLock {
      guard index >= 0, index < submitted else {
        throw BundleError(.misuse, in: sink.name, "there is no frame \(index) yet")
      }
      while frames.count <= index {
        try check()
        help()
      }
      return frames[index]
    }
  }

  /// Waits until all frames have been written.
  /// - Returns: all frames in order.
  /// - Throws: the first error of any frame.
  func drain() throws -> [FrameInfo] {
    try condition.withLock {
      while true {
        try check()
        if frames.count == submitted { return frames }
        help()
      }
    }
  }

  /// Stops all work and waits for the threads to end. May be called again.
  func stop() {
    condition.withLock {
      isStopping = true
      condition.broadcast()
      while liveWorkers > 0 { condition.wait() }
    }
  }

  /// Throws the first error. Call with the lock held.
  private func check() throws {
    if let failure { throw failure }
    if isStopping { throw BundleError(.cancelled, in: sink.name, "writing was cancelled") }
  }
}

extension FrameEngine {
  /// Runs a worker until the end.
  private func work(_ compressor: FrameCompressor) {
    condition.lock()
    while failure == nil, !isStopping { compressNext(with: compressor) }
    liveWorkers -= 1
    condition.broadcast()
    condition.unlock()
  }

  /// Does the work of a worker on the caller's thread, which has to wait. Called and left with the
  /// lock held.
  private func help() { compressNext(with: ownCompressor) }

  /// Compresses the next job, or waits for a change. Called and left with the lock held.
  private func compressNext(with compressor: FrameCompressor) {
    guard !queue.isEmpty, let frame = takeEmptyFrame() else { return condition.wait() }
    compress(queue.removeFirst(), to: frame, with: compressor)
  }

  /// Call with the lock held.
  private func takeEmptyFrame() -> CompressedFrame? {
    if let frame = emptyFrames.popLast() { return frame }
    guard unmadeFrames > 0 else { return nil }
    unmadeFrames -= 1
    return CompressedFrame(frameSize: frameSize)
  }

  /// Compresses a frame, and writes those whose turn it is. Called and left with the lock held.
  private func compress(
    _ job: FrameJob, to frame: CompressedFrame, with compressor: FrameCompressor
  ) {
    guard unlocked({ try compressor.compress(job, to: frame) }) else { return }
    compressed[job.index] = frame
    job.reset()
    empty.append(job)
    condition.broadcast()
    if !isWriting { writeInTurn() }
  }

  /// Writes all frames whose turn it is. Called and left with the lock held.
  private func writeInTurn() {
    isWriting = true
    while failure == nil, !isStopping, let frame = compressed.removeValue(forKey: frames.count) {
      if unlocked({ try sink.write(frame.bytes.bytes) }), var info = frame.info {
        info.offset = frames.last?.endOffset ?? 0
        frames.append(info)
        frame.reset()
        emptyFrames.append(frame)
        condition.broadcast()
      }
    }
    isWriting = false
  }

  /// Runs `body` without the lock, and keeps the first error.
  private func unlocked(_ body: () throws -> Void) -> Bool {
    condition.unlock()
    let result = Result { try body() }
    condition.lock()
    guard case .failure(let error) = result else { return true }
    if failure == nil { failure = error }
    condition.broadcast()
    return false
  }

  /// Passes a compressor to the one thread that uses it.
  private struct CompressorBox: @unchecked Sendable {
    let value: FrameCompressor
    init(_ value: FrameCompressor) { self.value = value }
  }
}

import Foundation
import RecordPlatform
import Testing

// Every file of these tests uses it.
@_exported import TestSupport

@testable import RecordBundle

/// A sink that keeps the bytes.
final class MemorySink: FrameSink, @unchecked Sendable {
  let name = "memory"
  private let lock = NSLock()
  private var kept: [UInt8] = []
  private let capacity: Int
  private let delay: TimeInterval

  /// - Parameters:
  ///   - capacity: the number of bytes after which the "disk" is full.
  ///   - delay: the duration of each write in seconds.
  init(capacity: Int = .max, delay: TimeInterval = 0) {
    self.capacity = capacity
    self.delay = delay
  }

  var bytes: [UInt8] { lock.withLock { kept } }

  func write(_ bytes: UnsafeRawBufferPointer) throws {
    if delay > 0 { Thread.sleep(forTimeInterval: delay) }
    try lock.withLock {
      guard kept.count + bytes.count <= capacity else {
        throw BundleError.system(ENOSPC, in: name, "write")
      }
      kept.append(contentsOf: bytes)
    }
  }
  func commit() throws {}
  func discard() {}
}

enum Sample {
  /// Returns lines of various lengths that look like records; the first one begins like a header.
  static func lines(_ count: Int, seed: UInt64 = 1) -> [String] {
    var generator = SeededGenerator(seed)
    let words = ["order", "chat", "message", "Grüße", "zone", "récord", "日本", "x"]
    return (0..<count).map { index in
      if index == 0 { return #"{"kind":"header","format":"recordpack","version":1}"# }
      let text = (0..<Int.random(in: 0...30, using: &generator)).map { _ in
        words[Int.random(in: 0..<words.count, using: &generator)]
      }.joined(separator: " ")
      return #"{"n":\#(index),"id":"\#(generator.next())","text":"\#(text)"}"#
    }
  }

  /// Returns the file that a writer creates of lines.
  static func file(_ lines: [String], _ options: FrameWriter.Options = .small()) throws -> [UInt8] {
    let sink = MemorySink()
    let writer = try FrameWriter(sink: sink, options: options)
    for line in lines { try writer.append(line) }
    _ = try writer.finish()
    return sink.bytes
  }
}

extension FrameWriter.Options {
  /// Returns options for small tests.
  static func small(level: Int = 2, frameSize: Int = 1000, threads: Int = 1) -> Self {
    Self(level: level, frameSize: frameSize, threads: threads)
  }
}

extension FrameWriter {
  func append(_ line: String) throws {
    var line = line
    try line.withUTF8 { try appendLine(UnsafeRawBufferPointer($0)) }
  }
}

extension FrameContent {
  var strings: [String] { lines.map { String(decoding: $0, as: UTF8.self) } }
}

extension FrameReader {
  convenience init(path: String, limits: FrameLimits = .standard) throws {
    try self.init(file: RandomAccessFile(path: path), limits: limits)
  }

  /// Visits frames in order in the caller's thread, while others are decoded on `threads`.
  func forEachFrame(
    in range: Range<Int>? = nil, threads: Int = 2, _ body: (FrameContent) throws -> Void
  ) throws {
    try mapFrames(range, threads: threads) { frame in
      (frame.location, Array(frame.bytes))
    } consume: { frame in
      try frame.1.withUnsafeBytes { try body(FrameContent(location: frame.0, bytes: $0)) }
    }
  }

  /// Transforms frames on several threads, as ``BundleReader`` does.
  func mapFrames<T: Sendable>(
    _ range: Range<Int>? = nil, threads: Int, window: Int? = nil,
    transform: @escaping @Sendable (FrameContent) throws -> T, consume: (T) throws -> Void
  ) throws {
    try OrderedMap.run(
      threads: threads, window: window ?? threads + 1,
      transform: { try self.withFrame($0, transform) }, consume: consume,
      produce: { try (range ?? 0..<frameCount).forEach($0) })
  }

  func allLines(threads: Int = 1) throws -> [String] {
    var lines: [String] = []
    try forEachFrame(threads: threads) { lines += $0.strings }
    return lines
  }
}

/// Returns the error that `body` throws if it is a ``BundleError``.
func frameError(_ body: () throws -> Void) -> BundleError? {
  do {
    try body()
    return nil
  } catch let error as BundleError {
    return error
  } catch {
    Issue.record("an error of another kind: \(error)")
    return nil
  }
}

extension RecoveryReport.Damage {
  var range: Range<UInt64> { start..<end }
}

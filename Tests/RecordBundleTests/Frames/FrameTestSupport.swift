import Foundation
import RecordPlatform
import Testing

@testable import RecordBundle

/// A random number generator with the same numbers on every run.
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64
  init(_ seed: UInt64) { state = seed }
  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}

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
        throw FrameError.system(ENOSPC, in: name, "write")
      }
      kept.append(contentsOf: bytes)
    }
  }
  func commit() throws {}
  func discard() {}
}

/// A directory that is deleted with the object.
final class TemporaryDirectory {
  let path: String
  init() throws {
    path = FileManager.default.temporaryDirectory.path + "/frames." + SystemCall.randomSuffix()
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }
  deinit { try? FileManager.default.removeItem(atPath: path) }

  func file(_ name: String) -> String { path + "/" + name }

  /// Writes a file and returns its path.
  @discardableResult
  func write(_ bytes: [UInt8], as name: String = "file") throws -> String {
    try Data(bytes).write(to: URL(fileURLWithPath: file(name)))
    return file(name)
  }

  var fileNames: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }
  }
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
  func allLines(threads: Int = 1) throws -> [String] {
    var lines: [String] = []
    try forEachFrame(threads: threads) { lines += $0.strings }
    return lines
  }
}

/// Returns the error that `body` throws if it is a ``FrameError``.
func frameError(_ body: () throws -> Void) -> FrameError? {
  do {
    try body()
    return nil
  } catch let error as FrameError {
    return error
  } catch {
    Issue.record("an error of another kind: \(error)")
    return nil
  }
}

/// Runs a program that may not be installed.
enum OutsideTool {
  static func path(_ name: String) -> String? {
    (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map {
      "\($0)/\(name)"
    }
    .first { FileManager.default.isExecutableFile(atPath: $0) }
  }

  static func run(_ tool: String, _ arguments: [String]) throws -> (status: Int32, output: Data) {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: tool)
    process.arguments = arguments
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = FileHandle.nullDevice
    try process.run()
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (process.terminationStatus, output)
  }
}

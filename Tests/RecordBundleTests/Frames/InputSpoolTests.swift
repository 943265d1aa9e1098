import Foundation
import RecordPlatform
import Testing

@testable import RecordBundle

@Suite("What comes through a pipe")
struct InputSpoolTests {
  /// Reads a pipe that a thread writes to until it is full, closed or all pieces are written.
  private func reading<R>(
    _ pieces: some Sequence<[UInt8]> & Sendable,
    _ body: (_ descriptor: Int32, _ written: @Sendable () -> Int) throws -> R
  ) throws -> R {
    signal(SIGPIPE, SIG_IGN)
    let pipe = Pipe()
    let writing = pipe.fileHandleForWriting
    nonisolated(unsafe) var count = 0
    let lock = NSLock()
    let done = DispatchSemaphore(value: 0)
    try WorkerThread.start(name: "writer") {
      for piece in pieces {
        guard (try? writing.write(contentsOf: Data(piece))) != nil else { break }
        lock.withLock { count += piece.count }
      }
      try? writing.close()
      done.signal()
    }
    defer {
      try? pipe.fileHandleForReading.close()
      done.wait()
    }
    return try body(dup(pipe.fileHandleForReading.fileDescriptor)) { lock.withLock { count } }
  }

  /// Returns an infinite sequence of pieces.
  private func endless(_ first: [UInt8], _ rest: UInt8) -> some Sequence<[UInt8]> & Sendable {
    sequence(first: first) { _ in [UInt8](repeating: rest, count: 64 << 10) }
  }

  private func error(
    _ pieces: some Sequence<[UInt8]> & Sendable, limit: UInt64 = PipeCopy.standardLimit
  ) throws -> (error: BundleError?, written: Int) {
    try reading(pieces) { descriptor, written in
      let error = frameError {
        _ = try RandomAccessFile(
          adopting: descriptor, name: "standard input", spoolLimit: limit)
      }
      return (error, written())
    }
  }

  @Test("What is no bundle is refused by its first bytes, though it never ends")
  func endlessForeign() throws {
    let cases: [(bytes: [UInt8], name: String)] = [
      (Array("{\"records\":[]".utf8), "JSON text"), ([0x1F, 0x8B, 8, 0], "gzip"),
      ([0, 0, 0, 0], "zstd"),
    ]
    for (bytes, name) in cases {
      let (error, written) = try error(endless(bytes, 0x20))
      #expect(error?.code == .notABundle)
      #expect(error?.message.contains(name) == true)
      #expect(error?.source == "standard input")
      #expect(written < 1 << 20)
    }
  }

  @Test("A few bytes are enough, however slowly the rest comes")
  func slow() {
    let pipe = Pipe()
    pipe.fileHandleForWriting.write(Data("hello".utf8))
    let descriptor = dup(pipe.fileHandleForReading.fileDescriptor)
    let error = frameError {
      _ = try RandomAccessFile(adopting: descriptor, name: "standard input")
    }
    #expect(error?.code == .notABundle)
    try? pipe.fileHandleForWriting.close()
  }

  @Test("A zstd file of something else is refused by its first block")
  func endlessZstd() throws {
    let lines = (0..<200).map { "a line of some other file \($0)" }
    let (error, written) = try error(endless(try Sample.file(lines), 0x20))
    #expect(error?.code == .notABundle)
    #expect(error?.message.contains("zstd file with other content") == true)
    #expect(written < 1 << 20)
  }

  @Test("What begins as a bundle is kept up to a limit, and the error says what to do")
  func limit() throws {
    let (error, written) = try error(endless(try Sample.file(Sample.lines(50)), 0), limit: 1 << 20)
    #expect(error?.code == .limitExceeded)
    #expect(error?.message.contains("the limit of 1048576 bytes") == true)
    #expect(error?.message.contains("write it to a file") == true)
    #expect(written < 3 << 20)
  }

  @Test("Input as long as the limit is read, and a byte more is not")
  func exactLimit() throws {
    let lines = Sample.lines(3000)
    let bytes = try Sample.file(lines)
    for (limit, isRead) in [(bytes.count, true), (bytes.count - 1, false)] {
      try reading(CollectionOfOne(bytes)) { descriptor, _ in
        let error = frameError {
          let file = try RandomAccessFile(
            adopting: descriptor, name: "pipe", spoolLimit: UInt64(limit))
          #expect(try FrameReader(file: file).allLines() == lines)
        }
        #expect((error == nil) == isRead)
      }
    }
  }

  @Test("Recovery takes what begins with damage")
  func anything() throws {
    var bytes = try Sample.file(Sample.lines(500))
    bytes[0] = 0
    try reading(CollectionOfOne(bytes)) { descriptor, _ in
      let file = try RandomAccessFile(adopting: descriptor, name: "pipe", anyContent: true)
      #expect(file.size == UInt64(bytes.count))
    }
  }
}

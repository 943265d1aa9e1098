import Foundation
import Testing

@testable import RecordBundle

@Suite("Telling files apart")
struct FileDiagnosisTests {
  private let directory: TestFolder
  init() throws { directory = try TestFolder() }

  private func error(_ bytes: [UInt8]) throws -> BundleError? {
    let path = try directory.write(bytes, as: "some.recordpack")
    return frameError { _ = try FrameReader(path: path) }
  }

  @Test("Well-known files are named")
  func wellKnown() throws {
    let cases: [(beginning: [UInt8], name: String)] = [
      ([0xFF, 0xD8, 0xFF, 0xE0], "JPEG"),
      ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], "PNG"),
      ([0x1F, 0x8B, 8, 0], "gzip"), ([0x50, 0x4B, 3, 4], "zip"),
      (Array("SQLite format 3\0".utf8), "SQLite"), (Array("%PDF-1.7".utf8), "PDF"),
      (Array("  {\"records\":[]}".utf8), "JSON text"), (Array("[1, 2]".utf8), "JSON text"),
      (Array("Dear reader\n".utf8), "plain text"),
      (Array("version https://git-lfs.github.com/spec/v1\n".utf8), "`git lfs pull`"),
      (Array(#"{"kind":"header","format":"recordpack"}"#.utf8), "an uncompressed bundle"),
    ]
    for (beginning, name) in cases {
      let error = try error(beginning)
      #expect(error?.code == .notABundle)
      #expect(error?.message.contains(name) == true, "\(name): \(error?.message ?? "no error")")
      #expect(error?.source.hasSuffix("some.recordpack") == true)
    }
    #expect(try error([1, 2, 3, 4, 5, 0, 200])?.code == .notABundle)
    #expect(try error([0x41])?.code == .notABundle)
  }

  @Test("A bundle that was cut off is told from a zstd file of something else")
  func truncatedOrForeign() throws {
    // As in a bundle, the header has a frame of its own.
    func file(_ lines: [String]) throws -> [UInt8] {
      try Sample.file(lines, .small(frameSize: 1))
    }
    func frames(_ lines: [String]) throws -> [UInt8] {
      let path = try directory.write(try file(lines))
      let end = try FrameReader(path: path).table.framesEnd
      return Array(try file(lines)[..<Int(end)])
    }
    let cut = try error(try frames(Sample.lines(20)))
    #expect(cut?.code == .truncated)
    #expect(cut?.message.contains("recordpack recover") == true)
    let foreign = try error(try frames((0..<99).map { "a line of some other file \($0)" }))
    #expect(foreign?.code == .notABundle)
    #expect(foreign?.message.contains("zstd file with other content") == true)
    let inside = try error(Array(try frames(Sample.lines(20)).prefix(30)))
    #expect(inside?.code == .truncated)
    #expect(try error([0x28, 0xB5])?.code == .truncated)
    let appended = try error(try file(Sample.lines(20)) + [10])
    #expect(appended?.code == .truncated)
    #expect(appended?.message.contains("appended") == true)
  }

  @Test("A bundle that another program compressed again is not called truncated")
  func compressedAgain() throws {
    let path = try directory.write(try Sample.file(Sample.lines(20)))
    let end = try FrameReader(path: path).table.framesEnd
    let again = Array(try Sample.file(Sample.lines(20))[..<Int(end)])
    // pzstd begins with a skippable frame.
    let skippable: [UInt8] = [0x50, 0x2A, 0x4D, 0x18, 4, 0, 0, 0, 1, 2, 3, 4]
    for bytes in [again, skippable + again] {
      let error = try error(bytes)
      #expect(error?.code == .damaged)
      #expect(error?.message.contains("another program compressed the bundle again") == true)
    }
    let foreign = try error(skippable + [0x28, 0xB5])
    #expect(foreign?.code == .notABundle)
  }

  @Test("Empty files, directories, devices and missing files have errors of their own")
  func noFiles() throws {
    #expect(try error([])?.code == .emptyFile)
    #expect(frameError { _ = try FrameReader(path: directory.path) }?.code == .notAFile)
    #expect(frameError { _ = try FrameReader(path: "/dev/null") }?.code == .notAFile)
    let missing = frameError { _ = try FrameReader(path: directory.path("missing")) }
    #expect(missing?.errorNumber == ENOENT)
    #expect(frameError { _ = try FrameReader(path: "") }?.code == .misuse)
    #expect(frameError { _ = try FrameReader(path: "a\0b") }?.code == .misuse)
  }

  @Test("What comes through a pipe is read like a file")
  func pipe() throws {
    let lines = Sample.lines(3000)
    let bytes = try Sample.file(lines)
    let pipe = Pipe()
    let writing = pipe.fileHandleForWriting
    Thread {
      try? writing.write(contentsOf: Data(bytes))
      try? writing.close()
    }.start()
    let reading = dup(pipe.fileHandleForReading.fileDescriptor)
    let file = try RandomAccessFile(adopting: reading, name: "standard input")
    #expect(file.size == UInt64(bytes.count))
    #expect(try FrameReader(file: file).allLines(threads: 2) == lines)
  }

  @Test("An empty pipe is an empty file, and a file counts from where it was read to")
  func pipeEdges() throws {
    let pipe = Pipe()
    try pipe.fileHandleForWriting.close()
    let end = dup(pipe.fileHandleForReading.fileDescriptor)
    let error = frameError { _ = try RandomAccessFile(adopting: end, name: "standard input") }
    #expect(error?.code == .emptyFile)
    #expect(error?.source == "standard input")

    let bytes = try Sample.file(Sample.lines(1))
    let path = try directory.write(Array("skip".utf8) + bytes)
    let descriptor = open(path, O_RDONLY)
    lseek(descriptor, 4, SEEK_SET)
    let file = try RandomAccessFile(adopting: descriptor, name: "standard input")
    #expect(try FrameReader(file: file).allLines() == Sample.lines(1))
  }

  @Test("A file that shrinks while it is read gives an error")
  func shrinking() throws {
    let path = try directory.write(try Sample.file(Sample.lines(100)))
    let reader = try FrameReader(path: path)
    #expect(truncate(path, 40) == 0)
    let error = frameError { _ = try reader.allLines() }
    #expect(error?.code == .truncated)
    #expect(error?.message.contains("when it was opened") == true)
  }
}

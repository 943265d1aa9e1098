import Foundation
import RecordPlatform
import Testing

@testable import RecordBundle

@Suite("Reading frames", .timeLimit(.minutes(20)))
struct FrameReaderTests {
  private let directory: TestFolder
  private let lines = Sample.lines(1000, seed: 3)
  private let reader: FrameReader

  init() throws {
    directory = try TestFolder()
    reader = try FrameReader(path: try directory.write(try Sample.file(lines)))
  }

  @Test("Values come in order, whichever thread computed them", arguments: [1, 2, 3, 8])
  func order(threads: Int) throws {
    var seen: [Int] = []
    var got: [String] = []
    try reader.mapFrames(threads: threads) { content in
      // Uneven work, so that threads overtake each other.
      if content.index % 5 == 0 { Thread.sleep(forTimeInterval: 0.002) }
      return (content.index, content.strings)
    } consume: { index, strings in
      seen.append(index)
      got += strings
    }
    #expect(seen == Array(0..<reader.frameCount))
    #expect(got == lines)
  }

  @Test("A part of the frames is read alone", arguments: [1, 2])
  func ranges(threads: Int) throws {
    var seen: [Int] = []
    try reader.forEachFrame(in: 3..<9, threads: threads) { seen.append($0.index) }
    #expect(seen == Array(3..<9))
    try reader.forEachFrame(in: 3..<3, threads: threads) { _ in Issue.record("no frame") }
    let count = reader.frameCount
    for frame in [-1, count] {
      let error = frameError { try reader.withFrame(frame) { _ in } }
      #expect(error?.code == .misuse)
    }
  }

  @Test("The first failing frame decides, at any number of threads", arguments: [1, 2, 4])
  func firstError(threads: Int) throws {
    struct Bad: Error, Equatable { let frame: Int }
    var consumed: [Int] = []
    #expect(throws: Bad(frame: 11)) {
      try reader.mapFrames(threads: threads) { content in
        if content.index == 11 { Thread.sleep(forTimeInterval: 0.02) }
        if content.index >= 11 { throw Bad(frame: content.index) }
        return content.index
      } consume: {
        consumed.append($0)
      }
    }
    #expect(consumed == Array(0..<11))
  }

  @Test("A consumer may fail at any frame", arguments: [1, 2, 4])
  func consumerStops(threads: Int) throws {
    struct Enough: Error {}
    for stop in [0, 1, 7, reader.frameCount - 1] {
      var last = -1
      #expect(throws: Enough.self) {
        try reader.forEachFrame(threads: threads) { content in
          last = content.index
          if last == stop { throw Enough() }
        }
      }
      #expect(last == stop)
    }
  }

  @Test("No more values exist at a time than the window allows")
  func window() throws {
    let lock = NSLock()
    nonisolated(unsafe) var alive = 0
    nonisolated(unsafe) var most = 0
    try reader.mapFrames(threads: 3, window: 4) { content in
      lock.withLock {
        alive += 1
        most = max(most, alive)
      }
      return content.index
    } consume: { _ in
      Thread.sleep(forTimeInterval: 0.001)
      lock.withLock { alive -= 1 }
    }
    #expect(most <= 4)
    #expect(alive == 0)
  }

  @Test("Zero bytes follow the content, so that a scanner may read on", arguments: [1, 2])
  func padding(threads: Int) throws {
    try reader.mapFrames(threads: threads) { content in
      let end = try #require(content.bytes.baseAddress) + content.bytes.count
      let isZero = UnsafeRawBufferPointer(start: end, count: 64).allSatisfy { $0 == 0 }
      return (content.index, isZero)
    } consume: { index, isZero in
      #expect(isZero, "frame \(index)")
    }
  }

  @Test("Frames are read in any order from several threads at once")
  func randomAccess() throws {
    let reader = reader
    nonisolated(unsafe) var expected: [[String]] = []
    try reader.forEachFrame(threads: 1) { expected.append($0.strings) }
    DispatchQueue.concurrentPerform(iterations: 200) { iteration in
      let index = (iteration * 37) % reader.frameCount
      let strings = try? reader.withFrame(index) { $0.strings }
      #expect(strings == expected[index])
    }
  }

  @Test("A table without checksums, as other tools write it, is refused")
  func tableWithoutChecksums() throws {
    let bytes = try Sample.file(lines)
    let count = reader.frameCount
    let start = Int(reader.table.framesEnd) + FrameSeal.size
    var plain = Array(bytes[..<start])
    plain.append(littleEndian: 0x184D_2A5E)
    plain.append(littleEndian: UInt32(count * 8 + 9))
    for index in 0..<count { plain += bytes[(start + 8 + index * 12)...].prefix(8) }
    plain.append(littleEndian: UInt32(count))
    plain += [0]
    plain.append(littleEndian: 0x8F92_EAB1)
    let path = try directory.write(plain, as: "plain")
    let error = frameError { _ = try FrameReader(path: path) }
    #expect(error?.code == .damaged)
    #expect(error?.message.contains("descriptor 0") == true)
  }

  @Test("A frame whose bytes are not those of its digest is refused, whatever zstd makes of them")
  func digests() throws {
    var bytes = try Sample.file(lines)
    let table = reader.table
    let digests = (0..<table.count - 1).map { frame in
      let start = Int(table[frame].offset)
      return bytes[start..<start + table[frame].compressedSize].withUnsafeBytes {
        SHA256Digest(of: $0)
      }
    }
    // A bit of the frame header that zstd ignores.
    bytes[Int(table[1].offset) + 4] ^= 0x10
    let file = try RandomAccessFile(path: try directory.write(bytes, as: "changed"))
    #expect(try FrameReader(file: file).allLines() == lines)
    let checking = FrameReader(
      file: file, table: table.adding(digests: digests), limits: .standard)
    let error = frameError { _ = try checking.allLines() }
    #expect(error?.code == .damaged)
    #expect(error?.frame == 1)
    #expect(error?.message.contains("SHA-256") == true)
    #expect(error?.message.contains("in the index") == true)
  }

  @Test("A line over the limit is refused")
  func longLine() throws {
    let path = try directory.write(
      try Sample.file(["short", String(repeating: "x", count: 5000)]), as: "long")
    var limits = FrameLimits()
    limits.maxLine = 4999
    let reader = try FrameReader(path: path, limits: limits)
    let error = frameError { try reader.forEachFrame(threads: 1) { _ in } }
    #expect(error?.code == .limitExceeded)
    #expect(error?.frame == 1)
    #expect(error?.message.contains("5000") == true)
  }
}

import Foundation
import RecordPlatform
import Testing

@testable import RecordBundle

@Suite("Writing frames", .timeLimit(.minutes(20)))
struct FrameWriterTests {
  @Test("Lines come back as they were written", arguments: [1, 2, 4], [1, 100, 5000, 1 << 20])
  func roundTrip(threads: Int, frameSize: Int) throws {
    let directory = try TestFolder()
    let lines = Sample.lines(700) + ["", "", "last"]
    let options = FrameWriter.Options.small(frameSize: frameSize, threads: threads)
    let path = try directory.write(try Sample.file(lines, options))
    let reader = try FrameReader(path: path)
    #expect(try reader.allLines() == lines)
    #expect(try reader.allLines(threads: threads) == lines)
  }

  @Test("The bytes do not depend on the number of threads", arguments: [-3, 1, 2, 3, 9, 19])
  func deterministic(level: Int) throws {
    let lines = Sample.lines(1500, seed: 7)
    let expected = try Sample.file(lines, .small(level: level, frameSize: 4000, threads: 1))
    for threads in [2, 3, 8] {
      let options = FrameWriter.Options.small(level: level, frameSize: 4000, threads: threads)
      #expect(try Sample.file(lines, options) == expected)
    }
  }

  @Test("A frame ends before the line that would make it too large", arguments: [false, true])
  func cutRule(throughBuffer: Bool) throws {
    // With its newline each line has ten bytes, the fourth has 31.
    let lines = ["aaaaaaaaa", "bbbbbbbbb", "ccccccccc", String(repeating: "d", count: 30), "e"]
    let sink = MemorySink()
    let writer = try FrameWriter(sink: sink, options: .small(frameSize: 20))
    for line in lines {
      guard throughBuffer else {
        try writer.append(line)
        continue
      }
      try writer.withLineBuffer { buffer in line.utf8.forEach { buffer.append($0) } }
      try writer.finishLine()
    }
    _ = try writer.finish()
    let directory = try TestFolder()
    var frames: [[String]] = []
    let reader = try FrameReader(path: try directory.write(sink.bytes))
    try reader.forEachFrame(threads: 1) { frames.append($0.strings) }
    #expect(frames == [Array(lines[0...1]), [lines[2]], [lines[3]], [lines[4]]])
  }

  @Test("Frames of a small file are small: an eighth of what lies before, by powers of two")
  func growingFrames() throws {
    var options = FrameWriter.Options()
    options.frameSize = 100_000
    options.threads = 1
    // Each line has 1,000 bytes with its newline.
    let lines = Array(repeating: String(repeating: "x", count: 999), count: 2500)
    let directory = try TestFolder()
    let reader = try FrameReader(path: try directory.write(try Sample.file(lines, options)))
    var before = 0
    for frame in 0..<reader.frameCount - 1 {
      let size = Int(reader.table.sizes[frame])
      var limit = 65_536
      while limit * 2 <= before / 8 { limit *= 2 }
      limit = min(limit, 100_000)
      #expect(size <= limit && size + 1000 > limit, "frame \(frame), after \(before) bytes")
      before += size
    }
    #expect(before > 8 * 131_072, "the largest size was reached")
  }

  @Test("Lines written into the buffer give the same file as lines handed over")
  func lineBuffer() throws {
    let lines = Sample.lines(500)
    for threads in [1, 2] {
      let sink = MemorySink()
      let writer = try FrameWriter(sink: sink, options: .small(frameSize: 700, threads: threads))
      for line in lines {
        let bytes = Array(line.utf8)
        // In two parts, as a writer of JSON does.
        try writer.withLineBuffer { buffer in
          bytes.prefix(7).forEach { buffer.append($0) }
        }
        try writer.withLineBuffer { buffer in
          bytes.dropFirst(7).withUnsafeBytes { buffer.append($0) }
        }
        try writer.finishLine()
      }
      _ = try writer.finish()
      #expect(sink.bytes == (try Sample.file(lines, .small(frameSize: 700))))
    }
  }

  @Test("A line whose making fails leaves no trace")
  func failedLine() throws {
    struct Stop: Error {}
    let sink = MemorySink()
    let writer = try FrameWriter(sink: sink, options: .small())
    try writer.append("one")
    #expect(throws: Stop.self) {
      try writer.withLineBuffer { buffer in
        buffer.append(UInt8(ascii: "x"))
        throw Stop()
      }
    }
    try writer.append("two")
    _ = try writer.finish()
    #expect(sink.bytes == (try Sample.file(["one", "two"])))
  }

  @Test("A line over the limit is refused and left out")
  func tooLongLine() throws {
    var options = FrameWriter.Options.small()
    options.limits.maxLine = 10
    let sink = MemorySink()
    let writer = try FrameWriter(sink: sink, options: options)
    try writer.append("0123456789")
    let error = frameError { try writer.append("0123456789a") }
    #expect(error?.code == .limitExceeded)
    #expect(error?.message.contains("11 bytes") == true)
    try writer.withLineBuffer { buffer in
      for _ in 0..<11 { buffer.append(UInt8(ascii: "b")) }
    }
    #expect(frameError { try writer.finishLine() }?.code == .limitExceeded)
    _ = try writer.finish()
    #expect(sink.bytes == (try Sample.file(["0123456789"])))
  }

  @Test("Options out of range are refused by name")
  func options() {
    for (options, name) in [
      (FrameWriter.Options.small(level: 23), "level"), (.small(level: -8), "level"),
      (.small(frameSize: 0), "frame size"), (.small(frameSize: 65 << 20), "frame size"),
      (.small(threads: 0), "threads"), (.small(threads: 257), "threads"),
    ] {
      let error = frameError { _ = try FrameWriter(sink: MemorySink(), options: options) }
      #expect(error?.code == .misuse)
      #expect(error?.message.contains(name) == true)
    }
  }

  @Test("What is recorded of each frame is true", arguments: [1, 3])
  func frameInfos(threads: Int) throws {
    let lines = Sample.lines(300)
    let sink = MemorySink()
    let writer = try FrameWriter(sink: sink, options: .small(threads: threads))
    for line in lines { try writer.append(line) }
    let summary = try writer.finish()
    #expect(summary.frames.count == writer.frameCount)
    #expect(summary.fileSize == UInt64(sink.bytes.count))
    #expect(summary.frames.reduce(0) { $0 + $1.lineCount } == 300)
    let directory = try TestFolder()
    let reader = try FrameReader(path: try directory.write(sink.bytes))
    #expect(reader.table.sizes == summary.frames.map(\.size))
    try reader.forEachFrame(threads: 1) { content in
      let info = summary.frames[content.index]
      #expect(info.offset == content.location.offset)
      #expect(Int(info.compressedSize) == content.location.compressedSize)
      #expect(Int(info.size) == content.bytes.count)
      #expect(Int(info.lineCount) == content.strings.count)
      #expect(info.checksum == content.location.checksum)
      let end = Int(info.endOffset)
      sink.bytes[Int(info.offset)..<end].withUnsafeBytes { bytes in
        #expect(info.digest == SHA256Digest(of: bytes))
      }
      #expect(info.contentHash == ContentHash(of: content.lines))
    }
  }

  @Test("The last line knows all frames and has a frame of its own", arguments: [1, 2])
  func lastFrame(threads: Int) throws {
    let sink = MemorySink()
    let writer = try FrameWriter(sink: sink, options: .small(frameSize: 300, threads: threads))
    for line in Sample.lines(40) { try writer.append(line) }
    let summary = try writer.finish { frames in
      #expect(frames.reduce(0) { $0 + $1.lineCount } == 40)
      return Array("index of \(frames.count) frames".utf8)
    }
    let directory = try TestFolder()
    let reader = try FrameReader(path: try directory.write(sink.bytes))
    #expect(reader.frameCount == summary.frames.count)
    let last = try reader.withFrame(reader.frameCount - 1) { $0.strings }
    #expect(last == ["index of \(reader.frameCount - 1) frames"])
  }

  @Test(
    "An early frame's place can be asked for while others are being written", arguments: [1, 2])
  func infoWhileWriting(threads: Int) throws {
    let writer = try FrameWriter(sink: MemorySink(), options: .small(threads: threads))
    for line in Sample.lines(50) { try writer.append(line) }
    try writer.endFrame()
    let ended = writer.frameCount
    let info = try writer.info(ofFrame: ended - 1)
    #expect(frameError { _ = try writer.info(ofFrame: ended) }?.code == .misuse)
    let failed = frameError { try writer.append("more") }
    #expect(failed?.code == .misuse)
    #expect(info.offset > 0)
  }

  @Test("A full disk is reported and stops everything", arguments: [1, 2, 4])
  func fullDisk(threads: Int) throws {
    for capacity in [0, 100, 3000] {
      let writer = try FrameWriter(
        sink: MemorySink(capacity: capacity), options: .small(threads: threads))
      let lines = Sample.lines(2000)
      let error = frameError {
        for line in lines { try writer.append(line) }
        _ = try writer.finish()
      }
      #expect(error?.errorNumber == ENOSPC)
      // Every further call fails with the same error.
      #expect(frameError { try writer.append("x") } == error)
      #expect(frameError { _ = try writer.finish() } == error)
      writer.cancel()
    }
  }

  @Test("Calling off ends the threads and frees the sink", arguments: [1, 2, 4])
  func cancel(threads: Int) throws {
    weak var sink: MemorySink?
    do {
      let made = MemorySink(delay: 0.001)
      sink = made
      let writer = try FrameWriter(sink: made, options: .small(threads: threads))
      for line in Sample.lines(300) { try writer.append(line) }
      writer.cancel()
      #expect(frameError { try writer.append("x") }?.code == .cancelled)
      #expect(frameError { _ = try writer.finish() }?.code == .cancelled)
    }
    // A thread releases its objects shortly after its work.
    for _ in 0..<500 where sink != nil { Thread.sleep(forTimeInterval: 0.01) }
    #expect(sink == nil)
  }

  @Test("A writer that is dropped midway does not hang")
  func dropped() throws {
    for _ in 0..<20 {
      let writer = try FrameWriter(sink: MemorySink(delay: 0.0005), options: .small(threads: 3))
      for line in Sample.lines(100) { try writer.append(line) }
    }
  }

  @Test("A slow sink gets the frames in order")
  func slowSink() throws {
    let lines = Sample.lines(600)
    let sink = MemorySink(delay: 0.0005)
    let writer = try FrameWriter(sink: sink, options: .small(threads: 4))
    for line in lines { try writer.append(line) }
    _ = try writer.finish()
    #expect(sink.bytes == (try Sample.file(lines)))
  }

  @Test("Nothing can be written after the end, and there is no file without lines")
  func ends() throws {
    let writer = try FrameWriter(sink: MemorySink(), options: .small())
    try writer.append("x")
    _ = try writer.finish()
    #expect(frameError { try writer.append("y") }?.code == .misuse)
    #expect(frameError { _ = try writer.finish() }?.code == .misuse)
    let empty = try FrameWriter(sink: MemorySink(), options: .small(threads: 2))
    #expect(frameError { _ = try empty.finish() }?.code == .misuse)
  }

  @Test("More frames than a reader takes are not written")
  func tooManyFrames() throws {
    var options = FrameWriter.Options.small(frameSize: 1)
    options.limits.maxFrames = 3
    let writer = try FrameWriter(sink: MemorySink(), options: options)
    let error = frameError {
      for _ in 0..<10 { try writer.append("x") }
    }
    #expect(error?.code == .limitExceeded)
  }
}

import Foundation
import RecordPlatform
import Testing

@testable import RecordBundle

@Suite("Files made to hurt", .timeLimit(.minutes(20)))
struct HostileFileTests {
  private let directory: TestFolder

  init() throws { directory = try TestFolder() }

  private struct Entry {
    var compressed: UInt32
    var size: UInt32
    var checksum: UInt32 = 0
  }

  /// Returns a file of frames, a matching seal, and a seek table with these entries and the seal's.
  private func file(
    _ frames: [UInt8], _ entries: [Entry], count: UInt32? = nil, seal: [UInt8]? = nil
  ) -> [UInt8] {
    let last = frames.suffix(Int(entries.last?.compressed ?? 0))
    let digest = Array(last).withUnsafeBytes { SHA256Digest(of: $0) }
    let seal = seal ?? FrameSeal.encode(digest)
    var bytes = frames + seal
    let entries =
      entries + [Entry(compressed: UInt32(seal.count), size: 0, checksum: 0x51D8_E999)]
    bytes.append(littleEndian: 0x184D_2A5E)
    bytes.append(littleEndian: UInt32(entries.count * 12 + 9))
    for entry in entries {
      bytes.append(littleEndian: entry.compressed)
      bytes.append(littleEndian: entry.size)
      bytes.append(littleEndian: entry.checksum)
    }
    bytes.append(littleEndian: count ?? UInt32(entries.count))
    bytes.append(0x80)
    bytes.append(littleEndian: 0x8F92_EAB1)
    return bytes
  }

  private func error(_ bytes: [UInt8]) throws -> BundleError? {
    let path = try directory.write(bytes)
    return frameError { _ = try FrameReader(path: path).allLines() }
  }

  /// Returns a frame with this header, one raw block, and a checksum of zeros.
  private func frame(descriptor: UInt8, header: [UInt8], content: String = "x\n") -> [UInt8] {
    var bytes: [UInt8] = [0x28, 0xB5, 0x2F, 0xFD, descriptor] + header
    let block = UInt32(content.utf8.count) << 3 | 1
    bytes += [UInt8(block & 0xFF), UInt8(block >> 8 & 0xFF), UInt8(block >> 16 & 0xFF)]
    bytes += Array(content.utf8)
    if descriptor & 4 != 0 { bytes += [0, 0, 0, 0] }
    return bytes
  }

  private func alone(_ frame: [UInt8], size: UInt32 = 2) -> [UInt8] {
    file(frame, [Entry(compressed: UInt32(frame.count), size: size)])
  }

  @Test("A frame that claims 100 GB is refused before anything is allocated")
  func hugeClaim() throws {
    let size = UInt64(100) << 30
    let bytes = withUnsafeBytes(of: size.littleEndian) { Array($0) }
    let claimed = frame(descriptor: 0xE4, header: bytes)
    let error = try error(alone(claimed))
    #expect(error?.code == .limitExceeded)
    #expect(error?.message.contains("its content has \(size) bytes") == true)
    #expect(error?.frame == 0)
  }

  @Test("A frame that asks for a window of 2 GB is refused")
  func hugeWindow() throws {
    // Exponent 21, mantissa 0: 2 GiB. Content size in four bytes.
    let claimed = frame(descriptor: 0x84, header: [21 << 3, 2, 0, 0, 0])
    let error = try error(alone(claimed))
    #expect(error?.code == .limitExceeded)
    #expect(error?.message.contains("window") == true)
  }

  @Test("Frames without content size or checksum, with a dictionary or a reserved bit are refused")
  func unusualHeaders() throws {
    let cases: [(frame: [UInt8], word: String)] = [
      (frame(descriptor: 0x04, header: [0x50]), "does not state the size"),
      (frame(descriptor: 0x20, header: [2]) + [0, 0, 0, 0], "checksum"),
      (frame(descriptor: 0x25, header: [7, 2]), "dictionary 7"),
      (frame(descriptor: 0x2C, header: [2]), "header"),
      (frame(descriptor: 0x24, header: [0], content: ""), "empty"),
      (frame(descriptor: 0x24, header: [2]), "checksum"),
    ]
    for (frame, word) in cases {
      let padded = frame.count < 14 ? frame + [0] : frame
      let error = try error(alone(padded))
      #expect(error?.code == .damaged)
      #expect(error?.message.contains(word) == true, "\(word): \(error?.message ?? "no error")")
    }
  }

  @Test("A frame whose blocks cannot be decoded is refused")
  func undecodable() throws {
    // A compressed block of three bytes that are no literals.
    let broken: [UInt8] = [0x28, 0xB5, 0x2F, 0xFD, 0x24, 2, 3 << 3 | 5, 0, 0, 0xFF, 0xFF, 0xFF]
    let error = try error(alone(broken + [0, 0, 0, 0]))
    #expect(error?.code == .damaged)
    #expect(error?.message.contains("it cannot be decoded") == true, "\(error?.message ?? "")")
  }

  @Test("A file whose beginning is damaged says so")
  func beginning() throws {
    let one = try oneFrame()
    var bytes = alone(one, size: 5)
    bytes[0] ^= 1
    let error = try error(bytes)
    #expect(error?.code == .damaged)
    #expect(error?.message.contains("does not begin with a zstd frame") == true)
  }

  @Test("A container that this process has open is not read as a bundle")
  func openContainer() throws {
    let path = try directory.write(try Sample.file(Sample.lines(3)))
    let identity = try #require(FileIdentity(path: path))
    OpenContainers.add(identity, at: path)
    defer { OpenContainers.remove(identity, at: path) }
    let error = frameError { _ = try FrameReader(path: path) }
    #expect(error?.code == .notABundle)
    #expect(error?.message.contains("a container that this process has open") == true)
  }

  @Test("A frame whose content does not end with a newline is refused")
  func halfLine() throws {
    let sink = MemorySink()
    let compressor = try FrameCompressor(level: 1, name: "test")
    let job = FrameJob(frameSize: 100)
    Array("whole\nhalf".utf8).withUnsafeBytes { job.content.append($0) }
    try compressor.compress(job)
    try sink.write(job.compressed.bytes)
    let info = try #require(job.info)
    let error = try error(
      sink.bytes + FrameSeal.encode(info.digest) + SeekTable.encode([info]))
    #expect(error?.message.contains("whole line") == true)
  }

  @Test("Bytes behind a frame, inside its part of the file, are refused")
  func trailingBytes() throws {
    let one = try oneFrame()
    let error = try error(
      file(one + [1, 2, 3], [Entry(compressed: UInt32(one.count + 3), size: 5)]))
    #expect(error?.code == .damaged)
    let two = try self.error(file(one + one, [Entry(compressed: UInt32(one.count * 2), size: 5)]))
    #expect(two?.code == .damaged)
    // The decoder itself would not detect a skippable frame after it.
    var hidden = one
    hidden.append(littleEndian: 0x184D_2A50)
    hidden.append(littleEndian: 4)
    hidden.append(littleEndian: 7)
    let skippable = try self.error(
      file(hidden, [Entry(compressed: UInt32(hidden.count), size: 5, checksum: 7)]))
    #expect(skippable?.code == .damaged)
    #expect(skippable?.message.contains("do not match its size") == true)
  }

  @Test("A seek table that lies is refused, and the error says how")
  func lyingTable() throws {
    let one = try oneFrame()
    let size = UInt32(one.count)
    let cases: [(bytes: [UInt8], word: String)] = [
      (file(one, [], count: 0), "no frames"),
      (file(one, [Entry(compressed: size, size: 5)], count: .max), "4294967295 frames"),
      (file(one, [Entry(compressed: size, size: 5)], count: 10), "claims 10 frames"),
      (one + file(one, [Entry(compressed: size, size: 5)], count: 3), "does not begin"),
      (file(one, [Entry(compressed: size + 1, size: 5)]), "accounts for"),
      (file(one, [Entry(compressed: size - 1, size: 5)]), "accounts for"),
      (file(one, [Entry(compressed: size, size: 0)]), "0 bytes"),
      (file(one, [Entry(compressed: size, size: .max)]), "4294967295 bytes"),
      (
        file(one, [Entry(compressed: 0, size: 5), Entry(compressed: size, size: 5)]), "0 compressed"
      ),
      (file(one, [Entry(compressed: .max, size: 5)]), "4294967295 compressed"),
      (file(one, [Entry(compressed: size, size: 6)]), "the seek table 6"),
      (file(one, [Entry(compressed: size, size: 5, checksum: 1)]), "checksum"),
      (file([], []), "seal before the seek table is missing"),
    ]
    for (bytes, word) in cases {
      let error = try error(bytes)
      #expect(error?.message.contains(word) == true, "\(word): \(error?.message ?? "no error")")
    }
  }

  @Test("A seal that is missing, changed, or of another file is refused")
  func seal() throws {
    let one = try oneFrame()
    let entries = [Entry(compressed: UInt32(one.count), size: 5)]
    let seal = Array(try Sample.file(["line"])[one.count...].prefix(FrameSeal.size))
    #expect(seal.prefix(12) == [0x50, 0x2A, 0x4D, 0x18, 36, 0, 0, 0, 0x52, 0x50, 0x4B, 0x31])
    #expect(
      try error(file(one, entries, seal: []))?.message.contains(
        "seal before the seek table is missing") == true)
    #expect(try error(file(one, entries, seal: seal + seal))?.code == .damaged)
    for position in [0, 4, 8] {
      var changed = seal
      changed[position] ^= 1
      let error = try error(file(one, entries, seal: changed))
      #expect(error?.code == .damaged)
      #expect(error?.message.contains("seal") == true)
    }
    var foreign = seal
    foreign[20] ^= 1
    let error = try error(file(one, entries, seal: foreign))
    #expect(error?.code == .damaged && error?.frame == 0)
    #expect(error?.message.contains("SHA-256 in the seal") == true)
  }

  /// Returns the frame of a file with one line.
  private func oneFrame() throws -> [UInt8] {
    Array(try Sample.file(["line"]).dropLast(FrameSeal.size + 8 + 2 * 12 + 9))
  }

  @Test("More frames than the limit are refused")
  func tooManyFrames() throws {
    let path = try directory.write(try Sample.file(Sample.lines(50), .small(frameSize: 1)))
    var limits = FrameLimits()
    limits.maxFrames = 49
    let error = frameError { _ = try FrameReader(path: path, limits: limits) }
    #expect(error?.code == .limitExceeded)
    #expect(error?.message.contains("50 frames") == true)
  }

  @Test("Recovery passes hostile frames and gives up on endless false beginnings in good time")
  func hostileRecovery() throws {
    let good = try Sample.file(["line"])
    let claimed = frame(
      descriptor: 0xE4, header: withUnsafeBytes(of: UInt64(100) << 30) { Array($0) })
    let file = try RandomAccessFile(path: try directory.write(claimed + good))
    var lines: [String] = []
    let summary = try FrameRecovery.scan(file) { content, _ in lines += content.strings }
    #expect(lines == ["line"])
    #expect(summary.damage.map(\.range) == [0..<UInt64(claimed.count)])

    // Thousands of frame headers that all run into the same 32 MiB of repeated bytes.
    let header: [UInt8] = [0x28, 0xB5, 0x2F, 0xFD, 0xA4, 0, 0, 0, 2]
    // A raw block as long as the next header, so that frames share their blocks.
    let step: [UInt8] = header + [UInt8(9 << 3), 0, 0]
    var bomb = Array(repeating: step, count: 20_000).flatMap { $0 }
    let repeated = UInt32(128 << 10) << 3 | 2
    let block = [UInt8(repeated & 0xFF), UInt8(repeated >> 8 & 0xFF), UInt8(repeated >> 16), 0x61]
    bomb += Array(repeating: block, count: 256).flatMap { $0 } + [1, 0, 0, 0, 0, 0, 0]
    let bombFile = try RandomAccessFile(path: try directory.write(bomb))
    let found = try FrameRecovery.scan(bombFile) { _, _ in }
    #expect(found.frames == 0)
    #expect(found.damagedBytes == UInt64(bomb.count))
    #expect(found.damage.first?.reason.contains("too many") == true)
  }

  @Test("Random bytes behind a frame's beginning never pass as a file")
  func randomFiles() throws {
    var generator = SeededGenerator(11)
    let good = try Sample.file(Sample.lines(20))
    for _ in 0..<2000 {
      var bytes = good
      for _ in 0..<Int.random(in: 2...12, using: &generator) {
        let place = Int.random(in: 0..<bytes.count, using: &generator)
        switch Int.random(in: 0..<3, using: &generator) {
        case 0: bytes[place] = UInt8.random(in: 0...255, using: &generator)
        case 1: bytes.removeSubrange(place..<min(place + 3, bytes.count))
        default: bytes.insert(contentsOf: [0, 255, 0x28], at: place)
        }
      }
      let lines = try? FrameReader(file: RandomAccessFile(Data(bytes), name: "random")).allLines()
      #expect(lines == nil || lines == Sample.lines(20))
    }
  }
}

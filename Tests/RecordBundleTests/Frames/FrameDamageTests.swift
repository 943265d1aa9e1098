import Foundation
import RecordPlatform
import Testing

@testable import RecordBundle

@Suite("Damaged files", .timeLimit(.minutes(20)))
struct FrameDamageTests {
  private let directory: TestFolder
  private let lines = Sample.lines(7, seed: 5)
  private let bytes: [UInt8]
  private let frames: [FrameLocation]

  init() throws {
    directory = try TestFolder()
    bytes = try Sample.file(lines, .small(frameSize: 250))
    let table = try FrameReader(path: try directory.write(bytes)).table
    frames = (0..<table.count).map { table[$0] }
    #expect(frames.count >= 3)
  }

  /// Returns all lines of a file, or the error of reading it.
  private func read(_ bytes: [UInt8]) throws -> Result<[String], BundleError> {
    do {
      let file = try RandomAccessFile(Data(bytes), name: "damaged")
      return .success(try FrameReader(file: file).allLines())
    } catch let error as BundleError {
      return .failure(error)
    }
  }

  /// Returns the result of recovery: the offsets, all lines, and the damage.
  private func recover(
    _ bytes: [UInt8]
  ) throws -> (offsets: [UInt64], lines: [String], summary: RecoveryReport) {
    var offsets: [UInt64] = []
    var lines: [String] = []
    let file = try RandomAccessFile(Data(bytes), name: "damaged")
    let summary = try FrameRecovery.scan(file) { content, _ in
      offsets.append(content.location.offset)
      lines += content.strings
    }
    return (offsets, lines, summary)
  }

  @Test("A file that is cut off anywhere is refused; recovery finds the whole frames")
  func truncated() throws {
    for length in 1..<bytes.count {
      let cut = Array(bytes[..<length])
      guard case .failure(let error) = try read(cut) else {
        Issue.record("\(length) of \(bytes.count) bytes were read as a whole file")
        continue
      }
      #expect([.truncated, .damaged].contains(error.code), "\(length): \(error)")
      let whole = frames.filter { $0.offset + UInt64($0.compressedSize) <= length }
      let found = try recover(cut)
      #expect(found.offsets == whole.map(\.offset))
      #expect(lines.starts(with: found.lines))
      let end = whole.last.map { $0.offset + UInt64($0.compressedSize) } ?? 0
      // The seal is skipped if it is intact and a known magic number follows.
      let seal = whole.count == frames.count ? [end + UInt64(FrameSeal.size)] : []
      let starts = [end] + seal
      if !starts.contains(UInt64(length)) {
        #expect(found.summary.damage.count == 1, "\(length)")
        let range = try #require(found.summary.damage.first?.range)
        #expect(starts.contains(range.lowerBound) && range.upperBound == length, "\(length)")
      } else {
        #expect(found.summary.damage.isEmpty, "\(length)")
      }
    }
  }

  @Test(
    "A changed byte anywhere gives an error or the same lines; recovery loses one frame at most")
  func flipped() throws {
    var refused = 0
    for position in bytes.indices {
      for mask: UInt8 in [0x01, 0x02, 0x04, 0x08, 0x10, 0x20, 0x40, 0x80, 0xFF] {
        var changed = bytes
        changed[position] ^= mask
        switch try read(changed) {
        case .failure: refused += 1
        case .success(let got):
          #expect(got == lines, "byte \(position), mask \(mask)")
          #expect(position < frames[frames.count - 1].offset, "byte \(position), mask \(mask)")
        }
        // Recovery scans the whole file: try one bit of each byte in turn, and all.
        guard mask == 0xFF || mask == 1 << (position % 8) else { continue }
        let found = try recover(changed)
        let hit = frames.firstIndex {
          ($0.offset..<$0.offset + UInt64($0.compressedSize)).contains(UInt64(position))
        }
        let mustBeFound = frames.indices.filter { $0 != hit }.map { frames[$0].offset }
        #expect(Set(found.offsets).isSuperset(of: mustBeFound), "byte \(position), mask \(mask)")
        #expect(Set(lines).isSuperset(of: found.lines), "byte \(position), mask \(mask)")
      }
    }
    // zstd ignores a few bits of each frame. In a bundle, the digests of the index and the seal
    // cover them; here, the seal covers the last frame.
    #expect(refused > bytes.count * 9 - 9 * (frames.count - 1))
  }

  @Test("Errors name the frame and its place")
  func errorPlace() throws {
    var changed = bytes
    let frame = frames[1]
    changed[Int(frame.offset) + frame.compressedSize - 6] ^= 0x10
    guard case .failure(let error) = try read(changed) else {
      Issue.record("the damage was not seen")
      return
    }
    #expect(error.frame == 1)
    #expect(error.byteOffset == frame.offset)
    #expect(error.description.contains("frame 1, at byte \(frame.offset)"))
    #expect(error.message.contains("recordpack recover"))
  }

  @Test("Recovery goes on behind garbage, at the beginning, in the middle and at the end")
  func garbage() throws {
    var generator = SeededGenerator(9)
    for place in [0, Int(frames[1].offset), Int(frames[2].offset), bytes.count] {
      let noise = (0..<5000).map { _ in UInt8.random(in: 0...255, using: &generator) }
      let found = try recover(Array(bytes[..<place]) + noise + Array(bytes[place...]))
      #expect(found.lines == lines)
      #expect(found.summary.damage.map(\.range) == [UInt64(place)..<UInt64(place + 5000)])
    }
  }

  @Test("Recovery is not misled by magic numbers in the damage, nor by their number")
  func falseBeginnings() throws {
    let magic = withUnsafeBytes(of: ZstdFormat.frameMagic.littleEndian) { Array($0) }
    let noise = Array(repeating: magic + [0xE0, 0, 0, 0, 1, 0, 0, 0], count: 3000).flatMap { $0 }
    let found = try recover(noise + bytes)
    #expect(found.lines == lines)
    #expect(found.summary.damage.count == 1)
    #expect(found.summary.damagedBytes == UInt64(noise.count))
  }

  @Test("Recovery reads joined files through")
  func joined() throws {
    let found = try recover(bytes + bytes)
    #expect(found.lines == lines + lines)
    #expect(found.summary.damage.isEmpty)
    guard case .failure(let error) = try read(bytes + bytes) else {
      Issue.record("a joined file was read as one")
      return
    }
    #expect(error.message.contains("joined"))
  }

  @Test("An undamaged file is recovered without damage, and recovery can be stopped")
  func undamaged() throws {
    let found = try recover(bytes)
    #expect(found.lines == lines)
    #expect(found.summary.damageCount == 0)
    #expect(found.summary.frames == frames.count)
    let file = try RandomAccessFile(path: try directory.write(bytes))
    let stopped = try FrameRecovery.scan(file) { _, _ in throw StopReading() }
    #expect(stopped.frames == 1)
  }

  @Test("Damage across the search window's end is passed")
  func windowEdge() throws {
    for extra in -4...4 {
      let noise = [UInt8](repeating: 0x28, count: (1 << 20) + extra)
      let found = try recover(noise + bytes)
      #expect(found.lines == lines)
      #expect(found.summary.damagedBytes == UInt64(noise.count))
    }
  }
}

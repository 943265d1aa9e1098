import Foundation
import RecordCoding
import RecordPlatform
import Testing

@testable import RecordBundle

@Suite("Parts of the frame layer")
struct FramePartsTests {
  @Test("A buffer keeps its content while it grows")
  func bufferGrows() {
    var generator = SeededGenerator(2)
    let buffer = ByteBuffer()
    var expected: [UInt8] = []
    for _ in 0..<200 {
      let piece = (0..<Int.random(in: 0...300, using: &generator)).map { _ in
        UInt8.random(in: 0...255, using: &generator)
      }
      piece.withUnsafeBytes { buffer.append($0) }
      buffer.append(UInt8(7))
      expected += piece + [7]
    }
    #expect(Array(buffer.bytes) == expected)
    buffer.padWithZeros()
    let slack = UnsafeRawBufferPointer(start: buffer.base + buffer.count, count: ByteBuffer.slack)
    #expect(slack.allSatisfy { $0 == 0 })
    buffer.setCount(3)
    #expect(Array(buffer.bytes) == Array(expected[..<3]))
    buffer.reset(keeping: 64)
    #expect(buffer.count == 0)
    #expect(buffer.capacity == 64)
  }

  @Test("Lines are split at newlines only")
  func lines() {
    for (text, expected) in [
      ("", []), ("\n", [""]), ("a\n", ["a"]), ("a\n\nb\n", ["a", "", "b"]),
      ("a\r\nb", ["a\r", "b"]),
    ] as [(String, [String])] {
      Array(text.utf8).withUnsafeBytes { bytes in
        #expect(FrameLines(bytes).map { String(decoding: $0, as: UTF8.self) } == expected)
      }
    }
  }

  @Test("Frame headers of every form are read")
  func headers() throws {
    func header(_ bytes: [UInt8]) throws -> FrameHeader {
      try ([0x28, 0xB5, 0x2F, 0xFD] + bytes).withUnsafeBytes { try FrameHeader($0) }
    }
    let small = try header([0x24, 5])
    #expect(small.contentSize == 5)
    #expect(small.windowSize == 5)
    #expect(small.hasChecksum)
    #expect(small.size == 6)
    #expect(try header([0x60, 1, 0]).contentSize == 257)
    #expect(try header([0xA0, 1, 2, 3, 4]).contentSize == 0x0403_0201)
    let largest = try header([0xE3, 9, 0, 0, 0] + [UInt8](repeating: 0xFF, count: 8))
    #expect(largest.contentSize == .max)
    #expect(largest.dictionaryID == 9)
    #expect(largest.size == 17)
    let windowed = try header([0x02, 0xFF, 1, 2])
    #expect(windowed.contentSize == nil)
    #expect(windowed.windowSize == UInt64(1) << 41 + UInt64(1) << 38 * 7)
    #expect(windowed.dictionaryID == 0x0201)
    #expect(throws: FrameHeader.Problem.incomplete) { try header([0x24]) }
    #expect(throws: FrameHeader.Problem.reservedBit) { try header([0x2C, 1]) }
    #expect(throws: FrameHeader.Problem.notZstd) {
      try [UInt8](repeating: 0, count: 20).withUnsafeBytes { try FrameHeader($0) }
    }
  }

  @Test("Errors read well and are equal when they say the same")
  func errors() {
    let error = BundleError(.damaged, in: "a.recordpack", frame: 3, at: 77, "it broke")
    #expect(error.description == "a.recordpack: frame 3, at byte 77: it broke")
    #expect(error.localizedDescription == error.description)
    #expect(BundleError(.misuse, in: "x", "no").description == "x: no")
    #expect(BundleError.system(ENOSPC, in: "x", at: 5, "write").description.contains("at byte 5"))
  }
}

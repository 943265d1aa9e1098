import RecordCompression
import Testing

struct ZstdTests {
  private let content = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 / 7 ^ $0 >> 9) }

  private func compress(
    _ content: [UInt8], _ parameters: [(ZstdCompressor.Parameter, Int)] = []
  ) throws -> [UInt8] {
    let compressor = try #require(ZstdCompressor())
    for (parameter, value) in parameters { try compressor.set(parameter, to: value) }
    var frame = [UInt8](repeating: 0, count: ZstdCompressor.bound(of: content.count))
    let size = try frame.withUnsafeMutableBytes { target in
      try content.withUnsafeBytes { try compressor.compress($0, into: target.baseAddress!) }
    }
    return Array(frame.prefix(size))
  }

  private func decompress(_ frame: [UInt8], _ size: Int) throws -> [UInt8] {
    let decompressor = try #require(ZstdDecompressor())
    var content = [UInt8](repeating: 0, count: size)
    let count = try content.withUnsafeMutableBytes { target in
      try frame.withUnsafeBytes { try decompressor.decompress($0, into: target) }
    }
    return Array(content.prefix(count))
  }

  @Test("a frame has the content that was compressed, at each level", arguments: [-7, 1, 3, 19])
  func roundTrip(level: Int) throws {
    let frame = try compress(content, [(.level, level), (.checksum, 1)])
    #expect(frame.count < content.count)
    #expect(try decompress(frame, content.count) == content)
    let twice = frame + [1, 2, 3]
    #expect(try twice.withUnsafeBytes { try ZstdDecompressor.frameSize($0) } == frame.count)
  }

  @Test("a frame is decompressed in parts of any size")
  func parts() throws {
    let frame = try compress(content)
    let decompressor = try #require(ZstdDecompressor())
    var result: [UInt8] = []
    var position = 0
    var isAtEnd = false
    var part = [UInt8](repeating: 0, count: 1000)
    while !isAtEnd {
      let progress = try part.withUnsafeMutableBytes { target in
        try frame[position..<min(position + 77, frame.count)].withUnsafeBytes {
          try decompressor.continue($0, into: target)
        }
      }
      try #require(progress.isAny || progress.isAtEnd)
      position += progress.read
      result += part.prefix(progress.written)
      isAtEnd = progress.isAtEnd
    }
    #expect(result == content)
    #expect(position == frame.count)
  }

  @Test("a changed content is a checksum mismatch, and no other error is")
  func checksum() throws {
    var frame = try compress(content, [(.checksum, 1)])
    frame[frame.count - 1] ^= 1
    let mismatch = #expect(throws: ZstdError.self) { try decompress(frame, content.count) }
    #expect(mismatch?.isChecksumMismatch == true)
    let small = #expect(throws: ZstdError.self) { try decompress(frame, 10) }
    #expect(small?.isChecksumMismatch == false)
    #expect(small?.description.isEmpty == false)
  }

  @Test("a value outside a parameter's range is an error")
  func range() throws {
    let compressor = try #require(ZstdCompressor())
    #expect(throws: ZstdError.self) { try compressor.set(.windowLog, to: 99) }
    #expect(ZstdCompressor.maxLevel >= 19)
  }
}

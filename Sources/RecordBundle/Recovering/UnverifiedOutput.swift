import Foundation
import RecordCoding
import RecordCompression

/// Writes the unverified lines, of damaged frames and of frames that the index does not list, as
/// JSON Lines. The first line says what they are, so that no program reads the file as a bundle.
final class UnverifiedOutput {
  let sink: any FrameSink
  private(set) var lines = 0

  init(path: String, overwrite: Bool) throws {
    sink = try FrameOutput.open(path: path, overwrite: overwrite)
    let first = JSONValue.object([
      "kind": .string("unverified"), "format": .string("recordpack.unverified"),
      "version": .integer(1),
      "note": .string(
        "lines of damaged frames, as far as they could be decompressed, and of frames that the "
          + "index does not list: they are not verified, and any value may be wrong"),
    ])
    try write(first)
  }

  /// Writes the unverified lines of a file.
  func add(_ source: RecoveryFile, with decoder: FrameDecoder) throws {
    let partial = try PartialDecoder(file: source.file)
    for offset in source.brokenFrames {
      let content = try partial.content(at: offset)
      try withExtendedLifetime(content) { try add(content.bytes) }
    }
    for frame in source.unlistedFrames {
      try add(source.content(of: frame, with: decoder).bytes)
    }
  }

  /// Writes the complete lines that are JSON objects of a known kind.
  private func add(_ content: UnsafeRawBufferPointer) throws {
    for line in FrameLines(content) {
      guard let json = try? JSONParser.parse(line),
        let kind = json["kind"]?.string.flatMap(LineKind.init), kind != .index
      else { continue }
      try write(json)
      lines += 1
    }
  }

  private func write(_ json: JSONValue) throws {
    let buffer = ByteBuffer()
    json.write(to: buffer)
    buffer.append(UInt8(ascii: "\n"))
    try sink.write(buffer.bytes)
  }
}

/// Decompresses as much as possible of a damaged frame. No checksum verifies the result.
final class PartialDecoder {
  private let zstd: ZstdDecompressor
  private let file: RandomAccessFile
  private let limits = FrameLimits.standard
  /// The number of frames that may still be tried: in a malicious file each byte can begin one.
  private var triesLeft = 4096

  init(file: RandomAccessFile) throws {
    guard let zstd = ZstdDecompressor() else {
      throw BundleError(.inputOutput, in: file.name, "out of memory for decompression")
    }
    self.zstd = zstd
    self.file = file
  }

  /// Returns what can be decompressed of the frame at an offset; empty if none begins there.
  func content(at offset: UInt64) throws -> ByteBuffer {
    let content = ByteBuffer()
    let start = try file.bytes(at: offset, count: ZstdFormat.maxFrameHeaderSize)
    guard triesLeft > 0, let header = start.withUnsafeBytes({ try? FrameHeader($0) }),
      let size = header.contentSize, size <= limits.maxFrameContent,
      header.windowSize <= limits.maxWindow
    else { return content }
    triesLeft -= 1
    content.reserve(Int(size))
    let target = UnsafeMutableRawBufferPointer(start: content.base, count: Int(size))
    target.initializeMemory(as: UInt8.self, repeating: 0)
    let length = min(UInt64(limits.maxCompressedFrame), file.size - offset)
    let compressed = try file.bytes(at: offset, count: Int(length))
    // An error does not matter: what was decompressed before it is in the target. Lines contain no
    // NUL, so the first one marks the end.
    _ = compressed.withUnsafeBytes { try? zstd.decompress($0, into: target) }
    content.setCount(target.firstIndex(of: 0) ?? target.count)
    content.padWithZeros()
    return content
  }
}

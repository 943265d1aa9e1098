import Foundation
import RecordCoding
import RecordModel

/// Writes the unverified lines, of damaged frames and of frames that the index does not list, as
/// JSON Lines. The first line says what they are, so that no program takes the file for a bundle.
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
  func add(_ source: RecoverySource, with decoder: FrameDecoder) throws {
    let partial = try PartialDecoder(file: source.file)
    for offset in source.scan.brokenFrames {
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

import Foundation
import RecordCoding
import RecordModel

/// Writes what can be decompressed of damaged frames, apart from what is proven: JSON Lines, the
/// first of which says what they are, so that nothing takes the file for a bundle.
final class UnverifiedOutput {
  private let sink: any FrameSink
  private(set) var lines = 0

  init(path: String, mustNotExist: Bool) throws {
    sink = try FrameOutput.open(path: path, mustNotExist: mustNotExist)
    let first = JSONValue.object([
      .init("kind", .string("unverified")), .init("format", .string("recordpack.unverified")),
      .init("version", .integer(1)),
      .init(
        "note",
        .string(
          "what could still be decompressed of damaged frames: no checksum proves it, and any value "
            + "may be wrong")),
    ])
    try write(first)
  }

  /// Writes the whole lines of a damaged frame that are JSON objects of a known kind.
  func add(_ content: ByteBuffer) throws {
    for line in FrameLines(content.bytes) {
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

  func commit() throws { try sink.commit() }

  func discard() { sink.discard() }
}

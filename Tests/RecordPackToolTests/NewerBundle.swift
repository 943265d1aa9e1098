import Foundation

/// A bundle of a future format version, made by hand: zstd frames with raw blocks and no checksum.
enum NewerBundle {
  static func bytes() -> Data {
    let header = Data("{\"kind\":\"header\",\"format\":\"recordpack\",\"formatVersion\":99}\n".utf8)
    let index = Data("{\"kind\":\"index\"}\n".utf8)
    let frames = [header, index].map(frame)
    var file = frames[0] + frames[1]
    var table = Data()
    for (frame, content) in zip(frames, [header, index]) {
      table += little(UInt32(frame.count)) + little(UInt32(content.count))
    }
    table += little(2) + Data([0]) + little(0x8F92_EAB1)
    file += little(0x184D_2A5E) + little(UInt32(table.count)) + table
    return file
  }

  /// A frame with a single segment and one raw block.
  private static func frame(_ content: Data) -> Data {
    let size = UInt32(content.count)
    let block = little(size << 3 | 1).prefix(3)
    return little(0xFD2F_B528) + Data([0x20, UInt8(truncatingIfNeeded: size)]) + block + content
  }

  private static func little(_ value: UInt32) -> Data {
    withUnsafeBytes(of: value.littleEndian) { Data($0) }
  }
}

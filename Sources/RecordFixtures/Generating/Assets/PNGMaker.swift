import RecordPlatform

/// Makes PNG images of an exact size in bytes, without compression (PNG, third edition; RFC 1950 and
/// 1951 for the stored blocks).
enum PNGMaker {
  /// A pixel, and a chunk that fills the rest.
  static let minimumSize = 84
  private static let maxSide = 1024

  static func image(size: Int, _ random: inout SeededNumbers) -> [UInt8] {
    var side = 1
    while side < maxSide, fileSize(side + 1) <= size { side += 1 }
    var bytes: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    bytes.reserveCapacity(size)
    var header: [UInt8] = []
    header.appendBig(UInt32(side))
    header.appendBig(UInt32(side))
    // Eight bits of red, green and blue.
    header += [8, 2, 0, 0, 0]
    appendChunk("IHDR", header, to: &bytes)
    appendChunk("IDAT", stored(pixels(side, &random)), to: &bytes)
    // A chunk that readers skip brings the file to its size.
    let rest = max(0, size - bytes.count - 24)
    appendChunk("rpAd", [UInt8](repeating: 0, count: rest), to: &bytes)
    appendChunk("IEND", [], to: &bytes)
    return bytes
  }

  /// The size of the file with an empty filling chunk.
  private static func fileSize(_ side: Int) -> Int {
    let raw = side * (3 * side + 1)
    let blocks = (raw + 65_534) / 65_535
    return 8 + 25 + (12 + 2 + raw + 5 * blocks + 4) + 12 + 12
  }

  /// A gradient between random colours.
  private static func pixels(_ side: Int, _ random: inout SeededNumbers) -> [UInt8] {
    let colours = (0..<9).map { _ in random.below(256) }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(side * (3 * side + 1))
    for y in 0..<side {
      // No filter.
      bytes.append(0)
      for x in 0..<side {
        for channel in 0..<3 {
          let across = (colours[channel] * (side - x) + colours[channel + 3] * x) / side
          bytes.append(UInt8((across * (side - y) + colours[channel + 6] * y) / side))
        }
      }
    }
    return bytes
  }

  /// Returns a zlib stream of blocks that are not compressed.
  private static func stored(_ raw: [UInt8]) -> [UInt8] {
    var bytes: [UInt8] = [0x78, 0x01]
    bytes.reserveCapacity(raw.count + 64)
    var start = 0
    while start < raw.count {
      let end = min(start + 65_535, raw.count)
      let length = UInt16(end - start)
      bytes.append(end == raw.count ? 1 : 0)
      for word in [length, ~length] {
        bytes.append(UInt8(word & 255))
        bytes.append(UInt8(word >> 8))
      }
      bytes += raw[start..<end]
      start = end
    }
    var (a, b): (UInt32, UInt32) = (1, 0)
    for byte in raw {
      a = (a + UInt32(byte)) % 65_521
      b = (b + a) % 65_521
    }
    bytes.appendBig(b << 16 | a)
    return bytes
  }

  private static func appendChunk(_ name: String, _ data: [UInt8], to bytes: inout [UInt8]) {
    bytes.appendBig(UInt32(data.count))
    let start = bytes.count
    bytes += Array(name.utf8)
    bytes += data
    bytes.appendBig(crc(bytes[start...]))
  }

  private static let crcTable: [UInt32] = (0..<256).map { number in
    (0..<8).reduce(UInt32(number)) { word, _ in
      word & 1 == 1 ? 0xEDB8_8320 ^ word >> 1 : word >> 1
    }
  }

  private static func crc(_ bytes: ArraySlice<UInt8>) -> UInt32 {
    ~bytes.reduce(~0) { crcTable[Int(($0 ^ UInt32($1)) & 255)] ^ $0 >> 8 }
  }
}

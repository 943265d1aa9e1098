import RecordPlatform

/// Makes grey JPEG images of an exact size in bytes: baseline, with one shade for each block of
/// pixels (ITU-T T.81), and comments that bring the file to its size.
enum JPEGMaker {
  static let minimumSize = 200

  static func image(size: Int, _ random: inout SeededNumbers) -> [UInt8] {
    // So many blocks in each direction leave room for what the smallest file needs.
    let side = size < 400 ? 1 : size < 1000 ? 4 : 8
    let scan = scan(blocks: side * side, &random)
    var head: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0, 0, 16]
    head += Array("JFIF".utf8) + [0, 1, 1, 0, 0, 1, 0, 1, 0, 0]
    // With a step of 8, a step of the first coefficient is a step of the shade.
    var tail: [UInt8] = [0xFF, 0xDB, 0, 67, 0] + [UInt8](repeating: 8, count: 64)
    tail += [0xFF, 0xC0, 0, 11, 8]
    tail.appendBig(UInt16(8 * side))
    tail.appendBig(UInt16(8 * side))
    tail += [1, 1, 0x11, 0]
    // Nine codes of four bits for the sizes of first coefficients.
    tail += [0xFF, 0xC4, 0, 28, 0, 0, 0, 0, 9] + [UInt8](repeating: 0, count: 12)
    tail += (0...8).map { UInt8($0) }
    // One code of one bit: there are no other coefficients.
    tail += [0xFF, 0xC4, 0, 20, 0x10, 1] + [UInt8](repeating: 0, count: 15) + [0]
    tail += [0xFF, 0xDA, 0, 8, 1, 1, 0, 0, 63, 0]
    tail += scan + [0xFF, 0xD9]
    return head + comments(size - head.count - tail.count) + tail
  }

  /// Returns comments of so many bytes together, at least 4.
  private static func comments(_ size: Int) -> [UInt8] {
    let longest = 65_537
    var bytes: [UInt8] = []
    var rest = max(4, size)
    while rest > 0 {
      // No rest may be shorter than a marker and its length.
      let part = rest <= longest ? rest : rest - longest < 4 ? longest - 4 : longest
      bytes += [0xFF, 0xFE]
      bytes.appendBig(UInt16(part - 2))
      bytes += [UInt8](repeating: UInt8(ascii: " "), count: part - 4)
      rest -= part
    }
    return bytes
  }

  /// Returns the entropy-coded data: for each block the size of the difference to the last shade, the
  /// difference, and the end of the block.
  private static func scan(blocks: Int, _ random: inout SeededNumbers) -> [UInt8] {
    var bits: [Bool] = []
    func append(_ value: Int, _ count: Int) {
      for bit in stride(from: count - 1, through: 0, by: -1) { bits.append(value >> bit & 1 == 1) }
    }
    var last = 0
    for _ in 0..<blocks {
      let shade = random.below(256) - 128
      let difference = shade - last
      last = shade
      let size = Int.bitWidth - difference.magnitude.leadingZeroBitCount
      append(size, 4)
      // Negative numbers are stored less one, in so many bits.
      append(difference < 0 ? difference + (1 << size) - 1 : difference, size)
      append(0, 1)
    }
    while bits.count % 8 != 0 { bits.append(true) }
    var bytes: [UInt8] = []
    for start in stride(from: 0, to: bits.count, by: 8) {
      let byte = bits[start..<start + 8].reduce(UInt8(0)) { $0 << 1 | ($1 ? 1 : 0) }
      bytes.append(byte)
      // Data that looks like a marker is followed by a zero.
      if byte == 0xFF { bytes.append(0) }
    }
    return bytes
  }
}

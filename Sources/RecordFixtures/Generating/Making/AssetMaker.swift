import RecordCoding
import RecordPlatform

/// Makes the bytes of a file from a seed: the same for the same kind, size and seed.
enum AssetMaker {
  static func bytes(_ kind: AssetKind, size: Int, seed: UInt64) -> [UInt8] {
    var random = SeededNumbers(seed: seed)
    switch kind {
    case .png: return png(size, &random)
    case .jpeg: return jpeg(size, &random)
    case .text: return text(size, &random)
    case .bytes: return noise(size, &random)
    }
  }

  /// The size of the smallest file that can be made in each size from there on.
  static func minimumSize(_ kind: AssetKind) -> Int {
    switch kind {
    case .png: 84
    case .jpeg: 200
    case .text, .bytes: 0
    }
  }

  static func noise(_ size: Int, _ random: inout SeededNumbers) -> [UInt8] {
    let buffer = ByteBuffer(capacity: size + 8)
    buffer.appendNoise(size, &random)
    return Array(buffer.bytes)
  }

  /// English sentences, cut at the end.
  private static func text(_ size: Int, _ random: inout SeededNumbers) -> [UInt8] {
    let buffer = ByteBuffer(capacity: size + 512)
    let words = Vocabulary.en.words
    while buffer.count < size {
      buffer.appendCapitalized(words.any(&random))
      for _ in 0..<random.number(in: 3...11) {
        buffer.append(UInt8(ascii: " "))
        buffer.append(words.any(&random))
      }
      buffer.append(random.below(5) == 0 ? ".\n" : ". ")
    }
    var bytes = Array(buffer.bytes.prefix(size))
    if size > 0 { bytes[size - 1] = UInt8(ascii: "\n") }
    return bytes
  }
}

// MARK: Images

/// Images of one pixel or one block, brought to their size, and each made another file, by random bytes
/// that readers skip.
extension AssetMaker {
  /// The signature, a header and a pixel (PNG, third edition).
  private static let pngOpening: [UInt8] = [
    0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0x00, 0x00, 0x00, 0x0D, 0x49, 0x48, 0x44, 0x52,
    0x00, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00, 0x01, 0x08, 0x02, 0x00, 0x00, 0x00, 0x90, 0x77, 0x53,
    0xDE, 0x00, 0x00, 0x00, 0x0C, 0x49, 0x44, 0x41, 0x54, 0x78, 0xDA, 0x63, 0xF0, 0x9A, 0x70, 0x13,
    0x00, 0x02, 0xDB, 0x01, 0xB4, 0x00, 0x84, 0x81, 0x7A,
  ]
  private static let pngEnd: [UInt8] = [
    0x00, 0x00, 0x00, 0x00, 0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82,
  ]

  private static func png(_ size: Int, _ random: inout SeededNumbers) -> [UInt8] {
    let padding = noise(size - pngOpening.count - 12 - pngEnd.count, &random)
    let chunk = Array("rpAd".utf8) + padding
    return pngOpening + bigEndian(UInt32(padding.count)) + chunk + bigEndian(crc(chunk)) + pngEnd
  }

  private static let crcTable: [UInt32] = (0..<256).map { number in
    (0..<8).reduce(UInt32(number)) { word, _ in
      word & 1 == 1 ? 0xEDB8_8320 ^ word >> 1 : word >> 1
    }
  }

  /// The CRC-32 of a chunk of a PNG file, or of the content of a ZIP or gzip file.
  static func crc(_ bytes: [UInt8]) -> UInt32 {
    ~bytes.reduce(~0) { crcTable[Int(($0 ^ UInt32($1)) & 255)] ^ $0 >> 8 }
  }

  /// The start of the image, and its density (JFIF).
  private static let jpegOpening: [UInt8] =
    [0xFF, 0xD8, 0xFF, 0xE0, 0, 16] + Array("JFIF".utf8) + [0, 1, 1, 0, 0, 1, 0, 1, 0, 0]

  /// A grey block of 8 × 8 pixels: quantization, frame, two tables of codes, the only coefficient, and
  /// the end of the image (ITU-T T.81).
  private static let jpegEnd: [UInt8] =
    [0xFF, 0xDB, 0, 67, 0] + [UInt8](repeating: 8, count: 64)
    + [0xFF, 0xC0, 0, 11, 8, 0, 8, 0, 8, 1, 1, 0x11, 0]
    + [0xFF, 0xC4, 0, 28, 0, 0, 0, 0, 9] + [UInt8](repeating: 0, count: 12) + Array(0...8)
    + [0xFF, 0xC4, 0, 20, 0x10, 1] + [UInt8](repeating: 0, count: 16)
    + [0xFF, 0xDA, 0, 8, 1, 1, 0, 0, 63, 0, 0x6F, 0x1F, 0xFF, 0xD9]

  private static func jpeg(_ size: Int, _ random: inout SeededNumbers) -> [UInt8] {
    let longest = 65_537
    var bytes = jpegOpening
    var rest = size - jpegOpening.count - jpegEnd.count
    while rest > 0 {
      // No rest may be shorter than a comment's marker and length.
      let part = rest <= longest ? rest : rest - longest < 4 ? longest - 4 : longest
      bytes += [0xFF, 0xFE] + bigEndian(UInt16(part - 2)) + noise(part - 4, &random)
      rest -= part
    }
    return bytes + jpegEnd
  }

  private static func bigEndian<T: FixedWidthInteger>(_ number: T) -> [UInt8] {
    withUnsafeBytes(of: number.bigEndian) { Array($0) }
  }
}

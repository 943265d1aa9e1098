import RecordCoding
import RecordPlatform

/// Makes the bytes of a file from a seed: the same for the same kind, size and seed.
enum AssetMaker {
  static func bytes(_ kind: AssetKind, size: Int, seed: UInt64) -> [UInt8] {
    var random = SeededNumbers(seed: seed)
    switch kind {
    case .png: return PNGMaker.image(size: size, &random)
    case .jpeg: return JPEGMaker.image(size: size, &random)
    case .text: return text(size, &random)
    case .bytes: return noise(size, &random)
    }
  }

  /// The size of the smallest file that can be made in each size from there on.
  static func minimumSize(_ kind: AssetKind) -> Int {
    switch kind {
    case .png: PNGMaker.minimumSize
    case .jpeg: JPEGMaker.minimumSize
    case .text, .bytes: 0
    }
  }

  private static func noise(_ size: Int, _ random: inout SeededNumbers) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(size + 8)
    while bytes.count < size {
      withUnsafeBytes(of: random.next().littleEndian) { bytes.append(contentsOf: $0) }
    }
    bytes.removeLast(bytes.count - size)
    return bytes
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

extension [UInt8] {
  /// Appends a number, the highest byte first.
  mutating func appendBig<T: FixedWidthInteger>(_ number: T) {
    Swift.withUnsafeBytes(of: number.bigEndian) { append(contentsOf: $0) }
  }
}

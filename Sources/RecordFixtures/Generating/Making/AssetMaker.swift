import RecordCoding
import RecordPlatform
import Synchronization

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

/// The files that the records of a field have.
final class AssetPlan: Sendable {
  /// A file that is made when it is needed.
  final class Variant: Sendable {
    private let kind: AssetKind
    private let size: Int
    private let seed: UInt64
    private let digest = Mutex<String?>(nil)

    init(kind: AssetKind, size: Int, seed: UInt64) {
      (self.kind, self.size, self.seed) = (kind, size, seed)
    }

    var bytes: [UInt8] { AssetMaker.bytes(kind, size: size, seed: seed) }

    /// The digest of the bytes. Reading it for the first time makes the file; a thread that asks
    /// meanwhile waits.
    var sha256: String {
      digest.withLock { digest in
        if let digest { return digest }
        let found = bytes.withUnsafeBytes { SHA256Digest(of: $0) }.description
        digest = found
        return found
      }
    }

    /// The value of a field that has the file, as canonical JSON.
    var value: [UInt8] { Array("{\"sha256\":\"\(sha256)\",\"size\":\(size)}".utf8) }
  }

  let variants: [Variant]
  /// The number of the first variant among those of all fields.
  let first: Int

  init(_ rule: AssetRule, key: UInt64, first: Int) {
    let sampler = CountSampler(rule.size)
    variants = (0..<rule.variants).map { number in
      var random = SeededNumbers(seed: key, stream: UInt64(number))
      let (seed, size) = (random.next(), sampler.sample(&random))
      return Variant(kind: rule.kind, size: size, seed: seed)
    }
    self.first = first
  }
}

/// The files that a thread's records have so far.
final class AssetUse {
  private var isUsed: [Bool]
  /// The files that were used for the first time since the last call.
  private var fresh: [Int] = []

  init(count: Int) { isUsed = [Bool](repeating: false, count: count) }

  func note(_ number: Int) {
    guard !isUsed[number] else { return }
    isUsed[number] = true
    fresh.append(number)
  }

  func takeFresh() -> [Int] {
    defer { fresh = [] }
    return fresh
  }
}

/// One of the files of a field.
final class AssetGenerator: FieldGenerator {
  private let plan: AssetPlan
  private let use: AssetUse
  /// The values that were appended before, so that threads do not wait for each other; empty for the
  /// others.
  private var values: [[UInt8]]

  init(_ plan: AssetPlan, _ use: AssetUse) {
    self.plan = plan
    self.use = use
    values = [[UInt8]](repeating: [], count: plan.variants.count)
  }

  override func append(_ context: RecordContext, to buffer: ByteBuffer) -> Bool {
    let number = context.random.below(plan.variants.count)
    use.note(plan.first + number)
    if values[number].isEmpty { values[number] = plan.variants[number].value }
    buffer.append(values[number])
    return true
  }
}

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

import RecordCoding
import RecordPlatform
import Synchronization

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

  /// The checksum of a chunk of a PNG file.
  private static func crc(_ bytes: [UInt8]) -> UInt32 {
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

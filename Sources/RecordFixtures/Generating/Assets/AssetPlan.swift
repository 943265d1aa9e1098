import RecordCoding
import RecordPlatform
import Synchronization

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

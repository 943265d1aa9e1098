import RecordCoding
import RecordPlatform

/// The files that the records of a field have.
final class AssetPlan: Sendable {
  /// A file that is not made yet.
  struct Variant: Sendable {
    let kind: AssetKind
    let size: Int
    let seed: UInt64
    let sha256: String

    var bytes: [UInt8] { AssetMaker.bytes(kind, size: size, seed: seed) }
  }

  let variants: [Variant]
  /// The values of the field, as canonical JSON.
  let values: [[UInt8]]
  /// The number of the first variant among those of all fields.
  let first: Int

  init(_ rule: AssetRule, key: UInt64, first: Int) {
    let sampler = CountSampler(rule.size)
    variants = (0..<rule.variants).map { number in
      var random = SeededNumbers(seed: key, stream: UInt64(number))
      let (seed, size) = (random.next(), sampler.sample(&random))
      let bytes = AssetMaker.bytes(rule.kind, size: size, seed: seed)
      let digest = bytes.withUnsafeBytes { SHA256Digest(of: $0) }
      return Variant(kind: rule.kind, size: size, seed: seed, sha256: digest.description)
    }
    values = variants.map { Array("{\"sha256\":\"\($0.sha256)\",\"size\":\($0.size)}".utf8) }
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

  init(_ plan: AssetPlan, _ use: AssetUse) {
    self.plan = plan
    self.use = use
  }

  override func append(_ context: RecordContext, to buffer: ByteBuffer) -> Bool {
    let number = context.random.below(plan.variants.count)
    use.note(plan.first + number)
    buffer.append(plan.values[number])
    return true
  }
}

import RecordModel
import RecordPlatform
import RecordSchema
import Synchronization

/// Files of a kind.
struct AssetValues: GeneratedValues {
  var kind: AssetKind
  /// The size in bytes.
  var size = CountRule.range(1000...8000)
  /// The number of files that differ in the field's records.
  var variants = Self.defaultVariants

  private static let defaultVariants = 16
  private static let maxVariants = 10_000
  private static let maxSize = Int(RecordLimits.cloudKit.assetSize ?? 50_000_000)

  static let noun = "files"
  static let sources = [
    ValueSource("asset", options: ["size", "variants"]) { node, members in
      var values = AssetValues(kind: try node.one("asset"))
      if let node = members["size"] {
        values.size =
          try node.node.mapping == nil
          ? CountRule(node.sizes("size", atMost: maxSize)) : node.count("size", in: 0...maxSize)
      }
      if let node = members["variants"] {
        values.variants = try node.integer("variants", in: 1...maxVariants)
      }
      if values.size.bounds.upperBound > 1 << 30 / values.variants {
        throw (members["variants"] ?? node).error(
          "\(values.variants) files of up to \(values.size.bounds.upperBound) bytes are more than "
            + "1 GiB")
      }
      return values
    }
  ]

  var members: [(name: String, text: String)] {
    [("asset", kind.rawValue), ("size", size.yaml)]
      + (variants == Self.defaultVariants ? [] : [("variants", "\(variants)")])
  }

  func suits(_ type: CloudSchema.FieldType) -> Bool { type.primitive == .asset }

  func adapted(to type: CloudSchema.FieldType) throws -> any GeneratedValues {
    let least = AssetMaker.minimumSize(kind)
    guard size.bounds.lowerBound >= least else {
      throw FieldMismatch(
        member: "size", message: "a file of kind '\(kind.rawValue)' has at least \(least) bytes",
        namesField: false)
    }
    return self
  }

  func generator(_ scope: GeneratorScope) -> ValueGenerator? {
    guard let plan = scope.field.assets else { return nil }
    let use = scope.use
    // The values that were appended before, so that threads do not wait for each other; empty for the
    // others.
    var values = [[UInt8]](repeating: [], count: plan.variants.count)
    return ValueGenerator { context, buffer in
      let number = context.random.below(plan.variants.count)
      use.note(plan.first + number)
      if values[number].isEmpty { values[number] = plan.variants[number].value }
      buffer.append(values[number])
      return true
    }
  }

  func learned(
    from field: LearnedField, _ surroundings: LearnedField.Surroundings
  ) -> (any GeneratedValues)? {
    var asset = AssetValues(kind: surroundings.fileKind ?? kind)
    let least = AssetMaker.minimumSize(asset.kind)
    asset.size = field.sizes.rule(within: least...Self.maxSize) ?? .range(max(1000, least)...8000)
    asset.variants = max(
      1,
      min(
        Self.defaultVariants, field.values,
        (1 << 30) / max(1, asset.size.bounds.upperBound)))
    return asset
  }
}

/// The kind of a made file.
enum AssetKind: String, Sendable, Hashable, CaseIterable {
  case png, jpeg, text, bytes

  /// The number of bytes from the beginning that tell the kind.
  static let beginningSize = 512

  /// Creates the kind of a file from up to ``beginningSize`` bytes of its beginning.
  init(beginning: some Collection<UInt8>) {
    if beginning.starts(with: [0x89, 0x50, 0x4E, 0x47]) {
      self = .png
    } else if beginning.starts(with: [0xFF, 0xD8, 0xFF]) {
      self = .jpeg
    } else {
      // Only a beginning that goes on may end within a character.
      let cut = beginning.count < Self.beginningSize ? 0 : 3
      let isText =
        !beginning.isEmpty
        && beginning.allSatisfy { $0 >= 0x20 || [0x09, 0x0A, 0x0D].contains($0) }
        && (0...cut).contains {
          String(validating: beginning.dropLast($0), as: UTF8.self) != nil
        }
      self = isText ? .text : .bytes
    }
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

  init(_ rule: AssetValues, key: UInt64, first: Int) {
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

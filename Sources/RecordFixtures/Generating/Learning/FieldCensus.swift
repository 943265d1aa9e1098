import RecordModel
import RecordSchema

/// What the values of a field have in common, without any of them.
struct FieldCensus {
  /// The number of records with a value.
  private(set) var values = 0
  private var lengths = CountHistogram()
  private var listLengths = CountHistogram()
  private var sizes = CountHistogram()
  /// The exponent of the smallest power of ten that is not below any number.
  private var digits = 0
  private var isFlag = true
  private var isNegative = false
  /// Hashes of records that the field refers to.
  private(set) var targets: [UInt64] = []

  private static let maxTargets = 64

  mutating func add(_ value: RecordValue, of record: ResultRecord) {
    values += 1
    if let elements = value.elements {
      listLengths.add(elements.count)
      for element in elements { addSingle(element) }
    } else {
      addSingle(value)
    }
  }

  private mutating func addSingle(_ value: RecordValue) {
    switch value {
    case .string(let text): lengths.add(text.unicodeScalars.count)
    case .bytes(let data): lengths.add(data.count)
    case .int64(let number):
      isFlag = isFlag && (0...1).contains(number)
      isNegative = isNegative || number < 0
      digits = max(digits, Self.power(above: number.magnitude))
    case .double(let number):
      isNegative = isNegative || number < 0
      digits = max(digits, Self.power(above: UInt64(min(number.magnitude.rounded(.up), 1e15))))
    case .asset(let asset): if let size = asset.size { sizes.add(Int(clamping: size)) }
    case .reference(let reference):
      if targets.count < Self.maxTargets {
        targets.append(RecipeLearner.hash(reference.recordID))
      }
    default: break
    }
  }

  private static func power(above number: UInt64) -> Int {
    number > 1 ? String(number - 1).utf8.count : 0
  }

  /// Returns the rule that makes such values.
  ///
  /// - Parameters:
  ///   - guess: The rule that suits the field's name.
  ///   - records: The number of records of the type.
  func rule(
    _ guess: FieldRule, _ field: CloudSchema.Field, target: String?, records: Int
  ) -> FieldRule {
    guard values > 0 else { return FieldRule(value: .none) }
    var rule = guess
    rule.nullRate =
      (Double(max(0, records - values)) * 1000 / Double(max(1, records))).rounded() / 1000
    if field.type.isList, rule.length != nil {
      let most = field.type.primitive == .reference ? 100 : FieldRule.maxLength
      rule.length = listLengths.rule(within: 0...most) ?? rule.length
    }
    rule.value = value(guess.value, field, target)
    return rule
  }

  private func value(
    _ guess: ValueRule, _ field: CloudSchema.Field, _ target: String?
  ) -> ValueRule {
    switch guess {
    case .text:
      return lengths.rule(within: 0...100_000).map { .text(.characters, $0) } ?? guess
    case .bytes: return lengths.rule(within: 0...300_000).map(ValueRule.bytes) ?? guess
    case .integer(let usual):
      if isFlag { return .integer(.range(0...1)) }
      // Dates and the like keep to what the name says.
      guard digits < 10 else { return .integer(usual) }
      return .integer(.range((isNegative ? -power : 0)...power))
    case .decimal(_, let places):
      guard digits < 10 else { return guess }
      return .decimal((isNegative ? -Double(power) : 0)...Double(power), places: places)
    case .asset(var asset):
      let least = AssetMaker.minimumSize(asset.kind)
      if let size = sizes.rule(within: least...10_000_000) { asset.size = size }
      asset.variants = min(
        AssetRule.defaultVariants, (1 << 30) / max(1, asset.size.bounds.upperBound))
      return .asset(asset)
    case .reference(_, let action): return target.map { .reference($0, action) } ?? guess
    default: return guess
    }
  }

  /// The power of ten above all numbers.
  private var power: Int { FieldRule.powersOfTen[min(9, max(1, digits))] }
}

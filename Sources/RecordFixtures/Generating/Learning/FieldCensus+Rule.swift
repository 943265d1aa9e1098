import RecordModel
import RecordSchema

extension FieldCensus {
  /// What a rule needs to know besides the field's values.
  struct Surroundings {
    /// The number of records of the type.
    var records = 1
    /// The type that references refer to; nil if it is unknown, or cannot be reached.
    var target: String?
    /// The types above, the nearest first.
    var ancestors: [String] = []
    /// The kind of most files, by their first bytes.
    var fileKind: AssetKind?
    /// The greatest number of references in a list.
    var maxReferences = RecordLimits.cloudKit.referenceCount
    /// The greatest size of the value, in bytes.
    var maxSize = RecordLimits.cloudKit.recordSize
  }

  /// Returns the rule that makes such values.
  ///
  /// - Parameter guess: The rule that suits the field's name.
  func rule(
    _ guess: FieldRule, _ field: CloudSchema.Field, _ around: Surroundings
  ) -> FieldRule {
    guard values > 0 else { return FieldRule(value: .none) }
    var rule = guess
    rule.nullRate =
      (Double(max(0, around.records - values)) * 1000 / Double(max(1, around.records))).rounded()
      / 1000
    let isReference = field.type.primitive == .reference
    if field.type.isList {
      let most = isReference ? around.maxReferences : FieldRule.maxLength
      rule.length = listLengths.rule(within: 0...most) ?? .fixed(0)
    }
    rule.value =
      isReference
      ? reference(guess.value, field, around)
      : value(
        guess.value, around, maxLength: around.maxSize / max(1, rule.length?.bounds.upperBound ?? 1)
      )
    if case .ancestors = rule.value { rule.length = nil }
    if rule.value == .none { return FieldRule(value: .none) }
    shorten(&rule, field, to: around.maxSize)
    return rule
  }

  /// Shortens lists that could be too large.
  private func shorten(_ rule: inout FieldRule, _ field: CloudSchema.Field, to most: Int) {
    guard let length = rule.length?.bounds.upperBound else { return }
    let size = ValueSize(locale: .en, hasEdgeCases: false).most(rule, isList: true)
    guard size > most else { return }
    rule.length = listLengths.rule(within: 0...length * most / size) ?? rule.length
  }

  private func reference(
    _ guess: ValueRule, _ field: CloudSchema.Field, _ around: Surroundings
  ) -> ValueRule {
    if case .ancestors = guess, !around.ancestors.isEmpty { return guess }
    guard let target = around.target else { return .none }
    // A list of an ancestor would repeat it.
    let isOther =
      target == around.ancestors.first && 2 * parentReferences < references || field.type.isList
    return isOther && around.ancestors.contains(target)
      ? .anyReference(target, .none) : .reference(target, .none)
  }

  /// - Parameter maxLength: The greatest number of bytes.
  private func value(
    _ guess: ValueRule, _ around: Surroundings, maxLength: Int
  ) -> ValueRule {
    switch guess {
    case .bytes: return lengths.rule(within: 0...maxLength).map(ValueRule.bytes) ?? guess
    case .integer(let usual):
      if isFlag { return .integer(.range(0...1)) }
      // Dates keep to what the name says.
      if digits >= Self.dateDigits, usual.bounds.upperBound >= Self.firstDate { return guess }
      return .integer(.range((isNegative ? -power : 0)...power))
    case .decimal(let range, let places):
      if digits >= Self.dateDigits, range.upperBound >= Double(Self.firstDate) { return guess }
      return decimal(places: places)
    case .coordinate: return isDegrees ? guess : decimal(places: 2)
    case .position:
      // Some numbers may be left out, or begin later.
      if !isNegative, power <= 10 * max(1, around.records) { return guess }
      return .integer(.range((isNegative ? -power : 0)...power))
    case .asset(let asset): return .asset(self.asset(asset, around.fileKind))
    default:
      guard texts > 0 else { return guess }
      // The values decide where they contradict the name.
      if case .text = guess {} else if 10 * fittingTexts >= 9 * texts { return guess }
      return lengths.rule(within: 0...maxLength).map { .text(.characters, $0) } ?? guess
    }
  }

  /// The first number of digits that seconds since 1970 have.
  private static var dateDigits: Int { 10 }
  private static var firstDate: Int { 1_000_000_000 }

  private func decimal(places: Int) -> ValueRule {
    // Doubles have 15 digits.
    let places = min(places, max(0, 15 - digits))
    return .decimal((isNegative ? -Double(power) : 0)...Double(power), places: places)
  }

  /// The power of ten that no number is above.
  private var power: Int {
    (0..<digits).reduce(1) { power, _ in
      let (next, overflow) = power.multipliedReportingOverflow(by: 10)
      return overflow ? .max : next
    }
  }

  private func asset(_ guess: AssetRule, _ kind: AssetKind?) -> AssetRule {
    var asset = guess
    asset.kind = kind ?? guess.kind
    let least = AssetMaker.minimumSize(asset.kind)
    let most = Int(RecordLimits.cloudKit.assetSize ?? 50_000_000)
    asset.size = sizes.rule(within: least...most) ?? .range(max(1000, least)...8000)
    asset.variants = max(
      1,
      min(AssetRule.defaultVariants, values, (1 << 30) / max(1, asset.size.bounds.upperBound)))
    return asset
  }
}

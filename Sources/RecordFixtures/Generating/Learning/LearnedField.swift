import Foundation
import RecordModel
import RecordSchema

/// The properties that the values of a field have in common, without any of the values.
struct LearnedField {
  /// The kind that suits the field's name.
  private let guess: (any GeneratedValues)?
  /// The number of records with a value.
  private(set) var values = 0
  private(set) var lengths = CountHistogram()
  private(set) var listLengths = CountHistogram()
  private(set) var sizes = CountHistogram()
  /// The exponent of the smallest power of ten that is not below any number.
  private(set) var digits = 0
  private(set) var isFlag = true
  private(set) var isNegative = false
  /// The number of texts, and of those that are as the field's name says.
  private(set) var texts = 0
  private(set) var fittingTexts = 0
  /// Whether all numbers could be latitudes or longitudes.
  private(set) var isDegrees = true
  /// The number of references, and of those to the record's parent.
  private(set) var references = 0
  private(set) var parentReferences = 0
  /// Hashes of records that the field refers to.
  private(set) var targets: [UInt64] = []
  /// Digests of some files.
  private(set) var files: Set<String> = []

  private static let maxTargets = 64
  private static let maxFiles = 8

  init(guess: (any GeneratedValues)? = nil) { self.guess = guess }

  /// - Parameter parent: The parent of the record.
  mutating func add(_ value: RecordValue, parent: RecordID?) {
    values += 1
    if let elements = value.elements {
      listLengths.add(elements.count)
      for element in elements { addSingle(element, parent) }
    } else {
      addSingle(value, parent)
    }
  }

  private mutating func addSingle(_ value: RecordValue, _ parent: RecordID?) {
    switch value {
    case .string(let text):
      lengths.add(text.unicodeScalars.count)
      texts += 1
      if guess?.isLike(text) != false { fittingTexts += 1 }
    case .bytes(let data): lengths.add(data.count)
    case .int64(let number):
      isFlag = isFlag && (0...1).contains(number)
      isNegative = isNegative || number < 0
      digits = max(digits, Self.power(above: number.magnitude))
      isDegrees = false
    case .double(let number) where number.isFinite:
      isFlag = false
      isNegative = isNegative || number < 0
      digits = max(digits, Self.power(above: UInt64(min(number.magnitude.rounded(.up), 1e15))))
      isDegrees =
        isDegrees && number.magnitude <= ((guess as? CoordinateValues)?.limit ?? 180)
    case .asset(let asset):
      if let size = asset.size { sizes.add(Int(clamping: size)) }
      if files.count < Self.maxFiles, let digest = asset.sha256 { files.insert(digest) }
    case .reference(let reference):
      references += 1
      if reference.recordID == parent { parentReferences += 1 }
      if targets.count < Self.maxTargets {
        targets.append(RecipeLearner.hash(reference.recordID))
      }
    default: break
    }
  }

  /// Notes a record that a text may name, as relationships of Core Data do.
  mutating func add(possibleTarget recordID: RecordID) {
    if targets.count < Self.maxTargets { targets.append(RecipeLearner.hash(recordID)) }
  }

  private static func power(above number: UInt64) -> Int {
    number > 1 ? String(number - 1).utf8.count : 0
  }

  /// The rest that a rule depends on, besides the field's values.
  struct Surroundings {
    /// The number of records of the type.
    var records = 1
    /// The type that references refer to; nil if it is unknown, or cannot be reached.
    var target: String?
    /// The types above, the nearest first.
    var ancestors: [String] = []
    /// The types that can be reached.
    var known: Set<String> = []
    /// The kind of most files, by their first bytes.
    var fileKind: AssetKind?
    /// The greatest number of references in a list.
    var maxReferences = RecordLimits.cloudKit.referenceCount
  }

  /// The greatest length of text and bytes: alone, a value fits in a record.
  static let maxLength = RecordLimits.cloudKit.recordSize - 1000

  /// Returns the rule that makes such values.
  ///
  /// - Parameter guess: The rule that suits the field's name.
  func rule(
    _ guess: FieldRule, _ field: CloudSchema.Field, _ around: Surroundings
  ) -> FieldRule {
    let isReference =
      field.type.primitive == .reference
      || field.type == .string && around.target != nil
    guard values > 0,
      let kind = isReference
        ? reference(guess.kind, field, around)
        : (guess.kind ?? NoValues()).learned(from: self, around)
          ?? WordText(.words, .fixed(1)).learned(from: self, around),
      !(kind is NoValues)
    else { return FieldRule(kind: NoValues()) }
    var rule = guess
    rule.kind = kind
    rule.nullRate =
      (Double(max(0, around.records - values)) * 1000 / Double(max(1, around.records))).rounded()
      / 1000
    rule.length = nil
    if field.type.isList, !(kind is AncestorReferences) {
      let most = isReference ? around.maxReferences : FieldRule.maxLength
      rule.length = listLengths.rule(within: 0...most) ?? .fixed(0)
    }
    return rule
  }

  private func reference(
    _ guess: (any GeneratedValues)?, _ field: CloudSchema.Field, _ around: Surroundings
  ) -> (any GeneratedValues)? {
    if guess is AncestorReferences, !around.ancestors.isEmpty { return guess }
    guard let target = around.target else { return nil }
    // A list of an ancestor would repeat it.
    let isOther =
      target == around.ancestors.first && 2 * parentReferences < references || field.type.isList
    return ReferenceValues(target: target, isAny: isOther && around.ancestors.contains(target))
  }

  // MARK: Numbers

  /// Whether the numbers have as many digits as seconds since 1970, where those that suit the name of
  /// the field are such numbers.
  func areDates(like greatest: Double) -> Bool { digits >= 10 && greatest >= 1_000_000_000 }

  /// A range of whole numbers to a power of ten that no number is above.
  var wholeRange: ClosedRange<Int> { (isNegative ? -power : 0)...power }

  /// Decimals to a power of ten that no number is above.
  func decimals(places: Int) -> DecimalValues {
    // Doubles have 15 digits.
    DecimalValues(
      (isNegative ? -Double(power) : 0)...Double(power),
      places: min(places, max(0, 15 - digits)))
  }

  private var power: Int {
    (0..<digits).reduce(1) { power, _ in
      let (next, overflow) = power.multipliedReportingOverflow(by: 10)
      return overflow ? .max : next
    }
  }
}

/// The properties that the records of a type have in common.
struct LearnedType {
  private(set) var records = 0
  private(set) var fields: [String: LearnedField] = [:]
  /// The number of records in each zone.
  private(set) var zones: [ZoneLocation: Int] = [:]
  private(set) var uuids = 0
  private(set) var shared = 0
  private(set) var modified = 0
  /// The number of records by the hash of their parent.
  private(set) var parents: [UInt64: Int] = [:]

  var isPublic: Bool { zones.keys.allSatisfy { $0.database == .public } }

  /// - Parameters:
  ///   - parentField: The field that refers to the parent, where the record has none.
  ///   - guesses: The rules that suit the names of the fields.
  mutating func add(
    _ record: ResultRecord, _ database: DatabaseScope, parentField: String?,
    guesses: [String: FieldRule]
  ) {
    records += 1
    zones[ZoneLocation(database, record.recordID.zoneID), default: 0] += 1
    switch record.recordID.packedName {
    case .upperUUID, .lowerUUID: uuids += 1
    case .user, .text: break
    }
    if record.share != nil, record.parent == nil { shared += 1 }
    if let changed = record.modificationDate, changed != record.creationDate { modified += 1 }
    let all = record.fields
    var parent = record.parent?.recordID
    if parent == nil, let field = all.first(where: { $0.name == parentField }),
      case .reference(let reference) = field.value
    {
      parent = reference.recordID
    }
    for (field, name) in record.possibleTargets {
      let target = RecordID(recordName: name.string, zoneID: record.recordID.zoneID)
      fields[field.string, default: LearnedField(guess: guesses[field.string]?.kind)]
        .add(possibleTarget: target)
    }
    for field in all {
      fields[field.name, default: LearnedField(guess: guesses[field.name]?.kind)]
        .add(field.value, parent: parent)
    }
    if let parent { parents[RecipeLearner.hash(parent), default: 0] += 1 }
  }
}

/// How often numbers came, in ranges that grow with them: a recipe has them of a source's lengths and
/// sizes.
struct CountHistogram: Sendable {
  private var counts: [Int: Int] = [:]
  private(set) var total = 0

  /// Counts a number, which is not negative.
  mutating func add(_ number: Int, times: Int = 1) {
    guard times > 0 else { return }
    counts[Self.range(of: number).lowerBound, default: 0] += times
    total += times
  }

  /// Returns the range of a number: single numbers to 8, then two ranges for each power of two.
  static func range(of number: Int) -> ClosedRange<Int> {
    guard number > 8 else { return max(0, number)...max(0, number) }
    let power = 1 << (Int.bitWidth - 1 - (number - 1).leadingZeroBitCount)
    let half = power + power / 2
    return number <= half ? power + 1...half : half + 1...(power > 1 << 60 ? .max : 2 * power)
  }

  /// The distribution, with numbers from `least` to `most`; nil if nothing was counted.
  func rule(within bounds: ClosedRange<Int> = 0...Int.max) -> CountRule? {
    var weights: [CountRule.Weight] = []
    for (low, count) in counts.sorted(by: { $0.key < $1.key }) {
      let range = Self.range(of: low).clamped(to: bounds)
      // A tenth of a per cent is enough.
      let weight = max(1, (Double(count) * 1000 / Double(total)).rounded())
      if weights.last?.range == range {
        weights[weights.count - 1].weight += weight
      } else {
        weights.append(CountRule.Weight(range: range, weight: weight))
      }
    }
    guard let first = weights.first else { return nil }
    return weights.count == 1 ? CountRule(first.range) : .weights(weights)
  }
}

import Foundation
import RecordCoding
import RecordModel
import RecordSchema

/// The properties that the values of a field share, without any of the values.
struct FieldCensus {
  /// The rule that suits the field's name.
  private let guess: ValueRule
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

  init(guess: ValueRule = .guess) { self.guess = guess }

  /// - Parameter parent: The parent of the record.
  mutating func add(_ value: RecordValue, parent: RecordID?) {
    values += 1
    if let elements = value.elements {
      listLengths.add(elements.count)
      for element in elements { addSingle(element, parent) }
    } else if case .emptyList = value {
      listLengths.add(0)
    } else {
      addSingle(value, parent)
    }
  }

  private mutating func addSingle(_ value: RecordValue, _ parent: RecordID?) {
    switch value {
    case .string(let text):
      lengths.add(text.unicodeScalars.count)
      texts += 1
      if TextFit.isLike(guess, text) { fittingTexts += 1 }
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
      isDegrees = isDegrees && number.magnitude <= (guess == .coordinate(.latitude) ? 90 : 180)
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

  private static func power(above number: UInt64) -> Int {
    number > 1 ? String(number - 1).utf8.count : 0
  }

  /// The facts that a rule needs besides the field's values.
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

/// The properties that the records of a type share.
struct TypeCensus {
  private(set) var records = 0
  private(set) var fields: [String: FieldCensus] = [:]
  /// The number of records in each zone.
  private(set) var zones: [Zone: Int] = [:]
  private(set) var uuids = 0
  private(set) var shared = 0
  private(set) var modified = 0
  /// The number of records by the hash of their parent.
  private(set) var parents: [UInt64: Int] = [:]

  struct Zone: Hashable {
    let database: DatabaseScope
    let zoneID: ZoneID
  }

  var isPublic: Bool { zones.keys.allSatisfy { $0.database == .public } }

  /// - Parameters:
  ///   - parentField: The field that refers to the parent, where the record has none.
  ///   - guesses: The rules that suit the names of the fields.
  mutating func add(
    _ record: ResultRecord, _ database: DatabaseScope, parentField: String?,
    guesses: [String: FieldRule]
  ) {
    records += 1
    zones[Zone(database: database, zoneID: record.recordID.zoneID), default: 0] += 1
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
    for field in all {
      fields[field.name, default: FieldCensus(guess: guesses[field.name]?.value ?? .guess)]
        .add(field.value, parent: parent)
    }
    if let parent { parents[RecipeLearner.hash(parent), default: 0] += 1 }
  }
}

/// How often numbers came, in ranges that grow with them: what a recipe says of a source's lengths
/// and sizes.
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

/// Whether text is about what a rule makes: of its form, and about as long.
enum TextFit {
  static func isLike(_ rule: ValueRule, _ text: String) -> Bool {
    switch rule {
    case .known(let kind): isLike(kind, text)
    case .choice: text.unicodeScalars.count <= 20 && !text.contains(" ")
    case .pattern(let pattern):
      text.utf8.count <= pattern.utf8.count + 4 && Double(text) != nil
    // JSON of any length becomes the shortest.
    case .constant(.string("{}")): text.hasPrefix("{") || text.hasPrefix("[")
    case .constant(let value): value == .string(text)
    default: true
    }
  }

  private static func isLike(_ kind: TextKind, _ text: String) -> Bool {
    let count = text.unicodeScalars.count
    func are(_ members: String, _ counts: ClosedRange<Int>) -> Bool {
      counts.contains(count) && text.unicodeScalars.allSatisfy(members.unicodeScalars.contains)
    }
    let digits = "0123456789"
    let hexadecimal = digits + "abcdefABCDEF"
    switch kind {
    case .name, .company, .country: return (2...40).contains(count)
    case .givenName, .familyName, .city: return (1...30).contains(count)
    case .street: return (3...40).contains(count)
    case .username: return (1...25).contains(count) && !text.contains(" ")
    case .email: return (6...50).contains(count) && text.contains("@")
    case .phone: return are(digits + "+-()/. ", 5...20)
    case .url: return (8...60).contains(count) && text.contains("://")
    case .postcode: return (3...10).contains(count)
    case .emoji: return (1...12).contains(count) && !text.utf8.contains { $0 < 0x80 && $0 > 0x39 }
    case .color: return text.hasPrefix("#") && (4...9).contains(count)
    case .uuid: return are(hexadecimal + "-", 32...36)
    case .hex: return are(hexadecimal, 60...68)
    case .language: return (2...8).contains(count) && !text.contains(" ")
    case .currency: return count == 3
    case .filename: return (3...30).contains(count) && text.contains(".")
    case .mimeType: return (3...30).contains(count) && text.contains("/")
    case .isoDate: return ISODate.date(from: text) != nil
    case .version: return are(digits + ".", 1...10)
    }
  }
}

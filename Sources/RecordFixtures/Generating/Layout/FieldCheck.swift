import RecordCoding
import RecordMigration
import RecordModel
import RecordSchema

/// Checks the rule of a field against its type.
struct FieldCheck {
  let field: CloudSchema.Field
  let recordType: String
  let sizes: ValueSize
  /// The place of errors that have none of their own.
  let fallback: PlanLocation

  private var primitive: CloudSchema.Primitive { field.type.primitive }
  private var subject: String { "'\(field.name)' of '\(recordType)'" }

  private func error(_ rule: FieldRule, _ member: String, _ message: String) -> FixtureError {
    FixtureError(rule.location(of: member) ?? fallback, message)
  }

  /// Returns the plan of a field; nil if it has no values.
  ///
  /// - Throws: `FixtureError` if the rule does not fit the type.
  func plan(_ rule: FieldRule) throws -> FieldPlan? {
    guard rule.value != .none else { return nil }
    var rule = rule
    if rule.length != nil {
      guard field.type.isList else {
        throw error(rule, "list", "\(subject) is \(field.type), which is not a list")
      }
      guard !isAncestors(rule) else {
        throw error(rule, "list", "the list of ancestors has one reference for each")
      }
    } else if field.type.isList, !isAncestors(rule) {
      rule.length = .range(1...3)
    }
    rule.value = try value(rule)
    if case .expression = rule.value, rule.nullRate > 0 {
      throw error(
        rule, "null-rate",
        "\(subject) is calculated: it has a value where its expression has one; leave out 'null-rate'"
      )
    }
    try checkUnique(rule)
    let size = sizes.most(rule, isList: field.type.isList) + field.name.utf8.count
    guard size <= RecordLimits.cloudKit.recordSize else {
      throw error(
        rule, rule.length == nil ? "" : "list",
        "\(subject) could have \(size) bytes; \(RecordLimits.cloudKit.recordSize) are the maximum "
          + "size of a CloudKit record")
    }
    return FieldPlan(field, rule, maxSize: size)
  }

  private func isAncestors(_ rule: FieldRule) -> Bool {
    if case .ancestors = rule.value { return true }
    return false
  }

  // MARK: Types

  /// Returns the value rule with constants of the field's type.
  private func value(_ rule: FieldRule) throws -> ValueRule {
    switch rule.value {
    case .constant(let value): return .constant(try constant(value, rule))
    case .choice(let choices):
      return .choice(
        try choices.map { .init(value: try constant($0.value, rule), weight: $0.weight) })
    default: break
    }
    guard fits(rule.value) else {
      throw error(
        rule, "", "\(subject) is \(field.type), and the rule makes \(rule.value.product)")
    }
    if case .asset(let asset) = rule.value {
      let least = AssetMaker.minimumSize(asset.kind)
      guard asset.size.bounds.lowerBound >= least else {
        throw error(
          rule, "size", "a file of kind '\(asset.kind.rawValue)' has at least \(least) bytes")
      }
    }
    return rule.value
  }

  private func fits(_ value: ValueRule) -> Bool {
    switch value {
    case .guess, .none, .constant, .choice: true
    case .integer, .sequence, .position: [.int64, .double, .number].contains(primitive)
    case .decimal, .coordinate: field.type.isDouble
    case .text, .known, .pattern: primitive == .string
    case .date, .created, .modified: primitive == .timestamp
    case .bytes: primitive == .bytes
    case .location: primitive == .location
    case .reference, .anyReference: primitive == .reference
    case .ancestors: primitive == .reference && field.type.isList
    case .asset: primitive == .asset
    case .expression: !field.type.isList && primitive != .asset && primitive != .reference
    }
  }

  private func constant(_ value: RecordValue, _ rule: FieldRule) throws -> RecordValue {
    let wanted = field.type.valueType
    switch (wanted.elementType ?? wanted, value) {
    case (.string, .string), (.int64, .int64), (.double, .double): return value
    case (.string, .int64(let number)): return .string("\(number)")
    case (.string, .double(let number)): return .string(CanonicalNumber.text(of: number) ?? "")
    case (.double, .int64(let number)): return .double(Double(number))
    case (.timestamp, .string(let text)):
      if let date = ISODate.date(from: text) { return .timestamp(date) }
    default: break
    }
    throw error(
      rule, "value", "\(subject) is \(field.type), which cannot have this constant value")
  }

  // MARK: Limits

  private func checkUnique(_ rule: FieldRule) throws {
    guard rule.isUnique else { return }
    let canBe: Bool
    switch rule.value {
    case .text, .known, .sequence, .date: canBe = true
    case .pattern(let pattern): canBe = PatternGenerator.isUnique(pattern)
    case .integer(.fixed), .integer(.range), .decimal: canBe = true
    default: canBe = false
    }
    if field.type.isDouble, case .integer(let count) = rule.value,
      !(-Self.lastExact...Self.lastExact).contains(count.bounds.lowerBound)
        || !(-Self.lastExact...Self.lastExact).contains(count.bounds.upperBound)
    {
      throw error(
        rule, "unique",
        "\(subject) cannot be unique: doubles do not have all whole numbers beyond "
          + "±\(Self.lastExact)")
    }
    guard canBe, !field.type.isList else {
      throw error(
        rule, "unique",
        "\(subject) cannot be unique by this rule: use words, a kind of text, a pattern with %, a "
          + "range, dates of a range, or a sequence")
    }
  }

  /// Throws if there are fewer different values than records.
  func checkCapacity(_ rule: FieldRule, records: Int) throws {
    guard rule.isUnique, let capacity = sequenceCapacity(rule) ?? rule.value.capacity,
      capacity < records
    else { return }
    throw error(
      rule, "unique",
      "\(subject) cannot be unique: there are \(records) records, and \(capacity) different values")
  }

  /// The greatest whole number up to which doubles have all.
  private static let lastExact = 1 << 53

  /// Returns the number of different values of a sequence; nil for no end.
  private func sequenceCapacity(_ rule: FieldRule) -> Int? {
    guard case .sequence(let start, let step) = rule.value else { return nil }
    if step == 0 { return 1 }
    guard field.type.isDouble else { return nil }
    let room = step > 0 ? Self.lastExact - start : Self.lastExact + start
    return room < 0 || abs(start) > Self.lastExact ? 0 : room / abs(step) + 1
  }
}

extension ValueRule {
  /// The number of different values, where they can run out; nil for no end.
  var capacity: Int? {
    switch self {
    case .integer(let rule): rule.bounds.size
    case .decimal(let range, let places): Self.units(range, places).size
    case .date(let range): range.size
    default: nil
    }
  }

  /// Returns a range of decimals in units of the last place; a range without such a decimal gives one
  /// outside.
  static func units(_ range: ClosedRange<Double>, _ places: Int) -> ClosedRange<Int> {
    let scale = Double(FieldRule.powersOfTen[places])
    let low = Int((range.lowerBound * scale).rounded(.up))
    let high = Int((range.upperBound * scale).rounded(.down))
    if low <= high { return low...high }
    // The products are rounded: 0.07 * 100 is above 7.
    let nearest = Int((range.lowerBound * scale).rounded())
    return range.contains(Double(nearest) / scale) ? nearest...nearest : low...low
  }

  /// The values as shown in messages.
  fileprivate var product: String {
    switch self {
    case .integer, .sequence, .position: "whole numbers"
    case .decimal, .coordinate: "decimal numbers"
    case .text, .known, .pattern: "text"
    case .date, .created, .modified: "dates"
    case .bytes: "bytes"
    case .location: "locations"
    case .reference, .anyReference: "references"
    case .ancestors: "a list of references"
    case .asset: "files"
    case .expression: "a single value that is no file and no reference"
    case .guess, .none, .constant, .choice: "other values"
    }
  }
}

extension ClosedRange<Int> {
  /// The number of numbers, at most `Int.max`.
  var size: Int {
    let (span, overflow) = upperBound.subtractingReportingOverflow(lowerBound)
    return overflow || span == .max ? .max : span + 1
  }
}

import RecordCoding
import RecordModel
import RecordSchema

extension MigrationAction {
  /// Converts a value to another type or unit.
  public static func convert(_ name: String, _ conversion: Conversion) -> MigrationAction {
    MigrationAction(ConvertField(field: name, conversion: conversion))
  }
}

struct ConvertField: PlannedStepKind {
  static let name = "convert"
  static let keys = ["field", "from", "to", "format", "multiply", "divide"]

  let field: String
  var conversion: Conversion

  static func read(_ plan: PlanStepReader) throws -> ConvertField {
    let field = try plan.field()
    var conversion = Conversion(to: try plan["to"].flatMap { ValueType(try $0.fieldType("to")) })
    conversion.original = try plan["from"].flatMap { ValueType(try $0.fieldType("from")) }
    conversion.dateFormat = try plan["format"]?.dateFormat("format")
    if let member = plan["multiply"] ?? plan["divide"] {
      let (times, by) = (try factor("multiply", plan), try factor("divide", plan))
      guard let scale = UnitScale(multiplyBy: times, divideBy: by) else {
        throw member.error("factors are integers from 1 to 10^12")
      }
      conversion.scale = scale
    }
    return ConvertField(field: field, conversion: conversion)
  }

  private static func factor(_ key: String, _ plan: PlanStepReader) throws -> Int64 {
    guard let node = plan[key] else { return 1 }
    guard let number = Int64(try node.text(key)) else {
      throw node.error("'\(key)' is an integer; for 0.001, write 'divide: 1000'")
    }
    return number
  }

  var effects: StepEffects {
    let (old, new) = (conversion.original?.single, conversion.type?.single)
    var effects = StepEffects.changingValue(of: field, "to", "field")
    // Names become references.
    if new == .reference, old != .reference { effects.follows = .identity }
    if new == .asset { effects.assets = .makes }
    if new == .bytes, old == nil || old == .asset { effects.assets = [.reads, .loses] }
    return effects
  }

  func fault(in step: MigrationStep) -> MigrationStep.Fault? {
    guard conversion.type == nil, conversion.scale == nil else { return nil }
    return ("do", "nothing is converted: name a type ('to') or a factor ('multiply', 'divide')")
  }

  func check(_ check: StepCheck) throws {
    let kinds = check.fields[field]
    let types = Set(kinds.compactMap(ValueType.init))
    guard !types.isEmpty, types.count == kinds.count else { return }
    if let original = conversion.original, !types.contains(original) {
      throw check.error(
        "from", "field '\(field)' is \(kinds.inWords) at this step, not \(original.words)")
    }
    let sources = conversion.original.map { [$0] } ?? Array(types)
    if let type = conversion.type, !sources.contains(where: { $0.canBecome(type) }) {
      throw check.error(
        "to", "field '\(field)' is \(kinds.inWords), which cannot become \(type.words)")
    }
    let ends = (sources + [conversion.type].compactMap { $0 }).map(\.single)
    if conversion.dateFormat != nil, !ends.contains(.timestamp) {
      throw check.error(
        "format", "a format is for dates, but '\(field)' neither is nor becomes one")
    }
    if conversion.scale != nil, !ends.contains(.int64), !ends.contains(.double) {
      throw check.error(
        check.step.locations["multiply"] != nil ? "multiply" : "divide",
        "a factor is for numbers, but '\(field)' neither is nor becomes one")
    }
  }

  mutating func complete(with fields: KnownFields) {
    guard conversion.original == nil else { return }
    let known = fields.all(field)
    if known.count == 1, let only = known.first { conversion.original = ValueType(only) }
  }

  func change(_ fields: inout SchemaWalk.Fields) {
    guard let kinds = fields[field], let type = conversion.type, type != .emptyList else { return }
    fields[field] = Set(
      kinds.compactMap { CloudSchema.FieldType(of: type, isEncrypted: $0.isEncrypted) })
  }

  func run(_ record: EditableRecord, _ runner: MigrationRunner) throws -> StepOutcome {
    guard let field = record.field(named: field) else { return .unchanged }
    let (value, isExact) = try conversion.convert(
      field.value, in: record.zoneID, assets: runner.environment.assets)
    if field.isEncrypted, [.asset, .reference].contains(value.type?.single) {
      throw StepMisfit(self.field, "an encrypted value, which cannot become \(value.kindInWords)")
    }
    record.set(field.replacing(value))
    return .changed(isExact: isExact)
  }

  func inverse(_ reversal: StepReversal) throws -> [MigrationStep] {
    guard let inverse = conversion.inverse else {
      throw NoInverse("the original type is unknown; specify it with 'from'")
    }
    return [reversal.undoing(.convert(field, inverse))]
  }
}

extension ValueType {
  /// The type as written in plans.
  fileprivate var words: String { elementType.map { "LIST<\($0.rawValue)>" } ?? rawValue }

  /// Returns whether some values of this type can be converted to another.
  func canBecome(_ other: ValueType) -> Bool {
    let (old, new) = (single, other.single)
    if old == new { return true }
    switch (old, new) {
    case (.string, .int64), (.string, .double), (.string, .timestamp), (.string, .bytes),
      (.string, .reference), (.int64, .string), (.double, .string), (.timestamp, .string),
      (.bytes, .string), (.reference, .string), (.int64, .double), (.double, .int64),
      (.int64, .timestamp), (.double, .timestamp), (.timestamp, .int64), (.timestamp, .double),
      (.bytes, .asset), (.asset, .bytes):
      return true
    default: return false
    }
  }
}

import RecordCoding
import RecordModel
import RecordSchema

extension MigrationAction {
  /// Converts a value to another type.
  public static func convert(_ name: String, _ conversion: Conversion) -> MigrationAction {
    MigrationAction(ConvertField(field: name, conversion: conversion))
  }
}

struct ConvertField: PlannedStepKind, PlainStepKind {
  static let names: KeyValuePairs = ["convert": ["field", "from", "to", "format"]]

  let field: String
  var conversion: Conversion

  static func read(_ plan: PlanStepReader) throws -> ConvertField {
    let field = try plan.field()
    let type = try plan.required("to", "the new type").valueType("to")
    var conversion = Conversion(to: type)
    conversion.original = try plan["from"]?.valueType("from")
    conversion.dateFormat = try plan["format"]?.dateFormat("format")
    return ConvertField(field: field, conversion: conversion)
  }

  var effects: StepEffects {
    let (old, new) = (conversion.original?.single, conversion.type.single)
    var effects = StepEffects.changingValue(of: field, "to", "field")
    // Names become references.
    if new == .reference, old != .reference { effects.follows = .identity }
    if new == .asset { effects.assets = .makes }
    if new == .bytes, old == nil || old == .asset { effects.assets = [.reads, .loses] }
    return effects
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
    if !sources.contains(where: { $0.canBecome(conversion.type) }) {
      throw check.error(
        "to", "field '\(field)' is \(kinds.inWords), which cannot become \(conversion.type.words)")
    }
    let ends = (sources + [conversion.type]).map(\.single)
    if conversion.dateFormat != nil, !ends.contains(.timestamp) {
      throw check.error(
        "format", "a format is for dates, but '\(field)' neither is nor becomes one")
    }
  }

  mutating func complete(with fields: KnownFields) {
    guard conversion.original == nil else { return }
    let known = fields.all(field)
    if known.count == 1, let only = known.first { conversion.original = ValueType(only) }
  }

  func change(_ fields: inout SchemaWalk.Fields) {
    guard let kinds = fields[field], conversion.type != .emptyList else { return }
    fields[field] = Set(
      kinds.compactMap { CloudSchema.FieldType(of: conversion.type, isEncrypted: $0.isEncrypted) })
  }

  func run(_ runner: MigrationRunner, _ record: EditableRecord) throws -> StepOutcome {
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

extension MigrationAction {
  /// A mapping of values to replacements.
  public struct ValueMap: Sendable, Hashable {
    /// The treatment of a value that is not listed.
    public enum Otherwise: Sendable, Hashable {
      /// The value does not fit.
      case misfit
      /// The value is kept.
      case keep
      /// The value is replaced by this one.
      case value(RecordValue)
    }

    /// The replacement for each value. In a list, each element is replaced.
    public var values: [RecordValue: RecordValue]
    /// The treatment of values that are not listed.
    public var otherwise: Otherwise

    /// Creates a map.
    public init(_ values: [RecordValue: RecordValue], otherwise: Otherwise = .misfit) {
      self.values = values
      self.otherwise = otherwise
    }
  }

  /// Replaces values.
  public static func mapValues(_ name: String, _ map: ValueMap) -> MigrationAction {
    MigrationAction(MapValues(field: name, map: map))
  }
}

struct MapValues: PlannedStepKind, PlainStepKind {
  static let names: KeyValuePairs = ["map-values": ["field", "values", "otherwise"]]

  let field: String
  let map: MigrationAction.ValueMap

  static func read(_ plan: PlanStepReader) throws -> MapValues {
    let field = try plan.field()
    let node = try plan.required("values", "the replacement for each value")
    var values: [RecordValue: RecordValue] = [:]
    for (key, value) in try node.members("values").pairs {
      values[try key.constant("a value")] = try value.constant("a value")
    }
    guard !values.isEmpty else { throw node.error("'values' lists no values") }
    let otherwise = try plan["otherwise"].map(Self.otherwise) ?? .misfit
    return MapValues(field: field, map: .init(values, otherwise: otherwise))
  }

  private static func otherwise(_ node: YAMLNode) throws -> MigrationAction.ValueMap.Otherwise {
    if node.node.mapping != nil {
      let inner = try node.members("otherwise")
      try inner.allow(["value"], in: "otherwise")
      return .value(try inner.required("value", "the value").constant("value"))
    }
    switch try node.text("otherwise") {
    case "misfit": return .misfit
    case "keep": return .keep
    case let other:
      throw node.error(
        "'otherwise' is not '\(other)'"
          + NearNames.advice(other, among: ["misfit", "keep"], also: "{value: …}"))
    }
  }

  var effects: StepEffects {
    let mapsReferences = map.values.contains {
      [$0.key, $0.value].contains { $0.type?.single == .reference }
    }
    var effects = StepEffects.changingValue(of: field, "values")
    if mapsReferences { effects.follows = .identity }
    return effects
  }

  func check(_ check: StepCheck) throws {
    let kinds = check.fields[field]
    let types = Set(kinds.compactMap(ValueType.init).map(\.single))
    guard !types.isEmpty else { return }
    let texts = map.values.keys.map { ($0, TextForm.text(of: $0) ?? "") }
      .sorted { compareUTF8($0.1, $1.1) < 0 }
    for (value, text) in texts {
      guard let type = value.type, !types.contains(type) else { continue }
      let hint =
        types == [.string]
        ? "; quote a string: '\(text)'"
        : types == [.double] && type == .int64
          ? "; write a double with a decimal point: \(text).0" : ""
      let member = "values.\(text)"
      throw check.error(
        check.step.locations[member] == nil ? "values" : member,
        "field '\(field)' is \(kinds.inWords), and '\(text)' is \(value.kindInWords)\(hint)")
    }
  }

  func change(_ fields: inout SchemaWalk.Fields) {
    let kinds = Set(
      map.values.values.compactMap { $0.type.flatMap { CloudSchema.FieldType(of: $0) } })
    guard let known = fields[field], kinds.count == 1, let kind = kinds.first,
      map.otherwise != .keep
    else { return }
    fields[field] = Set(
      known.map {
        CloudSchema.FieldType(kind.primitive, isList: $0.isList, isEncrypted: $0.isEncrypted)
      })
  }

  func run(_: MigrationRunner, _ record: EditableRecord) throws -> StepOutcome {
    guard let field = record.field(named: field) else { return .unchanged }
    var isExact = true
    let value: RecordValue
    if let elements = field.value.elements {
      var size = 0
      let mapped = try elements.map { element in
        let mapped = try replacement(of: element, field, &isExact)
        size += mapped.approximateSize
        guard size <= ExpressionLimits.maxSize else {
          throw StepMisfit(self.field, ExpressionLimits.tooLarge)
        }
        return mapped
      }
      guard let list = RecordValue(elements: mapped, emptyOf: field.value.type?.elementType) else {
        throw StepMisfit(self.field, "a list whose elements would have several types")
      }
      value = mapped.isEmpty ? field.value : list
    } else {
      value = try replacement(of: field.value, field, &isExact)
    }
    guard value != field.value else { return isExact ? .unchanged : .changed(isExact: false) }
    record.set(field.replacing(value))
    return .changed(isExact: isExact)
  }

  private func replacement(
    of value: RecordValue, _ field: Field, _ isExact: inout Bool
  ) throws -> RecordValue {
    if let listed = map.values[value] {
      if map.values.values.count(where: { $0 == listed }) > 1 { isExact = false }
      return listed
    }
    switch map.otherwise {
    case .keep:
      // A kept value that is also a replacement for another cannot be distinguished afterwards.
      if map.values.values.contains(value) { isExact = false }
      return value
    case .value(let other):
      isExact = false
      return other
    case .misfit:
      throw StepMisfit(field.name, "\(Self.shown(value, field)) is not among the mapped values")
    }
  }

  /// Returns a value as shown in messages. The value of an encrypted field is not shown.
  private static func shown(_ value: RecordValue, _ field: Field) -> String {
    guard !field.isEncrypted else { return "an encrypted value" }
    guard let text = TextForm.text(of: value) else { return value.kindInWords }
    return "'\(text.count > 40 ? text.prefix(40) + "…" : text)'"
  }

  func inverse(_ reversal: StepReversal) throws -> [MigrationStep] {
    guard Set(map.values.values).count == map.values.count else {
      throw NoInverse("several values map to the same value")
    }
    if case .value = map.otherwise { throw NoInverse("all unlisted values map to the same value") }
    let values = Dictionary(uniqueKeysWithValues: map.values.map { ($0.value, $0.key) })
    // Values that are not listed are treated as before.
    let inverse = MigrationAction.ValueMap(values, otherwise: map.otherwise)
    return [reversal.undoing(.mapValues(field, inverse))]
  }
}

extension MigrationAction {
  /// Runs Swift code.
  public static func custom(_ step: CustomStep) -> MigrationAction { MigrationAction(step) }

  /// A step written in Swift.
  public struct CustomStep: Sendable, PlainStepKind {
    /// Returns the results for a record: the changed record, none, or several.
    public typealias Body = @Sendable (DraftRecord) throws -> [DraftRecord]
    /// The name of the step in reports.
    public var name: String
    /// Whether the step may change names, zones or types, or the number of records.
    public var changesIdentity: Bool
    /// The code to run.
    public var body: Body
    /// The code that undoes the step, if any.
    public var inverse: Body?

    /// Creates a step from a closure.
    ///
    /// - Parameters:
    ///   - name: The name of the step in reports.
    ///   - changesIdentity: Whether the step may change names, zones or types, or the number of
    ///     records.
    ///   - inverse: The code that undoes the step, if any.
    ///   - body: The code to run. Called on several threads at the same time. Errors it throws
    ///     count as misfits.
    public init(
      _ name: String, changesIdentity: Bool = true, inverse: Body? = nil, body: @escaping Body
    ) {
      self.name = name
      self.changesIdentity = changesIdentity
      self.inverse = inverse
      self.body = body
    }

    var effects: StepEffects {
      StepEffects(
        names: [.init(member: "do", name: name)],
        changes: changesIdentity ? [.identity, .recordType] : .recordType,
        assets: [.makes, .loses], isOpaque: true)
    }

    func run(_: MigrationRunner, _ record: EditableRecord) throws -> StepOutcome {
      let drafts: [DraftRecord]
      do {
        drafts = try body(DraftRecord(record.resultRecord))
      } catch {
        throw StepMisfit(nil, "\(error)")
      }
      let results = drafts.map {
        EditableRecord(
          ResultRecord(systemFields: $0.systemFields, fields: $0.fields), in: record.database)
      }
      if let first = results.first, first.recordID != record.recordID {
        try StepMisfit.checkIsNoZoneShare(record)
      }
      if !changesIdentity {
        guard results.count == 1, results[0].recordID == record.recordID,
          results[0].recordType.sameScalars(as: record.recordType)
        else {
          throw StepMisfit(
            nil,
            "the step changed names, types or the number of records, but declares that it "
              + "does not")
        }
      }
      return .replaced(results)
    }

    func inverse(_ reversal: StepReversal) throws -> [MigrationStep] {
      guard let inverse else { throw NoInverse("the step has no inverse") }
      let step = MigrationAction.CustomStep(
        name, changesIdentity: changesIdentity, inverse: body, body: inverse)
      return [reversal.undoing(.custom(step))]
    }
  }
}

import RecordCoding
import RecordModel
import RecordSchema

extension MigrationAction {
  /// Renames the record type.
  public static func renameType(to name: String) -> MigrationAction {
    MigrationAction(ChangeType(newName: name, isMerge: false, discriminator: nil))
  }

  /// Merges several record types into one. The discriminator field, if any, stores the former type,
  /// which makes the step reversible.
  public static func mergeTypes(into name: String, discriminator: String?) -> MigrationAction {
    MigrationAction(ChangeType(newName: name, isMerge: true, discriminator: discriminator))
  }
}

struct ChangeType: PlannedStepKind, PlainStepKind {
  static let names: KeyValuePairs = [
    "rename-type": ["to"], "merge-types": ["into", "discriminator"],
  ]

  let newName: String
  /// Whether records may have the type before.
  let isMerge: Bool
  let discriminator: String?

  static func read(_ plan: PlanStepReader) throws -> ChangeType {
    if plan.name == "rename-type" {
      let newName = try plan.text("to", "the type's new name")
      return ChangeType(newName: newName, isMerge: false, discriminator: nil)
    }
    return ChangeType(
      newName: try plan.text("into", "the type they become"), isMerge: true,
      discriminator: try plan["discriminator"]?.text("discriminator"))
  }

  var name: String { isMerge ? "merge-types" : "rename-type" }

  var effects: StepEffects {
    StepEffects(
      creates: .init(discriminator.map { [$0] } ?? [], "discriminator"),
      newType: .init(member: isMerge ? "into" : "to", name: newName), changes: .recordType)
  }

  func fault(in step: MigrationStep) -> MigrationStep.Fault? { step.faultOfUnnamedTypes }

  func change(_ fields: inout SchemaWalk.Fields) {
    if let discriminator { fields[discriminator, default: []].insert(.string) }
  }

  func run(_: MigrationRunner, _ record: EditableRecord) throws -> StepOutcome {
    if let discriminator {
      guard !record.hasField(discriminator) else {
        throw StepMisfit(discriminator, "the discriminator field already has a value")
      }
      record.set(discriminator, to: .string(record.recordType))
    }
    record.setRecordType(newName)
    return .retyped
  }

  func prepareForOthers(_ selection: MigrationStep.Selection) -> PreparedStep.Body {
    guard isMerge else { return { _, _ in .ambiguous } }
    return { _, record in
      guard let discriminator, case .string(let type)? = record.field(named: discriminator)?.value
      else { return .unchanged }
      return selection.contains(recordType: type) ? .ambiguous : .unchanged
    }
  }

  func inverse(_ reversal: StepReversal) throws -> [MigrationStep] {
    let types = (reversal.step.selection.recordTypes ?? []).sorted()
    guard !isMerge || discriminator != nil else {
      throw NoInverse("the original type is unknown; store it with 'discriminator'")
    }
    guard isMerge || types.count == 1 else {
      throw NoInverse("several types get the same name; use merge-types with a discriminator")
    }
    guard isMerge && types.contains(newName) || !reversal.types.contains(newName) else {
      throw NoInverse("there were records of type '\(newName)' before")
    }
    return try types.flatMap { type -> [MigrationStep] in
      let rename = MigrationAction.renameType(to: type)
      guard let discriminator else { return [reversal.undoing(rename, type: newName)] }
      let isType = try StepReversal.condition("field('\(discriminator)') == '\(type)'")
      let drop = reversal.undoing(.dropField(discriminator), type: type, where: isType)
      if type == newName { return [drop] }
      return [reversal.undoing(rename, type: newName, where: isType), drop]
    }
  }
}

extension MigrationAction {
  /// Leaves the records of the types behind: they are not part of the result.
  public static var deleteType: MigrationAction { MigrationAction(LeaveBehind(isType: true)) }

  /// Leaves behind the records that match the condition.
  public static var leaveBehind: MigrationAction { MigrationAction(LeaveBehind(isType: false)) }
}

struct LeaveBehind: PlannedStepKind {
  static let names: KeyValuePairs = ["delete-type": [String](), "leave-behind": []]

  /// Whether the record types do not exist afterwards.
  let isType: Bool

  static func read(_ plan: PlanStepReader) -> Self { Self(isType: plan.name == "delete-type") }

  var name: String { isType ? "delete-type" : "leave-behind" }

  var effects: StepEffects { StepEffects(deletesType: isType, assets: .loses) }

  func fault(in step: MigrationStep) -> MigrationStep.Fault? {
    if isType { return step.faultOfUnnamedTypes }
    guard step.condition == nil, step.selection.recordTypes == nil else { return nil }
    return ("type", "this would leave all records behind; limit it with 'where' or 'type'")
  }

  func destinations(of _: Migrator.Outline.Place) -> [Migrator.Outline.Place]? { [] }

  func prepare() -> PreparedStep.Body { { _, _ in .gone } }

  func inverse(_: StepReversal) throws -> [MigrationStep] {
    throw NoInverse("records that were left behind cannot be restored")
  }
}

extension MigrationAction {
  /// Renames the record to the value of an expression. References to it are updated.
  public static func renameRecords(
    _ expression: RecordExpression, reverse: RecordExpression? = nil
  ) -> MigrationAction {
    MigrationAction(RenameRecords(expression: expression, reverse: reverse))
  }
}

struct RenameRecords: PlannedStepKind {
  static let names: KeyValuePairs = ["rename-records": ["name", "reverse"]]

  let expression: RecordExpression
  let reverse: RecordExpression?

  static func read(_ plan: PlanStepReader) throws -> RenameRecords {
    let name = try plan.required("name", "an expression that gives the new name")
    return RenameRecords(
      expression: try name.expression("name"), reverse: try plan["reverse"]?.expression("reverse"))
  }

  var effects: StepEffects {
    StepEffects(
      expression: ("name", expression),
      expressionsBothWays: reverse.map { [expression, $0] } ?? [], changes: .name)
  }

  func check(_ check: StepCheck) throws {
    let expressions: [(String, RecordExpression?)] = [("name", expression), ("reverse", reverse)]
    for case (let member, let expression?) in expressions {
      try check.expression(expression, member, "a record's name", .text)
      if let field = expression.root.valueFields.first(where: check.fields.isEncrypted) {
        throw check.error(member, Self.secret(field))
      }
    }
  }

  private static func secret(_ field: String) -> String {
    "'\(field)' is encrypted; a record name cannot be derived from it"
  }

  func destinations(of place: Migrator.Outline.Place) -> [Migrator.Outline.Place]? {
    var place = place
    place.keepsName = false
    return [place]
  }

  func prepare() -> PreparedStep.Body {
    let fields = expression.root.valueFields
    return { _, record in
      if let field = fields.first(where: record.isEncrypted) {
        throw StepMisfit(nil, Self.secret(field))
      }
      return try rename(record)
    }
  }

  private func rename(_ record: EditableRecord) throws -> StepOutcome {
    let value = try expression.value(for: record)
    let zone = record.zoneID
    let oldName = record.recordID.recordName
    if value == .null || value == .value(.string(oldName)) {
      // The reverse expression must keep the name as well.
      guard let reverse else { return .unchanged }
      let back = try? reverse.value(for: record)
      return back == .null || back == .value(.string(oldName)) ? .unchanged : .ambiguous
    }
    guard case .value(.string(let name)) = value else {
      throw StepMisfit(nil, "the new name is \(value.kind), but a record name must be a string")
    }
    try StepMisfit.checkIsNoZoneShare(record)
    let renamed = RecordID(recordName: name, zoneID: zone)
    try StepMisfit.check(renamed, record.recordType, "the renamed record")
    record.rename(to: name)
    let isExact = reverse.map { back in
      (try? back.value(for: record)) == .value(.string(oldName))
    }
    return .changed(isExact: isExact ?? true)
  }

  func inverse(_ reversal: StepReversal) throws -> [MigrationStep] {
    guard let reverse else {
      throw NoInverse("the old names are unknown; specify an expression with 'reverse'")
    }
    return [reversal.undoing(.renameRecords(reverse, reverse: expression))]
  }
}

extension MigrationAction {
  /// Moves the record to another zone of its account. References to it are updated.
  ///
  /// - Parameters:
  ///   - zone: The zone. Without the name of an owner, the owner is that of `source`, or else of
  ///     the record's zone. Records of zones with another owner do not fit.
  ///   - source: The only zone to move records from. `nil` for all.
  public static func move(to zone: ZoneID, from source: ZoneID? = nil) -> MigrationAction {
    MigrationAction(MoveRecords(target: zone, source: source))
  }
}

struct MoveRecords: PlannedStepKind, PlainStepKind {
  static let names: KeyValuePairs = ["move": ["to-zone", "from-zone"]]

  let target: ZoneID
  let source: ZoneID?

  init(target: ZoneID, source: ZoneID?) {
    self.target = source.map { target.ofOwner(of: $0) } ?? target
    self.source = source
  }

  static func read(_ plan: PlanStepReader) throws -> MoveRecords {
    MoveRecords(
      target: try zone(plan.required("to-zone", "the zone records move to"), "to-zone"),
      source: try plan["from-zone"].map { try zone($0, "from-zone") })
  }

  private static func zone(_ node: YAMLNode, _ key: String) throws -> ZoneID {
    let text = try node.text(key)
    guard let zoneID = ZoneID(argument: text) else {
      throw node.error("\(key) must be NAME or NAME/OWNER, but a part of '\(text)' is empty")
    }
    return zoneID
  }

  var effects: StepEffects {
    StepEffects(
      names: source.map { [.init(member: "from-zone", name: $0.zoneName)] } ?? [], changes: .zone)
  }

  func fault(in step: MigrationStep) -> MigrationStep.Fault? {
    // A reversed step restores the former zone, whether its name is valid or not.
    guard !step.treatsFailedConditionAsFalse else { return nil }
    let owner = ZoneID(zoneName: ZoneID.defaultZoneName, ownerName: target.ownerName)
    let known = ZoneID(zoneName: target.zoneName)
    for (zoneID, name, what) in [
      (known, target.zoneName, "zone"), (owner, target.ownerName, "zone's owner"),
    ]
    where (try? RecordLimits.cloudKit.check(zoneID: zoneID)) == nil {
      let first = zoneID == known ? ", not beginning with '_'" : ""
      return (
        "to-zone",
        "\(MigrationStep.quoted(name)) is not a valid name of a \(what): 1 to "
          + "\(RecordLimits.cloudKit.zoneNameLength) characters of ASCII\(first)"
      )
    }
    return nil
  }

  func destinations(of place: Migrator.Outline.Place) -> [Migrator.Outline.Place]? {
    let target = target.ofOwner(of: place.zoneID)
    guard source.map({ $0 == place.zoneID }) ?? true, place.zoneID != target else { return nil }
    var place = place
    place.zoneID = target
    return [place]
  }

  func run(_: MigrationRunner, _ record: EditableRecord) throws -> StepOutcome {
    let own = record.zoneID
    let target = target.ofOwner(of: own)
    guard own != target else { return .ambiguous }
    guard source.map({ $0 == own }) ?? true else { return .unchanged }
    switch record.database {
    case .public where !target.isDefault:
      throw StepMisfit(nil, "the public database has only the default zone")
    case .shared:
      throw StepMisfit(
        nil, "the owner of a shared zone decides where its records are; add 'database: private'")
    case .public, .private: break
    }
    guard own.ownerName.sameScalars(as: target.ownerName) else {
      throw StepMisfit(
        nil, "a record stays with the owner of its zone, but '\(target)' has another owner")
    }
    try StepMisfit.checkIsNoZoneShare(record)
    // The runner counts references between this record and others that are not moved.
    record.move(to: target)
    return .changed(isExact: true)
  }

  func inverse(_ reversal: StepReversal) throws -> [MigrationStep] {
    guard let source else {
      throw NoInverse("the original zone is unknown; specify it with 'from-zone'")
    }
    guard reversal.step.selection.zoneNames?.contains(target.zoneName) != false else {
      throw NoInverse(
        "because of 'zone', it does not apply to records that are already in "
          + "'\(target.zoneName)', and they cannot be distinguished from those it moves there; use "
          + "'from-zone' alone")
    }
    var step = reversal.undoing(.move(to: source, from: target))
    step.selection.zoneNames = nil
    return [step]
  }
}

extension ZoneID {
  /// Returns the zone with the owner of another one, if the zone has no named owner.
  fileprivate func ofOwner(of other: ZoneID) -> ZoneID {
    let isNamed = !ownerName.sameScalars(as: Self.currentUserOwnerName)
    if isNamed || ownerName.sameScalars(as: other.ownerName) { return self }
    return ZoneID(zoneName: zoneName, ownerName: other.ownerName)
  }
}

import RecordCoding
import RecordModel

extension MigrationAction {
  /// Moves the record to another zone. References to it are updated.
  public static func move(to zone: ZoneID, from source: ZoneID? = nil) -> MigrationAction {
    MigrationAction(MoveRecords(target: zone, source: source))
  }
}

struct MoveRecords: PlannedStepKind {
  static let name = "move"
  static let keys = ["to-zone", "from-zone"]

  let target: ZoneID
  let source: ZoneID?

  static func read(_ plan: PlanStepReader) throws -> MoveRecords {
    MoveRecords(
      target: try zone(plan.required("to-zone", "the zone records move to"), "to-zone"),
      source: try plan["from-zone"].map { try zone($0, "from-zone") })
  }

  private static func zone(_ node: PlanNode, _ key: String) throws -> ZoneID {
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
    guard !step.treatsFailedConditionAsFalse, !target.isPlain else { return nil }
    return (
      "to-zone",
      "\(MigrationStep.quoted(target.zoneName)) is not a valid name of a zone: 1 to "
        + "\(RecordLimits.cloudKit.zoneNameLength) characters of ASCII, not beginning with '_'"
    )
  }

  func destinations(of place: Migrator.Outline.Place) -> [Migrator.Outline.Place]? {
    guard source.map({ $0 == place.zoneID }) ?? true, place.zoneID != target else { return nil }
    var place = place
    place.zoneID = target
    return [place]
  }

  func run(_ record: EditableRecord, _: MigrationRunner) throws -> StepOutcome {
    let own = record.zoneID
    guard own != target else { return .ambiguous }
    guard source.map({ $0 == own }) ?? true else { return .unchanged }
    guard record.database != .public || target.isDefault else {
      throw StepMisfit(nil, "the public database has only the default zone")
    }
    // A record and its parent must be in the same zone; moving the parent is a separate step.
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
  /// Whether CloudKit allows a new zone with this name.
  fileprivate var isPlain: Bool {
    zoneName.utf8.allSatisfy { 0x20...0x7E ~= $0 }
      && (zoneName.utf8.first != UInt8(ascii: "_") || isDefault)
      && (1...RecordLimits.cloudKit.zoneNameLength).contains(zoneName.utf8.count)
      && !ownerName.isEmpty
  }
}

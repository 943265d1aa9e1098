import RecordCoding
import RecordModel

extension MigrationAction {
  /// Renames the record to the value of an expression. References to it are updated.
  public static func renameRecords(
    _ expression: RecordExpression, reverse: RecordExpression? = nil
  ) -> MigrationAction {
    MigrationAction(RenameRecords(expression: expression, reverse: reverse))
  }
}

struct RenameRecords: PlannedStepKind {
  static let name = "rename-records"
  static let keys = ["name", "reverse"]

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

  func run(_ record: EditableRecord, _ runner: MigrationRunner) throws -> StepOutcome {
    try prepare()(runner, record)
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
    let renamed = RecordID(recordName: name, zoneID: zone)
    do {
      try RecordLimits.cloudKit.check(recordID: renamed, recordType: record.recordType)
    } catch let error as CloudError {
      // The zone and the type do not change, but the record must be valid as a whole.
      throw StepMisfit(
        nil,
        error.violation.map { "the renamed record would have \($0.found); allowed: \($0.allowed)" }
          ?? "\(error)")
    }
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

import RecordCoding
import RecordModel

/// A kind of migration step: how it is checked, run and undone.
///
/// Each kind is a type in a file of its own in this folder. A new kind needs such a file and a line
/// in ``PlanStepReader/kinds``.
protocol StepKind: Sendable {
  /// The name of the step in plans and reports.
  var name: String { get }
  /// What the step reads and changes.
  var effects: StepEffects { get }

  /// Returns the error that makes a step of this kind invalid for all records, or `nil`.
  func fault(in step: MigrationStep) -> MigrationStep.Fault?
  /// Throws if the step is impossible with the known types of the fields.
  func check(_ check: StepCheck) throws
  /// Adds information from the schema.
  mutating func complete(with fields: KnownFields)
  /// Applies the change to the possible types of the fields of a record type.
  func change(_ fields: inout SchemaWalk.Fields)
  /// Returns the possible destinations of a record, or `nil` if the step does not move it.
  func destinations(of place: Migrator.Outline.Place) -> [Migrator.Outline.Place]?

  /// Changes a record. If this throws, the record is unchanged.
  func run(_ record: EditableRecord, _ runner: MigrationRunner) throws -> StepOutcome
  /// Returns the code of the step for a single runner.
  func prepare() -> PreparedStep.Body
  /// Returns the code for records that already have the type that the step gives to others. Its
  /// outcome is `ambiguous` if the way back would also apply to such a record.
  func prepareForOthers(_ selection: MigrationStep.Selection) -> PreparedStep.Body

  /// Returns the steps that undo the step.
  ///
  /// - Throws: ``NoInverse``.
  func inverse(_ reversal: StepReversal) throws -> [MigrationStep]
}

extension StepKind {
  func fault(in step: MigrationStep) -> MigrationStep.Fault? { nil }
  func check(_ check: StepCheck) throws {}
  mutating func complete(with fields: KnownFields) {}
  func change(_ fields: inout SchemaWalk.Fields) {}

  func destinations(of place: Migrator.Outline.Place) -> [Migrator.Outline.Place]? {
    if effects.deletesType { return [] }
    guard let type = effects.newType else { return nil }
    var place = place
    place.recordType = type.name
    return [place]
  }

  func prepare() -> PreparedStep.Body { { try run($1, $0) } }

  func prepareForOthers(_ selection: MigrationStep.Selection) -> PreparedStep.Body {
    { _, _ in .ambiguous }
  }
}

/// A kind of step that plans can contain.
protocol PlannedStepKind: StepKind {
  /// The name of the step in plans.
  static var name: String { get }
  /// The keys of the step in plans, in addition to those of all steps.
  static var keys: [String] { get }

  /// Reads the step from a plan.
  static func read(_ plan: PlanStepReader) throws -> Self
}

extension PlannedStepKind {
  static var keys: [String] { [] }
  var name: String { Self.name }
}

/// The outcome of a step for a record.
enum StepOutcome {
  /// Nothing changed.
  case unchanged
  /// The record changed.
  case changed(isExact: Bool)
  /// The record type changed.
  case retyped
  /// Nothing changed, but the record is already as the step would have made it, so the way back
  /// cannot distinguish it.
  case ambiguous
  /// A value was dropped.
  case dropped
  /// The record is left behind.
  case gone
  /// The record was replaced by others.
  case replaced([EditableRecord])
}

struct StepMisfit: Error {
  var field: String?
  var reason: String

  init(_ field: String?, _ reason: String) {
    self.field = field
    self.reason = reason
  }
}

struct NoInverse: Error {
  let reason: String

  init(_ reason: String) { self.reason = reason }
}

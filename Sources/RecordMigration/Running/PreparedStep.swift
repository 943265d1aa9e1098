import RecordCoding
import RecordModel

/// A step as one runner does it.
///
/// Each runner has objects of its own: threads that count references to the same objects slow each
/// other down.
final class PreparedStep {
  typealias Body = (MigrationRunner, EditableRecord) throws -> MigrationRunner.Outcome

  let step: MigrationStep
  /// The step's number among all.
  let index: Int
  /// The step's number in its migration.
  let place: Int
  /// Which databases and zones it looks at; nil for all.
  private let selection: MigrationStep.Selection?
  let condition: ExpressionNode?
  let body: Body
  /// Whether it does nothing with the record, but the way back would: it gives other records the
  /// type that this one has.
  let isForOthers: Bool

  init(_ step: MigrationStep, index: Int, place: Int, isForOthers: Bool = false) {
    self.isForOthers = isForOthers
    self.step = step
    self.index = index
    self.place = place
    let isAnywhere = step.selection.databases == nil && step.selection.zoneNames == nil
    selection = isAnywhere ? nil : step.selection
    condition = step.condition?.root.copied()
    body = isForOthers ? { _, _ in .unchanged } : MigrationRunner.body(of: step.action)
  }

  /// Whether it looks at a record, as far as its place is concerned.
  @inline(__always)
  func looks(at record: EditableRecord) -> Bool {
    guard let selection else { return true }
    return selection.contains(database: record.database, zoneID: record.zoneID)
  }
}

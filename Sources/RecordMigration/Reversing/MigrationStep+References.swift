import RecordModel

extension MigrationStep {
  /// Throws if the step uses references amid steps that change names or zones.
  ///
  /// References are updated after all steps of a migration. So the steps see the old ones on the
  /// way forward, but the new ones on the way back.
  ///
  /// - Parameter steps: All steps of the migration.
  func checkReferences(amid steps: [MigrationStep]) throws {
    var followed = action.effects.follows
    if followed.isEmpty {
      let expressions = [condition].compactMap { $0 } + action.effects.expressionsBothWays
      if expressions.contains(where: \.readsReferences) { followed = .name }
    }
    guard
      let culprit = steps.first(where: { !$0.action.effects.changes.isDisjoint(with: followed) })
    else { return }
    throw NoInverse(
      "it uses references, which '\(culprit.title)' changes; in separate plans, both can "
        + "be undone")
  }
}

import RecordModel

extension MigrationStep {
  /// Throws if the step uses references amid steps that change names or zones.
  ///
  /// References are updated after all steps of a migration. So the steps see the old ones on the
  /// way forward, but the new ones on the way back.
  ///
  /// - Parameter steps: All steps of the migration.
  func checkReferences(amid steps: [MigrationStep]) throws {
    let movesOrRenames = steps.filter(\.action.changesIdentity)
    let culprit: MigrationStep?
    switch action {
    case .convert(_, let conversion) where conversion.makesReferences:
      culprit = movesOrRenames.first
    case .mapValues(_, let map) where map.mapsReferences: culprit = movesOrRenames.first
    case .setReference(_, _, keepsParent: false):
      culprit = movesOrRenames.first { $0.action.changesZones }
    default:
      let isRead = [condition, action.readsBothWays].contains { $0?.readsReferences == true }
      culprit = isRead ? movesOrRenames.first { $0.action.changesNames } : nil
    }
    guard let culprit else { return }
    throw NoInverse(
      "it looks into references, which '\(culprit.title)' changes; in plans of their own both can "
        + "be undone")
  }
}

extension MigrationAction {
  fileprivate var changesZones: Bool {
    switch self {
    case .move: true
    case .custom(let step): step.changesIdentity
    default: false
    }
  }

  fileprivate var changesNames: Bool {
    switch self {
    case .renameRecords: true
    case .custom(let step): step.changesIdentity
    default: false
    }
  }

  /// The expressions that are also evaluated on the way back.
  fileprivate var readsBothWays: RecordExpression? {
    guard case .renameRecords(let expression, let reverse) = self else { return nil }
    return reverse.map(expression.and)
  }
}

extension Conversion {
  /// Whether the conversion turns names into references.
  fileprivate var makesReferences: Bool {
    guard let type, (type.elementType ?? type) == .reference else { return false }
    return (original?.elementType ?? original) != .reference
  }
}

extension MigrationAction.ValueMap {
  fileprivate var mapsReferences: Bool {
    values.contains {
      [$0.key, $0.value].contains { ($0.type?.elementType ?? $0.type) == .reference }
    }
  }
}

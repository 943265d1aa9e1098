import RecordSchema

extension Migration {
  /// Returns the migration that undoes this one.
  ///
  /// Migrating a record forward and back restores it exactly if the report of the forward migration
  /// is lossless (`isLossless`). The report of the backward migration counts values added by the
  /// forward migration as dropped.
  ///
  /// - Throws: ``MigrationError`` with the code `invalid` if the migration is invalid, or if steps
  ///   cannot be undone: it names them and the reasons.
  public func reversed() throws -> Migration {
    _ = try checked()
    var inverses: [[MigrationStep]] = []
    var reasons: [String] = []
    var types = Set(fromSchema?.recordTypes.map(\.name) ?? [])
    for (index, step) in steps.enumerated() {
      do {
        try step.checkMade(before: steps[(index + 1)...])
        try step.checkReferences(amid: steps)
        try step.checkOverflow(amid: steps)
        inverses.append(try step.inverse(fromSchema, types))
      } catch let error as NoInverse {
        reasons.append((step.location.map { "\($0): " } ?? "") + "\(step.title): \(error.reason)")
      }
      step.update(&types)
    }
    guard reasons.isEmpty else {
      throw MigrationError(
        .invalid,
        "the migration from '\(from)' to '\(to)' cannot be undone: "
          + reasons.joined(separator: "; "))
    }
    var reversed = Migration(
      from: to, to: from, title: title.map { "Undoes: \($0)" },
      steps: inverses.reversed().flatMap { $0 }, fromSchema: toSchema, toSchema: fromSchema)
    reversed.openQuestions = openQuestions
    return reversed
  }
}

extension MigrationStep {
  /// Returns the steps that undo this one.
  ///
  /// - Parameter types: The record types that may exist before the step.
  func inverse(_ schema: CloudSchema?, _ types: Set<String>) throws -> [MigrationStep] {
    try checkCondition()
    let reversal = StepReversal(step: self, schema: schema, types: types)
    guard case .keep(let overflow) = misfit, let subject = action.subject else {
      return try action.kind.inverse(reversal)
    }
    guard action.effects.restoresKeptValues else {
      throw NoInverse("what it keeps in '\(overflow)' cannot be put back")
    }
    if reversal.hasField(overflow) {
      throw NoInverse("some records may already have had a value in '\(overflow)'")
    }
    // Values that were kept aside are restored; only the other records were changed.
    let isKept = try StepReversal.condition("has(field('\(overflow)'))")
    let isChanged = try StepReversal.condition("not has(field('\(overflow)'))")
    return try action.kind.inverse(reversal).map { $0.only(where: isChanged) }
      + [reversal.undoing(.renameField(overflow, to: subject), where: isKept)]
  }

  /// Updates the record types that may exist.
  fileprivate func update(_ types: inout Set<String>) {
    let selected = selection.recordTypes ?? []
    types.formUnion(selected)
    let effects = action.effects
    if effects.newType != nil || effects.deletesType, !isPartial { types.subtract(selected) }
    if let type = effects.newType { types.insert(type.name) }
    if let made = effects.makes { types.insert(made.type.name) }
  }

  /// Throws if a later step of the migration may change the records that this one makes: on the way
  /// back, their values are looked up as they are at the beginning.
  fileprivate func checkMade(before others: ArraySlice<MigrationStep>) throws {
    guard let made = action.effects.makes?.type.name,
      let other = others.first(where: {
        $0.selection.contains(recordType: made) || $0.action.effects.makes?.type.name == made
      })
    else { return }
    throw NoInverse(
      "'\(other.title)' concerns the new records too; in separate plans, both can be undone")
  }

  /// Throws if two steps keep values in the same field, because they cannot be distinguished
  /// afterwards.
  fileprivate func checkOverflow(amid steps: [MigrationStep]) throws {
    guard case .keep(let overflow) = misfit else { return }
    let number = steps.count { other in
      guard let types = selection.recordTypes, let others = other.selection.recordTypes else {
        return other.misfit == misfit
      }
      return other.misfit == misfit && !types.isDisjoint(with: others)
    }
    guard number > 1 else { return }
    throw NoInverse("another step also keeps values in '\(overflow)'; each needs a separate field")
  }

  /// Throws if the condition reads what the step changes, because it is evaluated again on the way
  /// back.
  private func checkCondition() throws {
    guard let condition else { return }
    let effects = action.effects
    var touched = Set(effects.reads.names + effects.creates.names)
    if let subject = effects.subject { touched.insert(subject) }
    if case .keep(let overflow) = misfit { touched.insert(overflow) }
    if effects.isOpaque { touched = condition.fieldNames }
    let common = condition.fieldNames.intersection(touched).sorted()
    if let name = common.first {
      throw NoInverse("its condition reads '\(name)', which the step itself can change")
    }
    if condition.readsIdentity, !effects.changes.isEmpty {
      throw NoInverse("its condition reads what the step itself changes")
    }
  }

  /// Returns the step limited by a further condition.
  fileprivate func only(where condition: RecordExpression) -> MigrationStep {
    var step = self
    step.condition = self.condition?.and(condition) ?? condition
    return step
  }
}

/// A step to undo, and what is known of the records before it.
struct StepReversal {
  let step: MigrationStep
  let schema: CloudSchema?
  /// The record types that may exist before the step.
  let types: Set<String>

  /// Returns a step for the same records that undoes this one.
  func undoing(
    _ action: MigrationAction, type: String? = nil, where condition: RecordExpression? = nil
  ) -> MigrationStep {
    var step = step
    step.action = action
    step.misfit = .fail
    step.treatsFailedConditionAsFalse = true
    if let type { step.selection.recordTypes = [type] }
    return condition.map(step.only) ?? step
  }

  /// Returns the step that drops a field which no record had before.
  func dropping(_ name: String) throws -> [MigrationStep] {
    if hasField(name) { throw NoInverse("some records may already have had the field") }
    return [undoing(.dropField(name))]
  }

  /// Returns a generated condition. Parsing only fails for unusual names.
  static func condition(_ source: String) throws -> RecordExpression {
    guard let expression = try? RecordExpression(source) else {
      throw NoInverse("a name cannot be used in a condition")
    }
    return expression
  }

  /// Returns whether a selected record type has a field in the schema.
  func hasField(_ name: String) -> Bool {
    (step.selection.recordTypes ?? []).contains {
      schema?.recordType(named: $0)?.field(named: name) != nil
    }
  }
}

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

extension RecordExpression {
  /// Whether the expression reads the record's name, type, zone or parent.
  var readsIdentity: Bool {
    root.contains { node in
      switch node {
      case .system(.recordName), .system(.recordType), .system(.zoneName), .system(.ownerName),
        .system(.parent):
        true
      default: false
      }
    }
  }

  /// Whether the expression converts references to names or names to references.
  var readsReferences: Bool {
    root.contains { node in
      switch node {
      case .call(let function, _, _): function.usesReferences
      default: false
      }
    }
  }

  /// Returns the conjunction of two conditions.
  func and(_ other: RecordExpression) -> RecordExpression {
    RecordExpression(
      root: .binary(.and, root, other.root, column: 1), source: "(\(source)) and (\(other.source))")
  }
}

import RecordModel
import RecordSchema

extension Migration {
  /// Returns the migration that undoes this one.
  ///
  /// Migrating a record forward and back restores it exactly if the report of the forward migration
  /// is lossless (`isLossless`). The report of the backward migration counts values added by the
  /// forward migration as dropped.
  ///
  /// - Throws: ``MigrationError/invalid(_:)`` if the migration is invalid, or with all steps that
  ///   cannot be undone and the reasons.
  public func reversed() throws -> Migration {
    _ = try checked()
    var inverses: [[MigrationStep]] = []
    var reasons: [String] = []
    var types = KnownTypes(fromSchema)
    for step in steps {
      do {
        try step.checkReferences(amid: steps)
        try step.checkOverflow(amid: steps)
        inverses.append(try step.inverse(fromSchema, types))
      } catch let error as NoInverse {
        reasons.append((step.place.map { "\($0): " } ?? "") + "\(step.title): \(error.reason)")
      }
      types.take(step)
    }
    guard reasons.isEmpty else {
      throw MigrationError.invalid(
        "the migration from '\(from)' to '\(to)' cannot be undone: "
          + reasons.joined(separator: "; "))
    }
    return Migration(
      from: to, to: from, title: title.map { "Undoes: \($0)" },
      steps: inverses.reversed().flatMap { $0 }, fromSchema: toSchema, toSchema: fromSchema)
  }
}

/// The reason a step cannot be undone.
struct NoInverse: Error {
  let reason: String

  init(_ reason: String) { self.reason = reason }
}

extension MigrationStep {
  /// Returns the steps that undo this one.
  ///
  /// - Parameter types: The record types that may exist before the step.
  func inverse(_ schema: Schema?, _ types: KnownTypes) throws -> [MigrationStep] {
    try checkCondition()
    guard case .keep(let overflow) = misfit, let subject = action.subject else {
      return try inverseOfAction(schema, types)
    }
    switch action {
    case .convert, .mapValues, .encrypt, .decrypt, .split: break
    default: throw NoInverse("what it keeps in '\(overflow)' cannot be put back")
    }
    if hasField(overflow, schema) {
      throw NoInverse("some records had a field '\(overflow)' already, where it keeps values")
    }
    // Values that were kept aside are restored; only the other records were changed.
    let isKept = try Self.condition("has(field('\(overflow)'))")
    let isChanged = try Self.condition("not has(field('\(overflow)'))")
    return try inverseOfAction(schema, types).map { $0.only(where: isChanged) }
      + [undoing(.renameField(overflow, to: subject), where: isKept)]
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
    throw NoInverse("another step keeps values in '\(overflow)' too; each needs a field of its own")
  }

  /// Throws if the condition reads what the step changes, because it is evaluated again on the way
  /// back.
  private func checkCondition() throws {
    guard let condition else { return }
    var touched = Set(action.readFields + action.writtenFields + [action.subject].compactMap { $0 })
    if case .keep(let overflow) = misfit { touched.insert(overflow) }
    if case .custom = action { touched = condition.fieldNames }
    let common = condition.fieldNames.intersection(touched).sorted()
    if let name = common.first {
      throw NoInverse("its condition reads '\(name)', which the step itself can change")
    }
    if condition.readsIdentity, action.changesPlace || action.changesParent {
      throw NoInverse("its condition reads what the step itself changes")
    }
  }

  /// Returns a generated condition. Parsing only fails for unusual names.
  private static func condition(_ source: String) throws -> RecordExpression {
    guard let expression = try? RecordExpression(source) else {
      throw NoInverse("a name in it cannot stand in a condition")
    }
    return expression
  }

  /// Returns whether a selected record type has a field in the schema.
  private func hasField(_ name: String, _ schema: Schema?) -> Bool {
    (selection.recordTypes ?? []).contains {
      schema?.recordType(named: $0)?.field(named: name) != nil
    }
  }

  private func undoing(
    _ action: MigrationAction, type: String? = nil, where condition: RecordExpression? = nil
  ) -> MigrationStep {
    var step = self
    step.action = action
    step.misfit = .fail
    step.undecidedIsFalse = true
    if let type { step.selection.recordTypes = [type] }
    return condition.map(step.only) ?? step
  }

  /// Returns the step limited by a further condition.
  private func only(where condition: RecordExpression) -> MigrationStep {
    var step = self
    step.condition = self.condition?.and(condition) ?? condition
    return step
  }

  private func inverseOfAction(
    _ schema: Schema?, _ types: KnownTypes
  ) throws -> [MigrationStep] {
    switch action {
    case .renameType(let name):
      guard selection.recordTypes?.count == 1, let type = selection.recordTypes?.first else {
        throw NoInverse("several types get one name; merge-types with a discriminator keeps them")
      }
      guard !types.contains(name) else {
        throw NoInverse("there were records of type '\(name)' before")
      }
      return [undoing(.renameType(to: type), type: name)]
    case .mergeTypes(let name, let discriminator):
      return try inverseOfMerge(name, discriminator, types)
    case .deleteType, .leaveBehind: throw NoInverse("what it leaves behind is gone")
    case .dropField: throw NoInverse("what it drops is gone")
    case .clearParent: throw NoInverse("the parent it takes away is gone")
    case .renameField(let name, let newName):
      return [undoing(.renameField(newName, to: name))]
    case .addField(let name, _, _, _):
      if hasField(name, schema) {
        throw NoInverse("it fills up a field that some records had already")
      }
      return [undoing(.dropField(name))]
    case .convert(let name, let conversion):
      guard let inverse = conversion.inverse else {
        throw NoInverse("the type the value had is not known; name it by 'from'")
      }
      return [undoing(.convert(name, inverse))]
    case .split(let name, let names, let separator):
      return [undoing(.join(names, into: name, separator: separator))]
    case .join(let names, let name, let separator):
      return [undoing(.split(name, into: names, separator: separator))]
    case .mapValues(let name, let map): return [undoing(.mapValues(name, try map.inverse()))]
    case .encrypt(let name): return [undoing(.decrypt(name))]
    case .decrypt(let name): return [undoing(.encrypt(name))]
    case .setParent(let name, let keepsField):
      guard keepsField else { return [undoing(.setReference(name, keepsParent: false))] }
      guard condition == nil else {
        throw NoInverse("which parents it has set under its condition is not known")
      }
      return [undoing(.clearParent, where: try Self.condition("has(field('\(name)'))"))]
    case .setReference(let name, _, let keepsParent):
      return [
        undoing(keepsParent ? .dropField(name) : .setParent(from: name, keepsField: false))
      ]
    case .move(let zone, let source):
      guard let source else {
        throw NoInverse("the zone the records come from is not known; name it by 'from-zone'")
      }
      guard selection.zoneNames?.contains(zone.zoneName) != false else {
        throw NoInverse(
          "by 'zone' it does not look at records that lie in '\(zone.zoneName)' already, and they "
            + "cannot be told from those it moves there; 'from-zone' alone says enough")
      }
      var step = undoing(.move(to: source, from: zone))
      step.selection.zoneNames = nil
      return [step]
    case .renameRecords(let expression, let reverse):
      guard let reverse else {
        throw NoInverse("the old names are not known; 'reverse' gives them by an expression")
      }
      return [undoing(.renameRecords(reverse, reverse: expression))]
    case .custom(let step):
      guard let inverse = step.inverse else { throw NoInverse("the step has no inverse") }
      return [
        undoing(
          .custom(
            MigrationAction.CustomStep(
              step.name, changesIdentity: step.changesIdentity, inverse: step.body, body: inverse)))
      ]
    }
  }

  private func inverseOfMerge(
    _ name: String, _ discriminator: String?, _ known: KnownTypes
  ) throws -> [MigrationStep] {
    guard let discriminator else {
      throw NoInverse("which type a record had is not known; a 'discriminator' keeps it")
    }
    let types = (selection.recordTypes ?? []).sorted()
    guard types.contains(name) || !known.contains(name) else {
      throw NoInverse("there were records of type '\(name)' before")
    }
    return try types.flatMap { type -> [MigrationStep] in
      let isType = try Self.condition("field('\(discriminator)') == '\(type)'")
      let drop = undoing(.dropField(discriminator), type: type, where: isType)
      if type == name { return [drop] }
      return [undoing(.renameType(to: type), type: name, where: isType), drop]
    }
  }
}

extension MigrationAction {
  fileprivate var changesPlace: Bool {
    switch self {
    case .renameType, .mergeTypes, .move, .renameRecords, .custom: true
    default: false
    }
  }

  fileprivate var changesParent: Bool {
    switch self {
    case .setParent, .setReference, .clearParent: true
    default: false
    }
  }
}

extension MigrationAction.ValueMap {
  /// Returns the inverse map. Values that are not listed are treated as before.
  func inverse() throws -> MigrationAction.ValueMap {
    guard Set(values.values).count == values.count else {
      throw NoInverse("several values become one")
    }
    if case .value = otherwise { throw NoInverse("all values that are not listed become one") }
    let pairs = values.map { ($0.value, $0.key) }
    return MigrationAction.ValueMap(Dictionary(uniqueKeysWithValues: pairs), otherwise: otherwise)
  }
}

import RecordMigration
import RecordModel
import RecordSchema

extension RecipeCheck {
  func addFields(to plan: inout TypePlan, _ assets: inout Int) throws {
    let type = plan.rule
    guard let defined = table[type.name] else { return }
    let fields = RecipeGuess.userFields(defined)
    let names = Set(fields.map { ExactString($0.name) })
    for (name, rule) in type.fields.sorted(by: { $0.key < $1.key })
    where !names.contains(ExactString(name)) {
      throw error(
        rule.location,
        "'\(type.name)' has no field '\(name)'" + NearWord.advice(name, among: fields.map(\.name)))
    }
    for field in fields.sorted(by: { compareUTF8($0.name, $1.name) < 0 }) {
      guard let made = try self.plan(field, of: type, &assets) else { continue }
      if case .expression = made.rule.value {
        plan.calculated.append(made)
      } else {
        plan.fields.append(made)
      }
    }
    try checkSize(plan)
    try checkExpressions(plan)
  }

  private func plan(
    _ field: CloudSchema.Field, of type: TypeRule, _ assets: inout Int
  ) throws -> FieldPlan? {
    let given = type.fields[field.name]
    var rule = given ?? FieldRule()
    if rule.value == .guess {
      let known = recipe.types.map(\.name).filter { $0 != SchemaNames.usersType }
      let guessed = guess.rule(
        of: field, in: type.name, parent: type.parent ?? known.first, known: known)
      rule.value = guessed.value
      rule.length = rule.length ?? guessed.length
    }
    let check = FieldCheck(
      field: field, recordType: type.name, sizes: recipe.valueSize,
      fallback: type.location ?? recipe.locations["types"] ?? Self.nowhere)
    if field.type.isEncrypted, home(of: type) == .publicDatabase {
      guard given == nil || given?.value == ValueRule.none || given?.location == nil else {
        throw error(
          given?.location,
          "'\(field.name)' of '\(type.name)' is encrypted; the public database has no encrypted values"
        )
      }
      return nil
    }
    guard var plan = try check.plan(rule) else { return nil }
    try checkDates(rule, field.name, of: type)
    switch plan.rule.value {
    case .reference(let target, _), .anyReference(let target, _):
      guard let place = home(of: target) else {
        throw error(
          rule.location(of: "reference"),
          "'types' has no '\(target)'" + NearWord.advice(target, among: recipe.types.map(\.name)))
      }
      guard place == home(of: type) else {
        // A guess may be wrong.
        if given?.location == nil || given?.value == .guess { return nil }
        throw error(
          rule.location(of: "reference"),
          "'\(field.name)' of '\(type.name)' cannot refer to records of '\(target)', which are in "
            + "\(place), not in \(home(of: type)): put both in the same zone, or write none")
      }
    case .ancestors where type.parent == nil:
      // The usual rule, for a type that has none here.
      if given?.value == nil || given?.value == .guess { return nil }
      throw error(rule.location, "'\(type.name)' has no parent, so it has no ancestors")
    case .asset(let asset):
      plan.assets = AssetPlan(
        asset, key: GeneratorKey.key(seed, "asset", type.name, field.name), first: assets)
      assets += asset.variants
    default: break
    }
    return plan
  }

  private func checkSize(_ plan: TypePlan) throws {
    let limits = RecordLimits.cloudKit
    let size = plan.fields.reduce(0) { $0 + $1.maxSize }
    guard size <= limits.recordSize else {
      let largest = plan.fields.max { $0.maxSize < $1.maxSize }
      throw error(
        plan.rule.location,
        "a record of '\(plan.name)' could have \(size) bytes, most of them in "
          + "'\(largest?.name ?? "")'; \(limits.recordSize) are the maximum size of a CloudKit record"
      )
    }
    let references = plan.fields.reduce(0) { sum, field in
      guard field.type.primitive == .reference else { return sum }
      if case .ancestors = field.rule.value { return sum + plan.depth }
      return sum + (field.rule.length?.bounds.upperBound ?? 1)
    }
    guard references <= limits.referenceCount else {
      throw error(
        plan.rule.location,
        "a record of '\(plan.name)' could have \(references) references; CloudKit allows "
          + "\(limits.referenceCount)")
    }
  }

  private func checkExpressions(_ plan: TypePlan) throws {
    let calculated = Set(plan.calculated.map(\.name))
    let known = Set(plan.fields.map(\.name))
    for field in plan.calculated {
      guard case .expression(let expression) = field.rule.value else { continue }
      for name in expression.fieldNames.sorted() where !known.contains(name) {
        throw error(
          field.rule.location(of: "expression"),
          calculated.contains(name)
            ? "expression: '\(name)' is calculated, too; write out what it is made of"
            : "expression: '\(plan.name)' has no values in '\(name)'"
              + NearWord.hint(name, among: known))
      }
    }
  }
}

// MARK: Dates

extension RecipeCheck {
  /// The end of the year 9999, in milliseconds since 1970: later dates have no canonical text.
  private static let lastDate = 253_402_300_799_999
  /// How much later than it was created a record is changed, at most.
  private static let modification = 86_401_000

  private func lastDate(of type: TypeRule) -> Int {
    recipe.referenceMilliseconds + line(of: type).reduce(0) { $0 + $1.creation.upperBound }
      + Self.modification
  }

  func checkDates(of type: TypeRule) throws {
    guard lastDate(of: type) <= Self.lastDate else {
      throw error(
        type.locations["created"] ?? type.location,
        "records of '\(type.name)' could be created after the year 9999")
    }
  }

  private func checkDates(_ rule: FieldRule, _ name: String, of type: TypeRule) throws {
    guard case .created(let range) = rule.value,
      lastDate(of: type) + range.upperBound > Self.lastDate
    else { return }
    throw error(
      rule.location(of: "created") ?? type.location,
      "'\(name)' of '\(type.name)' could be after the year 9999")
  }
}

extension TypeRule.Home: CustomStringConvertible {
  var description: String {
    switch self {
    case .zone(let name): "zone '\(name)'"
    case .publicDatabase: "the public database"
    case .parent(let name): "the zone of '\(name)'"
    }
  }
}

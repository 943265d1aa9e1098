import RecordMigration
import RecordModel
import RecordSchema

/// Checks a recipe against a schema.
struct RecipeCheck {
  let recipe: FixtureRecipe
  let schema: CloudSchema
  let seed: UInt64
  private let table: RecordTypeTable
  private let guess: RecipeGuess

  init(_ recipe: FixtureRecipe, _ schema: CloudSchema, seed: UInt64) {
    self.recipe = recipe
    self.schema = schema
    self.seed = seed
    table = RecordTypeTable(schema)
    guess = RecipeGuess(schema)
  }

  private static let nowhere = PlanLocation(file: "the recipe", line: 1, column: 1)

  private func error(_ location: PlanLocation?, _ message: String) -> PlanError {
    PlanError(location ?? recipe.locations["types"] ?? Self.nowhere, message)
  }

  /// Returns the types, parents before their children.
  func plans() throws -> [TypePlan] {
    for type in recipe.types { try checkHome(of: type) }
    try checkZones()
    let depths = try depths()
    var plans: [TypePlan] = []
    var prefixes: Set<String> = []
    var assets = 0
    for (place, type) in recipe.types.enumerated() {
      var plan = TypePlan(type)
      plan.depth = depths[place]
      var prefix = type.name.lowercased().filter { $0.isASCII && ($0.isLetter || $0.isNumber) }
      prefix = String(prefix.prefix(180))
      if prefix.isEmpty || !prefixes.insert(prefix).inserted {
        prefix = "type\(place)-\(prefix)"
        prefixes.insert(prefix)
      }
      plan.namePrefix = prefix + "-"
      try addFields(to: &plan, &assets)
      plans.append(plan)
    }
    return plans.enumerated().sorted {
      ($0.element.depth, $0.offset) < ($1.element.depth, $1.offset)
    }.map(\.element)
  }

  // MARK: Types

  private func checkHome(of type: TypeRule) throws {
    let names = schema.recordTypes.map(\.name).filter { !SchemaNames.isManaged($0) }
    guard table[type.name] != nil, !SchemaNames.isManaged(type.name) else {
      throw error(
        type.location,
        SchemaNames.isManaged(type.name)
          ? "records of '\(type.name)' are CloudKit's own; 'shared' makes shares"
          : "the schema has no record type '\(type.name)'"
            + NearWord.advice(type.name, among: names))
    }
    if type.name == SchemaNames.usersType {
      guard type.home == .publicDatabase else {
        throw error(
          type.locations["zone"] ?? type.locations["parent"] ?? type.location,
          "the records of 'Users' are in the public database: write 'database: public'")
      }
      if let count = type.locations["count"] {
        throw error(count, "there is a record of 'Users' for each user; 'users' is their number")
      }
    }
    switch type.home {
    case .publicDatabase: break
    case .zone(let name):
      guard
        recipe.zones.isEmpty || type.locations["zone"] == nil || name == ZoneID.defaultZoneName
          || recipe.zones.contains(where: { $0.name == name })
      else {
        throw error(
          type.locations["zone"],
          "'zones' has no '\(name)'" + NearWord.advice(name, among: recipe.zones.map(\.name)))
      }
      do {
        try RecordLimits.cloudKit.check(zoneID: ZoneID(zoneName: name))
      } catch {
        throw self.error(
          type.locations["zone"], "'\(name.prefix(40))' cannot be the name of a zone")
      }
    case .parent(let name):
      guard recipe.types.contains(where: { $0.name == name }) else {
        throw error(
          type.locations["parent"],
          "'types' has no '\(name)'" + NearWord.advice(name, among: recipe.types.map(\.name)))
      }
    }
    guard type.sharedRate > 0 else { return }
    if type.parent != nil {
      throw error(
        type.locations["shared"],
        "only types without a parent are shared; what is below a shared record is shared with it")
    }
    if type.home == .publicDatabase || type.home == .zone(ZoneID.defaultZoneName) {
      throw error(
        type.locations["shared"],
        "records of the default zone and of the public database cannot be shared")
    }
  }

  /// Returns the number of types above each.
  private func depths() throws -> [Int] {
    let places = Dictionary(
      recipe.types.enumerated().map { (NameKey($1.name), $0) }, uniquingKeysWith: { a, _ in a })
    return try recipe.types.map { type in
      var (depth, above) = (0, type)
      while let parent = above.parent, let place = places[NameKey(parent)] {
        depth += 1
        above = recipe.types[place]
        guard depth <= Self.maxDepth else {
          throw error(
            type.locations["parent"],
            "'\(type.name)' is below itself, or below more than \(Self.maxDepth) types")
        }
      }
      return depth
    }
  }

  private static let maxDepth = 16

  /// The maximum number of zones.
  private static let maxZones = 10_000

  private func checkZones() throws {
    var count = 0
    for zone in recipe.zones {
      count += zone.owners * zone.copies
      guard count <= Self.maxZones else {
        throw error(
          zone.locations["copies"] ?? zone.location,
          "there would be more than \(Self.maxZones) zones")
      }
    }
    for zone in recipe.zones {
      if zone.name == ZoneID.defaultZoneName, zone.isShared || zone.copies > 1 {
        throw error(
          zone.locations["shared"] ?? zone.location,
          "there is one default zone, which cannot be shared")
      }
    }
  }

  // MARK: Fields

  private func addFields(to plan: inout TypePlan, _ assets: inout Int) throws {
    let type = plan.rule
    guard let defined = table[type.name] else { return }
    let fields = RecipeGuess.userFields(defined)
    let names = Set(fields.map { NameKey($0.name) })
    for (name, rule) in type.fields.sorted(by: { $0.key < $1.key })
    where !names.contains(NameKey(name)) {
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
      field: field, recordType: type.name, hasEdgeCases: recipe.hasEdgeCases,
      fallback: type.location ?? recipe.locations["types"] ?? Self.nowhere)
    if field.type.isEncrypted, type.home == .publicDatabase {
      guard given == nil || given?.value == ValueRule.none || given?.location == nil else {
        throw error(
          given?.location,
          "'\(field.name)' of '\(type.name)' is encrypted; the public database has no encrypted values"
        )
      }
      return nil
    }
    guard var plan = try check.plan(rule) else { return nil }
    switch plan.rule.value {
    case .reference(let target, _), .anyReference(let target, _):
      guard recipe.types.contains(where: { $0.name == target }) else {
        throw error(
          rule.location(of: "reference"),
          "'types' has no '\(target)'" + NearWord.advice(target, among: recipe.types.map(\.name)))
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
    guard plan.maxSize <= 2 * limits.recordSize else {
      throw error(
        plan.rule.location,
        "a record of '\(plan.name)' could have more than \(limits.recordSize) bytes, the maximum "
          + "size of a CloudKit record")
    }
    let references = plan.fields.reduce(0) { sum, field in
      guard field.type.primitive == .reference else { return sum }
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

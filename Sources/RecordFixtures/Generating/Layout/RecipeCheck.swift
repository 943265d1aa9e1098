import RecordMigration
import RecordModel
import RecordSchema

/// Checks a recipe against a schema.
struct RecipeCheck {
  let recipe: FixtureRecipe
  let schema: CloudSchema
  let seed: UInt64
  let table: RecordTypeTable
  let guess: RecipeGuess
  /// The first rule of each type.
  private let rules: [ExactString: TypeRule]

  init(_ recipe: FixtureRecipe, _ schema: CloudSchema, seed: UInt64) {
    self.recipe = recipe
    self.schema = schema
    self.seed = seed
    table = RecordTypeTable(schema)
    guess = RecipeGuess(schema)
    rules = Dictionary(
      recipe.types.map { (ExactString($0.name), $0) }, uniquingKeysWith: { first, _ in first })
  }

  static let nowhere = PlanLocation(file: "the recipe", line: 1, column: 1)

  func error(_ location: PlanLocation?, _ message: String) -> PlanError {
    PlanError(location ?? recipe.locations["types"] ?? Self.nowhere, message)
  }

  /// Returns the types, parents before their children.
  func plans() throws -> [TypePlan] {
    for type in recipe.types { try checkHome(of: type) }
    try checkZones()
    let depths = try depths()
    for type in recipe.types { try checkDates(of: type) }
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
      if let names = type.locations["names"] {
        throw error(names, "the records of 'Users' have the names of the users; leave out 'names'")
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
    try checkShares(of: type)
  }

  private func checkShares(of type: TypeRule) throws {
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
    if case .zone(let name) = type.home,
      recipe.zones.contains(where: { $0.name == name && $0.isShared })
    {
      throw error(
        type.locations["shared"],
        "zone '\(name)' is shared as a whole, so its records have no shares: leave out 'shared' here "
          + "or there")
    }
  }

  /// Returns the number of types above each.
  private func depths() throws -> [Int] {
    try recipe.types.map { type in
      var (depth, above) = (0, type)
      while let parent = above.parent, let rule = rules[ExactString(parent)] {
        depth += 1
        above = rule
        guard depth <= Self.maxDepth else {
          throw error(
            type.locations["parent"],
            "'\(type.name)' is below itself, or below more than \(Self.maxDepth) types")
        }
      }
      return depth
    }
  }

  static let maxDepth = 16

  /// Returns a type and those above it; there is no cycle.
  func line(of type: TypeRule) -> [TypeRule] {
    Array(sequence(first: type) { $0.parent.flatMap { rules[ExactString($0)] } })
  }

  /// Returns where the records of a type are: where those at the top of their trees are.
  func home(of type: TypeRule) -> TypeRule.Home { line(of: type).last?.home ?? type.home }

  /// Returns where the records of a type are; nil if it has none.
  func home(of name: String) -> TypeRule.Home? { rules[ExactString(name)].map(home(of:)) }
}

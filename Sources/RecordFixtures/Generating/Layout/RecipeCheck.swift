import RecordMigration
import RecordModel
import RecordSchema

/// Checks a recipe against a schema.
struct RecipeCheck {
  let recipe: FixtureRecipe
  let schema: CloudSchema
  let seed: UInt64
  let table: SchemaIndex
  let guess: RecipeGuess
  /// The first rule of each type.
  private let rules: [ExactString: TypeRule]
  /// The types that a guess may refer to.
  private let known: [String]

  init(_ recipe: FixtureRecipe, _ schema: CloudSchema, seed: UInt64) {
    self.recipe = recipe
    self.schema = schema
    self.seed = seed
    table = SchemaIndex(schema)
    guess = RecipeGuess(schema)
    known = recipe.types.map(\.name).filter { $0 != SchemaNames.usersType }
    rules = Dictionary(
      recipe.types.map { (ExactString($0.name), $0) }, uniquingKeysWith: { first, _ in first })
  }

  static let nowhere = PlanLocation(file: "the recipe", line: 1, column: 1)

  func error(_ location: PlanLocation?, _ message: String) -> FixtureError {
    FixtureError(location ?? recipe.locations["types"] ?? Self.nowhere, message)
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
            + NearNames.advice(type.name, among: names))
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
          "'zones' has no '\(name)'" + NearNames.advice(name, among: recipe.zones.map(\.name)))
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
          "'types' has no '\(name)'" + NearNames.advice(name, among: recipe.types.map(\.name)))
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

  func checkZones() throws {
    for zone in recipe.zones where zone.name == ZoneID.defaultZoneName && zone.isShared {
      throw error(
        zone.locations["shared"] ?? zone.location,
        "there is one default zone, which cannot be shared")
    }
  }

  func addFields(to plan: inout TypePlan, _ assets: inout Int) throws {
    let type = plan.rule
    guard let defined = table[type.name] else { return }
    let fields = RecipeGuess.userFields(defined)
    let names = Set(fields.map { ExactString($0.name) })
    for (name, rule) in type.fields.sorted(by: { $0.key < $1.key })
    where !names.contains(ExactString(name)) {
      throw error(
        rule.location,
        "'\(type.name)' has no field '\(name)'" + NearNames.advice(name, among: fields.map(\.name)))
    }
    for field in fields.sorted(by: { compareUTF8($0.name, $1.name) < 0 }) {
      guard let made = try self.plan(field, of: type, &assets) else { continue }
      if made.kind is CalculatedValues {
        plan.calculated.append(made)
      } else {
        plan.fields.append(made)
      }
    }
    try checkReferences(plan)
    try checkExpressions(plan)
  }

  /// Returns the plan of a field; nil if it has no values.
  private func plan(
    _ field: CloudSchema.Field, of type: TypeRule, _ assets: inout Int
  ) throws -> FieldPlan? {
    let given = type.fields[field.name]
    var rule = given ?? FieldRule()
    if rule.kind == nil {
      let guessed = guess.rule(
        of: field, in: type.name, parent: type.parent ?? known.first, known: known)
      rule.kind = guessed.kind
      rule.length = rule.length ?? guessed.length
    }
    if field.type.isEncrypted, home(of: type) == .publicDatabase {
      guard given == nil || given?.kind is NoValues || given?.location == nil else {
        throw error(
          given?.location,
          "'\(field.name)' of '\(type.name)' is encrypted; the public database has no encrypted values"
        )
      }
      return nil
    }
    guard var plan = try plan(field, of: type, rule) else { return nil }
    try checkDates(plan, of: type)
    let isGuess = given?.location == nil || given?.kind == nil
    switch plan.kind {
    case let reference as ReferenceValues:
      guard let place = home(of: reference.target) else {
        throw error(
          rule.location(of: "reference"),
          "'types' has no '\(reference.target)'"
            + NearNames.advice(reference.target, among: recipe.types.map(\.name)))
      }
      guard place == home(of: type) else {
        // A guess may be wrong.
        if isGuess { return nil }
        throw error(
          rule.location(of: "reference"),
          "'\(field.name)' of '\(type.name)' cannot refer to records of '\(reference.target)', which "
            + "are in \(place), not in \(home(of: type)): put both in the same zone, or write none")
      }
    case let links as LinkValues:
      guard CoreDataNames.linkFields.contains(field.name) else {
        throw error(
          rule.location(of: "links"),
          "links are in " + CoreDataNames.linkFields.joined(separator: ", ") + ", not in "
            + "'\(field.name)' of '\(type.name)'")
      }
      for target in links.types.sorted() where home(of: target) != home(of: type) {
        throw error(
          rule.location(of: "links"),
          "'\(field.name)' of '\(type.name)' needs records of '\(target)' in \(home(of: type))")
      }
    case is AncestorReferences where type.parent == nil:
      // The usual rule, for a type that has none here.
      if given?.kind == nil { return nil }
      throw error(rule.location, "'\(type.name)' has no parent, so it has no ancestors")
    case let asset as AssetValues:
      plan.assets = AssetPlan(
        asset, key: GeneratorKey.key(seed, "asset", type.name, field.name), first: assets)
      assets += asset.variants
    default: break
    }
    return plan
  }

  /// Checks the rule of a field against its type.
  private func plan(
    _ field: CloudSchema.Field, of type: TypeRule, _ given: FieldRule
  ) throws -> FieldPlan? {
    guard let kind = given.kind, !(kind is NoValues) else { return nil }
    var rule = given
    let subject = "'\(field.name)' of '\(type.name)'"
    func refuse(_ member: String, _ message: String) -> FixtureError {
      error(rule.location(of: member) ?? type.location, message)
    }
    let isAncestors = kind is AncestorReferences
    if rule.length != nil {
      guard field.type.isList else {
        throw refuse("list", "\(subject) is \(field.type), which is not a list")
      }
      guard !isAncestors else {
        throw refuse("list", "the list of ancestors has one reference for each")
      }
    } else if field.type.isList, !isAncestors {
      rule.length = .range(1...3)
    }
    guard kind.suits(field.type) else {
      throw refuse(
        "", "\(subject) is \(field.type), and the rule makes \(Swift.type(of: kind).noun)")
    }
    let suited: any GeneratedValues
    do {
      suited = try kind.adapted(to: field.type)
    } catch let mismatch as FieldMismatch {
      throw refuse(
        mismatch.member, mismatch.namesField ? "\(subject) \(mismatch.message)" : mismatch.message)
    }
    if suited is CalculatedValues, rule.nullRate > 0 {
      throw refuse(
        "null-rate",
        "\(subject) is calculated: it has a value where its expression has one; leave out 'null-rate'"
      )
    }
    if rule.isUnique, field.type.isList || suited.distinctValues(of: field.type) == nil {
      throw refuse(
        "unique",
        "\(subject) cannot be unique by this rule: use words, a kind of text, a pattern with %, dates "
          + "of a range, a sequence, or a range, which for doubles is not beyond "
          + "±\(IntegerValues.lastExact)")
    }
    return FieldPlan(field, rule, suited)
  }

  /// Throws if there are fewer different values than records.
  func checkCapacity(_ field: FieldPlan, of type: TypeRule, records: Int) throws {
    guard field.rule.isUnique, let capacity = field.kind.distinctValues(of: field.type),
      capacity < records
    else { return }
    throw error(
      field.rule.location(of: "unique") ?? type.location,
      "'\(field.name)' of '\(type.name)' cannot be unique: there are \(records) records, and "
        + "\(capacity) different values")
  }

  private func checkReferences(_ plan: TypePlan) throws {
    let limit = RecordLimits.cloudKit.referenceCount
    let references = plan.fields.reduce(0) { sum, field in
      guard field.type.primitive == .reference else { return sum }
      return sum
        + (field.kind is AncestorReferences
          ? plan.depth : field.rule.length?.bounds.upperBound ?? 1)
    }
    guard references <= limit else {
      throw error(
        plan.rule.location,
        "a record of '\(plan.name)' could have \(references) references; CloudKit allows \(limit)")
    }
  }

  private func checkExpressions(_ plan: TypePlan) throws {
    let calculated = Set(plan.calculated.map(\.name))
    let known = Set(plan.fields.map(\.name))
    for field in plan.calculated {
      guard let values = field.kind as? CalculatedValues else { continue }
      for name in values.expression.fieldNames.sorted() where !known.contains(name) {
        throw error(
          field.rule.location(of: "expression"),
          calculated.contains(name)
            ? "expression: '\(name)' is calculated, too; write out what it is made of"
            : "expression: '\(plan.name)' has no values in '\(name)'"
              + NearNames.hint(name, among: known))
      }
    }
  }

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

  private func checkDates(_ field: FieldPlan, of type: TypeRule) throws {
    guard case .created(let range)? = field.kind as? DateValues,
      lastDate(of: type) + range.upperBound > Self.lastDate
    else { return }
    throw error(
      field.rule.location(of: "created") ?? type.location,
      "'\(field.name)' of '\(type.name)' could be after the year 9999")
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

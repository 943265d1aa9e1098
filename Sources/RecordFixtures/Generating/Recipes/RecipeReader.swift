import Foundation
import RecordMigration
import RecordModel
import RecordSchema

/// Reads the YAML of recipes.
enum RecipeReader {
  static let key = "recordpack-recipe"

  static func recipe(_ yaml: String, _ file: String) throws -> FixtureRecipe {
    let members = try YAMLMembers.document(
      yaml, file: file, maxSize: FixtureRecipe.maxSize, key: key, noun: "recipe",
      allowing: [
        "container", "environment", "reference-date", "locale", "edge-cases", "users", "zones",
        "types",
      ])
    var recipe = FixtureRecipe()
    recipe.container = try members["container"].map(container)
    if let environment = members["environment"] {
      let name = try environment.text("environment")
      guard let known = ContainerInfo.Environment(rawValue: name) else {
        throw environment.error("environment is development or production, not '\(name)'")
      }
      recipe.environment = known
    }
    if let date = members["reference-date"] {
      recipe.referenceDate = Date(
        timeIntervalSince1970: Double(try date.date("reference-date")) / 1000)
    }
    if let locale = members["locale"] { recipe.locale = try locale.one("locale") }
    recipe.hasEdgeCases = try members["edge-cases"]?.flag("edge-cases") ?? false
    if let users = members["users"] {
      recipe.users = try users.integer("users", in: 1...FixtureRecipe.maxUsers)
    }
    recipe.zones = try zones(members["zones"], users: recipe.users)
    let types = try members.required("types", "the record types and how many records each has")
    recipe.locations["types"] = types.location
    recipe.types = try types.members("types").pairs.map { key, value in
      try type(named: key.text("a record type"), at: key.location, value, recipe)
    }
    return recipe
  }

  /// Reads the identifier of a container.
  private static func container(_ node: YAMLNode) throws -> String {
    let text = node.node.scalar?.string ?? ""
    let isWord =
      node.node.scalar?.style == .plain
      && ["null", "true", "false", "yes", "no", "on", "off"].contains(text.lowercased())
    let isIdentifier = text.wholeMatch(of: /[A-Za-z][A-Za-z0-9._-]{0,254}/) != nil
    guard isIdentifier, !isWord else {
      throw node.error(
        "container is an identifier such as iCloud.com.example.app: a letter, then letters, digits, "
          + "'.', '-' and '_'")
    }
    return text
  }

  private static func zones(_ node: YAMLNode?, users: Int) throws -> [RecipeZone] {
    guard let node, !node.isNull else { return [] }
    return try node.members("zones").pairs.map { key, value in
      var zone = RecipeZone(name: try key.text("a zone name"), location: key.location)
      do {
        try RecordLimits.cloudKit.check(zoneID: ZoneID(zoneName: zone.name))
      } catch {
        throw key.error(
          "'\(zone.name.prefix(40))' cannot be the name of a zone: 1 to 255 printable "
            + "ASCII characters, and no '_' in front")
      }
      guard !value.isNull else { return zone }
      let members = try value.members("a zone")
      try members.allow(["owners", "shared"], in: "a zone")
      for name in members.names { zone.locations[name] = members[name]?.location }
      if let owners = members["owners"] {
        zone.owners = try owners.integer("owners", in: 1...users, hint: "there are \(users) users")
      }
      zone.isShared = try members["shared"]?.flag("shared") ?? false
      if zone.isShared, users == 1 {
        throw members["shared"]!.error("a shared zone needs users: 2 or more")
      }
      return zone
    }
  }

  private static func type(
    named name: String, at location: PlanLocation, _ node: YAMLNode, _ recipe: FixtureRecipe
  ) throws -> TypeRule {
    let members = try node.isNull ? nil : node.members("a record type")
    try members?.allow(
      [
        "count", "zone", "database", "parent", "names", "hierarchy", "shared", "created",
        "modified", "fields",
      ], in: "a record type")
    let home = try self.home(members)
    let hasParent = members?["parent"] != nil
    var type = TypeRule(
      name: name, home: home, count: .fixed(FixtureRecipe.defaultRecords),
      creation: hasParent ? RecipeGuess.childCreation : RecipeGuess.rootCreation)
    type.location = location
    guard let members else { return type }
    for name in members.names { type.locations[name] = members[name]?.location }
    if let count = members["count"] {
      type.count = try count.count("count", in: 0...FixtureRecipe.maxRecords)
    }
    if let names = members["names"] { type.names = try names.one("form of names") }
    type.isHierarchy = try members["hierarchy"]?.flag("hierarchy") ?? true
    if let shared = members["shared"] {
      type.sharedRate = try shared.rate("shared")
      if type.sharedRate > 0, recipe.users == 1 {
        throw shared.error("shared records need users: 2 or more")
      }
    }
    if let created = members["created"] { type.creation = try created.durations("created") }
    if let modified = members["modified"] { type.modifiedRate = try modified.rate("modified") }
    if let fields = members["fields"], !fields.isNull {
      for (key, value) in try fields.members("fields").pairs {
        type.fields[try key.text("a field")] = try ValueSource.rule(value, at: key.location)
      }
    }
    return type
  }

  private static func home(_ members: YAMLMembers?) throws -> TypeRule.Home {
    let given = ["zone", "database", "parent"].filter { members?[$0] != nil }
    guard given.count < 2 else {
      throw members![given[1]]!.error(
        "a record type has only one of 'zone', 'database' and 'parent'")
    }
    if let zone = members?["zone"] { return .zone(try zone.word("zone")) }
    if let parent = members?["parent"] { return .parent(try parent.word("parent")) }
    if let database = members?["database"] {
      switch try database.text("database") {
      case "public": return .publicDatabase
      case "private": break
      default:
        throw database.error("database is public or private; zones of others come by 'owners'")
      }
    }
    return .zone(RecipeGuess.zoneName)
  }
}

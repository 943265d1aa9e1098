import RecordModel
import RecordSchema

/// Makes a recipe from a schema alone: which type is below which, and what suits each field.
struct RecipeGuess {
  private let types: [CloudSchema.RecordType]
  /// The parents of types, by their places.
  private let parents: [Int: Int]
  /// The names of all fields of the types that Core Data made.
  private let mirroredFields: [String: Set<String>]
  /// The model that the schema follows from, if it is one of Core Data or SwiftData.
  private let model: MirroredGuess?

  static let zoneName = "Records"
  /// A year.
  static let rootCreation = 0...365 * 86_400_000
  static let childCreation = 60_000...7 * 86_400_000

  init(_ schema: CloudSchema, _ model: MirroredModel? = nil) {
    let model = model.flatMap(MirroredGuess.init)
    self.model = model
    var seen: Set<ExactString> = []
    types = schema.recordTypes.filter { type in
      !SchemaNames.isManaged(type.name) && seen.insert(ExactString(type.name)).inserted
        && (type.name != SchemaNames.usersType || !Self.userFields(type).isEmpty)
        // A link without its two records would lead nowhere.
        && !CoreDataNames.isLink(type.name) && model?.empty.contains(type.name) != true
    }
    parents = Self.parents(of: types)
    mirroredFields = Dictionary(
      types.filter { CoreDataNames.isMirrored($0.name) }
        .map { ($0.name, Set($0.fields.map(\.name))) },
      uniquingKeysWith: { first, _ in first })
  }

  /// The fields that an app added, without repetitions.
  static func userFields(_ type: CloudSchema.RecordType) -> [CloudSchema.Field] {
    var seen: Set<ExactString> = []
    return type.userFields.filter { field in
      // CloudKit's own fields, such as the roles of users, are not the app's.
      !SchemaNames.isManaged(field.name) && !field.name.hasPrefix("___")
        && !(type.name == SchemaNames.usersType && field.name == "roles")
        && seen.insert(ExactString(field.name)).inserted
    }
  }

  // MARK: Types

  func recipe(records: Int) -> FixtureRecipe {
    var recipe = FixtureRecipe()
    for (place, type) in types.enumerated() {
      let parent = parents[place].map { types[$0].name }
      var rule = TypeRule(
        name: type.name,
        home: parent.map { .parent($0) } ?? Self.home(of: type.name),
        count: parent == nil ? .fixed(records) : .range(1...3),
        creation: parent == nil ? Self.rootCreation : Self.childCreation)
      if type.name == SchemaNames.usersType { rule.count = .fixed(1) }
      if CoreDataNames.isMirrored(type.name) { rule.names = .uuid }
      for field in Self.userFields(type) {
        rule.fields[field.name] = self.rule(of: field, place: place)
      }
      recipe.types.append(rule)
    }
    if let pairs = model?.links, !pairs.isEmpty {
      recipe.types.append(
        Self.links(pairs, in: .zone(CoreDataNames.zoneName), count: records * pairs.count))
    }
    return recipe
  }

  private static func home(of type: String) -> TypeRule.Home {
    if type == SchemaNames.usersType { return .publicDatabase }
    return .zone(CoreDataNames.isMirrored(type) ? CoreDataNames.zoneName : zoneName)
  }

  /// Returns the rule for a field of a type that there is none for.
  ///
  /// - Parameter known: The types that have records.
  func rule(
    of field: CloudSchema.Field, in type: String, parent: String?, known: [String]
  ) -> FieldRule {
    if let kind = model?.values(of: field.name, in: type) {
      return unique(FieldRule(kind: kind), field, of: type)
    }
    var found: String?
    if field.type.primitive == .reference {
      found = Self.target(of: field.name, among: known)
    } else if CoreDataNames.isMirrored(type), field.type.primitive == .string {
      // A relationship of Core Data is called like the other entity.
      let name = NameWords(field.name).joined
      found = known.first { CoreDataNames.isMirrored($0) && NameWords($0).joined == name }
    }
    let guess = FieldGuess(
      field, of: type, among: mirroredFields[type] ?? [],
      target: found ?? (field.type.primitive == .reference ? parent : nil))
    return unique(guess.rule, field, of: type)
  }

  /// Returns a rule whose values differ from each other, where the model requires it.
  private func unique(
    _ rule: FieldRule, _ field: CloudSchema.Field, of type: String
  ) -> FieldRule {
    guard model?.isUnique(field.name, in: type) == true else { return rule }
    var rule = rule
    let values = rule.kind?.distinctValues(of: field.type) ?? 0
    if values < .max, field.type == .string { rule.kind = WordText(.words, .fixed(2)) }
    if values < .max, field.type == .int64 { rule.kind = SequenceValues(start: 1) }
    rule.isUnique = rule.kind?.distinctValues(of: field.type) != nil
    return rule
  }

  private func rule(of field: CloudSchema.Field, place: Int) -> FieldRule {
    let isUsers = types[place].name == SchemaNames.usersType
    // Users are in the public database, where there is nothing else to refer to.
    let known = isUsers ? [] : types.map(\.name).filter { $0 != SchemaNames.usersType }
    let parent = parents[place].map { types[$0].name }
    let rule = rule(
      of: field, in: types[place].name, parent: parent ?? (isUsers ? nil : known.first),
      known: known)
    // Records of another zone cannot be referred to.
    if let name = (rule.kind as? ReferenceValues)?.target,
      let target = types.firstIndex(where: { $0.name == name }), root(of: target) != root(of: place)
    {
      return FieldRule(kind: NoValues())
    }
    return rule
  }

  /// Returns where the records at the top of a type's trees are.
  private func root(of place: Int) -> TypeRule.Home {
    var place = place
    while let parent = parents[place] { place = parent }
    return Self.home(of: types[place].name)
  }

  /// Returns the rule of the links of many-to-many relationships.
  static func links(
    _ pairs: [LinkValues.Pair], in home: TypeRule.Home, count: Int
  ) -> TypeRule {
    var rule = TypeRule(
      name: CoreDataNames.linkType, home: home, count: .fixed(count), creation: rootCreation)
    rule.names = .uuid
    rule.modifiedRate = 0
    for field in CoreDataNames.linkFields {
      rule.fields[field] = FieldRule(kind: LinkValues(pairs: pairs))
    }
    return rule
  }

  // MARK: Names

  /// Returns the type that a reference's name stands for: `chat`, `chatRef`, `parentChat`, `chats`.
  static func target(of field: String, among types: [String]) -> String? {
    let name = NameWords(field).joined
    let words = types.map { (type: $0, name: NameWords($0).joined) }.filter { !$0.name.isEmpty }
    let forms = { (type: String) in
      ["", "s", "es", "id", "ids", "ref", "refs", "reference", "references", "list"].map {
        type + $0
      }
    }
    if let exact = words.first(where: { forms($0.name).contains(name) }) { return exact.type }
    // The longest name that it ends in, or that ends in it: `ownerPerson`, `person` for `CDPerson`.
    let near = words.filter { word in
      forms(word.name).contains { name.hasSuffix($0) }
        || name.utf8.count > 3 && word.name.hasSuffix(name)
    }
    return near.max { $0.name.utf8.count < $1.name.utf8.count }?.type
  }

  /// Finds the parents by the names of single references: the first that leads to no cycle.
  private static func parents(of types: [CloudSchema.RecordType]) -> [Int: Int] {
    let names = types.map(\.name)
    var parents: [Int: Int] = [:]
    for (place, type) in types.enumerated() where type.name != SchemaNames.usersType {
      for field in userFields(type) where field.type == .reference {
        guard let name = target(of: field.name, among: names),
          let parent = names.firstIndex(of: name), names[parent] != SchemaNames.usersType
        else { continue }
        var above: Int? = parent
        var steps = 0
        while let next = above, next != place {
          above = parents[next]
          steps += 1
        }
        // The sizes of deep trees grow with each level.
        guard above == nil, steps < 4 else { continue }
        parents[place] = parent
        break
      }
    }
    return parents
  }
}

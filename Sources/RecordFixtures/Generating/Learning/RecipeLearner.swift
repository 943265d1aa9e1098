import RecordArchive
import RecordModel
import RecordPlatform
import RecordSchema

/// Learns a recipe from the records of a source: numbers, lengths and rates, but no value.
///
/// Keeps 16 bytes or so for each record, to know the types of parents.
struct RecipeLearner {
  private let schema: CloudSchema
  let base: FixtureRecipe
  private let guess: RecipeGuess
  private let guesses: [String: [String: FieldRule]]
  private(set) var types: [String: LearnedType] = [:]
  /// The place of the type of each record, by the hash of its identifier.
  private(set) var typePlaces: [UInt64: UInt16] = [:]
  private let places: [String: UInt16]
  /// The fields that refer to parents, where records have none.
  private let parentFields: [String: String]
  /// The zones that are shared as a whole.
  private var sharedZones: Set<ZoneID> = []
  /// The links of Core Data's many-to-many relationships, by the entities and relationships.
  private(set) var links: [LearnedLink: Int] = [:]
  /// The record types of entities.
  private var entityTypes: [String: String] = [:]
  /// The number of relationships and entities that are kept: a model has a few hundred at most.
  private static let maxNames = 10_000
  /// The kinds of some files, by their digests.
  private(set) var fileKinds: [String: AssetKind] = [:]

  init(_ schema: CloudSchema) {
    self.schema = schema
    guess = RecipeGuess(schema)
    base = guess.recipe(records: FixtureRecipe.defaultRecords)
    guesses = Dictionary(
      base.types.map { ($0.name, $0.fields) }, uniquingKeysWith: { first, _ in first })
    places = Dictionary(
      base.types.prefix(Int(UInt16.max)).enumerated().map { ($1.name, UInt16($0)) },
      uniquingKeysWith: { first, _ in first })
    var parentFields: [String: String] = [:]
    for type in base.types {
      guard let parent = type.parent else { continue }
      parentFields[type.name] =
        type.fields.filter { _, rule in
          (rule.kind as? ReferenceValues)?.target == parent && rule.length == nil
        }.keys.min()
    }
    self.parentFields = parentFields
  }

  static func hash(_ recordID: RecordID) -> UInt64 {
    let zone = recordID.zoneID
    var text =
      "\(zone.ownerName.utf8.count) \(zone.ownerName)\(zone.zoneName)/\(recordID.recordName)"
    return text.withUTF8 { XXH64.hash(UnsafeRawBufferPointer($0)) }
  }

  // MARK: Counting

  mutating func add(_ record: ResultRecord, _ database: DatabaseScope) {
    if record.recordType == Share.recordType,
      record.recordID.recordName == Share.zoneWideRecordName
    {
      addShared(record.recordID.zoneID)
    }
    if let link = record.mirroredLink {
      let key = LearnedLink(link)
      if links[key] != nil || links.count < Self.maxNames { links[key, default: 0] += 1 }
    }
    guard let place = places[record.recordType], record.recordType != SchemaNames.usersType else {
      return
    }
    typePlaces[Self.hash(record.recordID)] = place
    if let entity = record.entityName, entityTypes.count < Self.maxNames {
      entityTypes[entity] = record.recordType
    }
    types[record.recordType, default: LearnedType()].add(
      record, database, parentField: parentFields[record.recordType],
      guesses: guesses[record.recordType] ?? [:])
  }

  /// Notes that a zone is shared as a whole.
  mutating func addShared(_ zoneID: ZoneID) { sharedZones.insert(zoneID) }

  /// Digests of files whose kinds are asked for.
  var sampledFiles: Set<String> {
    types.values.reduce(into: []) { all, type in
      for field in type.fields.values { all.formUnion(field.files) }
    }
  }

  /// Notes the first bytes of a file.
  mutating func addFile(_ sha256: String, first bytes: [UInt8]) {
    fileKinds[sha256] = AssetKind(beginning: bytes)
  }

  // MARK: The recipe

  func recipe() -> FixtureRecipe {
    var recipe = base
    recipe.types = base.types.filter { types[$0.name] != nil }
    let parents = parents(of: recipe.types.map(\.name))
    let homes = LearnedHomes(types, parents, in: recipe.types.map(\.name), sharedZones)
    recipe.zones = homes.zones
    for index in recipe.types.indices {
      guard let learned = types[recipe.types[index].name] else { continue }
      fill(&recipe.types[index], learned, parents, homes)
    }
    if let rule = linkRule(among: recipe.types, homes) { recipe.types.append(rule) }
    let isShared =
      recipe.types.contains { $0.sharedRate > 0 } || recipe.zones.contains(where: \.isShared)
    recipe.users = max(isShared ? 2 : 1, recipe.zones.map(\.owners).max() ?? 1)
    return recipe
  }

  /// Returns the rule of links between types that are in one zone; nil without such links.
  private func linkRule(among types: [TypeRule], _ homes: LearnedHomes) -> TypeRule? {
    guard schema.recordType(named: CoreDataNames.linkType) != nil else { return nil }
    var pairs: [TypeRule.Home: Set<LinkValues.Pair>] = [:]
    var counts: [TypeRule.Home: Int] = [:]
    for (link, count) in links {
      let sides = link.sides.compactMap { side -> LinkValues.Side? in
        guard let type = entityTypes[side.entity], types.contains(where: { $0.name == type })
        else { return nil }
        return LinkValues.Side(type: type, relationship: side.relationship)
      }
      guard sides.count == 2, homes.home(of: sides[0].type) == homes.home(of: sides[1].type)
      else { continue }
      let home = homes.home(of: sides[0].type)
      pairs[home, default: []].insert(LinkValues.Pair(sides[0], sides[1]))
      counts[home, default: 0] += count
    }
    // A type is in one zone, or in several of one name.
    let most = counts.max { a, b in (a.value, "\(b.key)") < (b.value, "\(a.key)") }
    guard let home = most?.key, let count = most?.value, let pairs = pairs[home] else {
      return nil
    }
    let zones = self.types.filter { homes.home(of: $0.key) == home }.map(\.value.zones.count).max()
    return RecipeGuess.links(
      pairs.sorted(), in: home, count: max(1, count / max(1, zones ?? 1)))
  }

  private func fill(
    _ type: inout TypeRule, _ learned: LearnedType, _ parents: [String: String],
    _ homes: LearnedHomes
  ) {
    var children = CountHistogram()
    if let parent = parents[type.name] {
      type.home = .parent(parent)
      type.creation = RecipeGuess.childCreation
      for count in learned.parents.values { children.add(count) }
      children.add(0, times: max(0, (types[parent]?.records ?? 0) - learned.parents.count))
    } else {
      type.home = homes.home(of: type.name)
      type.creation = RecipeGuess.rootCreation
      for count in learned.zones.values { children.add(count) }
      if type.home == .zone(ZoneID.defaultZoneName) {
        children.add(0, times: max(0, homes.defaultOwners - learned.zones.count))
      }
      type.sharedRate =
        homes.hasShares(type.home) ? Self.rate(learned.shared, of: learned.records) : 0
    }
    type.count = children.rule() ?? .fixed(0)
    // The same number in each zone needs no distribution.
    if parents[type.name] == nil, let count = learned.zones.values.first,
      Set(learned.zones.values).count == 1, children.total == learned.zones.count
    {
      type.count = .fixed(count)
    }
    type.names = 2 * learned.uuids > learned.records ? .uuid : .sequence
    type.modifiedRate = Self.rate(learned.modified, of: learned.records)
    let fields = schema.recordType(named: type.name).map(RecipeGuess.userFields) ?? []
    type.fields = rules(of: fields, in: type.name, learned, parents, homes)
  }

  private static func rate(_ part: Int, of whole: Int) -> Double {
    (Double(part) * 1000 / Double(max(1, whole))).rounded() / 1000
  }

  /// Returns the rules of a type's fields, by their names.
  func rules(
    of fields: [CloudSchema.Field], in type: String, _ learned: LearnedType,
    _ parents: [String: String], _ homes: LearnedHomes
  ) -> [String: FieldRule] {
    let home = homes.home(of: type)
    let names = types.keys.sorted()
    var around = LearnedField.Surroundings(
      records: learned.records, ancestors: ancestors(of: type, parents),
      known: Set(names.filter { homes.home(of: $0) == home }))
    func rule(_ field: CloudSchema.Field) -> FieldRule {
      let found = learned.fields[field.name] ?? LearnedField()
      around.target = target(of: found).flatMap { around.known.contains($0) ? $0 : nil }
      around.fileKind = kind(of: found.files)
      return found.rule(
        guess.rule(of: field, in: type, parent: around.ancestors.first, known: names), field, around
      )
    }
    let known = fields.filter { home != .publicDatabase || !$0.type.isEncrypted }
    // All lists together have no more references than a record may have.
    let references = known.filter { $0.type.primitive == .reference }
    let lists = references.filter(\.type.isList).map { rule($0).length?.bounds.upperBound ?? 16 }
    around.maxReferences = Self.share(around.maxReferences - references.count, lists)
    var rules: [String: FieldRule] = [:]
    for field in fields { rules[field.name] = FieldRule(kind: NoValues()) }
    for field in known { rules[field.name] = rule(field) }
    return rules
  }

  /// Returns the greatest number such that numbers that are cut to it have at most a sum.
  static func share(_ sum: Int, _ numbers: [Int]) -> Int {
    var rest = sum
    for (place, number) in numbers.sorted().enumerated() {
      let part = rest / (numbers.count - place)
      guard number <= part else { return max(0, part) }
      rest -= number
    }
    return max(0, sum)
  }

  /// Returns the kind of most files, where the bytes of some are there.
  private func kind(of files: Set<String>) -> AssetKind? {
    var counts: [AssetKind: Int] = [:]
    for file in files { if let kind = fileKinds[file] { counts[kind, default: 0] += 1 } }
    return counts.max { ($0.value, $1.key.rawValue) < ($1.value, $0.key.rawValue) }?.key
  }

  /// Returns the parents of types: those of most of their records.
  func parents(of names: [String]) -> [String: String] {
    var parents: [String: String] = [:]
    for name in names { parents[name] = parent(of: name, parents) }
    // Trees that are too deep are cut.
    for name in names where ancestors(of: name, parents).count > RecipeCheck.maxDepth {
      parents[name] = nil
    }
    return parents
  }

  func ancestors(of type: String, _ parents: [String: String]) -> [String] {
    Array(sequence(first: type) { parents[$0] }.dropFirst())
  }

  /// Returns the type of which most parents are, unless it is below this type itself.
  private func parent(of type: String, _ parents: [String: String]) -> String? {
    guard let learned = types[type], !learned.parents.isEmpty else { return nil }
    var counts: [UInt16: Int] = [:]
    for (hash, count) in learned.parents {
      if let place = typePlaces[hash] { counts[place, default: 0] += count }
    }
    guard let most = counts.max(by: { ($0.value, $1.key) < ($1.value, $0.key) }),
      2 * most.value > learned.records
    else { return nil }
    let found = base.types[Int(most.key)].name
    return found == type || ancestors(of: found, parents).contains(type) ? nil : found
  }

  /// Returns the type of which most of the records are that a field refers to.
  func target(of field: LearnedField) -> String? {
    var counts: [UInt16: Int] = [:]
    for hash in field.targets {
      if let place = typePlaces[hash] { counts[place, default: 0] += 1 }
    }
    return counts.max { ($0.value, $1.key) < ($1.value, $0.key) }
      .map { base.types[Int($0.key)].name }
  }
}

/// The entities and relationships of a link, without its objects.
struct LearnedLink: Hashable {
  struct Side: Hashable {
    var entity: String
    var relationship: String
  }

  let sides: [Side]

  init(_ link: MirroredLink) {
    sides = link.sides.map { Side(entity: $0.entity, relationship: $0.relationship) }
  }
}

extension FixtureRecipe {
  /// Returns the text of a recipe that makes records like those of a source: as many of each type, as
  /// many children of a parent, text, lists and files as large, and as many fields without a value.
  ///
  /// The recipe has no value of the source, no name of a zone or record, and no user. Numbers are
  /// rounded up to powers of ten, lengths and sizes to ranges. <doc:GeneratingRecords> says what is
  /// learned and what is not.
  ///
  /// - Parameters:
  ///   - schema: The schema of the source; other types are left out.
  ///   - source: A bundle or container. All records are read.
  ///   - progress: Called periodically; an error it throws ends the reading.
  /// - Throws: The errors of reading the source.
  package static func starter(
    for schema: CloudSchema, like source: ArchiveSource,
    progress: ((ArchiveProgress) throws -> Void)? = nil
  ) throws -> String {
    var learner = RecipeLearner(schema)
    try source.forEachRecord(progress: progress) { learner.add($0, $1) }
    for (_, zone) in try source.zones() where zone.share != nil { learner.addShared(zone.zoneID) }
    for file in learner.sampledFiles.sorted() {
      // A file that is not stored tells nothing.
      if let bytes = source.firstBytes(AssetKind.beginningSize, ofAsset: file) {
        learner.addFile(file, first: bytes)
      }
    }
    return RecipeText(
      recipe: learner.recipe(), schema: schema,
      introduction: [
        "Makes records like those of a source, of which it has no values:",
        "numbers, lengths, sizes and rates are rounded.",
      ]
    ).yaml
  }
}

/// Where the records of a source's types are, without the names of its zones.
struct LearnedHomes {
  private var homes: [String: TypeRule.Home] = [:]
  private(set) var zones: [RecipeZone] = []
  /// The number of users who have records in their default zones.
  private(set) var defaultOwners = 1

  /// - Parameters:
  ///   - names: The names of the types, in the order of the recipe.
  ///   - shared: The zones that are shared as a whole.
  init(
    _ types: [String: LearnedType], _ parents: [String: String], in names: [String],
    _ shared: Set<ZoneID>
  ) {
    var groups: [Set<ZoneLocation>] = []
    var mirrored: Int?
    func zoneName(_ number: Int) -> String {
      number == mirrored ? CoreDataNames.zoneName : Self.zoneName(number)
    }
    for name in names where parents[name] == nil {
      guard let learned = types[name] else { continue }
      let zones = Set(learned.zones.keys.filter { $0.database != .public })
      if learned.isPublic {
        homes[name] = .publicDatabase
      } else if zones.allSatisfy(\.zoneID.isDefault) {
        homes[name] = .zone(ZoneID.defaultZoneName)
        defaultOwners = max(defaultOwners, min(FixtureRecipe.maxUsers, zones.count))
      } else {
        let number = groups.firstIndex(of: zones) ?? groups.count
        if number == groups.count { groups.append(zones) }
        // Core Data finds its objects in a zone of this name only.
        if zones.contains(where: { $0.zoneID.zoneName == CoreDataNames.zoneName }) {
          mirrored = mirrored ?? number
        }
        homes[name] = .zone(zoneName(number))
      }
    }
    for name in names {
      let root = sequence(first: name) { parents[$0] }.reversed().first ?? name
      homes[name] = homes[root]
    }
    zones = groups.enumerated().map { number, zones in
      let owners = min(FixtureRecipe.maxUsers, Set(zones.map(\.zoneID.ownerName)).count)
      let sharedZones = zones.count { shared.contains($0.zoneID) }
      return RecipeZone(
        name: zoneName(number), owners: owners,
        isShared: sharedZones > 0 && 2 * sharedZones >= zones.count)
    }
    if defaultOwners > 1 {
      zones.append(RecipeZone(name: ZoneID.defaultZoneName, owners: defaultOwners))
    }
  }

  private static func zoneName(_ number: Int) -> String {
    number == 0 ? RecipeGuess.zoneName : "\(RecipeGuess.zoneName)\(number + 1)"
  }

  /// Returns where the records at the top of a type's trees are.
  func home(of type: String) -> TypeRule.Home { homes[type] ?? .zone(RecipeGuess.zoneName) }

  /// Whether records there can have shares.
  func hasShares(_ home: TypeRule.Home) -> Bool {
    guard case .zone(let name) = home, name != ZoneID.defaultZoneName else { return false }
    return !zones.contains { $0.name == name && $0.isShared }
  }
}

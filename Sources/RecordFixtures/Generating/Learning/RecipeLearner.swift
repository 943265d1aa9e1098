import RecordArchive
import RecordModel
import RecordPlatform
import RecordSchema

/// Learns a recipe from the records of a source: numbers, lengths and rates, but no value.
///
/// Keeps 16 bytes or so for each record, to know the types of parents.
struct RecipeLearner {
  private let schema: CloudSchema
  private let base: FixtureRecipe
  private var types: [String: TypeCensus] = [:]
  /// The place of the type of each record, by the hash of its identifier.
  private var typePlaces: [UInt64: UInt16] = [:]
  private let places: [String: UInt16]
  /// The fields that refer to parents, where records have none.
  private let parentFields: [String: String]

  init(_ schema: CloudSchema) {
    self.schema = schema
    base = FixtureRecipe(for: schema)
    places = Dictionary(
      base.types.prefix(Int(UInt16.max)).enumerated().map { ($1.name, UInt16($0)) },
      uniquingKeysWith: { first, _ in first })
    var parentFields: [String: String] = [:]
    for type in base.types {
      guard let parent = type.parent else { continue }
      parentFields[type.name] =
        type.fields.filter { $0.value.value == .reference(parent, .none) && $0.value.length == nil }
        .keys.min()
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
    guard let place = places[record.recordType], record.recordType != SchemaNames.usersType else {
      return
    }
    typePlaces[Self.hash(record.recordID)] = place
    var parent = record.parent?.recordID
    types[record.recordType, default: TypeCensus()].add(record, database, parentFields, &parent)
  }

  // MARK: The recipe

  func recipe() -> FixtureRecipe {
    var recipe = base
    var parents: [String: String] = [:]
    recipe.types = base.types.filter { types[$0.name] != nil }
    for type in recipe.types { parents[type.name] = parent(of: type.name, parents) }
    var groups: [Set<TypeCensus.Zone>] = []
    for index in recipe.types.indices {
      guard let census = types[recipe.types[index].name] else { continue }
      fill(&recipe.types[index], census, parent: parents[recipe.types[index].name], &groups)
    }
    recipe.zones = groups.enumerated().map { number, zones in
      let owners = min(FixtureRecipe.maxUsers, Set(zones.map(\.zoneID.ownerName)).count)
      return ZoneRule(
        name: Self.zoneName(number), owners: owners, copies: max(1, zones.count / owners))
    }
    let isShared = recipe.types.contains { $0.sharedRate > 0 }
    recipe.users = max(isShared ? 2 : 1, recipe.zones.map(\.owners).max() ?? 1)
    return recipe
  }

  private static func zoneName(_ number: Int) -> String {
    number == 0 ? RecipeGuess.zoneName : "\(RecipeGuess.zoneName)-\(number + 1)"
  }

  private func fill(
    _ type: inout TypeRule, _ census: TypeCensus, parent: String?,
    _ groups: inout [Set<TypeCensus.Zone>]
  ) {
    let known = types.keys.sorted()
    var children = CountHistogram()
    if let parent {
      type.home = .parent(parent)
      type.creation = RecipeGuess.childCreation
      for count in census.parents.values { children.add(count) }
      children.add(0, times: max(0, (types[parent]?.records ?? 0) - census.parents.count))
    } else {
      type.home = home(census, &groups)
      type.creation = RecipeGuess.rootCreation
      for count in census.zones.values { children.add(count) }
      type.sharedRate =
        type.home == .publicDatabase || type.home == .zone(ZoneID.defaultZoneName)
        ? 0 : Self.rate(census.shared, of: census.records)
    }
    type.count = children.rule() ?? .fixed(0)
    // The same number in each zone needs no distribution.
    if parent == nil, let count = census.zones.values.first, Set(census.zones.values).count == 1 {
      type.count = .fixed(count)
    }
    type.names = 2 * census.uuids > census.records ? .uuid : .sequence
    type.modifiedRate = Self.rate(census.modified, of: census.records)
    let guess = RecipeGuess(schema)
    let fields = schema.recordType(named: type.name).map(RecipeGuess.userFields) ?? []
    type.fields = [:]
    for field in fields {
      let usual = guess.rule(of: field, in: type.name, parent: parent, known: known)
      let found = census.fields[field.name] ?? FieldCensus()
      var rule = found.rule(
        usual, field, target: target(of: found), records: census.records)
      if case .ancestors = rule.value, parent == nil { rule.value = .none }
      if case .reference(let target, _) = rule.value, types[target] == nil { rule.value = .none }
      if rule.value == .none { rule = FieldRule(value: .none) }
      type.fields[field.name] = rule
    }
  }

  private func home(
    _ census: TypeCensus, _ groups: inout [Set<TypeCensus.Zone>]
  ) -> TypeRule.Home {
    if census.isPublic { return .publicDatabase }
    let zones = Set(census.zones.keys.filter { $0.database != .public })
    if zones.allSatisfy({ $0.zoneID.isDefault }) { return .zone(ZoneID.defaultZoneName) }
    let number = groups.firstIndex(of: zones) ?? groups.count
    if number == groups.count { groups.append(zones) }
    return .zone(Self.zoneName(number))
  }

  private static func rate(_ part: Int, of whole: Int) -> Double {
    (Double(part) * 1000 / Double(max(1, whole))).rounded() / 1000
  }

  /// Returns the type of which most parents are, unless it is below this type itself.
  private func parent(of type: String, _ parents: [String: String]) -> String? {
    guard let census = types[type], !census.parents.isEmpty else { return nil }
    var counts: [UInt16: Int] = [:]
    for (hash, count) in census.parents {
      if let place = typePlaces[hash] { counts[place, default: 0] += count }
    }
    guard let most = counts.max(by: { ($0.value, $1.key) < ($1.value, $0.key) }),
      2 * most.value > census.records
    else { return nil }
    let found = base.types[Int(most.key)].name
    var above: String? = found
    while let name = above {
      if name == type { return nil }
      above = parents[name]
    }
    return found
  }

  /// Returns the type of which most of the records are that a field refers to.
  private func target(of field: FieldCensus) -> String? {
    var counts: [UInt16: Int] = [:]
    for hash in field.targets {
      if let place = typePlaces[hash] { counts[place, default: 0] += 1 }
    }
    return counts.max { ($0.value, $1.key) < ($1.value, $0.key) }
      .map { base.types[Int($0.key)].name }
  }
}

extension TypeCensus {
  fileprivate mutating func add(
    _ record: ResultRecord, _ database: DatabaseScope, _ parentFields: [String: String],
    _ parent: inout RecordID?
  ) {
    records += 1
    zones[Zone(database: database, zoneID: record.recordID.zoneID), default: 0] += 1
    if case .text = record.recordID.packedName {} else { uuids += 1 }
    if record.share != nil, record.parent == nil { shared += 1 }
    if let changed = record.modificationDate, changed != record.creationDate { modified += 1 }
    for field in record.fields {
      fields[field.name, default: FieldCensus()].add(field.value, of: record)
      if parent == nil, field.name == parentFields[record.recordType],
        case .reference(let reference) = field.value
      {
        parent = reference.recordID
      }
    }
    if let parent { parents[RecipeLearner.hash(parent), default: 0] += 1 }
  }
}

extension FixtureRecipe {
  /// Returns the text of a recipe that makes records like those of a source: as many of each type, as
  /// many children of a parent, text, lists and files as large, and as many fields without a value.
  ///
  /// The recipe has no value of the source, no name of a zone or record, and no user. Numbers are
  /// rounded up to powers of ten, lengths and sizes to ranges.
  ///
  /// - Parameters:
  ///   - schema: The schema of the source; other types are left out.
  ///   - source: A bundle or container. All records are read.
  /// - Throws: The errors of reading the source.
  public static func starter(
    for schema: CloudSchema, like source: ArchiveSource
  ) throws -> String {
    var learner = RecipeLearner(schema)
    try source.forEachRecord { learner.add($0, $1) }
    return RecipeText(
      recipe: learner.recipe(), schema: schema,
      introduction: [
        "Makes records like those of a source, of which it has no values:",
        "numbers, lengths, sizes and rates are rounded.",
      ]
    ).yaml
  }
}

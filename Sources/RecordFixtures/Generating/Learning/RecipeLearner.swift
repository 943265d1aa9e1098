import RecordModel
import RecordPlatform
import RecordSchema

/// Learns a recipe from the records of a source: numbers, lengths and rates, but no value.
///
/// Keeps 16 bytes or so for each record, to know the types of parents.
struct RecipeLearner {
  private let schema: CloudSchema
  let base: FixtureRecipe
  private let guesses: [String: [String: FieldRule]]
  private(set) var types: [String: TypeCensus] = [:]
  /// The place of the type of each record, by the hash of its identifier.
  private(set) var typePlaces: [UInt64: UInt16] = [:]
  private let places: [String: UInt16]
  /// The fields that refer to parents, where records have none.
  private let parentFields: [String: String]
  /// The zones that are shared as a whole.
  private var sharedZones: Set<ZoneID> = []
  /// The kinds of some files, by their digests.
  private(set) var fileKinds: [String: AssetKind] = [:]

  init(_ schema: CloudSchema) {
    self.schema = schema
    base = FixtureRecipe(for: schema)
    guesses = Dictionary(
      base.types.map { ($0.name, $0.fields) }, uniquingKeysWith: { first, _ in first })
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
    if record.recordType == Share.recordType,
      record.recordID.recordName == Share.zoneWideRecordName
    {
      addShared(record.recordID.zoneID)
    }
    guard let place = places[record.recordType], record.recordType != SchemaNames.usersType else {
      return
    }
    typePlaces[Self.hash(record.recordID)] = place
    types[record.recordType, default: TypeCensus()].add(
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
    fileKinds[sha256] = AssetKind(first: bytes)
  }

  // MARK: The recipe

  func recipe() -> FixtureRecipe {
    var recipe = base
    recipe.types = base.types.filter { types[$0.name] != nil }
    let parents = parents(of: recipe.types.map(\.name))
    let homes = LearnedHomes(types, parents, in: recipe.types.map(\.name), sharedZones)
    recipe.zones = homes.zones
    for index in recipe.types.indices {
      guard let census = types[recipe.types[index].name] else { continue }
      fill(&recipe.types[index], census, parents, homes)
    }
    let isShared =
      recipe.types.contains { $0.sharedRate > 0 } || recipe.zones.contains(where: \.isShared)
    recipe.users = max(isShared ? 2 : 1, recipe.zones.map(\.owners).max() ?? 1)
    return recipe
  }

  private func fill(
    _ type: inout TypeRule, _ census: TypeCensus, _ parents: [String: String],
    _ homes: LearnedHomes
  ) {
    var children = CountHistogram()
    if let parent = parents[type.name] {
      type.home = .parent(parent)
      type.creation = RecipeGuess.childCreation
      for count in census.parents.values { children.add(count) }
      children.add(0, times: max(0, (types[parent]?.records ?? 0) - census.parents.count))
    } else {
      type.home = homes.home(of: type.name)
      type.creation = RecipeGuess.rootCreation
      for count in census.zones.values { children.add(count) }
      if type.home == .zone(ZoneID.defaultZoneName) {
        children.add(0, times: max(0, homes.defaultOwners - census.zones.count))
      }
      type.sharedRate =
        homes.hasShares(type.home) ? Self.rate(census.shared, of: census.records) : 0
    }
    type.count = children.rule() ?? .fixed(0)
    // The same number in each zone needs no distribution.
    if parents[type.name] == nil, let count = census.zones.values.first,
      Set(census.zones.values).count == 1, children.total == census.zones.count
    {
      type.count = .fixed(count)
    }
    type.names = 2 * census.uuids > census.records ? .uuid : .sequence
    type.modifiedRate = Self.rate(census.modified, of: census.records)
    let fields = schema.recordType(named: type.name).map(RecipeGuess.userFields) ?? []
    type.fields = rules(of: fields, in: type.name, census, parents, homes)
  }

  private static func rate(_ part: Int, of whole: Int) -> Double {
    (Double(part) * 1000 / Double(max(1, whole))).rounded() / 1000
  }

  /// Returns the rule that suits the name of a field.
  func guess(of field: CloudSchema.Field, in type: String, parent: String?) -> FieldRule {
    RecipeGuess(schema).rule(of: field, in: type, parent: parent, known: types.keys.sorted())
  }
}

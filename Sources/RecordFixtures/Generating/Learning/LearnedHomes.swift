import RecordModel

/// Where the records of a source's types are, without the names of its zones.
struct LearnedHomes {
  private var homes: [String: TypeRule.Home] = [:]
  private(set) var zones: [ZoneRule] = []
  /// The number of users who have records in their default zones.
  private(set) var defaultOwners = 1

  /// - Parameters:
  ///   - names: The names of the types, in the order of the recipe.
  ///   - shared: The zones that are shared as a whole.
  init(
    _ types: [String: TypeCensus], _ parents: [String: String], in names: [String],
    _ shared: Set<ZoneID>
  ) {
    var groups: [Set<TypeCensus.Zone>] = []
    for name in names where parents[name] == nil {
      guard let census = types[name] else { continue }
      let zones = Set(census.zones.keys.filter { $0.database != .public })
      if census.isPublic {
        homes[name] = .publicDatabase
      } else if zones.allSatisfy(\.zoneID.isDefault) {
        homes[name] = .zone(ZoneID.defaultZoneName)
        defaultOwners = max(defaultOwners, min(FixtureRecipe.maxUsers, zones.count))
      } else {
        let number = groups.firstIndex(of: zones) ?? groups.count
        if number == groups.count { groups.append(zones) }
        homes[name] = .zone(Self.zoneName(number))
      }
    }
    for name in names {
      let root = sequence(first: name) { parents[$0] }.reversed().first ?? name
      homes[name] = homes[root]
    }
    let most = RecipeCheck.maxZones / max(1, groups.count + 1)
    zones = groups.enumerated().map { number, zones in
      let owners = min(FixtureRecipe.maxUsers, most, Set(zones.map(\.zoneID.ownerName)).count)
      let sharedZones = zones.count { shared.contains($0.zoneID) }
      return ZoneRule(
        name: Self.zoneName(number), owners: owners,
        copies: min(max(1, zones.count / owners), most / owners),
        isShared: sharedZones > 0 && 2 * sharedZones >= zones.count)
    }
    if defaultOwners > 1 {
      zones.append(ZoneRule(name: ZoneID.defaultZoneName, owners: defaultOwners))
    }
  }

  /// The names of copies have a number after a hyphen, so that all are different.
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

import RecordMigration
import RecordModel
import RecordSchema

extension RecipeCheck {
  /// The maximum number of zones.
  static let maxZones = 10_000

  func checkZones() throws {
    var count = 0
    for zone in recipe.zones {
      count += zone.owners * zone.copies
      guard count <= Self.maxZones else {
        throw error(
          zone.locations["copies"] ?? zone.location,
          "there would be more than \(Self.maxZones) zones")
      }
      if zone.name == ZoneID.defaultZoneName, zone.isShared || zone.copies > 1 {
        throw error(
          zone.locations["shared"] ?? zone.location,
          "there is one default zone, which cannot be shared")
      }
    }
    try checkZoneNames()
  }

  /// Checks the names that zones get by `copies`.
  private func checkZoneNames() throws {
    var rules: [String: String] = [:]
    for zone in recipe.zones + impliedZones {
      let names = zone.names
      let length = names.last?.utf8.count ?? 0
      guard length <= RecordLimits.cloudKit.zoneNameLength else {
        throw error(
          zone.locations["copies"] ?? zone.location,
          "the names of the copies would have \(length) characters; the maximum is "
            + "\(RecordLimits.cloudKit.zoneNameLength)")
      }
      for name in names {
        guard let other = rules.updateValue(zone.name, forKey: name) else { continue }
        throw error(
          zone.location,
          "zone '\(name)' is there twice, by '\(other)' and by '\(zone.name)': the copies of a zone "
            + "are numbered; rename one")
      }
    }
  }

  /// The zones that types name, and 'zones' does not.
  private var impliedZones: [ZoneRule] {
    var names = Set(recipe.zones.map(\.name))
    return recipe.types.compactMap { type in
      guard case .zone(let name) = type.home, names.insert(name).inserted else { return nil }
      return ZoneRule(name: name, location: type.locations["zone"] ?? type.location)
    }
  }
}

import CloudInterface
import RecordModel
import RecordStore

/// The zones of one response to a fetch of changes, each once.
package struct ZoneChanges: Sendable {
  /// The zones that are new, or whose records have changed, in the order of their last changes.
  package fileprivate(set) var modifications: [DatabaseChange.Modification] = []
  /// The zones that were deleted, in the order of their deletion.
  package fileprivate(set) var deletions: [DatabaseChange.Deletion] = []
  /// The position where the next page begins.
  package internal(set) var changeToken = ServerChangeToken(data: .init())
  package fileprivate(set) var moreComing = false

  private enum Item {
    case modification(ZoneID)
    case deletion(DeletedZone)

    var zoneID: ZoneID {
      switch self {
      case .modification(let zoneID): zoneID
      case .deletion(let tombstone): tombstone.zoneID
      }
    }
  }

  /// Adds the zones that have changed after a position. Zones with the same number of their last
  /// change, which an import can make, come by owner and name.
  ///
  /// - Parameters:
  ///   - start: the last change when the first fetch began. Zones that were deleted before are not
  ///     part of any fetch.
  ///   - last: the last change of the database.
  /// - Returns: the position after the last change that was added.
  mutating func add(
    of snapshot: AccountSnapshot, after position: ChangePosition, start: Int64, last: Int64,
    limit: Int
  ) throws -> ChangePosition {
    // With a name, some zones with the number of the position were not read.
    let change = position.name == nil ? position.change : position.change - 1
    var items = try snapshot.deletedZones(after: max(change, start))
      .map { ($0.change, Item.deletion($0.tombstone)) }
    var zones: [(change: Int64, place: ZoneLocation, zoneID: ZoneID)] = []
    for scope in snapshot.view.storedScopes {
      for zone in try snapshot.base.changedZones(in: scope, after: change) {
        let place = ZoneLocation(scope, zone.zoneID)
        guard let zoneID = snapshot.view.visible(place), !zoneID.isDefault else { continue }
        // Whoever fetches the changes of a damaged zone gets its error.
        guard
          try zone.isDamaged
            ? !snapshot.view.isOfOthers(place) : snapshot.hasChanges(place, after: change)
        else { continue }
        zones.append((min(zone.change, last), place, zoneID))
      }
    }
    // Where a page ends, only changes count that the user sees: after others, a zone would have none.
    let isCut = items.count + zones.count > limit
    items += try zones.map { zone in
      let seen = isCut ? try snapshot.lastChange(of: zone.place, after: change) : nil
      return (seen ?? zone.change, .modification(zone.zoneID))
    }
    let places = items.map { change, item in
      (place: ChangePosition(change: change, name: item.zoneID.positionName), item: item)
    }.filter { position.precedes($0.place) }.sorted { $0.place.precedes($1.place) }
    moreComing = places.count > limit
    for (_, item) in places.prefix(limit) {
      switch item {
      case .modification(let zoneID): modifications.append(.init(zoneID: zoneID))
      case .deletion(let tombstone): deletions.append(tombstone)
      }
    }
    return places.prefix(limit).last?.place ?? position
  }
}

extension ZoneID {
  /// The name of a zone among those with the same number.
  fileprivate var positionName: String { "\(ownerName)/\(zoneName)" }
}

extension AccountSnapshot {
  /// Returns the zones that the user does not see any more since a change, with its number.
  fileprivate func deletedZones(
    after change: Int64
  ) throws -> [(tombstone: DeletedZone, change: Int64)] {
    var deleted: [(tombstone: DeletedZone, change: Int64)] = []
    for scope in view.storedScopes {
      for zone in try base.deletedZones(in: scope, after: change) {
        let place = ZoneLocation(scope, zone.tombstone.zoneID)
        guard let zoneID = view.visible(place), !view.isOfOthers(place) else { continue }
        deleted.append((DeletedZone(zoneID: zoneID, reason: zone.tombstone.reason), zone.change))
      }
    }
    guard view.scope == .shared else { return deleted }
    for zone in try base.lostZones(of: view.user, after: change) {
      guard let zoneID = view.visible(ZoneLocation(.private, zone.zoneID)) else {
        continue
      }
      deleted.append((DeletedZone(zoneID: zoneID), zone.change))
    }
    return deleted
  }

  /// Returns the number of the last change in another user's zone that the user sees; nil for other
  /// zones.
  fileprivate func lastChange(of zone: ZoneLocation, after change: Int64) throws -> Int64? {
    guard view.isOfOthers(zone), let zoneID = view.visible(zone),
      let feed = try ZoneFeed(of: zoneID, self)
    else { return nil }
    var last = feed.firstChange
    try feed.forEachChange(after: ChangePosition(change: change)) { _, position in
      last = max(last, position.change)
      return true
    }
    return last
  }

  /// Whether the user sees a zone and, if it is of another user, something in it that has changed.
  fileprivate func hasChanges(_ zone: ZoneLocation, after change: Int64) throws -> Bool {
    guard view.isOfOthers(zone) else { return true }
    guard let zoneID = view.visible(zone), let feed = try ZoneFeed(of: zoneID, self) else {
      return false
    }
    if change < feed.firstChange { return true }
    var hasChanges = false
    try feed.forEachChange(after: ChangePosition(change: change)) { _, _ in
      hasChanges = true
      return false
    }
    return hasChanges
  }
}

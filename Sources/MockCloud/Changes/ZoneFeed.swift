import RecordModel
import RecordStore

/// The changes of a zone as a user sees them.
///
/// Of another user's zone, a user gets the changes of records that shares let the user see. A record
/// that the user began to see comes as a changed one, one that the user ceased to see as a deleted
/// one. So tombstones do not matter: whoever saw a deleted record has ceased to see it.
struct ZoneFeed {
  private let snapshot: AccountSnapshot
  private let zone: StoredZone
  private let zoneID: ZoneID
  private let history: ZoneHistory
  /// The number of the change with which the user began to see the zone: nothing is known about
  /// what was before.
  let firstChange: Int64

  /// - Parameter zoneID: the zone as the user sees it.
  /// - Returns: nil if the user does not see it.
  init?(of zoneID: ZoneID, _ snapshot: AccountSnapshot) throws {
    guard let zone = try snapshot.stored(zoneID),
      let history = try snapshot.base.history(of: zone.zoneID, in: zone.scope)
    else { return nil }
    self.snapshot = snapshot
    self.zone = zone
    self.zoneID = zoneID
    self.history = history
    let gained =
      snapshot.view.isOfOthers(zone)
      ? try snapshot.base.gainedZone(history, account: snapshot.view.user) : nil
    firstChange = max(history.firstChange, gained ?? 0)
  }

  /// Calls `body` with the changes after a position, in the order of their numbers, until it returns
  /// false. Each record comes once.
  ///
  /// - Parameter body: gets the change and the position after it.
  func forEachChange(
    after position: ChangePosition, _ body: (StoredChange, ChangePosition) throws -> Bool
  ) throws {
    guard snapshot.view.isOfOthers(zone) else {
      return try snapshot.base.forEachChange(of: history, in: zone.scope, after: position) {
        try body(seen($0), $1)
      }
    }
    let user = snapshot.view.user
    var rows = try snapshot.base.accessChanges(in: history, account: user, after: position)[...]
    let hasRows = try !rows.isEmpty || snapshot.base.hasAccessChanges(in: history, account: user)
    var goesOn = true
    try snapshot.base.forEachChange(of: history, in: zone.scope, after: position) { change, place in
      while goesOn, let row = rows.first, precedes(row, place) {
        rows.removeFirst()
        goesOn = try tell(row, body)
      }
      guard goesOn, case .saved(let record) = change, try snapshot.sees(record, in: zone) else {
        return goesOn
      }
      let name = record.recordID.recordName
      if hasRows,
        let later = try snapshot.base.accessChange(of: name, in: history, account: user),
        later > place.change
      {
        return goesOn
      }
      goesOn = try body(.saved(snapshot.view.shown(record, in: zone)), place)
      return goesOn
    }
    while goesOn, let row = rows.popFirst() { goesOn = try tell(row, body) }
  }

  private func precedes(_ row: (name: String, change: Int64), _ place: ChangePosition) -> Bool {
    row.change != place.change
      ? row.change < place.change : compareUTF8(row.name, place.name ?? "") <= 0
  }

  /// Tells of a record that the user began or ceased to see.
  private func tell(
    _ row: (name: String, change: Int64), _ body: (StoredChange, ChangePosition) throws -> Bool
  ) throws -> Bool {
    let position = ChangePosition(change: row.change, name: row.name)
    let stored = RecordID(recordName: row.name, zoneID: zone.zoneID)
    let record = try snapshot.base.record(for: stored, in: zone.scope)
    if let record, try snapshot.sees(record, in: zone) {
      // One that was changed later comes with that change.
      let change = try snapshot.base.change(of: stored, in: zone.scope) ?? 0
      return try change > row.change
        || body(.saved(snapshot.view.shown(record, in: zone)), position)
    }
    let type =
      try record?.recordType ?? snapshot.base.tombstone(of: stored, in: zone.scope)?.recordType
    let tombstone = DeletedRecord(
      recordID: RecordID(recordName: row.name, zoneID: zoneID), recordType: type)
    return try body(.deleted(tombstone), position)
  }

  private func seen(_ change: StoredChange) -> StoredChange {
    switch change {
    case .saved(let record): return .saved(snapshot.view.shown(record, in: zone))
    case .deleted(var tombstone):
      tombstone.recordID = RecordID(
        recordName: tombstone.recordID.recordName, zoneID: zoneID)
      return .deleted(tombstone)
    }
  }
}

import RecordModel
import RecordStore

/// The changes of a zone as a user sees them.
///
/// Of another user's zone, a user gets the changes of records that shares let the user see. A record
/// that the user began to see comes as a changed one, one that the user ceased to see as a deleted
/// one. So tombstones do not matter: whoever saw a deleted record has ceased to see it.
struct ZoneFeed {
  private let snapshot: AccountSnapshot
  private let zone: ZoneLocation
  private let zoneID: ZoneID
  private let history: ZoneHistory
  /// Whether the user began or ceased to see records of another user's zone.
  private let hasAccessChanges: Bool
  /// The number of the change with which the user began to see the zone: nothing is known about
  /// earlier changes.
  let firstChange: Int64

  /// - Parameter zoneID: the zone as the user sees it.
  /// - Returns: nil if the user does not see it.
  init?(of zoneID: ZoneID, _ snapshot: AccountSnapshot) throws {
    guard let zone = try snapshot.location(of: zoneID),
      let history = try snapshot.base.history(of: zone.zoneID, in: zone.database)
    else { return nil }
    self.snapshot = snapshot
    self.zone = zone
    self.zoneID = zoneID
    self.history = history
    let gained =
      snapshot.view.isOfOthers(zone)
      ? try snapshot.base.gainedZone(history, account: snapshot.view.user) : nil
    firstChange = max(history.firstChange, gained ?? 0)
    hasAccessChanges =
      try snapshot.view.isOfOthers(zone)
      && snapshot.base.hasAccessChanges(in: history, account: snapshot.view.user)
  }

  /// Calls `body` with the changes after a position, in the order of their numbers, until it returns
  /// false. Each record comes once.
  ///
  /// - Parameter body: gets the change and the position after it.
  func forEachChange(
    after position: ChangePosition, _ body: (StoredChange, ChangePosition) throws -> Bool
  ) throws {
    var rows = try accessChanges(after: position)[...]
    var goesOn = true
    try snapshot.base.forEachChange(of: history, in: zone.database, after: position) {
      change, place in
      while goesOn, let row = rows.first, precedes(row, place) {
        rows.removeFirst()
        goesOn = try report(row, body)
      }
      guard goesOn, let change = try seen(change, at: place) else { return goesOn }
      goesOn = try body(change, place)
      return goesOn
    }
    while goesOn, let row = rows.popFirst() { goesOn = try report(row, body) }
  }

  /// Calls `body` with the changes between two positions, the newest first, until it returns false.
  /// Each record comes once.
  ///
  /// - Parameters:
  ///   - end: nil for the end of the history.
  ///   - pageSize: the number of changes that are read at once.
  ///   - body: gets the change and its position.
  func forEachNewestChange(
    after start: ChangePosition, before end: ChangePosition?, pageSize: Int,
    _ body: (StoredChange, ChangePosition) throws -> Bool
  ) throws {
    var rows = try accessChanges(after: start).filter { row in
      end.map { ChangePosition(change: row.change, name: row.name).precedes($0) } ?? true
    }
    var (end, isLast) = (end, false)
    while !isLast {
      let page = try snapshot.base.newestChanges(
        of: history, in: zone.database, after: start, before: end, limit: pageSize)
      for (change, place) in page {
        while let row = rows.last, !precedes(row, place) {
          rows.removeLast()
          guard try report(row, body) else { return }
        }
        guard let change = try seen(change, at: place) else { continue }
        guard try body(change, place) else { return }
      }
      end = page.last?.position
      isLast = page.count < pageSize
    }
    while let row = rows.popLast() { guard try report(row, body) else { return } }
  }

  private func accessChanges(
    after position: ChangePosition
  ) throws -> [(name: String, change: Int64)] {
    guard hasAccessChanges else { return [] }
    return try snapshot.base.accessChanges(
      in: history, account: snapshot.view.user, after: position)
  }

  private func precedes(_ row: (name: String, change: Int64), _ place: ChangePosition) -> Bool {
    row.change != place.change
      ? row.change < place.change : compareUTF8(row.name, place.name ?? "") <= 0
  }

  /// Reports a record that the user began or ceased to see.
  private func report(
    _ row: (name: String, change: Int64), _ body: (StoredChange, ChangePosition) throws -> Bool
  ) throws -> Bool {
    let position = ChangePosition(change: row.change, name: row.name)
    let change = try readable(row.name) { try accessChange(row) }
    if case .unreadable? = change, try isChangedLater(row) { return true }
    return try change.map { try body($0, position) } ?? true
  }

  /// Returns the change for a record that the user began or ceased to see; nil for a record that the
  /// user sees, and that was changed later.
  private func accessChange(_ row: (name: String, change: Int64)) throws -> StoredChange? {
    let stored = RecordID(recordName: row.name, zoneID: zone.zoneID)
    let record = try snapshot.base.record(for: stored, in: zone.database)
    if let record, try snapshot.sees(record, in: zone) {
      return try isChangedLater(row) ? nil : .saved(snapshot.view.shown(record, in: zone))
    }
    do {
      let type =
        try record?.recordType ?? snapshot.base.tombstone(of: stored, in: zone.database)?.recordType
      return .deleted(DeletedRecord(recordID: visible(row.name), recordType: type))
    } catch let error as ContainerStoreError where error.code == .damaged {
      return .unreadable(visible(row.name), error)
    }
  }

  /// Whether a record was changed after the user began or ceased to see it: it comes with that change.
  private func isChangedLater(_ row: (name: String, change: Int64)) throws -> Bool {
    let stored = RecordID(recordName: row.name, zoneID: zone.zoneID)
    return try snapshot.base.change(of: stored, in: zone.database) ?? 0 > row.change
  }

  /// Returns a change, or the error of a damaged record that decides about it.
  private func readable(
    _ name: String, _ change: () throws -> StoredChange?
  ) throws -> StoredChange? {
    do {
      return try change()
    } catch let error as ContainerStoreError where error.recordID != nil {
      return .unreadable(visible(name), error)
    }
  }

  private func visible(_ name: String) -> RecordID { RecordID(recordName: name, zoneID: zoneID) }

  /// Returns a change as the user sees it; nil for a record that the user does not see, or gets with a
  /// later change of access.
  private func seen(_ change: StoredChange, at place: ChangePosition) throws -> StoredChange? {
    switch change {
    case .saved(let record):
      let name = record.recordID.recordName
      return try readable(name) {
        guard try snapshot.sees(record, in: zone), try !isReportedLater(name, than: place) else {
          return nil
        }
        return .saved(snapshot.view.shown(record, in: zone))
      }
    case .deleted(var tombstone):
      guard !snapshot.view.isOfOthers(zone) else { return nil }
      tombstone.recordID = visible(tombstone.recordID.recordName)
      return .deleted(tombstone)
    case .unreadable(let recordID, let error):
      // The mock cannot know whether the user sees a record of another user, so it returns the error.
      // Deletions of such records are changes of access.
      let exists = try snapshot.base.change(of: recordID, in: zone.database) != nil
      guard exists || !snapshot.view.isOfOthers(zone),
        try !isReportedLater(recordID.recordName, than: place)
      else { return nil }
      return .unreadable(visible(recordID.recordName), error)
    }
  }

  private func isReportedLater(_ name: String, than place: ChangePosition) throws -> Bool {
    guard hasAccessChanges else { return false }
    let later = try snapshot.base.accessChange(
      of: name, in: history, account: snapshot.view.user)
    return later.map { $0 > place.change } ?? false
  }
}

import RecordModel
import RecordStore

/// A zone that another user shares, in the copy of the contents that a user sees.
///
/// The user sees a record below a share if the user sees its parent. So an update follows the change
/// feed of the zone, and looks at the children of a record only if the user begins or ceases to see it.
struct SharedZoneCopy {
  /// The indexes by which an update finds the children of a record, and the records of a share.
  static let indexes: [RecordIndex.Kind] = [.parent, .share]

  private let copy: MirrorTransaction
  private let snapshot: AccountSnapshot
  /// The zone in the container.
  private let zone: ZoneLocation
  /// The zone as the user sees it.
  private let zoneID: ZoneID

  init(
    _ zoneID: ZoneID, at zone: ZoneLocation, of snapshot: AccountSnapshot,
    in copy: MirrorTransaction
  ) {
    self.copy = copy
    self.snapshot = snapshot
    self.zone = zone
    self.zoneID = zoneID
  }

  private var base: ContainerSnapshot { snapshot.base }
  private var scope: DatabaseScope { snapshot.scope }

  /// Copies the changes of the zone.
  ///
  /// - Parameters:
  ///   - earlier: the history as of the last update; nil before the first update.
  ///   - isEnding: whether the update is to end before its next record, with an error.
  /// - Returns: whether the next update can follow the change feed. It cannot if a record in another
  ///   zone may decide who sees a record of the zone.
  func update(
    to history: ZoneHistory, from earlier: ZoneHistory?, _ isEnding: () -> Bool
  ) throws -> Bool {
    if let earlier, try updateChanges(of: history, since: earlier) { return true }
    return try updateAll(of: history, isEnding)
  }

  /// Copies the records that have changed, and those that the user begins or ceases to see.
  ///
  /// - Returns: false if all records of the zone must be read.
  private func updateChanges(of history: ZoneHistory, since earlier: ZoneHistory) throws -> Bool {
    guard try base.hasIndexes(Self.indexes) else { return false }
    var found: [RecordID] = []
    try base.forEachChange(
      of: history, in: zone.database, after: ChangePosition(change: earlier.lastChange)
    ) { change, _ in
      switch change {
      case .saved(let record): found.append(record.recordID)
      case .deleted(let tombstone): found.append(stored(tombstone.recordID))
      case .unreadable(let recordID, _): found.append(recordID)
      }
      return true
    }
    // The share of the zone decides about all its records.
    let wholeShare = zone.zoneID.zoneWideShare
    guard !found.contains(wholeShare) else { return false }
    var known = Set(found)
    var next = 0
    while next < found.count {
      let recordID = found[next]
      next += 1
      let result = try base.readableRecord(recordID, in: zone.database)
      let record = (try? result.get())?.record
      guard record.map(isAlone) ?? true else { return false }
      guard try update(recordID, record) else { continue }
      for kind in Self.indexes {
        found += try base.records(referringTo: recordID, as: kind, in: zone.database)
          .filter { known.insert($0).inserted }
      }
    }
    return true
  }

  /// Updates a record.
  ///
  /// - Returns: whether the user may begin or cease to see other records because of it.
  private func update(_ recordID: RecordID, _ record: ResultRecord?) throws -> Bool {
    let earlier = try copy.record(for: visible(recordID), in: scope)
    let isSeen = try put(record, recordID)
    let isShare = earlier?.isShare == true || record?.isShare == true
    return record == nil || isShare || isSeen != (earlier != nil)
  }

  /// Copies all records of the zone that the user sees.
  private func updateAll(of history: ZoneHistory, _ isEnding: () -> Bool) throws -> Bool {
    var left: Set<RecordID> = []
    try copy.forEachRecord(in: scope, filter: RecordFilter(zoneIDs: [zoneID])) {
      left.insert($0.recordID)
    }
    var isAlone = true
    try base.forEachChange(
      of: history, in: zone.database, after: ChangePosition(change: .min)
    ) { change, _ in
      guard !isEnding() else { throw ContainerStoreError.closed }
      if case .saved(let record) = change, try put(record, record.recordID) {
        left.remove(visible(record.recordID))
      }
      if case .saved(let record) = change, !self.isAlone(record) { isAlone = false }
      return true
    }
    for recordID in left { try copy.remove(recordID, from: scope) }
    return isAlone
  }

  /// Adds, replaces or removes a record.
  ///
  /// - Parameter record: the record in the container; nil if it does not exist or cannot be read.
  /// - Returns: whether the user sees it.
  private func put(_ record: ResultRecord?, _ recordID: RecordID) throws -> Bool {
    guard let record, try isSeen(record) else {
      try copy.remove(visible(recordID), from: scope)
      return false
    }
    try copy.put(snapshot.view.shown(record, in: zone), in: scope)
    return true
  }

  private func isSeen(_ record: ResultRecord) throws -> Bool {
    do {
      return try snapshot.sees(record, in: zone)
    } catch let error as ContainerStoreError where error.recordID != nil {
      // A record that a damaged record decides about is an error, and so not in the copy.
      return false
    }
  }

  /// Whether only records of its zone decide who sees a record.
  private func isAlone(_ record: ResultRecord) -> Bool {
    [record.parent, record.share].allSatisfy { reference in
      reference.map { $0.recordID.zoneID == record.recordID.zoneID } ?? true
    }
  }

  private func visible(_ recordID: RecordID) -> RecordID {
    RecordID(recordName: recordID.recordName, zoneID: zoneID)
  }

  private func stored(_ recordID: RecordID) -> RecordID {
    RecordID(recordName: recordID.recordName, zoneID: zone.zoneID)
  }
}

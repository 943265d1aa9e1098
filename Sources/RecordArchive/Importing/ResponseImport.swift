import RecordCoding
import RecordModel

/// Imports responses into a container, in order.
///
/// If a later response deletes a record of an earlier one, the record is deleted under every
/// conflict policy. If it has another version of the record, ``ResultRecord/merged(into:)``
/// decides, and the policy only where that cannot. Members that the model does not know are
/// preserved. A zone that no response describes is created when a record names it. Zones of the user
/// whose data it is become those of the user's account in the container (``ResponseAccount``).
final class ResponseImport {
  private let target: ContainerImport
  private let responses: ResponseSet
  private let filter: RecordFilter
  private var account: ResponseAccount
  /// The records of this import that were not skipped for existing ones, and whether the import
  /// wrote them: false for a record that was there already with the same content. A later deletion
  /// applies to them under every policy.
  private var arrived: [RecordLocation: Bool] = [:]
  private var arrivedZones: Set<ZoneLocation> = []
  /// The zones known to exist.
  private var knownZones: Set<ZoneLocation> = []
  private var database: DatabaseScope { responses.database }

  init(_ target: ContainerImport, _ archiver: Archiver, _ responses: ResponseSet) throws {
    account = try ResponseAccount(target.writer, responses)
    self.target = target
    self.responses = responses
    filter = archiver.filter
  }

  /// - Parameter note: Called periodically with the number of records and bytes since the last call.
  func run(_ note: (_ records: Int, _ bytes: Int) throws -> Void) throws {
    guard filter.contains(database: database) else { return }
    try responses.forEachResponse { response, size in
      var records = 0
      account.note(response.allZones)
      for zone in response.allZones { try add(zone) }
      for item in response.items {
        try add(item)
        if case .record = item { records += 1 }
        if records == 256 {
          try note(records, 0)
          records = 0
        }
      }
      try note(records, size)
    }
    responses.users = account.users
    let info = try target.writer.info()
    guard
      info.currentUserRecordName != account.info.currentUserRecordName
        || info.accounts != account.info.accounts
    else { return }
    try target.writer.setInfo(
      account.info, replacingDamage: target.archiver.conflictPolicy == .replace)
  }

  private func add(_ item: ResponseItem) throws {
    switch item {
    case .record(let record): try add(record)
    case .tombstone(let tombstone): try add(tombstone)
    case .zone(let zone): try add(zone)
    case .deletedZone(let zoneID):
      let seen = account.seen(zoneID)
      guard filter.contains(deletedZone: seen, database: database) else { return }
      let place = account.place(seen)
      knownZones.remove(place)
      try target.add(
        DeletedZone(zoneID: place.zoneID), place.database,
        deletesExisting: arrivedZones.remove(place) != nil)
    case .subscription(let subscription):
      let seen = subscription.replacingZone { account.seen($0) }
      guard filter.contains(seen, database: database) else { return }
      target.count(seen, database)
      // Watched zones are named as their user sees them.
      if account.add(seen) {
        target.writer.counts.subscriptions += 1
      } else {
        try target.add(seen, database)
      }
    case .error, .unread: break
    }
  }

  private func add(_ tombstone: DeletedRecord) throws {
    var moved = tombstone
    moved.recordID = moved.recordID.moved(to: account.seen(tombstone.recordID.zoneID))
    guard filter.contains(moved, database: database) else { return }
    let place = account.place(moved.recordID.zoneID)
    moved.recordID = moved.recordID.moved(to: place.zoneID)
    let isOfImport =
      arrived.removeValue(forKey: RecordLocation(place.database, moved.recordID)) != nil
    try target.add(moved, place.database, deletesExisting: isOfImport)
  }

  private func add(_ zone: RecordZone) throws {
    var moved = zone
    moved.zoneID = account.seen(zone.zoneID)
    guard filter.contains(database: database, zoneID: moved.zoneID) else { return }
    let place = account.place(moved.zoneID)
    moved.share = moved.share?.replacingZone { $0 == zone.zoneID ? place.zoneID : $0 }
    moved.zoneID = place.zoneID
    try add(moved, at: place)
  }

  private func add(_ zone: RecordZone, at place: ZoneLocation) throws {
    let isNew = try !target.writer.hasZone(place.zoneID, in: place.database)
    if isNew { arrivedZones.insert(place) }
    knownZones.insert(place)
    try target.merge(zone, place.database)
  }

  private func add(_ found: ResultRecord) throws {
    let seen = account.seen(found)
    guard filter.contains(seen, database: database) else { return }
    let (record, database) = account.inContainer(seen)
    let location = RecordLocation(database, record.recordID)
    // A zone that was deleted earlier is created again.
    if !knownZones.contains(location.zone) {
      try add(RecordZone(zoneID: location.zone.zoneID), at: location.zone)
    }
    try target.count(record, database)
    if arrived[location] == true, try addVersion(record, database) { return }
    let counts = target.writer.counts
    try target.add(.record(record, database))
    guard target.writer.counts.kept == counts.kept else { return }
    arrived[location] = target.writer.counts.identical == counts.identical
  }

  /// Adds another version of a record of this import.
  ///
  /// - Returns: Whether the versions say which content the record has.
  private func addVersion(_ record: ResultRecord, _ database: DatabaseScope) throws -> Bool {
    guard let earlier = try target.writer.imported(record.recordID, in: database),
      let merged = record.merged(into: earlier)
    else { return false }
    guard merged != earlier else {
      if record == earlier {
        target.writer.counts.identical += 1
      } else {
        target.writer.counts.kept += 1
      }
      return true
    }
    try target.writer.remove(record.recordID, from: database)
    try target.writer.add(merged, to: database)
    target.writer.counts.added -= 1
    target.writer.counts.replaced += 1
    return true
  }
}

extension ResultRecord {
  /// Returns the content of a record that two responses have; nil if nothing says which is newer.
  ///
  /// The later modification date decides. Without different dates, the later response is newer if
  /// both have a change tag. If the tags are the same, it may omit fields that were not asked for
  /// (`desiredKeys`), and these stay.
  ///
  /// - Parameter earlier: The record of the earlier response.
  func merged(into earlier: ResultRecord) -> ResultRecord? {
    guard recordType.sameScalars(as: earlier.recordType) else { return nil }
    if let date = modificationDate, let before = earlier.modificationDate, date != before {
      return date > before ? self : earlier
    }
    guard let tag = recordChangeTag, let before = earlier.recordChangeTag else {
      return nil
    }
    guard tag.sameScalars(as: before) else { return self }
    let names = NameSet(fields.map(\.name))
    let others = earlier.fields.filter { !names.contains($0.name) }
    return ResultRecord(systemFields: systemFields, fields: others + fields)
  }
}

extension RecordID {
  fileprivate func moved(to zoneID: ZoneID) -> RecordID {
    RecordID(recordName: recordName, zoneID: zoneID)
  }
}

extension ResponseItem {
  /// The words of an error that stands in place of an item, or of a part that could not be read.
  var error: String? {
    switch self {
    case .error(let error): error.description
    case .unread(let error): error.description
    default: nil
    }
  }
}

import RecordStore
import RecordBundle
import RecordCoding
import RecordModel

/// Imports responses into a container, in order.
///
/// If a later response deletes a record of an earlier one, the record is deleted under every
/// conflict policy. If it has another version of the record, ``ResultRecord/merged(into:)``
/// decides, and the policy only where that cannot. Members that the model does not know are
/// preserved. A zone that no response describes is created when a record names it.
final class ResponseImport {
  private let target: ContainerImport
  private let responses: ResponseSet
  private let filter: RecordFilter
  /// The records of this import that were not skipped for existing ones, and whether the import
  /// wrote them: false for a record that was there already with the same content. A later deletion
  /// applies to them under every policy.
  private var arrived: [RecordID: Bool] = [:]
  private var arrivedZones: Set<ZoneID> = []
  /// The zones known to exist.
  private var knownZones: Set<ZoneID> = []
  private var database: DatabaseScope { responses.database }

  init(_ target: ContainerImport, _ archiver: Archiver, _ responses: ResponseSet) {
    self.target = target
    self.responses = responses
    filter = archiver.filter
  }

  /// - Parameter note: Called periodically with the number of records and bytes since the last call.
  func run(_ note: (_ records: Int, _ bytes: Int) throws -> Void) throws {
    guard filter.contains(database: database) else { return }
    try responses.forEachResponse { response, size in
      var records = 0
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
  }

  private func add(_ item: ResponseItem) throws {
    switch item {
    case .record(let record): try add(record)
    case .tombstone(let tombstone):
      guard filter.contains(tombstone, database: database) else { return }
      try target.add(
        tombstone, database, deletesExisting: arrived.removeValue(forKey: tombstone.recordID) != nil
      )
    case .zone(let zone): try add(zone)
    case .deletedZone(let zoneID):
      guard filter.contains(deletedZone: zoneID, database: database) else { return }
      knownZones.remove(zoneID)
      try target.add(
        DeletedZone(zoneID: zoneID), database, deletesExisting: arrivedZones.remove(zoneID) != nil
      )
    case .subscription(let subscription):
      guard filter.contains(subscription, database: database) else { return }
      target.count(subscription, database)
      try target.add(subscription, database)
    case .error, .unread: break
    }
  }

  private func add(_ zone: RecordZone) throws {
    guard filter.contains(database: database, zoneID: zone.zoneID) else { return }
    let isNew = try !target.writer.hasZone(zone.zoneID, in: database)
    if isNew { arrivedZones.insert(zone.zoneID) }
    knownZones.insert(zone.zoneID)
    try target.merge(zone, database)
  }

  private func add(_ record: ResultRecord) throws {
    guard filter.contains(record, database: database) else { return }
    let zoneID = record.recordID.zoneID
    // A zone that was deleted earlier is created again.
    if !knownZones.contains(zoneID) { try add(RecordZone(zoneID: zoneID)) }
    try target.count(record, database)
    if arrived[record.recordID] == true, try addVersion(record) { return }
    let counts = target.writer.counts
    try target.add(.record(record, database))
    guard target.writer.counts.kept == counts.kept else { return }
    arrived[record.recordID] = target.writer.counts.identical == counts.identical
  }

  /// Adds another version of a record of this import.
  ///
  /// - Returns: Whether the versions say which content the record has.
  private func addVersion(_ record: ResultRecord) throws -> Bool {
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

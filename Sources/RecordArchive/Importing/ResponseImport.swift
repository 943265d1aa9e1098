import RecordStore
import RecordBundle
import RecordCoding
import RecordModel

/// Imports responses into a container, in order. Later responses are newer.
///
/// If a later response deletes a record of an earlier one, the record is deleted under every
/// conflict policy. Members that the model does not know are preserved. A zone that no response
/// describes is created when a record names it.
final class ResponseImport {
  private let target: ContainerImport
  private let responses: ResponseSet
  private let filter: RecordFilter
  /// The records of this import that were not skipped for existing ones. A later deletion applies
  /// to them under every policy. Empty under `.replace`, where it applies to all.
  private var arrived: Set<RecordID> = []
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
        tombstone, database, deletesExisting: arrived.remove(tombstone.recordID) != nil)
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
    let isNew = try target.writer.zone(zone.zoneID, in: database) == nil
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
    let kept = target.writer.counts.kept
    try target.add(.record(record, database))
    if target.archiver.conflictPolicy != .replace, target.writer.counts.kept == kept {
      arrived.insert(record.recordID)
    }
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

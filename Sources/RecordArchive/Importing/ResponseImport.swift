import MockCloud
import RecordBundle
import RecordCoding
import RecordModel

/// Imports responses into a container, in order. Later responses are newer.
final class ResponseImport {
  private let target: ContainerImport
  private let database: DatabaseScope
  private let filter: RecordFilter
  /// The records of this import that were not skipped for existing ones. A later deletion applies
  /// to them under every policy.
  private var arrived: Set<RecordID> = []
  private var arrivedZones: Set<ZoneID> = []
  /// The zones known to exist.
  private var knownZones: Set<ZoneID> = []
  /// Whether responses contain anything besides errors.
  private var hasContent = false
  private var firstError: String?

  init(_ target: ContainerImport, _ database: DatabaseScope, _ filter: RecordFilter) {
    self.target = target
    self.database = database
    self.filter = filter
  }

  /// Adds the content of a response.
  ///
  /// - Parameter didAdd: Called after each record.
  func add(
    _ response: ResponseContents, of source: String, didAdd: () throws -> Void
  ) throws {
    for zone in response.allZones { try add(zone) }
    for item in response.items {
      if let error = item.error {
        firstError = firstError ?? "\(source): \(error)"
        target.note("\(source): \(error)")
        continue
      }
      hasContent = true
      try add(item)
      if case .record = item { try didAdd() }
    }
  }

  /// - Throws: ``ImportError/onlyErrors(_:)``.
  func finish() throws {
    if let firstError, !hasContent { throw ImportError.onlyErrors(firstError) }
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
      guard filter.contains(zoneTombstone: zoneID, database: database) else { return }
      knownZones.remove(zoneID)
      try target.add(
        zoneTombstone: zoneID, database, deletesExisting: arrivedZones.remove(zoneID) != nil)
    case .subscription(let subscription):
      guard filter.contains(subscription, database: database) else { return }
      target.count(subscription, database)
      try target.add(subscription, database)
    case .error, .unread: break
    }
  }

  private func add(_ zone: RecordZone) throws {
    guard filter.contains(database: database, zoneID: zone.zoneID) else { return }
    let isNew = try target.writer.existingZone(zone.zoneID, in: database) == nil
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
    if target.writer.counts.kept == kept { arrived.insert(record.recordID) }
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

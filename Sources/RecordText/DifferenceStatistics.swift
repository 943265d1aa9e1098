import RecordArchive
import RecordCoding
import RecordModel

/// Counts of differences by database, zone and type.
package struct DifferenceStatistics {
  /// The records of one type in one zone.
  package struct Key: Hashable {
    package var database: DatabaseScope
    package var zoneID: ZoneID
    package var type: ExactString

    package init(_ database: DatabaseScope, _ zoneID: ZoneID, type: String) {
      (self.database, self.zoneID, self.type) = (database, zoneID, ExactString(type))
    }
  }

  package struct Counts: Hashable {
    package var added = 0
    package var removed = 0
    package var changed = 0

    package init() {}
  }

  /// Of records.
  package private(set) var counts: [Key: Counts] = [:]
  /// Of everything else, by kind.
  package private(set) var others: [String: Counts] = [:]

  package init() {}

  package mutating func add(_ change: ArchiveChange) {
    switch change {
    case .recordAdded(let record, let database):
      counts[Self.key(record, database), default: Counts()].added += 1
    case .recordRemoved(let record, let database):
      counts[Self.key(record, database), default: Counts()].removed += 1
    case .recordChanged(let difference, let type, let database):
      let key = Key(database, difference.recordID.zoneID, type: type)
      counts[key, default: Counts()].changed += 1
    case .item(let kind, let item, _):
      switch item.kind {
      case .container: add(kind, "container")
      case .zone, .subscription, .tombstone, .asset: add(kind, "\(item.kind.rawValue)s")
      case .zoneTombstone: add(kind, "tombstones")
      }
    }
  }

  private static func key(_ record: ResultRecord, _ database: DatabaseScope) -> Key {
    Key(database, record.recordID.zoneID, type: record.recordType)
  }

  private mutating func add(_ kind: ArchiveChange.Kind, _ what: String) {
    switch kind {
    case .added: others[what, default: Counts()].added += 1
    case .removed: others[what, default: Counts()].removed += 1
    case .changed: others[what, default: Counts()].changed += 1
    }
  }

  /// The sections with differences, in the order of a bundle.
  package var keys: [Key] {
    counts.keys.sorted { a, b in
      if a.database != b.database { return a.database < b.database }
      return a.zoneID != b.zoneID ? a.zoneID < b.zoneID : a.type < b.type
    }
  }

  /// The counts as a list of objects: of records by section, of everything else by kind.
  package var json: JSONValue {
    let records = keys.map { key in
      JSONValue.merging(
        ZoneLocation(key.database, key.zoneID).json, ["recordType": key.type.string],
        (counts[key] ?? Counts()).json)
    }
    let rest = others.keys.sorted().map { name in
      JSONValue.merging(["kind": name], (others[name] ?? Counts()).json)
    }
    return .array(records + rest)
  }
}

extension DifferenceStatistics.Counts {
  fileprivate var json: JSONValue { ["added": added, "removed": removed, "changed": changed] }
}

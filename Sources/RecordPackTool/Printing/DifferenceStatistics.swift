import RecordArchive
import RecordCoding
import RecordModel
import RecordText

/// Counts of differences by database, zone and type.
struct DifferenceStatistics {
  private struct Key: Hashable {
    var database: DatabaseScope
    var zoneID: ZoneID
    var type: NameKey
  }

  private struct Counts {
    var added = 0
    var removed = 0
    var changed = 0
  }

  private var counts: [Key: Counts] = [:]
  private var others: [String: Counts] = [:]

  mutating func add(_ change: ArchiveChange) {
    switch change {
    case .recordAdded(let record, let database):
      counts[Self.key(record, database), default: Counts()].added += 1
    case .recordRemoved(let record, let database):
      counts[Self.key(record, database), default: Counts()].removed += 1
    case .recordChanged(let difference, let type, let database):
      let key = Key(database: database, zoneID: difference.recordID.zoneID, type: NameKey(type))
      counts[key, default: Counts()].changed += 1
    case .info: others["container", default: Counts()].changed += 1
    case .zone(let kind, _, _): add(kind, "zones")
    case .subscription(let kind, _, _): add(kind, "subscriptions")
    case .tombstone(let kind, _, _), .zoneTombstone(let kind, _, _): add(kind, "tombstones")
    case .asset(let kind, _, _): add(kind, "assets")
    }
  }

  private static func key(_ record: ResultRecord, _ database: DatabaseScope) -> Key {
    Key(database: database, zoneID: record.recordID.zoneID, type: NameKey(record.recordType))
  }

  private mutating func add(_ kind: ArchiveChange.Kind, _ what: String) {
    switch kind {
    case .added: others[what, default: Counts()].added += 1
    case .removed: others[what, default: Counts()].removed += 1
    case .changed: others[what, default: Counts()].changed += 1
    }
  }

  var table: Table {
    var table = Table([.left, .left, .left, .right, .right, .right])
    table.add("DATABASE", "ZONE", "TYPE", "ADDED", "REMOVED", "CHANGED", color: .dim)
    for key in keys {
      let names = [
        Table.Cell(key.database.rawValue), .init("\(key.zoneID)"), .init(key.type.string, .cyan),
      ]
      table.add(names + Self.cells(counts[key] ?? Counts()))
    }
    for name in others.keys.sorted() {
      table.add([.init(name), .init(""), .init("")] + Self.cells(others[name] ?? Counts()))
    }
    return table
  }

  private var keys: [Key] {
    counts.keys.sorted { a, b in
      if a.database != b.database { return a.database < b.database }
      return a.zoneID != b.zoneID ? a.zoneID < b.zoneID : a.type < b.type
    }
  }

  /// The counts as a list of objects: of records by section, of everything else by kind.
  var json: JSONValue {
    let records = keys.map { key in
      let place = Identity(key.database, key.zoneID, type: key.type.string).members
      return JSONValue.object(place + Self.members(counts[key] ?? Counts()))
    }
    let rest = others.keys.sorted().map { name in
      JSONValue.object([.init("kind", .string(name))] + Self.members(others[name] ?? Counts()))
    }
    return .array(records + rest)
  }

  private static func members(_ counts: Counts) -> [JSONValue.Member] {
    [
      .init("added", .integer(counts.added)), .init("removed", .integer(counts.removed)),
      .init("changed", .integer(counts.changed)),
    ]
  }

  private static func cells(_ counts: Counts) -> [Table.Cell] {
    func cell(_ count: Int, _ color: Style.Color) -> Table.Cell {
      count == 0 ? .init("0", .dim) : .init(Numbers.grouped(count), color)
    }
    return [cell(counts.added, .green), cell(counts.removed, .red), cell(counts.changed, .yellow)]
  }
}

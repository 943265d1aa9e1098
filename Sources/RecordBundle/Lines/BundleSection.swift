import RecordCoding
import RecordModel

/// A run of lines of one kind, database, zone and record type, as listed in the index.
public struct BundleSection: Sendable, Hashable {
  /// The kind of the lines.
  public var kind: LineKind
  /// The database; nil for assets.
  public var database: DatabaseScope?
  /// The zone; nil for all but records and tombstones.
  public var zoneID: ZoneID?
  /// The record type; nil for all but records.
  public var recordType: String?
  /// The number of lines.
  public var lines = 0
  /// The size of the lines in bytes, including line feeds.
  public var bytes = 0
  /// The number of assets that begin in the section; 0 for other kinds.
  public var assets = 0
  /// The frames of the lines, from 0; the first and the last may also contain others.
  public var frames: ClosedRange<Int>

  init(_ key: LineKey, frames: ClosedRange<Int>) {
    kind = key.kind
    database = key.database
    zoneID = key.zoneID
    recordType = key.recordType
    self.frames = frames
  }
}

extension BundleSection {
  var jsonValue: JSONValue {
    .object([
      "kind": .string(kind.rawValue), "database": (database?.rawValue).map(JSONValue.string),
      "zoneID": zoneID?.jsonValue(), "recordType": recordType.map(JSONValue.string),
      "lines": .integer(lines), "bytes": .integer(bytes),
      "assets": kind == .asset ? .integer(assets) : nil,
      "firstFrame": .integer(frames.lowerBound), "lastFrame": .integer(frames.upperBound),
    ])
  }

  /// Parses a section; nil if the JSON is not one.
  init?(json: JSONValue, frameCount: Int) {
    guard let kind = json["kind"]?.string.flatMap(LineKind.init),
      let lines = json["lines"]?.integer, let bytes = json["bytes"]?.integer,
      let first = json["firstFrame"]?.integer,
      let last = json["lastFrame"]?.integer, lines >= 0, bytes >= 0, 0 <= first, first <= last,
      last < frameCount, first > 0, lines > 0, bytes >= lines,
      let assets = json["assets"] == nil ? 0 : json["assets"]?.integer, 0...lines ~= assets
    else { return nil }
    let database = json["database"]?.string.map(DatabaseScope.init(rawValue:))
    if case .some(.none) = database { return nil }
    var zoneID: ZoneID?
    if let zone = json["zoneID"] {
      guard let read = try? ZoneID(json: zone) else { return nil }
      zoneID = read
    }
    self.init(
      LineKey(
        kind: kind, database: database ?? nil, zoneID: zoneID,
        recordType: json["recordType"]?.string), frames: first...last)
    self.lines = lines
    self.bytes = bytes
    self.assets = assets
    guard isComplete else { return nil }
  }
}

extension BundleSection {
  /// Whether the database, zone and record type are present exactly where sections of this kind have
  /// them.
  fileprivate var isComplete: Bool {
    let needsZone = kind == .record || kind == .tombstone
    return kind != .header && kind != .index && (database != nil) == (kind != .asset)
      && (zoneID != nil) == needsZone && (recordType != nil) == (kind == .record)
      && recordType?.isEmpty != true
  }
}

extension RecordFilter {
  /// Whether the filter may include lines of a section.
  package func contains(_ section: BundleSection) -> Bool {
    if let database = section.database, !contains(database: database, zoneID: section.zoneID) {
      return false
    }
    guard let recordTypes else { return true }
    if section.kind == .zoneTombstone { return false }
    return section.recordType.map { recordTypes.contains($0) } ?? true
  }

  /// Whether the filter includes an item. Chunks of assets are always included: which assets are
  /// needed depends on the records.
  package func contains(_ item: BundleItem) -> Bool {
    switch item {
    case .record(let record, let database): contains(record, database: database)
    case .zone(let zone, let database): contains(database: database, zoneID: zone.zoneID)
    case .subscription(let subscription, let database):
      contains(subscription, database: database)
    case .tombstone(let tombstone, let database): contains(tombstone, database: database)
    case .zoneTombstone(let tombstone, let database):
      contains(deletedZone: tombstone.zoneID, database: database)
    case .asset: true
    }
  }
}

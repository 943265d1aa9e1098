import RecordModel

/// The sort key of a line without its name: what orders it before the name does.
struct LineKey {
  var kind: LineKind
  /// The database; nil for assets.
  var database: DatabaseScope?
  /// The zone; nil for subscriptions and assets.
  var zoneID: ZoneID?
  /// The record type; nil for all but records.
  var recordType: String?

  /// Whether lines of both keys are ordered by their names.
  func isSame(as other: LineKey) -> Bool {
    kind == other.kind && database == other.database && zoneID == other.zoneID
      && Self.isSame(recordType, other.recordType)
  }

  fileprivate static func isSame(_ type: String?, _ other: String?) -> Bool {
    guard let type, let other else { return type == nil && other == nil }
    return type.sameScalars(as: other)
  }

  /// Whether lines of this key come before those of another in a bundle.
  func precedes(_ other: LineKey) -> Bool {
    if kind != other.kind { return kind.rank < other.kind.rank }
    if let database, let next = other.database, database != next { return database < next }
    if let zoneID, let next = other.zoneID, zoneID != next { return zoneID < next }
    return compareUTF8(recordType ?? "", other.recordType ?? "") < 0
  }

  /// The part that is empty although CloudKit requires it not to be.
  var emptyPart: String? {
    if recordType?.isEmpty == true { return "record type" }
    if zoneID?.zoneName.isEmpty == true { return "zone name" }
    return zoneID?.ownerName.isEmpty == true ? "owner of a zone" : nil
  }

  /// Returns a description of a line for messages; without a name, of all lines of the key.
  func description(of name: String? = nil) -> String {
    var text = kind.noun
    switch kind {
    case .zone, .zoneTombstone: text += zoneID.map { " '\($0)'" } ?? "s"
    default:
      text += name.map { " '\($0)'" } ?? "s"
      if let recordType { text += " of type '\(recordType)'" }
      if let zoneID { text += " in zone '\(zoneID)'" }
    }
    if let database { text += " of the \(database) database" }
    return text
  }
}

extension BundleSection {
  /// The key of the section's lines, but without the zone in sections of zones and zone tombstones.
  var key: LineKey {
    LineKey(kind: kind, database: database, zoneID: zoneID, recordType: recordType)
  }

  /// Whether a line with that key belongs to this section.
  @inline(__always)
  func contains(_ key: LineKey) -> Bool {
    kind == key.kind && database == key.database && (zoneID == nil || zoneID == key.zoneID)
      && LineKey.isSame(recordType, key.recordType)
  }
}

import RecordModel

extension BundleSection {
  /// The properties that all lines of a section share.
  struct Key {
    var kind: LineKind
    var database: DatabaseScope?
    var zoneID: ZoneID?
    var recordType: String?

    init(
      kind: LineKind, database: DatabaseScope? = nil, zoneID: ZoneID? = nil,
      recordType: String? = nil
    ) {
      self.kind = kind
      self.database = database
      self.zoneID = zoneID
      self.recordType = recordType
    }
  }

  /// Whether a line with that key belongs to this section.
  @inline(__always)
  func takes(_ key: Key) -> Bool {
    guard kind == key.kind, database == key.database, zoneID == key.zoneID else { return false }
    return recordType.map { own in key.recordType?.sameScalars(as: own) ?? false }
      ?? (key.recordType == nil)
  }
}

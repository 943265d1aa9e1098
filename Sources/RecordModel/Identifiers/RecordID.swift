/// The identity of a record within a database: its name and its zone (`CKRecord.ID`).
public struct RecordID: Sendable, Hashable {
  package let packedName: PackedName
  /// The zone of the record.
  public let zoneID: ZoneID

  /// Creates an identifier, without checking it (see ``RecordLimits``).
  public init(recordName: String, zoneID: ZoneID = .default) {
    packedName = PackedName(recordName)
    self.zoneID = zoneID
  }

  package init(packedName: PackedName, zoneID: ZoneID) {
    self.packedName = packedName
    self.zoneID = zoneID
  }

  /// The name of the record, unique in its zone: 1 to 255 ASCII characters; only a user record's
  /// name may start with `_`.
  public var recordName: String { packedName.string }
}

extension RecordID: Comparable {
  /// Orders identifiers by zone, then by the UTF-8 bytes of the name.
  public static func < (lhs: RecordID, rhs: RecordID) -> Bool {
    if lhs.zoneID != rhs.zoneID { return lhs.zoneID < rhs.zoneID }
    return compareUTF8(lhs.recordName, rhs.recordName) < 0
  }
}

extension RecordID: CustomStringConvertible {
  /// The name in the default zone, `zone:recordName` in any other.
  public var description: String {
    zoneID == .default ? recordName : "\(zoneID):\(recordName)"
  }
}

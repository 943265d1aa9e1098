/// The identity of a record within a database: its name and its zone (`CKRecord.ID`).
public struct RecordID: Sendable, Hashable {
  package let packedName: PackedName
  /// The zone the record lives in.
  public let zoneID: ZoneID

  /// Makes an identifier; nothing is checked here (see ``RecordLimits``).
  public init(recordName: String, zoneID: ZoneID = .default) {
    packedName = PackedName(recordName)
    self.zoneID = zoneID
  }

  package init(packedName: PackedName, zoneID: ZoneID) {
    self.packedName = packedName
    self.zoneID = zoneID
  }

  /// The record's name, unique in its zone: 1 to 255 ASCII characters, not starting with `_`
  /// unless it is a user's.
  public var recordName: String { packedName.string }
}

extension RecordID: Comparable {
  /// By zone, then by the UTF-8 bytes of the name.
  public static func < (lhs: RecordID, rhs: RecordID) -> Bool {
    if lhs.zoneID != rhs.zoneID { return lhs.zoneID < rhs.zoneID }
    return compareUTF8(lhs.recordName, rhs.recordName) < 0
  }
}

extension RecordID: CustomStringConvertible {
  /// `recordName` in the default zone, `zone:recordName` elsewhere.
  public var description: String {
    zoneID == .default ? recordName : "\(zoneID):\(recordName)"
  }
}

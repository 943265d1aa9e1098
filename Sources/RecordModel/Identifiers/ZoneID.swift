/// The identity of a record zone: its name and its owner (`CKRecordZone.ID`).
///
/// A zone identifier is one pointer wide; the records of a zone share it.
public struct ZoneID: Sendable {
  /// The owner name that stands for the signed-in user, `__defaultOwner__` (`CKCurrentUserDefaultName`).
  public static let currentUserOwnerName = "__defaultOwner__"
  /// The name of the zone every database has, `_defaultZone` (`CKRecordZone.ID.defaultZoneName`).
  public static let defaultZoneName = "_defaultZone"
  /// The default zone of the signed-in user.
  public static let `default` = ZoneID(zoneName: defaultZoneName)

  private final class Names: Sendable {
    let zoneName: String
    let ownerName: String

    init(zoneName: String, ownerName: String) {
      self.zoneName = zoneName
      self.ownerName = ownerName
    }
  }

  private let names: Names

  /// Makes an identifier; nothing is checked here (see ``RecordLimits``).
  public init(zoneName: String, ownerName: String = ZoneID.currentUserOwnerName) {
    names = Names(zoneName: zoneName, ownerName: ownerName)
  }

  /// The zone's name, up to 255 ASCII characters.
  public var zoneName: String { names.zoneName }

  /// The record name of the user who owns the zone, or ``currentUserOwnerName``.
  public var ownerName: String { names.ownerName }

  /// Whether this is a default zone, which has no change feed, no atomic saves and no shares.
  public var isDefault: Bool { zoneName.sameScalars(as: Self.defaultZoneName) }

  /// Whether both are the very same object in memory: enough for equality, and cheap.
  package func isIdentical(to other: ZoneID) -> Bool { names === other.names }
}

extension ZoneID: Hashable {
  /// Zones are equal when name and owner are the same scalars.
  public static func == (lhs: ZoneID, rhs: ZoneID) -> Bool {
    lhs.names === rhs.names
      || (lhs.zoneName.sameScalars(as: rhs.zoneName)
        && lhs.ownerName.sameScalars(as: rhs.ownerName))
  }

  /// Hashes name and owner.
  public func hash(into hasher: inout Hasher) {
    zoneName.hashScalars(into: &hasher)
    ownerName.hashScalars(into: &hasher)
  }
}

extension ZoneID: Comparable {
  /// The order zones take in a bundle: by the UTF-8 bytes of the owner, then of the name, so that
  /// what belongs to one account lies together.
  public static func < (lhs: ZoneID, rhs: ZoneID) -> Bool {
    let order = compareUTF8(lhs.ownerName, rhs.ownerName)
    return order != 0 ? order < 0 : compareUTF8(lhs.zoneName, rhs.zoneName) < 0
  }
}

extension ZoneID: CustomStringConvertible {
  /// `zoneName` for the user's own zones, `zoneName/ownerName` for another's.
  public var description: String {
    ownerName == Self.currentUserOwnerName ? zoneName : "\(zoneName)/\(ownerName)"
  }
}

import RecordModel

/// A zone in which records are made.
struct ZoneSite: Sendable, Hashable {
  let database: DatabaseScope
  let zoneID: ZoneID
  /// The number of the user whose zone it is; nil in the public database.
  let owner: Int?
  /// Whether the zone is shared as a whole.
  var isShared = false

  /// Whether records can have parents and shares in the zone.
  var hasHierarchy: Bool { database == .private && !zoneID.isDefault }
}

extension ZoneSite: Comparable {
  /// Orders zones as a bundle does.
  static func < (lhs: Self, rhs: Self) -> Bool {
    lhs.database != rhs.database ? lhs.database < rhs.database : lhs.zoneID < rhs.zoneID
  }
}

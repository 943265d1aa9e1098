import RecordModel

/// A difference between two bundles or containers.
public enum ArchiveChange: Sendable, Hashable {
  /// A record exists only in the second.
  case recordAdded(ResultRecord, DatabaseScope)
  /// A record exists only in the first.
  case recordRemoved(ResultRecord, DatabaseScope)
  /// A record differs.
  case recordChanged(RecordDifference, recordType: String, DatabaseScope)
  /// Something that is not a record was added, removed or changed, then in these members.
  case item(Kind, Item, [MemberChange])

  /// The kind of a difference.
  public enum Kind: String, Sendable, Hashable {
    /// Only the second source has it.
    case added
    /// Only the first source has it.
    case removed
    /// Both sources have it, with different contents.
    case changed
  }

  /// Something that is not a record.
  public struct Item: Sendable, Hashable {
    /// The kind of an item, in the order of a comparison.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
      /// The container's info.
      case container
      /// A zone.
      case zone
      /// A subscription.
      case subscription
      /// A deleted record.
      case tombstone
      /// A deleted zone.
      case zoneTombstone
      /// The bytes of an asset.
      case asset
    }

    /// The kind of the item.
    public var kind: Kind
    /// The database of a zone, subscription or tombstone.
    public var database: DatabaseScope?
    /// The zone, or the zone of a deleted record.
    public var zoneID: ZoneID?
    /// The identifier of a subscription, the name of a deleted record, or the SHA-256 of an asset.
    @ExactText public var name: String = ""
    /// The size of an asset in bytes.
    public var size: Int?

    func precedes(_ other: Self) -> Bool {
      if kind != other.kind {
        return Kind.allCases.first { $0 == kind || $0 == other.kind } == kind
      }
      if let database, let next = other.database, database != next { return database < next }
      if let zoneID, let next = other.zoneID, zoneID != next { return zoneID < next }
      return compareUTF8(name, other.name) < 0
    }
  }
}

/// A member of a JSON object that differs.
public struct MemberChange: Sendable, Hashable {
  /// The name of the member, as in a bundle's lines.
  public var name: String
  /// The old value; nil if there was none.
  public var before: RawJSON?
  /// The new value; nil if there is none.
  public var after: RawJSON?
}

/// The number of differences between two bundles or containers.
public struct ArchiveDifference: Sendable, Hashable {
  /// The number of records that exist only in the second.
  public var added = 0
  /// The number of records that exist only in the first.
  public var removed = 0
  /// The number of records that differ.
  public var changed = 0
  /// The number of equal records.
  public var unchanged = 0
  /// The number of differences in everything except records.
  public var others = 0

  /// Whether there are no differences.
  public var isEmpty: Bool { added + removed + changed + others == 0 }
}

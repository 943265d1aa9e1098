import RecordModel
import RecordSchema

/// The numbers of values in stored records that could be end-to-end encrypted under Advanced Data
/// Protection, by record type and field. See `FieldProtection` for the rules.
public struct ProtectionCount: Sendable, Hashable {
  /// The values of one field, or of one kind of a field.
  public struct Values: Sendable, Hashable {
    /// Values that could be end-to-end encrypted.
    public var possible = 0
    /// Encrypted values and assets that are not protected any more, because a share above them has a
    /// public permission.
    public var publiclyShared = 0
    /// Values in the public database, which are never protected.
    public var publicDatabase = 0
    /// Plain values and references in other databases, which are never protected.
    public var never = 0

    /// Creates counts of zero.
    public init() {}
  }

  /// A field of a record type.
  public struct Field: Sendable, Hashable, Comparable {
    /// The record type.
    public var recordType: String
    /// The field.
    public var name: String

    /// Creates a field.
    public init(recordType: String, name: String) {
      self.recordType = recordType
      self.name = name
    }

    /// Orders by record type and name.
    public static func < (lhs: Self, rhs: Self) -> Bool {
      (NameKey(lhs.recordType), NameKey(lhs.name)) < (NameKey(rhs.recordType), NameKey(rhs.name))
    }
  }

  /// The number of records.
  public internal(set) var records = 0
  /// The number of records below a share with a public permission.
  public internal(set) var publiclySharedRecords = 0
  /// The number of shares with a public permission.
  public internal(set) var publicShares = 0
  /// The number of shares whose public permission is not known. They do not count as public.
  public internal(set) var unknownShares = 0
  /// The values by field.
  public internal(set) var fields: [Field: Values] = [:]
}

extension ArchiveSource {
  /// Counts the values that could be end-to-end encrypted under Advanced Data Protection.
  ///
  /// Reads the records up to three times. Memory grows with the number of records that have a
  /// parent and lie in a zone with a public share.
  ///
  /// - Parameters:
  ///   - filter: The records to count. Shares and parents outside of it are considered too.
  ///   - progress: Called periodically while records are read, each time from the beginning; an
  ///     error it throws ends the counting.
  public func protection(
    _ filter: RecordFilter = .all, progress: ((ArchiveProgress) throws -> Void)? = nil
  ) throws -> ProtectionCount {
    var count = ProtectionCount()
    var shares = PublicShares()
    try forEachRecord(progress: progress) { record, database in
      shares.add(share: record, in: database)
    }
    count.publicShares = shares.count
    count.unknownShares = shares.unknown
    if shares.hasHierarchies {
      try forEachRecord(progress: progress) { record, database in
        shares.add(descendant: record, in: database)
      }
    }
    try forEachRecord(filter, progress: progress) { record, database in
      count.add(record, in: database, isPubliclyShared: shares.contains(record, in: database))
    }
    return count
  }
}

extension ProtectionCount {
  mutating func add(_ record: ResultRecord, in database: DatabaseScope, isPubliclyShared: Bool) {
    records += 1
    if isPubliclyShared { publiclySharedRecords += 1 }
    for field in record.fields {
      let isPossible: Bool
      switch field.value {
      case .asset, .assetList: isPossible = true
      default: isPossible = field.isEncrypted
      }
      let key = Field(recordType: record.recordType, name: field.name)
      switch (database, isPossible) {
      case (.public, _): fields[key, default: Values()].publicDatabase += 1
      case (_, false): fields[key, default: Values()].never += 1
      case (_, true) where isPubliclyShared: fields[key, default: Values()].publiclyShared += 1
      case (_, true): fields[key, default: Values()].possible += 1
      }
    }
  }
}

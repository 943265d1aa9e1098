import RecordModel
import RecordStore

/// What an extraction found.
public struct ExtractionReport: Sendable {
  /// A record type, and the relation by which its records came.
  public struct Group: Sendable, Hashable, Comparable {
    /// The record type.
    public var recordType: String
    /// The relation.
    public var relation: ExtractionClosure.Relation

    /// Orders groups by type and relation.
    public static func < (lhs: Self, rhs: Self) -> Bool {
      let order = compareUTF8(lhs.recordType, rhs.recordType)
      return order != 0 ? order < 0 : lhs.relation.rawValue < rhs.relation.rawValue
    }
  }

  /// The number of records that were asked for.
  public var asked = 0
  /// The number of records that came along.
  public var added: [Group: Int] = [:]
  /// The number of records that did not come along, because there were too many.
  public var cut: [Group: Int] = [:]
  /// The records of each database that others refer to within the closure, and that the source does
  /// not have.
  public var missing: [DatabaseScope: Set<RecordID>] = [:]
  /// The number of assets whose bytes came along.
  public var assets = 0
  /// The number of assets whose bytes the source does not have.
  public var missingAssets = 0

  /// The number of all extracted records.
  public var records: Int { added.values.reduce(asked, +) }
  /// The number of missing records.
  public var missingRecords: Int { missing.values.reduce(0) { $0 + $1.count } }
}

/// Why a record was extracted.
public struct ExtractionReason: Sendable, Hashable {
  /// The record.
  public var recordID: RecordID
  /// The type of the record.
  public var recordType: String
  /// The database of the record.
  public var database: DatabaseScope
  /// The relation by which it came along, and the record that brought it; nil for one that was
  /// asked for.
  public var cause: (relation: ExtractionClosure.Relation, recordID: RecordID)? {
    relation.flatMap { relation in origin.map { (relation, $0) } }
  }

  let relation: ExtractionClosure.Relation?
  let origin: RecordID?
}

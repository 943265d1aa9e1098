import struct Foundation.Date

/// A record as a database returned it: read-only, `Sendable`, `Hashable`, `Codable`.
///
/// The getters are those of Canopy's `CanopyResultRecordType` and of `CKRecord`. A record that was
/// read from a bundle or a container keeps its bytes: reading one field decodes only that field.
///
/// Equality compares everything, values too, doubles and dates bit for bit.
public struct ResultRecord: Sendable, Identifiable {
  package let storage: any RecordStorage

  package init(storage: any RecordStorage) {
    self.storage = storage
  }

  /// Makes a record out of its parts: for tests and mocks, and for what reads foreign formats.
  ///
  /// - Parameter fields: in any order; of two with the same name the later counts.
  public init(systemFields: SystemFields, fields: [Field]) {
    var systemFields = systemFields
    systemFields.archive = nil
    storage = ValueStorage(systemFields: systemFields, fields: fields)
  }

  /// The record's identity; what `Identifiable` goes by.
  public var id: RecordID { recordID }
  /// The record's name and zone.
  public var recordID: RecordID { storage.recordID }
  /// The record's type.
  public var recordType: String { storage.recordType }
  /// Everything but the values.
  public var systemFields: SystemFields { storage.systemFields }
  /// The server's version of the record.
  public var recordChangeTag: String? { systemFields.recordChangeTag }
  /// When the record was first saved.
  public var creationDate: Date? { systemFields.creationDate }
  /// Who saved it first.
  public var creatorUserRecordID: RecordID? { systemFields.creatorUserRecordID }
  /// When the record was last saved.
  public var modificationDate: Date? { systemFields.modificationDate }
  /// Who saved it last.
  public var lastModifiedUserRecordID: RecordID? { systemFields.lastModifiedUserRecordID }
  /// The record's parent in the sharing hierarchy.
  public var parent: Reference? { systemFields.parent }
  /// The share the record is the root of, or lies in.
  public var share: Reference? { systemFields.share }
}

extension ResultRecord: Hashable {
  /// Records are equal when their system fields and all their values are.
  public static func == (lhs: ResultRecord, rhs: ResultRecord) -> Bool {
    let (left, right) = (lhs.storage, rhs.storage)
    if left === right { return true }
    let sameBytes = left.withCanonicalBytes { a in
      right.withCanonicalBytes { b in compareBytes(a, b) == 0 }
    }
    if case .some(.some(let same)) = sameBytes { return same }
    guard left.fieldCount == right.fieldCount, left.systemFields == right.systemFields else {
      return false
    }
    return (0..<left.fieldCount).allSatisfy { left.field(at: $0) == right.field(at: $0) }
  }

  /// Hashes identity and change tag: records that agree in both rarely differ in a value.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(recordID)
    hasher.combine(recordChangeTag)
  }
}

extension ResultRecord: CustomStringConvertible {
  /// Type, identity and change tag; no values.
  public var description: String {
    "\(recordType)(\(recordID)\(recordChangeTag.map { ", tag \($0)" } ?? ""))"
  }
}

import struct Foundation.Date

/// An immutable record, as a database returned it.
///
/// The properties and subscripts are those of `CKRecord` and of Canopy's `CanopyResultRecordType`.
/// A record read from a bundle or container keeps its bytes: accessing a field decodes only that
/// field.
///
/// ```swift
/// let title: String? = record["title"]
/// let isPinned: Bool = record["isPinned"] ?? false
/// let note: String? = record.encryptedValues["note"]
/// ```
///
/// Equality compares the system fields and all values; doubles and dates by their bits, text by its
/// Unicode scalars.
public struct ResultRecord: Sendable, Identifiable {
  package let storage: any RecordStorage

  package init(storage: any RecordStorage) {
    self.storage = storage
  }

  /// Creates a record from its parts, for tests, mocks and readers of other formats.
  ///
  /// - Parameters:
  ///   - systemFields: the system fields, without their archive.
  ///   - fields: the fields in any order; the last of several with the same name is used.
  public init(systemFields: SystemFields, fields: [Field]) {
    storage = ValueStorage(systemFields: systemFields.withoutArchive, fields: fields)
  }

  /// The identity of the record.
  public var id: RecordID { recordID }
  /// The name and zone of the record.
  public var recordID: RecordID { storage.recordID }
  /// The record's type.
  public var recordType: String { storage.recordType }
  /// Everything but the field values.
  public var systemFields: SystemFields { storage.systemFields }
  /// The version of the record on the server.
  public var recordChangeTag: String? { storage.recordChangeTag }
  /// The time of the first save.
  public var creationDate: Date? { systemFields.creationDate }
  /// The user who first saved the record.
  public var creatorUserRecordID: RecordID? { systemFields.creatorUserRecordID }
  /// The time of the last save.
  public var modificationDate: Date? { systemFields.modificationDate }
  /// The user who last saved the record.
  public var lastModifiedUserRecordID: RecordID? { systemFields.lastModifiedUserRecordID }
  /// The record's parent in the sharing hierarchy.
  public var parent: Reference? { storage.parent }
  /// The share whose root is this record, or that contains it.
  public var share: Reference? { storage.share }
}

extension ResultRecord: Hashable {
  /// Whether the system fields and all values are equal.
  public static func == (lhs: ResultRecord, rhs: ResultRecord) -> Bool {
    let (left, right) = (lhs.storage, rhs.storage)
    if left === right { return true }
    if let same = lhs.hasSameBytes(as: rhs) { return same }
    guard left.fieldCount == right.fieldCount,
      left.systemFields.withoutArchive == right.systemFields.withoutArchive
    else { return false }
    return (0..<left.fieldCount).allSatisfy { left.field(at: $0) == right.field(at: $0) }
  }

  /// Whether both have the same canonical JSON; nil if one of them holds decoded values.
  package func hasSameBytes(as other: ResultRecord) -> Bool? {
    let same = storage.withCanonicalBytes { a in
      other.storage.withCanonicalBytes { b in compareBytes(a, b) == 0 }
    }
    return same ?? nil
  }

  /// Hashes identity and change tag; records with the same ones rarely differ in a value.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(recordID)
    hasher.combine(recordChangeTag)
  }
}

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
  public var creationDate: Date? { storage.created?.date }
  /// The user who first saved the record.
  public var creatorUserRecordID: RecordID? { storage.created?.userRecordID }
  /// The time of the last save.
  public var modificationDate: Date? { storage.modified?.date }
  /// The user who last saved the record.
  public var lastModifiedUserRecordID: RecordID? { storage.modified?.userRecordID }
  /// The record's parent in the sharing hierarchy.
  public var parent: Reference? { storage.parent }
  /// The share whose root is this record, or that contains it.
  public var share: Reference? { storage.share }

  /// The unencrypted value of a field: `record["text"] as? String`.
  ///
  /// Integers are returned as `Int`. Encrypted values are in ``encryptedValues``.
  public subscript(key: String) -> (any RecordValueConvertible)? {
    plainValue(key)?.swiftValue
  }

  /// The unencrypted value of a field, converted to `T`: `let text: String? = record["text"]`.
  ///
  /// Nil if there is no such field, or its value is of another type.
  public subscript<T: RecordValueConvertible>(key: String) -> T? {
    plainValue(key).flatMap(T.init(recordValue:))
  }

  /// The encrypted values of the record.
  public var encryptedValues: EncryptedValues { EncryptedValues(record: self) }

  /// Returns the field with this name, encrypted or not.
  public func field(named name: String) -> Field? {
    storage.index(of: name).map(storage.field(at:))
  }

  /// Returns the names of all fields, including encrypted ones, sorted by their UTF-8 bytes.
  public func allKeys() -> [String] {
    (0..<storage.fieldCount).map { storage.name(at: $0).string }
  }

  /// All fields, including encrypted ones, sorted by the UTF-8 bytes of their names.
  ///
  /// Accessing a field decodes it.
  public var fields: Fields { Fields(storage: storage) }

  /// All fields, decoded.
  package var allFields: [Field] { storage.values?.fields ?? Array(fields) }

  /// The references in fields, with the names of the fields. Only fields with references are decoded.
  package var references: [(field: FieldName, reference: Reference)] {
    var found: [(field: FieldName, reference: Reference)] = []
    for index in 0..<storage.fieldCount {
      let type = storage.valueType(at: index)
      guard type == .reference || type == .referenceList else { continue }
      let field = storage.field(at: index)
      for reference in field.value.references { found.append((field.interned, reference)) }
    }
    return found
  }

  private func plainValue(_ key: String) -> RecordValue? {
    guard let index = storage.index(of: key), !storage.isEncrypted(at: index) else { return nil }
    return storage.field(at: index).value
  }

  /// The fields of a record; each is decoded when it is accessed.
  public struct Fields: RandomAccessCollection, Sendable {
    let storage: any RecordStorage

    /// The position of the first field: 0.
    public var startIndex: Int { 0 }
    /// The number of fields.
    public var endIndex: Int { storage.fieldCount }
    /// The field at a position, decoded at each access.
    ///
    /// - Precondition: `position` is at least 0 and less than ``endIndex``. This is checked in
    ///   release builds too.
    public subscript(position: Int) -> Field {
      // Storages use this index for unchecked memory access in release builds, where a failed
      // `precondition` has no message.
      guard position >= 0, position < storage.fieldCount else {
        fatalError("index \(position) is out of range: the record has \(storage.fieldCount) fields")
      }
      return storage.field(at: position)
    }
  }

  /// The encrypted values of a record.
  public struct EncryptedValues: Sendable {
    let record: ResultRecord

    /// The encrypted value of a field.
    public subscript(key: String) -> (any RecordValueConvertible)? {
      value(key)?.swiftValue
    }

    /// The encrypted value of a field, converted to `T`.
    public subscript<T: RecordValueConvertible>(key: String) -> T? {
      value(key).flatMap(T.init(recordValue:))
    }

    /// Returns the names of the encrypted fields, sorted by their UTF-8 bytes.
    public func allKeys() -> [String] {
      let storage = record.storage
      return (0..<storage.fieldCount).filter(storage.isEncrypted(at:)).map {
        storage.name(at: $0).string
      }
    }

    private func value(_ key: String) -> RecordValue? {
      let storage = record.storage
      guard let index = storage.index(of: key), storage.isEncrypted(at: index) else { return nil }
      return storage.field(at: index).value
    }
  }
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

extension RecordValue {
  /// The value as the natural Swift type; `Int` for integers.
  var swiftValue: any RecordValueConvertible {
    switch self {
    case .string(let value): value
    case .int64(let value): Int(exactly: value).map { $0 as any RecordValueConvertible } ?? value
    case .double(let value): value
    case .timestamp(let value): value
    case .bytes(let value): value
    case .location(let value): value
    case .reference(let value): value
    case .asset(let value): value
    case .stringList(let value): value
    case .int64List(let value): value.map { Int(truncatingIfNeeded: $0) }
    case .doubleList(let value): value
    case .timestampList(let value): value
    case .bytesList(let value): value
    case .locationList(let value): value
    case .referenceList(let value): value
    case .assetList(let value): value
    case .emptyList: [RecordValue]()
    case .unknown: self
    }
  }
}

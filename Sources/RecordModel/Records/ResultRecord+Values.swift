extension ResultRecord {
  /// The plain value of a field as a Swift value: `record["text"] as? String`.
  ///
  /// Integers come as `Int`. Encrypted values are in ``encryptedValues``.
  public subscript(key: String) -> (any RecordValueConvertible)? {
    plainValue(key)?.swiftValue
  }

  /// The plain value of a field, converted: `let text: String? = record["text"]`.
  ///
  /// Nil where there is no such field, or where the value is of another type.
  public subscript<T: RecordValueConvertible>(key: String) -> T? {
    plainValue(key).flatMap(T.init(recordValue:))
  }

  /// The record's encrypted values, read like the plain ones.
  public var encryptedValues: EncryptedValues { EncryptedValues(record: self) }

  /// The field of that name, plain or encrypted.
  public func field(named name: String) -> Field? {
    storage.index(of: name).map(storage.field(at:))
  }

  /// The names of all fields, plain and encrypted, in the order of their UTF-8 bytes.
  public func allKeys() -> [String] {
    (0..<storage.fieldCount).map { storage.name(at: $0).string }
  }

  /// All fields, plain and encrypted, in the order of the UTF-8 bytes of their names.
  ///
  /// A field is decoded when the collection is asked for it.
  public var fields: Fields { Fields(storage: storage) }

  private func plainValue(_ key: String) -> RecordValue? {
    guard let index = storage.index(of: key), !storage.isEncrypted(at: index) else { return nil }
    return storage.field(at: index).value
  }

  /// The fields of a record, decoded one by one.
  public struct Fields: RandomAccessCollection, Sendable {
    let storage: any RecordStorage

    /// 0.
    public var startIndex: Int { 0 }
    /// The number of fields.
    public var endIndex: Int { storage.fieldCount }
    /// The field at a position, decoded each time it is asked for.
    ///
    /// - Precondition: the position is one of a field; any other stops the program.
    public subscript(position: Int) -> Field {
      // Storages read memory at places that this index picks, unchecked in a release build; and a
      // failed `precondition` has no message there.
      guard position >= 0, position < storage.fieldCount else {
        fatalError(
          "index \(position) is out of range: the record has \(storage.fieldCount) fields")
      }
      return storage.field(at: position)
    }
  }

  /// Read access to the encrypted values of a record.
  public struct EncryptedValues: Sendable {
    let record: ResultRecord

    /// The encrypted value of a field as a Swift value.
    public subscript(key: String) -> (any RecordValueConvertible)? {
      value(key)?.swiftValue
    }

    /// The encrypted value of a field, converted.
    public subscript<T: RecordValueConvertible>(key: String) -> T? {
      value(key).flatMap(T.init(recordValue:))
    }

    /// The names of the encrypted fields.
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

extension RecordValue {
  /// The value in the Swift type that reads most naturally: integers as `Int`.
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

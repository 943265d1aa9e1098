extension ResultRecord {
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

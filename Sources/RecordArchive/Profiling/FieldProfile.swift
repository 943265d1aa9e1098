import RecordModel

/// The fields of a record type.
package struct TypeProfile: Sendable {
  package let recordType: String
  /// The entity of Core Data's records, which are counted by entity; nil for other records.
  package let entity: String?
  package private(set) var records = 0
  /// At most 1,000 fields are counted one by one; a CloudKit type has at most some hundred.
  private var counter = CappedCounter<ExactString, FieldProfile>(limit: 1000)

  /// The fields, in the order of their names.
  package var fields: [FieldProfile] { counter.counts }
  /// How often a record has a field after the first 1,000 of the type.
  package var otherFields: Int { counter.skipped }

  /// The entity, or else the record type.
  package var name: String { entity ?? recordType }

  init(_ recordType: String, entity: String?) {
    (self.recordType, self.entity) = (recordType, entity)
  }

  mutating func add(_ record: ResultRecord) {
    records += 1
    for index in 0..<record.storage.fieldCount {
      let field = record.storage.field(at: index)
      counter.update(ExactString(field.name), new: FieldProfile(field.name)) { $0.add(field) }
    }
  }

  mutating func add(_ other: TypeProfile) {
    records += other.records
    for field in other.fields {
      counter.update(
        ExactString(field.name), new: FieldProfile(field.name), times: field.records
      ) { $0.add(field) }
    }
    counter.skip(other.otherFields)
  }

  /// Orders the fields, when all are counted.
  mutating func sort() { counter.sort { compareUTF8($0.name, $1.name) < 0 } }
}

/// A field of a record type.
package struct FieldProfile: Sendable {
  /// The values of one type in the field.
  package struct Kind: Sendable, Hashable {
    /// The type's name, as in Web Services.
    package let typeName: String
    package let type: ValueType?
    package let isEncrypted: Bool
    /// The number of records with such a value.
    package fileprivate(set) var records = 0
    /// The sum of the lengths: bytes of texts, bytes and assets, elements of lists.
    package fileprivate(set) var length = 0
    /// The greatest length.
    package fileprivate(set) var maxLength = 0
    /// The number of values with a length.
    package fileprivate(set) var measured = 0
  }

  private struct KindKey: Hashable {
    var typeName: ExactString
    var type: ValueType?
    var isEncrypted: Bool
  }

  package let name: String
  /// At most 20 kinds are counted one by one.
  private var counter = CappedCounter<KindKey, Kind>(limit: 20)

  /// The types of its values, the most frequent first: more than one only where an app has changed
  /// its mind, or where the records come from several versions.
  package var kinds: [Kind] {
    counter.counts.sorted { a, b in
      if a.records != b.records { return a.records > b.records }
      let order = compareUTF8(a.typeName, b.typeName)
      return order != 0 ? order < 0 : !a.isEncrypted && b.isEncrypted
    }
  }

  /// The number of records with a kind after the first 20.
  package var otherKinds: Int { counter.skipped }

  /// The number of records that have the field.
  package var records: Int { counter.counts.reduce(otherKinds) { $0 + $1.records } }

  init(_ name: String) { self.name = name }

  mutating func add(_ field: Field) {
    var kind = Kind(
      typeName: field.value.typeName, type: field.value.type, isEncrypted: field.isEncrypted)
    kind.records = 1
    if let length = field.value.length {
      (kind.length, kind.maxLength, kind.measured) = (length, length, 1)
    }
    add(kind)
  }

  private mutating func add(_ kind: Kind) {
    let key = KindKey(
      typeName: ExactString(kind.typeName), type: kind.type, isEncrypted: kind.isEncrypted)
    let new = Kind(typeName: kind.typeName, type: kind.type, isEncrypted: kind.isEncrypted)
    counter.update(key, new: new, times: kind.records) {
      $0.records += kind.records
      $0.length = $0.length.clampedSum(kind.length)
      $0.maxLength = max($0.maxLength, kind.maxLength)
      $0.measured += kind.measured
    }
  }

  mutating func add(_ other: FieldProfile) {
    for kind in other.counter.counts { add(kind) }
    counter.skip(other.otherKinds)
  }
}

extension RecordValue {
  /// The length of a text, of bytes or of an asset in bytes, and of a list in elements.
  fileprivate var length: Int? {
    switch self {
    case .string(let text): text.utf8.count
    case .bytes(let data): data.count
    case .asset(let asset): asset.size.map { Int(clamping: $0) }.flatMap { $0 < 0 ? nil : $0 }
    case .stringList(let list): list.count
    case .int64List(let list): list.count
    case .doubleList(let list): list.count
    case .timestampList(let list): list.count
    case .bytesList(let list): list.count
    case .locationList(let list): list.count
    case .referenceList(let list): list.count
    case .assetList(let list): list.count
    case .emptyList: 0
    case .int64, .double, .timestamp, .location, .reference, .unknown: nil
    }
  }
}

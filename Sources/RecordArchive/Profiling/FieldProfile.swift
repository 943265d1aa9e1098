import RecordModel

/// The fields of a record type.
package struct TypeProfile: Sendable {
  /// The number of fields that are counted one by one; a CloudKit type has at most some hundred.
  static let maxFields = 1000

  package let recordType: String
  package private(set) var records = 0
  /// The fields, in the order of their names.
  package private(set) var fields: [FieldProfile] = []
  /// How often a record has a field after the first 1,000 of the type.
  package private(set) var otherFields = 0

  private var places: [ExactString: Int] = [:]
  /// The places of the fields of the last record: the next one usually has the same.
  private var latest: [Int] = []

  init(_ recordType: String) { self.recordType = recordType }

  mutating func add(_ record: ResultRecord) {
    records += 1
    for index in 0..<record.storage.fieldCount {
      let field = record.storage.field(at: index)
      guard let place = place(of: field.interned, at: index) else { continue }
      fields[place].add(field)
    }
  }

  private mutating func place(of name: FieldName, at index: Int) -> Int? {
    if index < latest.count, fields[latest[index]].key == name { return latest[index] }
    guard let place = place(of: name) else { return nil }
    if index < latest.count {
      latest[index] = place
    } else if index == latest.count {
      latest.append(place)
    }
    return place
  }

  private mutating func place(of name: FieldName) -> Int? {
    let key = ExactString(name.string)
    if let place = places[key] { return place }
    guard fields.count < Self.maxFields else {
      otherFields += 1
      return nil
    }
    places[key] = fields.count
    fields.append(FieldProfile(name))
    return fields.count - 1
  }

  mutating func add(_ other: TypeProfile) {
    records += other.records
    otherFields += other.otherFields
    for field in other.fields {
      if let place = place(of: field.key) { fields[place].add(field) }
    }
  }

  /// Orders the fields, when all are counted.
  mutating func sort() {
    fields.sort { compareUTF8($0.name, $1.name) < 0 }
    for index in fields.indices { fields[index].sort() }
    places = [:]
    latest = []
  }
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

    fileprivate func isLike(_ other: Kind) -> Bool {
      isEncrypted == other.isEncrypted && type == other.type
        && (type != nil || typeName.sameScalars(as: other.typeName))
    }
  }

  /// The number of kinds that are counted one by one.
  private static let maxKinds = 20

  let key: FieldName
  package var name: String { key.string }
  /// The types of its values: more than one only where an app has changed its mind, or where the
  /// records come from several versions.
  package private(set) var kinds: [Kind] = []
  /// The number of records with a kind after the first 20.
  package private(set) var otherKinds = 0

  /// The number of records that have the field.
  package var records: Int { kinds.reduce(otherKinds) { $0 + $1.records } }

  init(_ key: FieldName) { self.key = key }

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
    guard let index = kinds.firstIndex(where: kind.isLike) else {
      if kinds.count < Self.maxKinds {
        kinds.append(kind)
      } else {
        otherKinds += kind.records
      }
      return
    }
    kinds[index].records += kind.records
    kinds[index].length = kinds[index].length.clampedSum(kind.length)
    kinds[index].maxLength = max(kinds[index].maxLength, kind.maxLength)
    kinds[index].measured += kind.measured
  }

  mutating func add(_ other: FieldProfile) {
    other.kinds.forEach { add($0) }
    otherKinds += other.otherKinds
  }

  /// Orders the kinds: the most frequent first.
  mutating func sort() {
    kinds.sort { a, b in
      if a.records != b.records { return a.records > b.records }
      let order = compareUTF8(a.typeName, b.typeName)
      return order != 0 ? order < 0 : !a.isEncrypted && b.isEncrypted
    }
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

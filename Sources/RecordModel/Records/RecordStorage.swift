/// The backing storage of a `ResultRecord`: decoded values, or the bytes of a JSON line.
///
/// Fields are sorted by the UTF-8 bytes of their names; names are unique.
package protocol RecordStorage: AnyObject, Sendable {
  var recordID: RecordID { get }
  var zoneID: ZoneID { get }
  var recordType: String { get }
  var systemFields: SystemFields { get }
  // Parts of the system fields; each is decoded alone.
  var recordChangeTag: String? { get }
  var created: RecordStamp? { get }
  var modified: RecordStamp? { get }
  var parent: Reference? { get }
  var share: Reference? { get }
  var otherMembers: OtherMembers { get }
  var fieldCount: Int { get }
  func name(at index: Int) -> FieldName
  func isEncrypted(at index: Int) -> Bool
  func valueType(at index: Int) -> ValueType?
  func field(at index: Int) -> Field
  /// Whether the record has this name in UTF-8.
  func hasName(_ name: UnsafeRawBufferPointer) -> Bool
  /// Returns the index of the field with this name.
  func index(of name: String) -> Int?
  /// Calls `body` with the record's canonical JSON; returns nil if the storage holds decoded
  /// values.
  func withCanonicalBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R?
  /// The storage itself if it holds decoded values; otherwise nil.
  var values: ValueStorage? { get }
}

/// Record storage that holds decoded values.
package final class ValueStorage: RecordStorage {
  package let systemFields: SystemFields
  package let fields: [Field]

  /// - Parameter fields: the fields in any order; the last of several with the same name is used.
  package init(systemFields: SystemFields, fields: [Field]) {
    self.systemFields = systemFields
    self.fields = Self.isSorted(fields) ? fields : Self.sorted(fields)
  }

  /// - Parameter fields: the fields sorted by the UTF-8 bytes of their names, each name once.
  package init(systemFields: SystemFields, sorted fields: [Field]) {
    assert(Self.isSorted(fields), "the fields are not sorted")
    self.systemFields = systemFields
    self.fields = fields
  }

  private static func isSorted(_ fields: [Field]) -> Bool {
    zip(fields, fields.dropFirst()).allSatisfy { compareUTF8($0.name, $1.name) < 0 }
  }

  private static func sorted(_ fields: [Field]) -> [Field] {
    var result: [Field] = []
    let order = fields.indices.sorted {
      let order = compareUTF8(fields[$0].name, fields[$1].name)
      return order != 0 ? order < 0 : $0 < $1
    }
    for index in order {
      if let last = result.last, last.interned == fields[index].interned { result.removeLast() }
      result.append(fields[index])
    }
    return result
  }

  package var recordID: RecordID { systemFields.recordID }
  package var zoneID: ZoneID { systemFields.recordID.zoneID }
  package var recordType: String { systemFields.recordType }
  package var recordChangeTag: String? { systemFields.recordChangeTag }
  package var created: RecordStamp? { systemFields.created }
  package var modified: RecordStamp? { systemFields.modified }
  package var parent: Reference? { systemFields.parent }
  package var share: Reference? { systemFields.share }
  package var otherMembers: OtherMembers { systemFields.otherMembers }
  package var fieldCount: Int { fields.count }
  package func name(at index: Int) -> FieldName { fields[index].interned }
  package func isEncrypted(at index: Int) -> Bool { fields[index].isEncrypted }
  package func valueType(at index: Int) -> ValueType? { fields[index].value.type }
  package func field(at index: Int) -> Field { fields[index] }

  package var values: ValueStorage? { self }

  package func hasName(_ name: UnsafeRawBufferPointer) -> Bool {
    recordID.withUTF8RecordName { compareBytes($0, name) == 0 }
  }

  package func index(of name: String) -> Int? {
    sortedIndex(of: name, count: fields.count) { fields[$0].name }
  }

  package func withCanonicalBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R? {
    nil
  }
}

/// A record that can be changed and saved. It is a value type: a copy is a snapshot.
///
/// A draft tracks which fields have changed, and keeps the record it is based on, for saves that
/// send only changes and for three-way merges.
///
/// ```swift
/// var draft = DraftRecord(recordType: "Chat", zoneID: ZoneID(zoneName: "Chats"))
/// draft["title"] = "Hiking club"
/// draft.encryptedValues["note"] = "Meet at the station"
/// print(draft.changedKeys())  // ["note", "title"]
/// ```
public struct DraftRecord: Sendable, Hashable {
  /// Everything but the field values; the change tag is that of the record the draft is based on.
  public private(set) var systemFields: SystemFields
  /// The record the draft was created from; nil for a new record or one created from system fields.
  public let base: ResultRecord?
  /// All fields, including encrypted ones, sorted by the UTF-8 bytes of their names.
  public private(set) var fields: [Field]
  private var changed: Set<ExactString> = []

  /// Creates a draft of a new record with this identity.
  public init(recordType: String, recordID: RecordID) {
    self.init(systemFields: SystemFields(recordID: recordID, recordType: recordType))
  }

  /// Creates a draft that changes a record returned by a database.
  public init(_ record: ResultRecord) {
    systemFields = record.systemFields
    base = record
    fields = record.allFields
  }

  /// Creates a draft of a record of which only the system fields are known.
  ///
  /// The other fields are unknown, not empty; ``changedKeys()`` returns those that were set or
  /// removed. A server keeps the other fields; a store that replaces whole records
  /// (`StoredDatabase.save(_:)`) does not.
  public init(systemFields: SystemFields) {
    self.systemFields = systemFields
    base = nil
    fields = []
  }

  /// The record's identity.
  public var recordID: RecordID { systemFields.recordID }
  /// The record's type.
  public var recordType: String { systemFields.recordType }
  /// The version of the record the draft is based on; nil for a new record.
  public var recordChangeTag: String? { systemFields.recordChangeTag }

  /// The record's parent in the sharing hierarchy.
  public var parent: Reference? {
    get { systemFields.parent }
    set { systemFields.parent = newValue }
  }

  /// The share whose root is this record.
  public var share: Reference? {
    get { systemFields.share }
    set { systemFields.share = newValue }
  }

  /// The special members of shares, and the JSON members that this model has no property for.
  package var otherMembers: OtherMembers {
    get { systemFields.otherMembers }
    set { systemFields.otherMembers = newValue }
  }

  /// Returns the names of all fields, including encrypted ones, sorted by their UTF-8 bytes.
  public func allKeys() -> [String] { fields.map(\.name) }

  /// Returns the names of the fields that were set or removed since the draft was created, sorted
  /// by their UTF-8 bytes.
  public func changedKeys() -> [String] {
    changed.sorted().map(\.string)
  }

  /// Whether a field was set or removed since the draft was created.
  package func hasChanged(_ name: String) -> Bool { changed.contains(ExactString(name)) }

  /// Returns the names of the fields that were removed since the draft was created, sorted by their
  /// UTF-8 bytes.
  public func removedKeys() -> [String] {
    changedKeys().filter { field(named: $0) == nil }
  }

  /// Returns the field with this name, encrypted or not.
  public func field(named name: String) -> Field? {
    index(of: name).map { fields[$0] }
  }

  /// Returns the field with this name in ``base``.
  public func baseField(named name: String) -> Field? {
    base?.field(named: name)
  }

  /// Returns the field if it is encrypted and `isEncrypted` is false, or the other way round. One that
  /// was removed from the draft may not come back without its encryption.
  package func field(named name: String, encryptedUnlike isEncrypted: Bool) -> Field? {
    guard let known = field(named: name) ?? baseField(named: name),
      known.isEncrypted != isEncrypted
    else { return nil }
    return known
  }

  /// Sets or replaces a field, or removes it if `value` is nil.
  ///
  /// Setting a field to the value it already has counts as a change, as in `CKRecord`.
  public mutating func setField(_ name: String, to value: RecordValue?, isEncrypted: Bool = false) {
    let existing = index(of: name)
    guard let value else {
      if let existing {
        fields.remove(at: existing)
        changed.insert(ExactString(name))
      } else if base == nil && recordChangeTag != nil {
        changed.insert(ExactString(name))
      }
      return
    }
    setField(Field(name: name, value: value, isEncrypted: isEncrypted))
  }

  /// Sets or replaces a field, with the JSON members that the model has no property for.
  package mutating func setField(_ field: Field) {
    changed.insert(ExactString(field.name))
    if let existing = index(of: field.name) {
      fields[existing] = field
    } else {
      let place = fields.firstIndex { compareUTF8(field.name, $0.name) < 0 }
      fields.insert(field, at: place ?? fields.endIndex)
    }
  }

  private func index(of name: String) -> Int? {
    fields.firstIndex { $0.name.sameScalars(as: name) }
  }

  /// Returns the record in its current state, with the draft's system fields, for mocks and
  /// previews.
  ///
  /// - Throws: ``CloudError`` with a ``CloudError/violation`` for a record that no save would
  ///   accept.
  public func resultRecord(limits: RecordLimits = .cloudKit) throws -> ResultRecord {
    try limits.check(self)
    return ResultRecord(systemFields: systemFields, fields: fields)
  }
}

import struct Foundation.UUID

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
  @EqualityIgnored private var setLinks = SetLinks()

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
  /// (`ContainerTransaction.save(_:in:)`) does not.
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
    set {
      systemFields.parent = newValue
      setLinks.parent = true
    }
  }

  /// The share whose root is this record.
  public var share: Reference? {
    get { systemFields.share }
    set {
      systemFields.share = newValue
      setLinks.share = true
    }
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
  package func baseField(named name: String) -> Field? {
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

  /// Removes a field, and notes the removal even if the draft does not have the field.
  package mutating func markRemoved(_ name: String) {
    setField(name, to: nil)
    changed.insert(ExactString(name))
  }

  private func index(of name: String) -> Int? {
    fields.firstIndex { $0.name.sameScalars(as: name) }
  }

  /// Returns the record in its current state, with the draft's system fields, for mocks and
  /// previews.
  ///
  /// - Throws: ``CloudError`` for a record that no save would accept.
  public func resultRecord(limits: RecordLimits = .cloudKit) throws -> ResultRecord {
    try limits.check(self)
    return ResultRecord(systemFields: systemFields, fields: fields)
  }

  /// Creates a draft of a new record with a random UUID as its name, as `CKRecord` does.
  ///
  /// - Parameters:
  ///   - recordType: the type of the record.
  ///   - zoneID: the zone to save the record to.
  public init(recordType: String, zoneID: ZoneID = .default) {
    self.init(
      recordType: recordType, recordID: RecordID(recordName: UUID().uuidString, zoneID: zoneID))
  }

  /// The unencrypted value of a field; setting nil removes the field.
  public subscript(key: String) -> (any RecordValueConvertible)? {
    get { value(key, isEncrypted: false)?.swiftValue }
    set { setField(key, to: newValue?.recordValue) }
  }

  /// The unencrypted value of a field, converted to `T`; setting nil removes the field.
  ///
  /// Nil if there is no such field, or its value is of another type.
  public subscript<T: RecordValueConvertible>(key: String) -> T? {
    get { value(key, isEncrypted: false).flatMap(T.init(recordValue:)) }
    set { setField(key, to: newValue?.recordValue) }
  }

  /// The encrypted values of the draft: `draft.encryptedValues["text"] = "Hello"`.
  public var encryptedValues: EncryptedValues {
    get { EncryptedValues(draft: self) }
    set { self = newValue.draft }
  }

  fileprivate func value(_ key: String, isEncrypted: Bool) -> RecordValue? {
    guard let field = field(named: key), field.isEncrypted == isEncrypted else { return nil }
    return field.value
  }

  /// The encrypted values of a draft.
  public struct EncryptedValues: Sendable {
    fileprivate var draft: DraftRecord

    /// The encrypted value of a field; setting nil removes the field.
    public subscript(key: String) -> (any RecordValueConvertible)? {
      get { draft.value(key, isEncrypted: true)?.swiftValue }
      set { draft.setField(key, to: newValue?.recordValue, isEncrypted: true) }
    }

    /// The encrypted value of a field, converted to `T`; setting nil removes the field.
    public subscript<T: RecordValueConvertible>(key: String) -> T? {
      get { draft.value(key, isEncrypted: true).flatMap(T.init(recordValue:)) }
      set { draft.setField(key, to: newValue?.recordValue, isEncrypted: true) }
    }
  }

  /// Returns a draft with the changes of this one, based on a newer version of its record: a
  /// three-way merge.
  ///
  /// ```swift
  /// let merged = try mine.merging(theirs.resultRecord()) { conflict in
  ///   conflict.key == "title" ? conflict.mine : conflict.theirs
  /// }
  /// ```
  ///
  /// Fields, parent and share that the draft has not changed are those of the newer version. A field
  /// that only the draft has changed keeps its change.
  ///
  /// - Parameters:
  ///   - serverRecord: The newer version: the server record of a `serverRecordChanged` error.
  ///   - resolve: Returns the value of a field that both sides have changed to different values; nil
  ///     removes the field.
  /// - Returns: A draft with the change tag of `serverRecord`.
  public func merging(
    _ serverRecord: ResultRecord,
    resolvingConflictsWith resolve: (FieldConflict) throws -> RecordValue?
  ) rethrows -> DraftRecord {
    var merged = DraftRecord(serverRecord)
    for key in changedKeys() {
      let (mine, theirs) = (field(named: key), serverRecord.field(named: key))
      let ancestor = baseField(named: key)
      if mine == theirs { continue }
      if theirs == ancestor {
        if let mine { merged.setField(mine) } else { merged.setField(key, to: nil) }
        continue
      }
      let isEncrypted = mine?.isEncrypted ?? theirs?.isEncrypted ?? false
      let conflict = FieldConflict(
        key: key, mine: mine?.value, theirs: theirs?.value, ancestor: ancestor?.value,
        isEncrypted: isEncrypted)
      let value = try resolve(conflict)
      if value != theirs?.value || isEncrypted != theirs?.isEncrypted {
        merged.setField(key, to: value, isEncrypted: isEncrypted)
      }
    }
    merged.parent = parent(over: serverRecord)
    merged.share = share(over: serverRecord)
    return merged
  }

  /// Returns a draft with the changes of this one, based on a newer version of its record. Where both
  /// sides have changed a field, the draft's value is kept.
  public func merging(_ serverRecord: ResultRecord) -> DraftRecord {
    merging(serverRecord) { $0.mine }
  }

  /// Returns the parent after the draft's change of it, if it has changed it.
  package func parent(over stored: ResultRecord) -> Reference? {
    link(parent, wasSet: setLinks.parent, before: base?.parent, known: stored.parent)
  }

  /// Returns the share after the draft's change of it, if it has changed it.
  package func share(over stored: ResultRecord) -> Reference? {
    link(share, wasSet: setLinks.share, before: base?.share, known: stored.share)
  }

  /// A draft knows only what it is based on. One without a change tag was made without knowing the
  /// record: its nil says nothing. One made from system fields says only what was set since.
  private func link(
    _ own: Reference?, wasSet: Bool, before: Reference?, known: Reference?
  ) -> Reference? {
    if base != nil { return own == before ? known : own }
    if recordChangeTag == nil { return own ?? known }
    return wasSet ? own : known
  }
}

/// Whether the parent and the share of a draft were set.
private struct SetLinks: Sendable {
  var parent = false
  var share = false
}

/// A field that a draft and another client have changed to different values.
public struct FieldConflict: Sendable, Hashable {
  /// The name of the field.
  @ExactText public private(set) var key: String
  /// The value in the draft; nil if the draft removed the field.
  public let mine: RecordValue?
  /// The value on the server; nil if the field was removed there.
  public let theirs: RecordValue?
  /// The value that both changes are based on; nil if there was no field, or the draft does not know
  /// it (a draft made from system fields).
  public let ancestor: RecordValue?
  /// Whether the field is encrypted: in the draft, or, if the draft removed it, on the server.
  public let isEncrypted: Bool
}

extension FieldConflict: CustomStringConvertible {
  /// The name of the field, without values.
  public var description: String { "field '\(key)' was changed on both sides" }
}

/// A record that is written to, and then saved: a value type, so a copy is a snapshot.
///
/// A draft knows what changed since the record it grew from, and that record's values: what a save
/// that sends only the changes needs, and a three-way merge.
public struct DraftRecord: Sendable, Hashable {
  /// Everything but the values; the change tag is that of the record the draft grew from.
  public private(set) var systemFields: SystemFields
  /// The record the draft was made from; nil for a new one, and one from system fields.
  public let base: ResultRecord?
  private(set) var storedFields: [Field]
  private var changed: Set<NameKey> = []

  /// A draft of a new record of that identity.
  public init(recordType: String, recordID: RecordID) {
    self.init(systemFields: SystemFields(recordID: recordID, recordType: recordType))
  }

  /// A draft that changes a record which a database returned.
  public init(_ record: ResultRecord) {
    systemFields = record.systemFields
    base = record
    storedFields = Array(record.fields)
  }

  /// A draft of a record of which only the system fields are at hand.
  ///
  /// Its other fields are unknown rather than empty: ``changedKeys()`` names those that were set.
  /// A database that replaces records whole, as `MockDatabase.save(_:)` does, keeps only these.
  public init(systemFields: SystemFields) {
    self.systemFields = systemFields
    base = nil
    storedFields = []
  }

  /// The record's identity.
  public var recordID: RecordID { systemFields.recordID }
  /// The record's type.
  public var recordType: String { systemFields.recordType }
  /// The version of the record the draft grew from; nil for a new one.
  public var recordChangeTag: String? { systemFields.recordChangeTag }

  /// The record's parent in the sharing hierarchy.
  public var parent: Reference? {
    get { systemFields.parent }
    set { systemFields.parent = newValue }
  }

  /// The share that this record is the root of.
  public var share: Reference? {
    get { systemFields.share }
    set { systemFields.share = newValue }
  }

  /// The special members of shares, and what a server sent that this model does not know.
  package var otherMembers: OtherMembers {
    get { systemFields.otherMembers }
    set { systemFields.otherMembers = newValue }
  }

  /// All fields, plain and encrypted, in the order of the UTF-8 bytes of their names.
  public var fields: [Field] { storedFields }

  /// The names of all fields, plain and encrypted.
  public func allKeys() -> [String] { storedFields.map(\.name) }

  /// The names of fields that were set or removed since the draft was made, sorted.
  public func changedKeys() -> [String] {
    changed.sorted().map(\.string)
  }

  /// The names of fields that were removed since the draft was made, sorted.
  public func removedKeys() -> [String] {
    changedKeys().filter { field(named: $0) == nil }
  }

  /// The field of that name, plain or encrypted.
  public func field(named name: String) -> Field? {
    index(of: name).map { storedFields[$0] }
  }

  /// The field as it was in the record the draft was made from.
  public func baseField(named name: String) -> Field? {
    base?.field(named: name)
  }

  /// Sets, replaces or (with nil) removes a field.
  ///
  /// A field that is set to the value it has already does count as changed, as with `CKRecord`.
  public mutating func setField(
    _ name: String, to value: RecordValue?, isEncrypted: Bool = false
  ) {
    let existing = index(of: name)
    guard let value else {
      if let existing {
        storedFields.remove(at: existing)
        changed.insert(NameKey(name))
      } else if base == nil && recordChangeTag != nil {
        changed.insert(NameKey(name))
      }
      return
    }
    changed.insert(NameKey(name))
    let field = Field(name: name, value: value, isEncrypted: isEncrypted)
    if let existing {
      storedFields[existing] = field
    } else {
      let place = storedFields.firstIndex { compareUTF8(name, $0.name) < 0 }
      storedFields.insert(field, at: place ?? storedFields.endIndex)
    }
  }

  private func index(of name: String) -> Int? {
    storedFields.firstIndex { $0.name.sameScalars(as: name) }
  }

  /// The record as it stands, with the system fields it has: what a mock returns, or a preview
  /// shows.
  ///
  /// - Throws: ``CloudError`` with a ``CloudError/violation``, for what no save would accept.
  public func resultRecord(limits: RecordLimits = .cloudKit) throws -> ResultRecord {
    try limits.check(self)
    return ResultRecord(systemFields: systemFields, fields: storedFields)
  }
}

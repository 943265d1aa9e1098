import RecordModel

/// The difference between two versions of a record.
public struct RecordDifference: Sendable, Hashable {
  /// A field that differs.
  public struct FieldChange: Sendable, Hashable {
    /// The name of the field.
    public var name: String
    /// The old field; nil if it was added.
    public var before: Field?
    /// The new field; nil if it was removed.
    public var after: Field?
  }

  /// A system field, or a member of records that the model does not know.
  public struct SystemField: Sendable, Hashable {
    /// The name, as in `SystemFields`.
    @ExactText public var name: String

    /// Creates a system field with a name.
    public init(_ name: String) { self.name = name }

    /// The record type.
    public static let recordType = Self("recordType")
    /// The change tag.
    public static let recordChangeTag = Self("recordChangeTag")
    /// The date and user of the creation.
    public static let created = Self("created")
    /// The date and user of the last modification, or of the deletion.
    public static let modified = Self("modified")
    /// The reference to the parent.
    public static let parent = Self("parent")
    /// The reference to the share.
    public static let share = Self("share")

    fileprivate static let known: Set<Self> = [
      .recordType, .recordChangeTag, .created, .modified, .parent, .share,
    ]
  }

  /// A system field that differs, with both values as text.
  public struct SystemChange: Sendable, Hashable, CustomStringConvertible {
    /// The system field.
    public var field: SystemField
    /// The old value; nil if there was none.
    public var before: String?
    /// The new value; nil if there is none.
    public var after: String?

    /// The name and both values. Those of an unknown member, which may contain the value of an
    /// encrypted field, are omitted.
    public var description: String {
      guard SystemField.known.contains(field) else { return "\(field.name) changed" }
      return "\(field.name): \(before ?? "nil") → \(after ?? "nil")"
    }
  }

  /// The identity of the record.
  public var recordID: RecordID
  /// The fields that differ, in the order of their names.
  public var fields: [FieldChange] = []
  /// The system fields that differ.
  public var system: [SystemChange] = []

  /// Whether the records are equal.
  public var isEmpty: Bool { fields.isEmpty && system.isEmpty }

  /// Compares two versions of a record.
  public init(from before: ResultRecord, to after: ResultRecord) {
    recordID = after.recordID
    compareFields(before, after)
    compareSystem(before.systemFields, after.systemFields)
  }

  /// Removes differences that do not matter.
  ///
  /// - Parameters:
  ///   - system: The system fields that may differ.
  ///   - fields: The names of the fields that may differ.
  package mutating func ignore(_ system: Set<SystemField>, fields: Set<String>) {
    if !system.isEmpty { self.system.removeAll { system.contains($0.field) } }
    if !fields.isEmpty { self.fields.removeAll { fields.contains($0.name) } }
  }

  private mutating func compareFields(_ before: ResultRecord, _ after: ResultRecord) {
    var left = before.fields.makeIterator()
    var right = after.fields.makeIterator()
    var (a, b) = (left.next(), right.next())
    while a != nil || b != nil {
      let order =
        switch (a, b) {
        case (nil, _): 1
        case (_, nil): -1
        case (let a?, let b?): compareUTF8(a.name, b.name)
        }
      let name = (order <= 0 ? a : b)?.name ?? ""
      if order != 0 || a != b {
        fields.append(
          FieldChange(name: name, before: order <= 0 ? a : nil, after: order >= 0 ? b : nil))
      }
      if order <= 0 { a = left.next() }
      if order >= 0 { b = right.next() }
    }
  }

  private mutating func compareSystem(_ before: SystemFields, _ after: SystemFields) {
    func add<T: Equatable>(_ field: SystemField, _ a: T?, _ b: T?, _ words: (T) -> String) {
      if a != b {
        system.append(SystemChange(field: field, before: a.map(words), after: b.map(words)))
      }
    }
    // `==` of strings treats canonically equivalent ones as equal, which records do not.
    func add(_ field: SystemField, _ a: String?, _ b: String?) {
      if !a.sameScalars(as: b) {
        system.append(SystemChange(field: field, before: a, after: b))
      }
    }
    add(.recordType, before.recordType, after.recordType)
    add(.recordChangeTag, before.recordChangeTag, after.recordChangeTag)
    add(.created, before.created, after.created) { $0.inWords }
    add(.modified, before.modified, after.modified) { $0.inWords }
    add(.parent, before.parent, after.parent) { $0.inWords }
    add(.share, before.share, after.share) { $0.inWords }
    let members = before.otherMembers + after.otherMembers
    for name in Set(members.map { NameKey($0.name) }).sorted().map(\.string) {
      add(SystemField(name), before.otherMembers[name], after.otherMembers[name]) { $0.text }
    }
  }
}

extension RecordStamp {
  fileprivate var inWords: String {
    let parts = [
      date.map(\.inWords), userRecordName, deviceID.map { "on the device \($0)" },
    ]
    let others = otherMembers.map { "\($0.name)=\($0.value.text)" }
    return (parts.compactMap { $0 } + others).joined(separator: " ")
  }
}

extension Reference {
  fileprivate var inWords: String {
    let others = otherMembers.map { "\($0.name)=\($0.value.text)" }
    return (["\(recordID) \(action.rawValue)"] + others).joined(separator: " ")
  }
}

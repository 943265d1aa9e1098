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
  public struct SystemChange: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
    /// The system field.
    public var field: SystemField
    /// The old value; nil if there was none.
    public var before: String?
    /// The new value; nil if there is none.
    public var after: String?

    /// Whether the values have members that the model does not know.
    var hasOthers = false

    /// The name and both values. Values with unknown members, which may contain a key or the value of
    /// an encrypted field, are omitted.
    public var description: String {
      guard SystemField.known.contains(field), !hasOthers else { return "\(field.name) changed" }
      return "\(field.name): \(before ?? "nil") → \(after ?? "nil")"
    }

    /// The name and the description.
    public var customMirror: Mirror {
      Mirror(self, children: ["field": field.name, "change": description])
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

  /// Creates the difference of a record that exists on one side only: all of its fields.
  package init(of record: ResultRecord, isAdded: Bool) {
    recordID = record.recordID
    fields = record.fields.map {
      FieldChange(name: $0.name, before: isAdded ? nil : $0, after: isAdded ? $0 : nil)
    }
  }

  /// Removes differences that do not matter.
  ///
  /// - Parameters:
  ///   - system: The system fields that may differ.
  ///   - fields: The names of the fields that may differ.
  package mutating func ignore(_ system: Set<SystemField>, fields: Set<String>) {
    if !system.isEmpty { self.system.removeAll { system.contains($0.field) } }
    if !fields.isEmpty { self.fields.removeAll { fields.containsName($0.name) } }
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
    func add<T: SystemValue>(_ field: SystemField, _ a: T?, _ b: T?) {
      guard a != b else { return }
      var (old, new) = (a?.inWords, b?.inWords)
      if old == new { (old, new) = (a?.exactly, b?.exactly) }
      let hasOthers = [a, b].contains { $0?.otherMembers.isEmpty == false }
      system.append(SystemChange(field: field, before: old, after: new, hasOthers: hasOthers))
    }
    // `==` of strings treats canonically equivalent ones as equal, which records do not.
    func add(_ field: SystemField, _ a: String?, _ b: String?) {
      if !a.sameScalars(as: b) {
        system.append(SystemChange(field: field, before: a, after: b))
      }
    }
    add(.recordType, before.recordType, after.recordType)
    add(.recordChangeTag, before.recordChangeTag, after.recordChangeTag)
    add(.created, before.created, after.created)
    add(.modified, before.modified, after.modified)
    add(.parent, before.parent, after.parent)
    add(.share, before.share, after.share)
    let members = before.otherMembers + after.otherMembers
    for name in Set(members.map { ExactString($0.name) }).sorted().map(\.string) {
      add(SystemField(name), before.otherMembers[name]?.text, after.otherMembers[name]?.text)
    }
  }
}

/// A value of a system field that has several parts.
private protocol SystemValue: Equatable {
  var otherMembers: OtherMembers { get }
  /// The parts as text.
  var inWords: String { get }
  /// The parts as text that no other value has.
  var exactly: String { get }
}

extension SystemValue {
  fileprivate func text(_ parts: [String?]) -> String {
    (parts.compactMap { $0 } + otherMembers.map { "\($0.name)=\($0.value.text)" })
      .joined(separator: " ")
  }
}

extension RecordStamp: SystemValue {
  fileprivate var inWords: String {
    text([date.map(\.inWords), userRecordName, deviceID.map { "on the device \($0)" }])
  }

  fileprivate var exactly: String {
    text([
      date.map { "\($0.timeIntervalSinceReferenceDate) s since 2001" },
      userRecordName.map { "by \($0.debugDescription)" },
      deviceID.map { "on the device \($0.debugDescription)" },
    ])
  }
}

extension Reference: SystemValue {
  fileprivate var inWords: String { text(["\(recordID) \(action.rawValue)"]) }

  fileprivate var exactly: String {
    let (name, zoneID) = (recordID.recordName, recordID.zoneID)
    return text([
      "\(name.debugDescription) of \(zoneID.zoneName.debugDescription)",
      "owned by \(zoneID.ownerName.debugDescription)", action.rawValue,
    ])
  }
}

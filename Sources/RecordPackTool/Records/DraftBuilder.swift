import Foundation
import RecordArchive
import RecordCoding
import RecordModel
import RecordSchema
import RecordText

/// Makes the draft that saves a given record, on top of the stored one.
struct DraftBuilder {
  /// Whether fields that are not given are removed.
  let replaces: Bool
  /// Whether the record is saved even if its change tag is not that of the stored one.
  let ignoresChangeTag: Bool
  /// Whether a record was deleted from the container.
  let isDeleted: (RecordID, DatabaseScope) throws -> Bool
  /// The schema of the container; nil if it has none.
  let schema: CloudSchema?

  /// Returns the draft of a record.
  ///
  /// - Throws: `CommandError` with the place of the record.
  func draft(
    of given: InputRecord, recordID: RecordID, in database: DatabaseScope,
    over stored: ResultRecord?
  ) throws -> DraftRecord {
    guard let type = given.recordType ?? stored?.recordType else {
      throw given.failure("a new record needs a type: --type, or the member 'recordType'")
    }
    if let stored, !stored.recordType.sameScalars(as: type) {
      throw given.failure(
        "it exists with the type '\(stored.recordType)', not '\(type)'; the type of a record "
          + "cannot be changed")
    }
    var draft = stored.map { DraftRecord($0) } ?? DraftRecord(recordType: type, recordID: recordID)
    if replaces {
      for name in draft.allKeys() { draft.setField(name, to: nil) }
      (draft.parent, draft.share, draft.otherMembers) = (nil, nil, [])
    }
    try given.reading { try setMembers(of: &draft, given, in: database, over: stored) }
    for (name, value) in given.fields {
      try set(name, of: &draft, to: value, given, over: stored?.field(named: name))
    }
    return draft
  }

  // MARK: System fields

  private func setMembers(
    of draft: inout DraftRecord, _ given: InputRecord, in database: DatabaseScope,
    over stored: ResultRecord?
  ) throws {
    guard let members = given.dictionary?.members else { return }
    let identity: [JSONValue.Member] = [
      .init("zoneID", draft.recordID.zoneID.jsonValue()),
      .init("recordType", .string(draft.recordType)),
      .init("recordName", .string(draft.recordID.recordName)),
    ]
    let names = identity.map(\.name)
    let rest = JSONValue.object(members).dropping(names).members ?? []
    let record = try ResultRecord(json: .object(identity + rest), DecodingContext())
    let system = record.systemFields
    try checkChangeTag(system.recordChangeTag, given, draft.recordID, in: database, over: stored)
    for member in rest {
      switch member.name {
      case "parent": draft.parent = system.parent
      case "share": draft.share = system.share
      default: break
      }
    }
    let old = stored?.systemFields.otherMembers ?? []
    for member in system.otherMembers {
      let value = try JSONValue(raw: member.value)
      guard let known = old[member.name] else {
        draft.otherMembers.set(member.name, to: member.value)
        continue
      }
      let stored = try JSONValue(raw: known)
      let restored = value.restoringKeys(of: stored)
      draft.otherMembers.set(
        member.name, to: restored.sorted == stored.sorted ? known : restored.raw)
    }
    // A record that was read has a change tag, and 'show' leaves out this member.
    let hidden = RecordDisclosure.wrappingKey
    if system.recordChangeTag != nil, system.otherMembers[hidden] == nil, let known = old[hidden] {
      draft.otherMembers.set(hidden, to: known)
    }
  }

  /// Throws if the record was saved or deleted after the given copy was read.
  private func checkChangeTag(
    _ tag: String?, _ given: InputRecord, _ recordID: RecordID, in database: DatabaseScope,
    over stored: ResultRecord?
  ) throws {
    guard let tag, !ignoresChangeTag else { return }
    guard let stored else {
      guard try isDeleted(recordID, database) else { return }
      throw given.failure(
        "it has a change tag, and a record of this name was deleted; to create it again, remove "
          + "'recordChangeTag', or use --ignore-change-tags")
    }
    let current = stored.systemFields.recordChangeTag ?? ""
    guard !tag.sameScalars(as: current) else { return }
    throw given.failure(
      "it was saved after this copy was read (its change tag is '\(current)', not '\(tag)'); read "
        + "it again, or use --ignore-change-tags")
  }

  // MARK: Fields

  private func set(
    _ name: String, of draft: inout DraftRecord, to value: InputRecord.Value,
    _ given: InputRecord, over stored: Field?
  ) throws {
    let declared = schema?.recordType(named: draft.recordType)?.field(named: name)?.type
    let zoneID = draft.recordID.zoneID
    let expected = ImpliedFieldType(stored: stored, declared: declared, in: zoneID)
    switch value {
    case .removed: draft.setField(name, to: nil)
    case .file(let url): draft.setField(name, to: .asset(Asset(fileURL: url)))
    case .text(let text):
      let json = try expected.json(text) { given.failure("field '\(name)': \($0)") }
      try set(name, of: &draft, to: .json(json), given, over: stored)
    case .json(let json):
      if let stored, try Self.isShown(json, stored, in: zoneID) {
        return draft.setField(stored)
      }
      guard json["value"] != nil else {
        throw given.failure(
          "field '\(name)' has no value"
            + (json["isEncrypted"]?.bool == true
              ? ", because 'recordpack show' hides those of encrypted fields; use --show-encrypted, "
                + "or leave the field out" : "; give one, or null to remove the field"))
      }
      let whole = expected.completing(json)
      guard !ImpliedFieldType.isTooLarge(whole) else {
        throw given.failure(
          "field '\(name)' has an integer of more than 64 bits; CloudKit has none. For the nearest "
            + "number, write a fraction, such as 1.0, or {\"type\":\"DOUBLE\",\"value\":…}")
      }
      let field = try given.reading {
        do {
          var context = DecodingContext(zoneID: zoneID)
          context.mayShowValues = !expected.isEncrypted
          return try Field(name: name, json: whole, context)
        } catch let error as RecordCodingError {
          throw error.inside(member: name).inside(member: "fields")
        }
      }
      guard let field else { return draft.setField(name, to: nil) }
      if let stored, stored.isEncrypted, !field.isEncrypted {
        throw given.failure(
          "field '\(name)' is encrypted in the stored record; add \"isEncrypted\":true")
      }
      draft.setField(try stored.map { try Self.restoring(field, of: $0, given, zoneID) } ?? field)
    }
  }

  /// Returns the field with what `show` hides of the stored one.
  private static func restoring(
    _ field: Field, of stored: Field, _ given: InputRecord, _ zoneID: ZoneID
  ) throws -> Field {
    // The command line gives a value, and nothing beside it.
    let isValue = given.dictionary == nil && field.otherMembers.isEmpty
    if isValue, field.value == stored.value, field.isEncrypted == stored.isEncrypted {
      return stored
    }
    let json = try field.dictionary(in: zoneID)
    let whole = try stored.dictionary(in: zoneID)
    let restored = json.restoringKeys(of: whole)
    if restored.sorted == whole.sorted { return stored }
    guard restored != json else { return field }
    return try Field(name: field.name, json: restored, DecodingContext(zoneID: zoneID)) ?? field
  }

  /// Whether a field is what `show` writes for the stored one, with or without secrets.
  private static func isShown(
    _ json: JSONValue, _ stored: Field, in zoneID: ZoneID
  ) throws -> Bool {
    let whole = try stored.dictionary(in: zoneID)
    let json = json.sorted
    return json == RecordDisclosure(showEncrypted: false).shown(whole).sorted
      || json == whole.sorted
  }
}

extension JSONValue {
  /// The value with the members of objects sorted by name: other programs reorder them.
  fileprivate var sorted: JSONValue {
    if let elements { return .array(elements.map(\.sorted)) }
    guard let members else { return self }
    return .object(
      members.map { .init($0.name, $0.value.sorted) }.sorted {
        ExactString($0.name) < ExactString($1.name)
      }
    )
  }

  /// Returns a value from the output of `show`, which may be changed, with the encryption keys that
  /// `show` leaves out of the stored one.
  ///
  /// An object gets the key of the object at the same place. In the value of a field, the object must
  /// be unchanged, because the key of an asset belongs to its content.
  ///
  /// - Parameter isContent: Whether this is the value of a field.
  func restoringKeys(of stored: JSONValue, isContent: Bool = false) -> JSONValue {
    if let elements, let others = stored.elements {
      return .array(
        elements.enumerated().map { index, element in
          guard index < others.count else { return element }
          return element.restoringKeys(of: others[index], isContent: isContent)
        })
    }
    guard let members, stored.members != nil else { return self }
    let restored = JSONValue.object(
      members.map { member in
        let value = stored[member.name].map { old in
          member.value.restoringKeys(of: old, isContent: isContent || member.name == "value")
        }
        return Member(member.name, value ?? member.value)
      })
    let name = RecordDisclosure.wrappingKey
    guard self[name] == nil, let key = stored[name],
      !isContent || restored.sorted == stored.dropping([name]).sorted
    else { return restored }
    return restored.adding(.object([Member(name, key)]))
  }
}

/// The type of a field whose value is given without one: that of the stored field, or else that of
/// the schema.
struct ImpliedFieldType {
  let type: ValueType?
  let isEncrypted: Bool
  /// The stored reference, whose action and zone stay.
  private let reference: JSONValue?

  /// - Parameter zoneID: The zone that references omit.
  init(stored: Field?, declared: CloudSchema.FieldType?, in zoneID: ZoneID) {
    reference =
      if case .reference = stored?.value {
        (try? stored?.dictionary(in: zoneID))?["value"]
      } else { nil }
    if let stored {
      // An empty list says nothing about its elements.
      let known = ValueType(rawValue: stored.value.typeName)
      type = known == .emptyList ? declared.flatMap(Self.type) : known
      isEncrypted = stored.isEncrypted
    } else {
      type = declared.flatMap(Self.type)
      isEncrypted = declared?.isEncrypted ?? false
    }
  }

  private static func type(_ declared: CloudSchema.FieldType) -> ValueType? {
    ValueType(rawValue: declared.primitive.rawValue + (declared.isList ? "_LIST" : ""))
  }

  /// Adds the type to a field of a record dictionary that has none. A Boolean is an integer.
  func completing(_ json: JSONValue) -> JSONValue {
    guard let members = json.members else { return json }
    var added: [JSONValue.Member] = []
    if json["type"] == nil {
      if let type { added.append(.init("type", .string(type.rawValue))) }
      if isEncrypted, json["isEncrypted"] == nil { added.append(.init("isEncrypted", .bool(true))) }
    }
    let completed = JSONValue(.object(added + members), offset: json.offset)
    let integers = [ValueType.int64, .int64List].map(\.rawValue)
    guard let type = completed["type"]?.string, integers.contains(type) else { return completed }
    return .object(
      (added + members).map { member in
        member.name == "value"
          ? .init(member.name, member.value.withIntegersForBools) : member
      })
  }

  /// Whether a field without a type has an integer that no type has without loss.
  static func isTooLarge(_ json: JSONValue) -> Bool {
    func isTooLarge(_ value: JSONValue) -> Bool {
      guard let text = value.numberText else { return false }
      return Int64(text) == nil && !text.contains { ".eE".contains($0) }
    }
    guard json["type"] == nil, let value = json["value"] else { return false }
    return isTooLarge(value) || value.elements?.contains(where: isTooLarge) == true
  }

  /// Returns the field for `NAME=TEXT`.
  ///
  /// - Parameter failure: Creates the error for a type that text cannot express.
  func json(_ text: String, _ failure: (String) -> CommandError) throws -> JSONValue {
    func field(_ value: JSONValue) -> JSONValue { .object([.init("value", value)]) }
    switch type {
    case nil, .string: return field(.string(text))
    case .timestamp:
      guard let date = DateArgument(argument: text)?.date else {
        throw failure("expected a date, such as 2025-01-31 or 2025-01-31T18:00:00Z")
      }
      return field(.integer(Int64((date.timeIntervalSince1970 * 1000).rounded())))
    case .reference:
      let name = JSONValue.Member("recordName", .string(text))
      let members = reference?.members ?? [name]
      return field(.object(members.map { $0.name == name.name ? name : $0 }))
    case .asset: throw failure("it is an asset; write NAME@=FILE")
    case .some(let type): throw failure("its type is \(type.rawValue); write NAME:=JSON")
    }
  }
}

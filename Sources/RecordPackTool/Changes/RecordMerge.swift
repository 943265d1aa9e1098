import Foundation
import RecordArchive
import RecordCoding
import RecordModel
import RecordSchema

/// Makes the draft that saves a given record, on top of the stored one.
struct RecordMerge {
  /// Whether fields that are not given are removed.
  let replaces: Bool
  /// Whether the record is saved even if its change tag is not that of the stored one.
  let ignoresChangeTag: Bool
  /// The schema of the container; nil if it has none.
  let schema: CloudSchema?

  /// Returns the draft of a record.
  ///
  /// - Throws: `Failure` with the place of the record.
  func draft(
    of given: GivenRecord, recordID: RecordID, over stored: ResultRecord?
  ) throws -> DraftRecord {
    guard let type = given.recordType ?? stored?.recordType else {
      throw given.failure("a new record needs a type: --type, or the member 'recordType'")
    }
    if let stored, !stored.recordType.sameScalars(as: type) {
      throw given.failure(
        "it exists with the type '\(stored.recordType)', not '\(type)'; the type of a record "
          + "cannot be changed")
    }
    var draft = DraftRecord(recordType: type, recordID: recordID)
    if let stored, !replaces { draft = DraftRecord(stored) }
    try given.reading { try setMembers(of: &draft, given, over: stored) }
    for (name, value) in given.fields {
      try set(name, of: &draft, to: value, given, over: stored?.field(named: name))
    }
    return draft
  }

  // MARK: System fields

  private func setMembers(
    of draft: inout DraftRecord, _ given: GivenRecord, over stored: ResultRecord?
  ) throws {
    guard let members = given.dictionary?.members else { return }
    let identity: [JSONValue.Member] = [
      .init("zoneID", draft.recordID.zoneID.jsonValue()),
      .init("recordType", .string(draft.recordType)),
      .init("recordName", .string(draft.recordID.recordName)),
    ]
    let names = identity.map(\.name)
    let rest = JSONValue.object(members).dropping(names).members ?? []
    let record = try ResultRecord(json: .object(identity + rest), MappingContext())
    let system = record.systemFields
    if let stored, let tag = system.recordChangeTag, !ignoresChangeTag,
      !tag.sameScalars(as: stored.systemFields.recordChangeTag ?? "")
    {
      throw given.failure(
        "it was saved after this copy was read (its change tag is "
          + "'\(stored.systemFields.recordChangeTag ?? "")', not '\(tag)'); read it again, or use "
          + "--force")
    }
    for member in rest {
      switch member.name {
      case "parent": draft.parent = system.parent
      case "share": draft.share = system.share
      default: break
      }
    }
    let shown = try stored.map { try Self.shownMembers(of: $0) } ?? [:]
    for member in system.otherMembers {
      let old = stored?.systemFields.otherMembers[member.name]
      let isHidden = try shown[NameKey(member.name)] == JSONValue(raw: member.value).sorted
      draft.otherMembers.set(member.name, to: isHidden ? old : member.value)
    }
  }

  /// The other members of a record as `show` writes them.
  private static func shownMembers(of record: ResultRecord) throws -> [NameKey: JSONValue] {
    let disclosure = RecordDisclosure(showEncrypted: false)
    let members = try record.systemFields.otherMembers.map { member in
      (NameKey(member.name), disclosure.shown(try JSONValue(raw: member.value)).sorted)
    }
    return Dictionary(members, uniquingKeysWith: { $1 })
  }

  // MARK: Fields

  private func set(
    _ name: String, of draft: inout DraftRecord, to value: GivenRecord.Value,
    _ given: GivenRecord, over stored: Field?
  ) throws {
    let declared = schema?.recordType(named: draft.recordType)?.field(named: name)?.type
    let expected = ExpectedType(stored: stored, declared: declared)
    switch value {
    case .removed: draft.setField(name, to: nil)
    case .file(let url): draft.setField(name, to: .asset(Asset(fileURL: url)))
    case .text(let text):
      let json = try expected.json(text) { given.failure("field '\(name)': \($0)") }
      try set(name, of: &draft, to: .json(json), given, over: stored)
    case .json(let json):
      let zoneID = draft.recordID.zoneID
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
      let field = try given.reading {
        do {
          var context = MappingContext(zoneID: zoneID)
          context.mayShowValues = !expected.isEncrypted
          return try Field(name: name, json: expected.completing(json), context)
        } catch let error as RecordCodingError {
          throw error.inside(member: name).inside(member: "fields")
        }
      }
      guard let field else { return draft.setField(name, to: nil) }
      if let stored, stored.isEncrypted, !field.isEncrypted {
        throw given.failure(
          "field '\(name)' is encrypted in the stored record; add \"isEncrypted\":true")
      }
      draft.setField(stored.map { field.keepingSecrets(of: $0) } ?? field)
    }
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
      members.map { .init($0.name, $0.value.sorted) }.sorted { NameKey($0.name) < NameKey($1.name) }
    )
  }
}

extension Field {
  /// The field whose assets have the keys of the same assets in another field: `show` does not write
  /// them.
  fileprivate func keepingSecrets(of stored: Field) -> Field {
    let known: [Asset]
    switch stored.value {
    case .asset(let asset): known = [asset]
    case .assetList(let assets): known = assets
    default: return self
    }
    func whole(_ asset: Asset) -> Asset {
      guard asset.wrappingKey == nil else { return asset }
      return known.first {
        var shown = $0
        shown.wrappingKey = nil
        return shown == asset
      } ?? asset
    }
    let value: RecordValue
    switch self.value {
    case .asset(let asset): value = .asset(whole(asset))
    case .assetList(let assets): value = .assetList(assets.map(whole))
    default: return self
    }
    return Field(name: name, value: value, isEncrypted: isEncrypted, otherMembers: otherMembers)
  }
}

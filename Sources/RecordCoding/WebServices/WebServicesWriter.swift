import RecordModel

/// Writes records, zones and deletions in the format of CloudKit Web Services, in a deterministic
/// order.
///
/// What is read back is equal to what was written, except for dates of deletion, which the format
/// does not contain.
///
/// The JSON of a record from a server is preserved, except for the order of members and the
/// following:
///
/// - `"deleted":false`, the zones of references and omitted types are written.
/// - Fields without values and members with the value `null` are omitted.
/// - `isEncrypted` becomes the prefix `ENCRYPTED_`, `NUMBER_INT64` becomes `INT64`, and `ownerName`
///   becomes `ownerRecordName`.
/// - Numbers in known fields are in canonical form.
/// - Of the members of a `zoneID` beside names, only `zoneType` is written there.
public struct WebServicesWriter: Sendable {
  private let zoneTypes: [ZoneID: RawJSON]

  /// Creates a writer.
  ///
  /// - Parameter zones: the zones whose `zoneType`, if known, is written with every identity.
  public init(zones: [RecordZone] = []) {
    var types: [ZoneID: RawJSON] = [:]
    for zone in zones {
      if let type = zone.otherMembers[Self.zoneTypeKey] { types[zone.zoneID] = type }
    }
    zoneTypes = types
  }

  private static let zoneTypeKey = "zoneType"

  package func value(of zoneID: ZoneID) throws(RecordCodingError) -> JSONValue {
    try value(of: zoneID, type: zoneTypes[zoneID])
  }

  private func value(
    of zoneID: ZoneID, type: RawJSON?
  ) throws(RecordCodingError) -> JSONValue {
    var members = MemberWriter()
    members.add("zoneName", zoneID.zoneName)
    members.add("ownerRecordName", zoneID.ownerName)
    if let type { members.add(Self.zoneTypeKey, try JSONValue(raw: type)) }
    return members.value
  }

  package func value(of record: ResultRecord) throws(RecordCodingError) -> JSONValue {
    let systemFields = record.systemFields
    var members = MemberWriter()
    members.add("recordName", systemFields.recordID.recordName)
    members.add("recordType", systemFields.recordType)
    members.add("fields", try fields(of: record))
    try members.add(systemFields.otherMembers)
    members.add("recordChangeTag", systemFields.recordChangeTag)
    try members.add("created", systemFields.created)
    try members.add("modified", systemFields.modified)
    if let parent = systemFields.parent { members.add("parent", try value(of: parent)) }
    if let share = systemFields.share { members.add("share", try value(of: share)) }
    members.add("deleted", .bool(false))
    members.add("zoneID", try value(of: systemFields.recordID.zoneID))
    return members.value
  }

  package func value(of tombstone: Tombstone) throws(RecordCodingError) -> JSONValue {
    var members = MemberWriter()
    members.add("recordName", tombstone.recordID.recordName)
    members.add("recordType", tombstone.recordType)
    try members.add(tombstone.otherMembers)
    members.add("deleted", .bool(true))
    members.add("zoneID", try value(of: tombstone.recordID.zoneID))
    return members.value
  }

  package func value(of zone: RecordZone) throws(RecordCodingError) -> JSONValue {
    var members = MemberWriter()
    var others = zone.otherMembers
    members.add(
      "zoneID", try value(of: zone.zoneID, type: others[Self.zoneTypeKey] ?? zoneTypes[zone.zoneID])
    )
    others.set(Self.zoneTypeKey, to: nil)
    // Servers do not send capabilities; they are written if they differ from those of a new zone.
    if zone.capabilities != RecordZone(zoneID: zone.zoneID).capabilities {
      members.add("capabilities", try zone.jsonValue()["capabilities"])
    }
    if let share = zone.share { members.add("share", try value(of: share)) }
    try members.add(others)
    return members.value
  }

  private func fields(of record: ResultRecord) throws(RecordCodingError) -> JSONValue {
    var members = MemberWriter()
    for field in record.fields {
      do throws(RecordCodingError) {
        members.add(field.name, try value(of: field))
      } catch {
        throw error.inside(member: field.name).inside(member: "fields")
      }
    }
    return members.value
  }

  private func value(of field: Field) throws(RecordCodingError) -> JSONValue {
    var members = MemberWriter()
    members.add("value", try value(of: field.value))
    let type = FieldType.webServicesName(of: field)
    if !type.isEmpty { members.add("type", type) }
    try members.add(field.otherMembers)
    return members.value
  }

  private func value(of value: RecordValue) throws(RecordCodingError) -> JSONValue {
    switch value {
    case .reference(let reference): try self.value(of: reference)
    case .referenceList(let references):
      try JSONValue.list(references) { (reference) throws(RecordCodingError) in
        try self.value(of: reference)
      }
    default: try value.jsonValue(in: .default)
    }
  }

  private func value(of reference: Reference) throws(RecordCodingError) -> JSONValue {
    var members = MemberWriter()
    members.add("recordName", reference.recordID.recordName)
    members.add("action", reference.action.rawValue)
    members.add("zoneID", try value(of: reference.recordID.zoneID))
    try members.add(reference.otherMembers)
    return members.value
  }
}

extension FieldType {
  /// Returns the name of the field's type in Web Services.
  fileprivate static func webServicesName(of field: Field) -> String {
    let name =
      switch field.value {
      case .asset: "ASSETID"
      case .assetList: "ASSETID_LIST"
      default: field.value.typeName
      }
    return field.isEncrypted ? encryptedPrefix + name : name
  }
}

import RecordModel

/// Writes an array of records as Canopy encodes its `CanopyResultRecord`, each with a mock as its
/// backing value.
///
/// Identities, references and locations are keyed archives with the keys that CloudKit writes. That
/// Apple's unarchiver takes them is not proved: no macOS was at hand.
struct CanopyWriter: DialectWriter {
  var losses = ResponseLosses()

  var tokenNames: (continuation: String, sync: String)? { nil }

  mutating func element(for record: ResultRecord) throws -> JSONValue {
    var members = MemberWriter()
    members.add("type", "mock")
    members.add("backingValue", try mock(record))
    return members.value
  }

  private mutating func mock(_ record: ResultRecord) throws -> JSONValue {
    let systemFields = record.systemFields
    addDetails(of: systemFields)
    var members = MemberWriter()
    members.add("recordID", CanopyValue.archive(.recordID(systemFields.recordID)))
    members.add("creatorUserRecordID", user(systemFields.created))
    members.add("lastModifiedUserRecordID", user(systemFields.modified))
    members.add("parent", reference(systemFields.parent))
    members.add("share", reference(systemFields.share))
    members.add("recordType", systemFields.recordType)
    let fields = record.fields
    members.add("valuesStore", try store(fields.filter { !$0.isEncrypted }))
    members.add("encryptedValuesStore", try store(fields.filter(\.isEncrypted)))
    members.add("creationDate", try systemFields.created?.date.map(CanopyValue.value))
    members.add("modificationDate", try systemFields.modified?.date.map(CanopyValue.value))
    members.add("recordChangeTag", systemFields.recordChangeTag)
    return members.value
  }

  private func user(_ stamp: RecordStamp?) -> JSONValue? {
    stamp?.userRecordName.map { CanopyValue.archive(.user($0)) }
  }

  private mutating func reference(_ reference: Reference?) -> JSONValue? {
    guard let reference else { return nil }
    losses.addDetails(of: reference)
    return CanopyValue.archive(.reference(reference))
  }

  private mutating func store(_ fields: [Field]) throws -> JSONValue {
    .array(
      try fields.compactMap { field in
        let members = try inside(member: field.name) {
          try CanopyValue.members(of: field.value, &losses)
        }
        guard let members else {
          losses.add(.values)
          return nil
        }
        losses.add(.details, field.otherMembers.count)
        return .object([.init("key", .string(field.name))] + members)
      })
  }

  /// Counts what a mock record cannot represent.
  private mutating func addDetails(of systemFields: SystemFields) {
    let isShare = systemFields.recordType == Share.recordType
    if isShare { losses.add(.shares) }
    losses.add(
      .details,
      systemFields.otherMembers.count { !(isShare && Share.memberNames.contains($0.name)) })
    for stamp in [systemFields.created, systemFields.modified] {
      losses.add(.details, (stamp?.otherMembers.count ?? 0) + (stamp?.deviceID == nil ? 0 : 1))
    }
  }
}

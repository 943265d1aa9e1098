import RecordModel

/// Writes an array of records as Canopy encodes its `CanopyResultRecord`, each with a mock as its
/// backing value.
///
/// Identities, references and locations are keyed archives with the keys that CloudKit writes. That
/// Apple's unarchiver takes them is not proved: no macOS was at hand.
struct CanopyWriter: DialectWriter {
  private(set) var losses = ResponseLosses()

  var opening: String { "[" }
  var closing: String { "\n" }
  var tokenNames: (continuation: String, sync: String)? { nil }

  mutating func element(for tombstone: Tombstone) throws(RecordCodingError) -> JSONValue? {
    losses.note(.deletions)
    return nil
  }

  mutating func element(for record: ResultRecord) throws(RecordCodingError) -> JSONValue {
    var members = MemberWriter()
    members.add("type", "mock")
    members.add("backingValue", try mock(record))
    return members.value
  }

  private mutating func mock(_ record: ResultRecord) throws(RecordCodingError) -> JSONValue {
    let systemFields = record.systemFields
    noteDetails(of: systemFields)
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
    if let date = systemFields.created?.date {
      members.add("creationDate", try CanopyValue.value(of: date))
    }
    if let date = systemFields.modified?.date {
      members.add("modificationDate", try CanopyValue.value(of: date))
    }
    members.add("recordChangeTag", systemFields.recordChangeTag)
    return members.value
  }

  private func user(_ stamp: RecordStamp?) -> JSONValue? {
    stamp?.userRecordName.map { CanopyValue.archive(.user($0)) }
  }

  private mutating func reference(_ reference: Reference?) -> JSONValue? {
    guard let reference else { return nil }
    losses.noteDetails(of: reference)
    return CanopyValue.archive(.reference(reference))
  }

  private mutating func store(_ fields: [Field]) throws(RecordCodingError) -> JSONValue {
    var values: [JSONValue] = []
    for field in fields {
      do throws(RecordCodingError) {
        guard let members = try CanopyValue.members(of: field.value, &losses) else {
          losses.note(.values)
          continue
        }
        losses.note(.details, field.otherMembers.count)
        values.append(.object([.init("key", .string(field.name))] + members))
      } catch {
        throw error.inside(member: field.name)
      }
    }
    return .array(values)
  }

  /// Counts what a mock record has no place for.
  private mutating func noteDetails(of systemFields: SystemFields) {
    let isShare = systemFields.recordType == Share.recordType
    if isShare { losses.note(.shares) }
    losses.note(
      .details,
      systemFields.otherMembers.count { !(isShare && Share.memberNames.contains($0.name)) })
    for stamp in [systemFields.created, systemFields.modified] {
      losses.note(
        .details, (stamp?.otherMembers.count ?? 0) + (stamp?.deviceID == nil ? 0 : 1))
    }
  }
}

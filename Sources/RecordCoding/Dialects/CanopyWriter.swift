import RecordModel

import struct Foundation.Data
import struct Foundation.Date
import struct Foundation.URL

/// Writes an array of records as Canopy encodes its `CanopyResultRecord`, each with a mock as its
/// backing value.
///
/// Identities, references and locations are keyed archives with the keys that CloudKit writes. No test
/// has read them with Apple's unarchiver.
struct CanopyWriter: DialectWriter {
  var losses = ResponseLosses()

  var tokenNames: (continuation: String, sync: String)? { nil }

  mutating func element(for record: ResultRecord) throws -> JSONValue {
    var members = JSONObjectWriter()
    members.add("type", "mock")
    members.add("backingValue", try mock(record))
    return members.value
  }

  mutating func element(for tombstone: DeletedRecord) -> JSONValue? {
    losses.add(.deletions)
    return nil
  }

  private mutating func mock(_ record: ResultRecord) throws -> JSONValue {
    let systemFields = record.systemFields
    addDetails(of: systemFields)
    var members = JSONObjectWriter()
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

  /// Counts the details that a mock record cannot represent.
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

extension CanopyValue {
  /// Returns the members `type` and `value`; nil for a value that Canopy has no form for.
  static func members(
    of value: RecordValue, _ losses: inout ResponseLosses
  ) throws -> [JSONValue.Member]? {
    guard let list = value.elements else { return try scalar(value, &losses) }
    var elements: [JSONValue] = []
    for element in list {
      guard let members = try scalar(element, &losses) else { return nil }
      elements.append(.object(members))
    }
    return tagged("array", .array(elements))
  }

  private static func scalar(
    _ value: RecordValue, _ losses: inout ResponseLosses
  ) throws -> [JSONValue.Member]? {
    switch value {
    case .string(let text): return tagged("string", .string(text))
    case .int64(let number): return tagged("int64", .integer(number))
    case .double(let number): return tagged("double", try number.jsonValue())
    case .timestamp(let date): return tagged("date", try self.value(of: date))
    case .bytes(let data): return tagged("data", .string(data.base64EncodedString()))
    case .location(let location):
      _ = try location.jsonValue()  // Throws for numbers that are not finite.
      losses.add(.details, location.otherMembers.count)
      return tagged("clLocation", archive(.location(location)))
    case .reference(let reference):
      losses.addDetails(of: reference)
      return tagged("ckRecordReference", archive(.reference(reference)))
    case .asset(let asset):
      guard let url = asset.downloadURL, URL(string: url) != nil else { return nil }
      if asset != Asset(downloadURL: url) { losses.add(.assets) }
      return tagged("ckAsset", .string(url))
    default: return nil
    }
  }

  /// Returns a date in seconds since 2001.
  static func value(of date: Date) throws -> JSONValue {
    try date.timeIntervalSinceReferenceDate.jsonValue()
  }

  /// Returns an archive of one object, as `NSKeyedArchiver` lays it out, in base64.
  static func archive(_ content: KeyedArchiveContent) -> JSONValue {
    var writer = KeyedArchiveWriter()
    writer.add("root", content)
    return .string(writer.data().base64EncodedString())
  }

  private static func tagged(_ type: String, _ value: JSONValue) -> [JSONValue.Member] {
    [.init("type", .string(type)), .init("value", value)]
  }
}

extension ResponseLosses {
  /// Counts the details that an archived reference does not have.
  mutating func addDetails(of reference: Reference) {
    add(.details, reference.otherMembers.count + (reference.action == .validate ? 1 : 0))
  }
}

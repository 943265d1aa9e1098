import RecordModel

/// Writes records as `cktool query-records` prints them, out of the JSON of Web Services.
///
/// The tags of encrypted fields are not known, so encrypted fields are written like plain ones. A
/// query has no place for deleted records. Both count as losses.
struct CKToolWriter: DialectWriter {
  private let webServices: WebServicesWriter
  private(set) var losses = ResponseLosses()

  var opening: String { #"{"records":["# }
  var closing: String { "}\n" }
  var tokenNames: (continuation: String, sync: String)? { ("continuationToken", "changeToken") }

  init(zones: [RecordZone]) { webServices = WebServicesWriter(zones: zones) }

  mutating func element(for tombstone: Tombstone) throws(RecordCodingError) -> JSONValue? {
    losses.note(.deletions)
    return nil
  }

  mutating func element(for record: ResultRecord) throws(RecordCodingError) -> JSONValue {
    let json = try webServices.value(of: record).dropping(["deleted"])
    var members: [JSONValue.Member] = []
    for member in CKToolNames.record.cktool(json, &losses) {
      let value =
        switch member.name {
        case "fields": fields(member.value)
        case "created", "modified": stamp(member.value)
        case "parent", "share":
          JSONValue.object(CKToolNames.reference.cktool(member.value, &losses))
        default: member.value
        }
      members.append(.init(member.name, value))
    }
    return .object(members)
  }

  private mutating func stamp(_ json: JSONValue) -> JSONValue {
    var members: [JSONValue.Member] = []
    for member in CKToolNames.stamp.cktool(json, &losses) {
      guard member.name == Self.timestamp else {
        members.append(member)
        continue
      }
      if let date = date(member.value) {
        members.append(.init(member.name, date))
      } else {
        losses.note(.details)
      }
    }
    return .object(members)
  }

  private mutating func fields(_ json: JSONValue) -> JSONValue {
    var fields: [JSONValue.Member] = []
    for field in json.members ?? [] {
      let type = FieldType(spelling: field.value["type"]?.string)
      // An unknown type must not have the name of one that cktool knows.
      guard type.type != nil || CKToolType.webServicesName(of: type.name) == type.name,
        let value = field.value["value"], let written = self.value(value, type.type)
      else {
        losses.note(.values)
        continue
      }
      if type.isEncrypted { losses.note(.encryption) }
      var members = MemberWriter()
      members.add("type", CKToolType.tag(of: type))
      members.add("value", written)
      for other in field.value.dropping(["type", "value"]).members ?? [] {
        members.add(other.name, other.value)
      }
      fields.append(.init(field.name, members.value))
    }
    return .object(fields)
  }

  /// Returns nil for a value with a date that ISO 8601 cannot write.
  private mutating func value(_ json: JSONValue, _ type: ValueType?) -> JSONValue? {
    if let element = type?.elementType {
      var elements: [JSONValue] = []
      for json in json.elements ?? [] {
        guard let value = value(json, element) else { return nil }
        elements.append(value)
      }
      return .array(elements)
    }
    switch type {
    case .timestamp: return date(json)
    case .location:
      guard let date = json[Self.timestamp] else { return json }
      guard let text = self.date(date) else { return nil }
      return .object(
        (json.members ?? []).map {
          .init($0.name, $0.name == Self.timestamp ? text : $0.value)
        })
    case .reference: return .object(CKToolNames.reference.cktool(json, &losses))
    case .asset:
      if json["sha256"] != nil { losses.note(.assets) }
      return .object(CKToolNames.asset.cktool(json, &losses))
    default: return json
    }
  }

  private static let timestamp = "timestamp"

  private mutating func date(_ json: JSONValue) -> JSONValue? {
    guard let date = json.numberText.flatMap({ CanonicalDate.date(from: $0) }),
      let written = ISODate.text(of: date)
    else { return nil }
    if !written.isExact { losses.note(.dates) }
    return .string(written.text)
  }
}

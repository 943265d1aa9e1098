import RecordModel

/// Writes records as `cktool query-records` prints them, out of the JSON of Web Services.
///
/// The tags of encrypted fields are not known, so encrypted fields are written like plain ones. A
/// query has no place for deleted records. Both count as losses.
struct CKToolWriter: DialectWriter {
  private let webServices: WebServicesWriter
  var losses = ResponseLosses()

  var tokenNames: (continuation: String, sync: String)? { ("continuationToken", "changeToken") }

  init(zones: [RecordZone]) { webServices = WebServicesWriter(zones: zones) }

  mutating func element(for record: ResultRecord) throws -> JSONValue {
    let json = try webServices.element(for: record).dropping(["deleted"])
    return .object(
      CKToolNames.record.cktool(json, &losses).map { member in
        let value =
          switch member.name {
          case "fields": fields(member.value)
          case "created", "modified": stamp(member.value)
          case "parent", "share":
            JSONValue.object(CKToolNames.reference.cktool(member.value, &losses))
          default: member.value
          }
        return JSONValue.Member(member.name, value)
      })
  }

  private mutating func stamp(_ json: JSONValue) -> JSONValue {
    .object(
      CKToolNames.stamp.cktool(json, &losses).compactMap { member in
        guard member.name == Self.timestamp else { return member }
        if let date = date(member.value) { return JSONValue.Member(member.name, date) }
        losses.add(.details)
        return nil
      })
  }

  private mutating func fields(_ json: JSONValue) -> JSONValue {
    .object(
      (json.members ?? []).compactMap { field in
        let type = FieldType(spelling: field.value["type"]?.string)
        // An unknown type must not have the name of one that cktool knows.
        guard type.type != nil || CKToolType.webServicesName(of: type.name) == type.name,
          let value = field.value["value"], let written = self.value(value, type.type)
        else {
          losses.add(.values)
          return nil
        }
        if type.isEncrypted { losses.add(.encryption) }
        let others = field.value.dropping(["type", "value"]).members ?? []
        return JSONValue.Member(
          field.name,
          .object(
            [.init("type", .string(CKToolType.tag(of: type))), .init("value", written)] + others))
      })
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
      if json["sha256"] != nil { losses.add(.assets) }
      return .object(CKToolNames.asset.cktool(json, &losses))
    default: return json
    }
  }

  private static let timestamp = "timestamp"

  private mutating func date(_ json: JSONValue) -> JSONValue? {
    guard let date = json.numberText.flatMap({ CanonicalDate.date(from: $0) }),
      let written = ISODate.text(of: date)
    else { return nil }
    if !written.isExact { losses.add(.dates) }
    return .string(written.text)
  }
}

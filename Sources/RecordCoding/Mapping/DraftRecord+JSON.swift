import RecordModel

extension DraftRecord: JSONConvertible {
  private static let changedKeysName = "changedKeys"
  private static let baseName = "base"
  private static let contentsName = "assetContents"

  package init(json: JSONValue, _ context: DecodingContext) throws {
    var members = try JSONObjectReader(json, "a draft record", context)
    let changed = try members.value(Self.changedKeysName) ?? [String]()
    let base = try members.value(Self.baseName, ResultRecord.self)
    let contents = try members.read(Self.contentsName, AssetContents.init)
    let current = try ResultRecord(
      json: json.dropping([Self.changedKeysName, Self.baseName, Self.contentsName]), context)
    let systemFields = current.systemFields
    if let base {
      self.init(base)
      guard base.recordID == current.recordID,
        base.recordType.sameScalars(as: current.recordType),
        base.recordChangeTag.sameScalars(as: current.recordChangeTag)
      else {
        throw json.error(
          found: "a draft with the base of another record",
          expected: "a base with the same identity, type and change tag")
      }
      parent = systemFields.parent
      share = systemFields.share
      otherMembers = systemFields.otherMembers
    } else {
      self.init(systemFields: systemFields)
    }
    for name in changed {
      if let field = current.field(named: name) {
        setField(name, to: field.value, isEncrypted: field.isEncrypted)
      } else {
        markRemoved(name)
      }
    }
    for field in try contents?.fields(of: self) ?? [] { setField(field.name, to: field.value) }
  }

  package func jsonValue(in _: ZoneID) throws -> JSONValue {
    var members = try systemFields.knownMembers()
    let contents = AssetContents(of: fields)
    members.add("fields", try Field.object(contents.strippedFields, in: recordID.zoneID))
    try members.add(otherMembers)
    members.add(Self.contentsName, contents.jsonValue)
    try members.add(Self.changedKeysName, changedKeys().isEmpty ? nil : changedKeys())
    try members.add(Self.baseName, base)
    return members.value
  }
}

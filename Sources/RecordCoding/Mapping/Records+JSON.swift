import RecordModel

import struct Foundation.Data
import struct Foundation.Date

extension ResultRecord: JSONConvertible {
  /// Reads a record dictionary in canonical form or Web Services' format.
  package init(json: JSONValue, _ context: DecodingContext) throws {
    try self.init(
      json: json, context, unread: { throw $0 },
      field: { try Field(name: $0.name, json: $0.value, $1) })
  }

  /// Reads a record dictionary.
  ///
  /// - Parameters:
  ///   - unread: gets the error of each field that cannot be read. Unless it throws, the record is
  ///     read without the field.
  ///   - field: reads a field.
  /// - Throws: ``RecordCodingError`` for system fields that cannot be read.
  init(
    json: JSONValue, _ context: DecodingContext, unread: (RecordCodingError) throws -> Void,
    field: (JSONValue.Member, DecodingContext) throws -> Field?
  ) throws {
    var members = try JSONObjectReader(json, "a record", context)
    let json = members.take("fields")
    let systemFields = try SystemFields.read(&members)
    var fields: [Field] = []
    for member in json?.members ?? [] {
      do {
        if let field = try field(member, members.context) { fields.append(field) }
      } catch let error as RecordCodingError {
        try unread(error.inside(member: member.name).inside(member: "fields"))
      }
    }
    if let json, json.members == nil {
      let error = json.error(expected: "an object: the fields of a record")
      try unread(error.inside(member: "fields"))
    }
    self.init(systemFields: systemFields, fields: fields)
  }

  package func jsonValue(in _: ZoneID) throws -> JSONValue {
    let systemFields = self.systemFields
    var members = try systemFields.knownMembers()
    members.add("fields", try Field.object(fields, in: recordID.zoneID))
    try members.add(systemFields.otherMembers)
    return members.value
  }
}

extension Field {
  /// Returns the fields as an object, as in a record dictionary.
  static func object(_ fields: some Sequence<Field>, in zoneID: ZoneID) throws -> JSONValue {
    .object(
      try inside(member: "fields") {
        try fields.map { field in
          JSONValue.Member(
            field.name, try inside(member: field.name) { try field.dictionary(in: zoneID) })
        }
      })
  }
}

extension SystemFields: JSONConvertible {
  /// Reads a record dictionary without its fields.
  package init(json: JSONValue, _ context: DecodingContext) throws {
    var members = try JSONObjectReader(json, "the system fields of a record", context)
    let archive = try members.value(Self.archiveKey, Data.self)
    _ = members.take("fields")
    self = try Self.read(&members)
    self.archive = archive
  }

  /// The member for the keyed archive, which only system fields have, not records.
  private static let archiveKey = "keyedArchive"

  /// Reads everything but the fields from a record dictionary.
  static func read(_ members: inout JSONObjectReader) throws -> SystemFields {
    if let zoneID = try members.zoneIDOfRecord() {
      members.context.zoneID = zoneID
    } else {
      _ = members.context.zones?.addRecord(in: members.context.zoneID)
    }
    let recordName = try members.requiredName("recordName")
    let recordType = try members.requiredName("recordType")
    if let deleted = members.take("deleted"), deleted.bool != false {
      throw deleted.error(found: "a deleted record", expected: "a record that is not deleted")
        .inside(member: "deleted")
    }
    return SystemFields(
      recordID: RecordID(recordName: recordName, zoneID: members.context.zoneID),
      recordType: recordType, recordChangeTag: try members.value("recordChangeTag"),
      created: try members.value("created"), modified: try members.value("modified"),
      parent: try members.value("parent"), share: try members.value("share"),
      otherMembers: try members.lineOthers())
  }

  package func jsonValue(in _: ZoneID) throws -> JSONValue {
    var members = try knownMembers()
    try members.add(Self.archiveKey, archive)
    try members.add(otherMembers)
    return members.value
  }

  /// Returns the members before `fields` in a record dictionary.
  func knownMembers() throws -> JSONObjectWriter {
    var members = JSONObjectWriter(zoneID: recordID.zoneID)
    try members.add("zoneID", recordID.zoneID)
    members.add("recordType", recordType)
    members.add("recordName", recordID.recordName)
    members.add("recordChangeTag", recordChangeTag)
    try members.add("created", created)
    try members.add("modified", modified)
    try members.add("parent", parent)
    try members.add("share", share)
    return members
  }
}

extension RecordStamp: JSONMapped {
  package static var noun: String { "a stamp" }
  package static var empty: RecordStamp { RecordStamp() }

  package mutating func map(_ members: inout some MemberMap) throws {
    try members.map("timestamp", &date)
    try members.map("userRecordName", &userRecordName)
    try members.map("deviceID", &deviceID)
  }
}

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
      otherMembers = systemFields.otherMembers
    } else {
      self.init(systemFields: systemFields)
    }
    parent = systemFields.parent
    share = systemFields.share
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

extension DeletedRecord: JSONConvertible {
  package init(json: JSONValue, _ context: DecodingContext) throws {
    var members = try JSONObjectReader(json, "a deleted record", context)
    let zoneID = try members.zoneIDOfRecord() ?? context.zoneID
    let name = try members.requiredName("recordName")
    // Web Services send `true`; a bundle contains the date if it is known.
    let date = try members.read("deleted") { json in
      json.bool == true ? nil : try Date(json: json, context)
    }
    self.init(
      recordID: RecordID(recordName: name, zoneID: zoneID),
      recordType: try members.name("recordType"),
      recordChangeTag: try members.value("recordChangeTag"), deletionDate: date ?? nil)
    otherMembers = try members.lineOthers()
  }

  package func jsonValue(in _: ZoneID) throws -> JSONValue {
    var members = JSONObjectWriter()
    try members.add("zoneID", recordID.zoneID)
    members.add("recordName", recordID.recordName)
    members.add("recordType", recordType)
    members.add("recordChangeTag", recordChangeTag)
    try members.add("deleted", deletionDate)
    try members.add(otherMembers)
    return members.value
  }
}

extension DeletedZone.Reason: JSONEnum {}

extension DeletedZone: JSONConvertible {
  package init(json: JSONValue, _ context: DecodingContext) throws {
    var members = try JSONObjectReader(json, "a deleted zone", context)
    self.init(
      zoneID: try members.required("zoneID"), reason: try members.value("reason") ?? .deleted)
  }

  package func jsonValue(in _: ZoneID) throws -> JSONValue {
    var members = JSONObjectWriter()
    try members.add("zoneID", zoneID)
    try members.add("reason", reason == .deleted ? nil : reason)
    return members.value
  }
}

extension JSONObjectReader {
  /// Takes the zone of a record, and adds it to the collector; nil if the record names none.
  mutating func zoneIDOfRecord() throws -> ZoneID? {
    let context = context
    return try read("zoneID") { try ZoneID.read($0, context) }.map { zone in
      context.zones?.addRecord(in: zone.zoneID, zone.others) ?? zone.zoneID
    }
  }
}

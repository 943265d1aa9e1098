import RecordModel

import struct Foundation.Date

/// Decodes a record of cktool by turning its JSON into that of Web Services, whose mapping reads
/// it. Values keep their byte offsets.
struct CKToolDecoder {
  let context: DecodingContext
  /// The parts that could not be read.
  var unread: [RecordCodingError] = []

  init(context: DecodingContext) { self.context = context }

  /// Returns the record, without the fields in ``unread``.
  ///
  /// - Throws: ``RecordCodingError`` for a record whose system fields cannot be read.
  mutating func record(_ json: JSONValue) throws -> ResultRecord {
    let renamed = try CKToolNames.record.webServices(json).mappingMembers { member in
      switch member.name {
      case "created", "modified": try stamp(member)
      case "parent", "share": try CKToolNames.reference.webServices(member.value)
      default: member.value
      }
    }
    var members = try JSONObjectReader(renamed, "a record", context)
    let fields = members.take("fields")
    let systemFields = try SystemFields.read(&members)
    let read = try fields.map { try self.fields($0, members.context) }
    return ResultRecord(systemFields: systemFields, fields: read ?? [])
  }

  /// Returns who changed a record and when; without the date if it cannot be read.
  private mutating func stamp(_ member: JSONValue.Member) throws -> JSONValue {
    let json = try CKToolNames.stamp.webServices(member.value)
    do {
      return try json.replacing("timestamp") { try Self.date($0, context) }
    } catch let error as RecordCodingError {
      unread.append(error.inside(member: member.name))
      return json.dropping(["timestamp"])
    }
  }

  private mutating func fields(_ json: JSONValue, _ context: DecodingContext) throws -> [Field] {
    guard let members = json.members else {
      let error = json.error(expected: "an object: the fields of a record")
      unread.append(error.inside(member: "fields"))
      return []
    }
    return try members.compactMap { member in
      do {
        return try field(member, context)
      } catch let error as RecordCodingError {
        unread.append(error.inside(member: member.name).inside(member: "fields"))
        return nil
      }
    }
  }

  private func field(_ member: JSONValue.Member, _ context: DecodingContext) throws -> Field? {
    var json = member.value
    if let tag = json["type"]?.string {
      let name = CKToolType.webServicesName(of: tag)
      let type = FieldType(spelling: name)
      json = try json.replacing("type") { JSONValue(.string(name), offset: $0.offset) }
      var context = context
      if type.isEncrypted || json["isEncrypted"]?.bool == true { context.mayShowValues = false }
      if let known = type.type {
        json = try json.replacing("value") { try Self.value($0, known, context) }
      }
    }
    return try Field(name: member.name, json: json, context)
  }

  private static func value(
    _ json: JSONValue, _ type: ValueType, _ context: DecodingContext
  ) throws -> JSONValue {
    if let element = type.elementType {
      guard json.elements != nil else { return json }
      let elements = try json.expectElements { try value($0, element, context) }
      return JSONValue(.array(elements), offset: json.offset)
    }
    switch type {
    case .int64, .double: return json.numberForText
    case .timestamp: return try date(json, context)
    case .location: return try json.replacing("timestamp") { try date($0, context) }
    case .reference: return try CKToolNames.reference.webServices(json)
    case .asset:
      return try CKToolNames.asset.webServices(json).replacing("size") { $0.numberForText }
    default: return json
    }
  }

  /// Returns the milliseconds since 1970 of a date by ISO 8601; a number is taken for them.
  private static func date(_ json: JSONValue, _ context: DecodingContext) throws -> JSONValue {
    if json.numberText != nil { return json }
    guard let date = json.string.flatMap(ISODate.date), let text = CanonicalDate.text(of: date)
    else { throw context.mismatch(json, expected: "a date by ISO 8601: 2025-01-31T18:00:00Z") }
    return JSONValue(.number(text), offset: json.offset)
  }
}

extension JSONValue {
  /// Returns the object with other values; any other value unchanged.
  fileprivate func mappingMembers(_ value: (Member) throws -> JSONValue) throws -> JSONValue {
    guard let members else { return self }
    let mapped = try members.map { member in
      Member(member.name, try inside(member: member.name) { try value(member) })
    }
    return JSONValue(.object(mapped), offset: offset)
  }

  /// Returns the object with another value for a member, unless it is absent or null.
  fileprivate func replacing(
    _ name: String, _ value: (JSONValue) throws -> JSONValue
  ) throws -> JSONValue {
    try mappingMembers { member in
      guard member.name.sameScalars(as: name), !member.value.isNull else { return member.value }
      return try value(member.value)
    }
  }

  /// The number that a text spells, as JavaScript's tools write integers of 64 bits; any other value
  /// unchanged.
  fileprivate var numberForText: JSONValue {
    guard let string, string.utf8.count <= 40, CanonicalNumber.double(from: string) != nil else {
      return self
    }
    return JSONValue(.number(string), offset: offset)
  }
}

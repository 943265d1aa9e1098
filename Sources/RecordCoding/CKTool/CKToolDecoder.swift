import RecordModel

/// Decodes a record of cktool by turning its JSON into that of Web Services, whose mapping reads
/// it. Values keep their byte offsets.
struct CKToolDecoder {
  var context: MappingContext
  /// The parts that could not be read.
  var unread: [RecordCodingError] = []

  private typealias E = RecordCodingError

  init(context: MappingContext) { self.context = context }

  /// Returns the record, without the fields in ``unread``.
  ///
  /// - Throws: ``RecordCodingError`` for a record whose system fields cannot be read.
  mutating func record(_ json: JSONValue) throws(RecordCodingError) -> ResultRecord {
    var members = try MemberReader(systemFields(json), "a record")
    let fields = members.take("fields")
    let systemFields = try SystemFields.read(&members, context)
    var inner = self
    inner.context.zoneID = systemFields.recordID.zoneID
    let read = fields.map { inner.fields($0) } ?? []
    unread = inner.unread
    return ResultRecord(systemFields: systemFields, fields: read)
  }

  private mutating func systemFields(_ json: JSONValue) throws(RecordCodingError) -> JSONValue {
    let renamed = try CKToolNames.record.webServices(json)
    guard let members = renamed.members else { return renamed }
    var result: [JSONValue.Member] = []
    for member in members {
      do throws(RecordCodingError) {
        switch member.name {
        case "created", "modified": result.append(.init(member.name, try stamp(member)))
        case "parent", "share":
          result.append(
            .init(member.name, try CKToolNames.reference.webServices(member.value)))
        default: result.append(member)
        }
      } catch {
        throw error.inside(member: member.name)
      }
    }
    return JSONValue(.object(result), offset: json.offset)
  }

  /// Returns who changed a record and when; without the date if it cannot be read.
  private mutating func stamp(_ member: JSONValue.Member) throws(RecordCodingError) -> JSONValue {
    let json = try CKToolNames.stamp.webServices(member.value)
    guard let date = json[Self.timestamp], !date.isNull else { return json }
    do throws(RecordCodingError) {
      return json.replacing(Self.timestamp, by: try Self.date(date, context))
    } catch {
      unread.append(error.inside(member: Self.timestamp).inside(member: member.name))
      return json.dropping([Self.timestamp])
    }
  }

  private mutating func fields(_ json: JSONValue) -> [Field] {
    guard let members = json.members else {
      unread.append(
        RecordCodingError(
          offset: json.offset, found: json.kind, expected: "an object: the fields of a record"
        ).inside(member: "fields"))
      return []
    }
    var fields: [Field] = []
    for member in members {
      do throws(RecordCodingError) {
        if let field = try field(member) { fields.append(field) }
      } catch {
        unread.append(error.inside(member: member.name).inside(member: "fields"))
      }
    }
    return fields
  }

  private func field(_ member: JSONValue.Member) throws(RecordCodingError) -> Field? {
    var json = member.value
    guard let tag = json["type"]?.string else {
      return try Field(name: member.name, json: json, context)
    }
    let name = CKToolType.webServicesName(of: tag)
    let type = FieldType(spelling: name)
    json = json.replacing("type", by: JSONValue(.string(name), offset: json["type"]?.offset))
    if let known = type.type, let value = json["value"], !value.isNull {
      var context = context
      if type.isEncrypted || json["isEncrypted"]?.bool == true { context.mayShow = false }
      do throws(RecordCodingError) {
        json = json.replacing("value", by: try Self.value(value, known, context))
      } catch {
        throw error.inside(member: "value")
      }
    }
    return try Field(name: member.name, json: json, context)
  }

  private static func value(
    _ json: JSONValue, _ type: ValueType, _ context: MappingContext
  ) throws(RecordCodingError) -> JSONValue {
    if let element = type.elementType {
      guard json.elements != nil else { return json }
      let elements = try json.expectElements { (json) throws(E) in
        try value(json, element, context)
      }
      return JSONValue(.array(elements), offset: json.offset)
    }
    switch type {
    case .int64, .double: return json.numberForText
    case .timestamp: return try date(json, context)
    case .location:
      guard let date = json[timestamp], !date.isNull else { return json }
      do throws(RecordCodingError) {
        return json.replacing(timestamp, by: try self.date(date, context))
      } catch {
        throw error.inside(member: timestamp)
      }
    case .reference: return try CKToolNames.reference.webServices(json)
    case .asset:
      let asset = try CKToolNames.asset.webServices(json)
      return asset["size"].map { asset.replacing("size", by: $0.numberForText) } ?? asset
    default: return json
    }
  }

  private static let timestamp = "timestamp"

  /// Returns the milliseconds since 1970 of a date by ISO 8601; a number is taken for them.
  private static func date(
    _ json: JSONValue, _ context: MappingContext
  ) throws(RecordCodingError) -> JSONValue {
    if json.numberText != nil { return json }
    guard let date = json.string.flatMap(ISODate.date), let text = CanonicalDate.text(of: date)
    else { throw context.mismatch(json, expected: "a date by ISO 8601: 2025-01-31T18:00:00Z") }
    return JSONValue(.number(text), offset: json.offset)
  }
}

extension JSONValue {
  /// Returns the object with another value for a member that it has.
  fileprivate func replacing(_ name: String, by value: JSONValue) -> JSONValue {
    guard let members else { return self }
    return JSONValue(
      .object(members.map { $0.name.sameScalars(as: name) ? Member($0.name, value) : $0 }),
      offset: offset)
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

import RecordCoding
import RecordModel
import RecordSchema

/// Checks the values of fields and filters in a request, as Web Services read them.
///
/// The native framework has these values as typed objects, so the container has no rule for them.
struct RequestValues {
  /// The schema of the container; nil for none.
  let schema: CloudSchema?

  /// Returns the body of a request with numbers in place of texts, by the type that the field names,
  /// or else that of the schema.
  ///
  /// Source: `numbersAsStrings` of CloudKit JS; Apple's CloudKit Catalog passes `{"value":"7"}`.
  ///
  /// - Throws: an error with the code `BAD_REQUEST`: for a list without its type in `IN` and
  ///   `NOT_IN`, for a date with a fraction of a millisecond, and for an encrypted value without
  ///   its type.
  func checked(_ json: JSONValue) throws -> JSONValue {
    try json.mapped { value in
      if value["zoneName"] != nil, let type = value["zoneType"], !type.isNull {
        _ = try String(json: type)
      }
      try checkList(of: value)
      try checkDates(of: value)
      let type = value["recordType"]?.string.flatMap { name in
        schema?.recordTypes.first { $0.name == name }
      }
      try checkEncryption(of: value, type)
      let result = (type.map(value.withTypes) ?? value).withNumbers
      for member in result["fields"]?.members ?? [] { try check(field: member.value) }
      try result["fieldValue"].map(check)
      return result
    }
  }

  /// The names of types in requests. The server rejects those of schemas (`ASSET`, MoneyUp's probe of
  /// 1048.1), of old libraries (`NUMBER_INT64`, CloudKit-PHP #5 and #7) and all others (`DATETIME`,
  /// tsl-apple-cloudkit #27). Those of responses are sent back.
  private static let typeNames: Set<String> = {
    let names = [
      "STRING", "INT64", "DOUBLE", "BYTES", "TIMESTAMP", "REFERENCE", "LOCATION", "ASSETID",
    ]
    return Set(names + names.map { $0 + "_LIST" } + ["ASSET_LIST", "UNKNOWN_LIST", "LIST"])
  }()

  /// Checks a field of a record, or the value of a filter; null or an empty one is removed.
  private func check(field: JSONValue) throws {
    guard !field.isNull else { return }
    guard let members = field.members else { throw WebError.unexpectedInput }
    var type: String?
    if let json = field["type"], !json.isNull {
      let name = json.string.map { $0.hasPrefix("ENCRYPTED_") ? String($0.dropFirst(10)) : $0 }
      guard let name, Self.typeNames.contains(name) else { throw WebError.unexpectedInput }
      type = name
    }
    guard let value = field["value"], !value.isNull else {
      let known = ["type", "value", "isEncrypted"]
      guard members.allSatisfy({ known.contains($0.name) }) else { throw WebError.unexpectedInput }
      return
    }
    // A list of fields is not one of values: tsl-apple-cloudkit #25.
    if type == "LIST", value.elements?.allSatisfy({ $0["value"] == nil }) != true {
      throw WebError.unexpectedInput
    }
    do {
      let read = try Field(name: "", json: field, DecodingContext())
      if case .unknown? = read?.value { throw WebError.unexpectedInput }
    } catch is RecordCodingError {
      throw type.map { WebError.invalid("Invalid value, expected type \($0).") }
        ?? .unexpectedInput
    }
  }

  /// The server reads an encrypted value without a type as bytes. Source: MistKit,
  /// `encrypted-fields-adp-probe` (live).
  private func checkEncryption(of record: JSONValue, _ type: CloudSchema.RecordType?) throws {
    guard let name = record["recordType"]?.string else { return }
    for member in record["fields"]?.members ?? []
    where member.value["isEncrypted"]?.bool == true && member.value["type"]?.isNull ?? true {
      let defined = type?.fields.first { $0.name == member.name }?.type.serverName
      guard defined != "ENCRYPTED_BYTES" else { continue }
      throw WebError(
        .badRequest,
        "invalid attempt to set value type ENCRYPTED_BYTES for field '\(member.name.prefix(255))' for "
          + "type '\(name.prefix(255))'" + (defined.map { ", defined to be: \($0)" } ?? ""))
    }
  }

  /// Source: seen by MistKit (#192, #205), at any length of the list.
  private func checkList(of filter: JSONValue) throws {
    guard let comparator = filter["comparator"]?.string, ["IN", "NOT_IN"].contains(comparator),
      let value = filter["fieldValue"], value.members != nil
    else { return }
    guard let type = value["type"]?.string, type != "LIST", type.hasSuffix("_LIST") else {
      throw WebError.unexpectedInput
    }
  }

  /// Source: seen by MistKit (#375). A date is a whole number of milliseconds, also in a list and as the
  /// `timestamp` of a location. The server has it in 64 bits, so a number beyond is not one either.
  private func checkDates(of object: JSONValue) throws {
    let isDate = ["TIMESTAMP", "TIMESTAMP_LIST"].contains(object["type"]?.string)
    let value = isDate ? object["value"] : object["latitude"] == nil ? nil : object["timestamp"]
    let numbers = (value?.elements ?? [value].compactMap(\.self)).compactMap(\.numberText)
    guard numbers.allSatisfy({ Double($0).flatMap(Int64.init(exactly:)) != nil }) else {
      throw CloudError(.invalidArguments, "Invalid value, expected type TIMESTAMP.")
    }
  }
}

extension JSONValue {
  /// Returns a record or query with the types of its numbers.
  fileprivate func withTypes(_ type: CloudSchema.RecordType) -> JSONValue {
    mappingMembers { member in
      switch (member.name, member.value.content) {
      case ("fields", .object(let fields)):
        .object(fields.map { Member($0.name, $0.value.withType(of: $0.name, in: type)) })
      case ("filterBy", .array(let filters)):
        .array(
          filters.map { filter in
            guard let name = filter["fieldName"]?.string else { return filter }
            return filter.mappingMembers {
              $0.name == "fieldValue" ? $0.value.withType(of: name, in: type) : $0.value
            }
          })
      default: member.value
      }
    }
  }

  /// Returns a field without a type with that of the schema, if it is a number as text or an empty
  /// list. Source for lists: MistKit, `project_cloudkit_list_response_type_is_star_list` (live).
  private func withType(of name: String, in recordType: CloudSchema.RecordType) -> JSONValue {
    guard self["type"]?.isNull ?? true,
      let declared = recordType.fields.first(where: { $0.name == name })?.type
    else { return self }
    if declared.isList, self["value"]?.elements?.isEmpty == true {
      return withType(declared.serverName)
    }
    // Without the type, the server rejects a number as a date (MistKit), and so a text too.
    guard let texts = numberTexts, declared.primitive != .timestamp,
      let type = declared.primitive.type(ofNumbers: texts)
    else { return self }
    return withType(type + (self["value"]?.elements == nil ? "" : "_LIST")).withNumbers
  }

  private func withType(_ name: String) -> JSONValue {
    guard let members else { return self }
    let others = members.filter { $0.name != "type" }
    return JSONValue(.object(others + [Member("type", .string(name))]), offset: offset)
  }

  /// The field with numbers in place of texts, if its type is one of numbers.
  fileprivate var withNumbers: JSONValue {
    guard let type = self["type"]?.string, let texts = numberTexts else { return self }
    let name = type.hasSuffix("_LIST") ? String(type.dropLast("_LIST".count)) : type
    guard let primitive = CloudSchema.Primitive(rawValue: name), primitive != .number,
      primitive.type(ofNumbers: texts) != nil
    else { return self }
    return mappingMembers { member in
      guard member.name == "value" else { return member.value }
      let elements = member.value.elements?.map(\.withNumber)
      return elements.map { JSONValue(.array($0), offset: member.value.offset) }
        ?? member.value.withNumber
    }
  }

  /// The texts of a field whose value is a text, or a list of texts; nil for another value.
  private var numberTexts: [String]? {
    guard let value = self["value"] else { return nil }
    let texts = (value.elements ?? [value]).compactMap(\.string)
    return texts.isEmpty || texts.count != value.elements?.count ?? 1 ? nil : texts
  }

  private var withNumber: JSONValue {
    JSONValue(string.map(Content.number) ?? content, offset: offset)
  }
}

extension CloudSchema.Primitive {
  /// Returns the type of numbers in a field of this type; nil for texts that are not such numbers.
  fileprivate func type(ofNumbers texts: [String]) -> String? {
    // JSON's numbers: others are not read everywhere.
    let isJSON = texts.allSatisfy {
      $0.utf8.count < 400 && CanonicalNumber.double(from: $0) != nil
    }
    guard isJSON else { return nil }
    let areIntegers = texts.allSatisfy { Int64($0) != nil }
    return switch self {
    case .int64 where areIntegers: "INT64"
    case .timestamp where areIntegers: "TIMESTAMP"
    case .double: "DOUBLE"
    case .number: areIntegers ? "INT64" : "DOUBLE"
    default: nil
    }
  }
}

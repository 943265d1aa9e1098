import RecordCoding
import RecordSchema

/// Checks the values of fields and filters in a request, as Web Services read them.
///
/// The native framework has these values as typed objects, so the container has no rule for them.
struct RequestValues {
  /// The schema of the container; nil for none.
  let schema: CloudSchema?

  /// Returns the body of a request with the type of each number that is passed as text without a
  /// type, as the schema declares it.
  ///
  /// Source: Apple's CloudKit Catalog passes `{"value":"7"}`.
  ///
  /// - Throws: ``WebError``: `BAD_REQUEST` for a list without its type in `IN` and `NOT_IN`, and for a
  ///   date with a fraction of a millisecond.
  func checked(_ json: JSONValue) throws -> JSONValue {
    switch json.content {
    case .array(let elements):
      return JSONValue(.array(try elements.map(checked)), offset: json.offset)
    case .object(let members):
      try checkList(of: json)
      try checkDates(of: json)
      let inner = JSONValue(
        .object(try members.map { .init($0.name, try checked($0.value)) }), offset: json.offset)
      return json["recordType"]?.string.flatMap(fields).map(inner.withTypes) ?? inner
    default: return json
    }
  }

  /// Returns the fields of a record type with their types; nil for an unknown type.
  private func fields(of recordType: String) -> [String: CloudSchema.FieldType]? {
    let type = schema?.recordTypes.first { $0.name == recordType }
    return type.map { type in
      Dictionary(type.fields.map { ($0.name, $0.type) }) { first, _ in first }
    }
  }

  /// Source: seen by MistKit (#192, #205), at any length of the list.
  private func checkList(of filter: JSONValue) throws {
    guard let comparator = filter["comparator"]?.string, ["IN", "NOT_IN"].contains(comparator),
      let value = filter["fieldValue"], value.members != nil
    else { return }
    guard let type = value["type"]?.string, type != "LIST", type.hasSuffix("_LIST") else {
      throw WebError(.badRequest, "BadRequestException: Unexpected input")
    }
  }

  /// Source: seen by MistKit (#375). A date is a whole number of milliseconds, also in a list and as the
  /// `timestamp` of a location.
  private func checkDates(of object: JSONValue) throws {
    let isDate = ["TIMESTAMP", "TIMESTAMP_LIST"].contains(object["type"]?.string)
    let value = isDate ? object["value"] : object["latitude"] == nil ? nil : object["timestamp"]
    let numbers = (value?.elements ?? [value].compactMap(\.self)).compactMap(\.numberText)
    guard numbers.allSatisfy({ Double($0).map { $0 == $0.rounded() } ?? false }) else {
      throw WebError.wrongType("TIMESTAMP")
    }
  }
}

extension WebError {
  /// The error for a value of another type than its field. Source: a Python client's comment on the
  /// server's answer to filters; MistKit #375 for dates.
  static func wrongType(_ type: String) -> WebError {
    WebError(.badRequest, "BadRequestException: Invalid value, expected type \(type).")
  }
}

extension JSONValue {
  /// Returns a record or query with the types of its numbers.
  fileprivate func withTypes(_ types: [String: CloudSchema.FieldType]) -> JSONValue {
    mappingMembers { member in
      switch (member.name, member.value.content) {
      case ("fields", .object(let fields)):
        .object(fields.map { Member($0.name, $0.value.withType(types[$0.name])) })
      case ("filterBy", .array(let filters)):
        .array(
          filters.map { filter in
            let type = filter["fieldName"]?.string.flatMap { types[$0] }
            return filter.mappingMembers {
              $0.name == "fieldValue" ? $0.value.withType(type) : $0.value
            }
          })
      default: member.value
      }
    }
  }

  /// Returns a field with the type of its numbers, if they are passed as text without a type.
  fileprivate func withType(_ declared: CloudSchema.FieldType?) -> JSONValue {
    guard let declared, let members, self["type"]?.isNull ?? true, let value = self["value"] else {
      return self
    }
    let texts = (value.elements ?? [value]).compactMap(\.string)
    guard !texts.isEmpty, texts.count == (value.elements?.count ?? 1),
      let type = declared.primitive.type(ofNumbers: texts)
    else { return self }
    let name = type + (value.elements == nil ? "" : "_LIST")
    let others = members.filter { $0.name != "type" }
    return JSONValue(.object(others + [Member("type", .string(name))]), offset: offset)
  }
}

extension CloudSchema.Primitive {
  /// Returns the type of numbers in a field of this type; nil for texts that are not such numbers.
  fileprivate func type(ofNumbers texts: [String]) -> String? {
    let areIntegers = texts.allSatisfy { Int64($0) != nil }
    let areNumbers = texts.allSatisfy { Double($0)?.isFinite ?? false }
    return switch self {
    case .int64 where areIntegers: "INT64"
    case .double where areNumbers: "DOUBLE"
    case .number where areNumbers: areIntegers ? "INT64" : "DOUBLE"
    default: nil
    }
  }
}

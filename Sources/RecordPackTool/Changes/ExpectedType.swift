import Foundation
import RecordCoding
import RecordModel
import RecordSchema

/// The type of a field whose value is given without one: that of the stored field, or else that of
/// the schema.
struct ExpectedType {
  let type: ValueType?
  let isEncrypted: Bool

  init(stored: Field?, declared: CloudSchema.FieldType?) {
    if let stored {
      // An empty list says nothing about its elements.
      let known = ValueType(rawValue: stored.value.typeName)
      type = known == .emptyList ? declared.flatMap(Self.type) : known
      isEncrypted = stored.isEncrypted
    } else {
      type = declared.flatMap(Self.type)
      isEncrypted = declared?.isEncrypted ?? false
    }
  }

  private static func type(_ declared: CloudSchema.FieldType) -> ValueType? {
    ValueType(rawValue: declared.primitive.rawValue + (declared.isList ? "_LIST" : ""))
  }

  /// Adds the type to a field of a record dictionary that has none.
  func completing(_ json: JSONValue) -> JSONValue {
    guard json["type"] == nil, let members = json.members else { return json }
    var added: [JSONValue.Member] = []
    if let type { added.append(.init("type", .string(type.rawValue))) }
    if isEncrypted, json["isEncrypted"] == nil { added.append(.init("isEncrypted", .bool(true))) }
    return .object(added + members)
  }

  /// Returns the field for `NAME=TEXT`.
  ///
  /// - Parameter failure: Creates the error for a type that text cannot express.
  func json(_ text: String, _ failure: (String) -> Failure) throws -> JSONValue {
    func field(_ value: JSONValue) -> JSONValue { .object([.init("value", value)]) }
    switch type {
    case nil, .string: return field(.string(text))
    case .timestamp:
      guard let date = DateArgument(argument: text)?.date else {
        throw failure("expected a date, such as 2025-01-31 or 2025-01-31T18:00:00Z")
      }
      return field(.integer(Int64((date.timeIntervalSince1970 * 1000).rounded())))
    case .reference:
      return field(.object([.init("recordName", .string(text))]))
    case .asset: throw failure("it is an asset; write NAME@=FILE")
    case .some(let type): throw failure("its type is \(type.rawValue); write NAME:=JSON")
    }
  }
}

import Foundation
import RecordCoding
import RecordModel
import RecordSchema

/// The type of a field whose value is given without one: that of the stored field, or else that of
/// the schema.
struct ImpliedFieldType {
  let type: ValueType?
  let isEncrypted: Bool
  /// The stored reference, whose action and zone stay.
  private let reference: JSONValue?

  /// - Parameter zoneID: The zone that references omit.
  init(stored: Field?, declared: CloudSchema.FieldType?, in zoneID: ZoneID) {
    reference =
      if case .reference = stored?.value {
        (try? stored?.dictionary(in: zoneID))?["value"]
      } else { nil }
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

  /// Adds the type to a field of a record dictionary that has none. A Boolean is an integer.
  func completing(_ json: JSONValue) -> JSONValue {
    guard let members = json.members else { return json }
    var added: [JSONValue.Member] = []
    if json["type"] == nil {
      if let type { added.append(.init("type", .string(type.rawValue))) }
      if isEncrypted, json["isEncrypted"] == nil { added.append(.init("isEncrypted", .bool(true))) }
    }
    let completed = JSONValue(.object(added + members), offset: json.offset)
    let integers = [ValueType.int64, .int64List].map(\.rawValue)
    guard let type = completed["type"]?.string, integers.contains(type) else { return completed }
    return .object(
      (added + members).map { member in
        member.name == "value"
          ? .init(member.name, member.value.withIntegersForBools) : member
      })
  }

  /// Whether a field without a type has an integer that no type has without loss.
  static func isTooLarge(_ json: JSONValue) -> Bool {
    func isTooLarge(_ value: JSONValue) -> Bool {
      guard let text = value.numberText else { return false }
      return Int64(text) == nil && !text.contains { ".eE".contains($0) }
    }
    guard json["type"] == nil, let value = json["value"] else { return false }
    return isTooLarge(value) || value.elements?.contains(where: isTooLarge) == true
  }

  /// Returns the field for `NAME=TEXT`.
  ///
  /// - Parameter failure: Creates the error for a type that text cannot express.
  func json(_ text: String, _ failure: (String) -> CommandError) throws -> JSONValue {
    func field(_ value: JSONValue) -> JSONValue { .object([.init("value", value)]) }
    switch type {
    case nil, .string: return field(.string(text))
    case .timestamp:
      guard let date = DateArgument(argument: text)?.date else {
        throw failure("expected a date, such as 2025-01-31 or 2025-01-31T18:00:00Z")
      }
      return field(.integer(Int64((date.timeIntervalSince1970 * 1000).rounded())))
    case .reference:
      let name = JSONValue.Member("recordName", .string(text))
      let members = reference?.members ?? [name]
      return field(.object(members.map { $0.name == name.name ? name : $0 }))
    case .asset: throw failure("it is an asset; write NAME@=FILE")
    case .some(let type): throw failure("its type is \(type.rawValue); write NAME:=JSON")
    }
  }
}

import RecordCoding
import RecordModel

/// Leaves out of records what is not shown unless it is asked for: the values of encrypted fields,
/// and the keys that assets are encrypted with.
struct RecordDisclosure {
  let showEncrypted: Bool

  private static let wrappingKey = "wrappingKey"

  /// The record as a line of a bundle.
  func line(_ record: ResultRecord, _ database: DatabaseScope) throws -> JSONValue {
    var members: [JSONValue.Member] = [
      .init("kind", .string("record")), .init("database", .string(database.rawValue)),
    ]
    for member in try record.jsonValue().members ?? [] {
      guard member.name == "fields", let fields = member.value.members else {
        members.append(member)
        continue
      }
      members.append(.init("fields", .object(fields.map { .init($0.name, field($0.value)) })))
    }
    return .object(members)
  }

  /// A field's JSON, `{"type":…,"value":…}`.
  func field(_ json: JSONValue) -> JSONValue {
    if showEncrypted { return json }
    guard json["isEncrypted"]?.bool == true else { return withoutKeys(json) }
    // What is unknown about an encrypted field may be its value in another form.
    return .object((json.members ?? []).filter { ["type", "isEncrypted"].contains($0.name) })
  }

  private func withoutKeys(_ json: JSONValue) -> JSONValue {
    if let elements = json.elements { return .array(elements.map(withoutKeys)) }
    guard let members = json.members else { return json }
    return .object(
      members.filter { $0.name != Self.wrappingKey }.map { .init($0.name, withoutKeys($0.value)) })
  }
}

import RecordCoding
import RecordModel

/// Leaves out of records what is not shown unless it is asked for: the values of encrypted fields,
/// and the keys that assets are encrypted with, wherever in a record they stand.
struct RecordDisclosure {
  let showEncrypted: Bool

  private static let wrappingKey = "wrappingKey"

  /// What stands for JSON that is not shown.
  static let hidden = "…"

  /// The record as a line of a bundle.
  func line(_ record: ResultRecord, _ database: DatabaseScope) throws -> JSONValue {
    var members: [JSONValue.Member] = [
      .init("kind", .string("record")), .init("database", .string(database.rawValue)),
    ]
    for member in try record.jsonValue().members ?? [] {
      guard member.name != Self.wrappingKey || showEncrypted else { continue }
      // A field may have any name.
      let fields = member.name == "fields" ? member.value.members : nil
      let value = fields.map { fields in
        JSONValue.object(fields.map { .init($0.name, shown($0.value)) })
      }
      members.append(.init(member.name, value ?? shown(member.value)))
    }
    return .object(members)
  }

  /// JSON as it may be shown: a field, `{"type":…,"value":…}`, or what holds such.
  func shown(_ json: JSONValue) -> JSONValue {
    if showEncrypted { return json }
    if let elements = json.elements { return .array(elements.map(shown)) }
    guard let members = json.members else { return json }
    // What is unknown about an encrypted field may be its value in another form.
    if Self.isEncrypted(json) {
      return .object(members.filter { ["type", "isEncrypted"].contains($0.name) })
    }
    return .object(
      members.filter { $0.name != Self.wrappingKey }.map { .init($0.name, shown($0.value)) })
  }

  /// JSON text of a member that the model does not know, as it may be shown; also such text among
  /// other words.
  func shown(_ text: String) -> String {
    showEncrypted || !Self.mayHoldSecret(text) ? text : Self.hidden
  }

  private static func mayHoldSecret(_ text: String) -> Bool {
    text.contains(wrappingKey) || text.contains("\"isEncrypted\":true")
      || text.contains("\"ENCRYPTED_")
  }

  /// Whether JSON is an encrypted field, as a bundle or as a server writes it.
  private static func isEncrypted(_ json: JSONValue) -> Bool {
    json["isEncrypted"]?.bool == true || json["type"]?.string?.hasPrefix("ENCRYPTED_") == true
  }
}

import RecordCoding
import RecordModel

/// Removes secrets from records unless they are asked for: the values of encrypted fields, and the
/// encryption keys of assets.
package struct RecordDisclosure {
  package let showEncrypted: Bool

  package init(showEncrypted: Bool) { self.showEncrypted = showEncrypted }

  package static let wrappingKey = "wrappingKey"

  /// The placeholder for hidden JSON.
  package static let hidden = "…"

  /// The record as a line of a bundle, without secrets.
  package func line(_ record: ResultRecord, _ database: DatabaseScope) throws -> JSONValue {
    var members: [JSONValue.Member] = [
      .init("kind", .string("record")), .init("database", .string(database.rawValue)),
    ]
    for member in try record.jsonValue().members ?? [] {
      guard member.name != Self.wrappingKey || showEncrypted else { continue }
      // A field may be named `wrappingKey` too.
      let fields = member.name == "fields" ? member.value.members : nil
      let value = fields.map { fields in
        JSONValue.object(fields.map { .init($0.name, shown($0.value)) })
      }
      members.append(.init(member.name, value ?? shown(member.value)))
    }
    return .object(members)
  }

  /// JSON without secrets: a field, `{"type":…,"value":…}`, or a container of fields.
  package func shown(_ json: JSONValue) -> JSONValue {
    if showEncrypted { return json }
    if let elements = json.elements { return .array(elements.map(shown)) }
    guard let members = json.members else { return json }
    // Unknown members of an encrypted field may contain its value in another form.
    if Self.isEncrypted(json) {
      return .object(members.filter { ["type", "isEncrypted"].contains($0.name) })
    }
    return .object(
      members.filter { $0.name != Self.wrappingKey }.map { .init($0.name, shown($0.value)) })
  }

  /// Text that contains the JSON of an unknown member; hidden if it may contain a secret.
  ///
  /// - Parameter name: The name of the member; nil for an unknown value of a field.
  package func shown(_ text: String, named name: String? = nil) -> String {
    let isSecret = name == Self.wrappingKey || Self.mayHoldSecret(text)
    return showEncrypted || !isSecret ? text : Self.hidden
  }

  private static func mayHoldSecret(_ text: String) -> Bool {
    text.contains(wrappingKey) || text.contains("\"isEncrypted\":true")
      || text.contains("\"ENCRYPTED_")
  }

  /// Whether JSON is an encrypted field, in the form of a bundle or of a server.
  private static func isEncrypted(_ json: JSONValue) -> Bool {
    json["isEncrypted"]?.bool == true || json["type"]?.string?.hasPrefix("ENCRYPTED_") == true
  }
}

import Foundation
import RecordCoding
import RecordModel
import RecordPages
import RecordSchema
import RecordText

/// Shows the bodies of requests and responses without encrypted values and without tokens.
///
/// A value is encrypted if the body says so, or if a field with its name is encrypted in a schema or
/// in another body: a client may have left the mark out, and a filter has none. Tokens, which give
/// access, are never shown.
struct BodyCover {
  private let disclosure: RecordDisclosure
  private var names: NameSet

  init(_ context: PageContext) {
    disclosure = context.disclosure
    // A request may name another container than it means.
    let names = context.handler.containers.flatMap { served -> [String] in
      guard let text = try? served.container.store.info().schema else { return [] }
      let types = SchemaDocument(parsing: text).schema.recordTypes
      return types.flatMap(\.fields).filter(\.type.isEncrypted).map(\.name)
    }
    self.names = NameSet(names)
  }

  /// Learns the names of the fields that are encrypted in a body.
  mutating func learn(from json: JSONValue) {
    for element in json.elements ?? [] { learn(from: element) }
    for member in json.members ?? [] {
      if member.name == "fields" {
        for field in member.value.members ?? [] where Self.isEncrypted(field.value) {
          names.insert(field.name)
        }
      }
      learn(from: member.value)
    }
  }

  /// Returns the body as it is shown.
  func shown(_ json: JSONValue) -> JSONValue {
    Self.withoutTokens(disclosure.showEncrypted ? json : disclosure.shown(covered(json)))
  }

  // MARK: Encrypted values

  private func covered(_ json: JSONValue) -> JSONValue {
    if let elements = json.elements { return .array(elements.map(covered)) }
    guard let members = json.members else { return json }
    // A filter of a query names its field.
    let filtered = json["fieldName"]?.string.map(names.contains) ?? false
    return .object(
      members.map { member in
        if filtered, member.name == "fieldValue" { return .init(member.name, Self.hidden) }
        // It contains the query with its values.
        if member.name == "continuationMarker", member.value.string != nil {
          return .init(member.name, Self.hidden)
        }
        guard member.name == "fields", let fields = member.value.members else {
          return .init(member.name, covered(member.value))
        }
        let shown = fields.map { field in
          let isSecret = names.contains(field.name) || Self.isEncrypted(field.value)
          return JSONValue.Member(field.name, isSecret ? Self.hidden : covered(field.value))
        }
        return .init(member.name, .object(shown))
      })
  }

  /// Whether a value is marked as encrypted, even in a way that is refused, such as `"true"`.
  private static func isEncrypted(_ field: JSONValue) -> Bool {
    if field["type"]?.string?.hasPrefix("ENCRYPTED_") == true { return true }
    guard let mark = field["isEncrypted"], mark != .null else { return false }
    return mark.bool != false
  }

  private static let hidden = JSONValue.string(RecordDisclosure.hidden)

  // MARK: Tokens

  private static let tokenNames: Set<String> = [
    "apnsToken", "ckAPIToken", "ckWebAuthToken", "ckSession", "receipt", "webAuthToken",
  ]

  private static func withoutTokens(_ json: JSONValue) -> JSONValue {
    if let elements = json.elements { return .array(elements.map(withoutTokens)) }
    if let members = json.members {
      return .object(
        members.map { member in
          // A field may have such a name; its value is an object.
          let isToken = tokenNames.contains(member.name) && member.value.string != nil
          return .init(member.name, isToken ? hidden : withoutTokens(member.value))
        })
    }
    guard let text = json.string else { return json }
    let shown = RequestLog.withoutToken(text)
    return shown == text ? json : .string(shown)
  }
}

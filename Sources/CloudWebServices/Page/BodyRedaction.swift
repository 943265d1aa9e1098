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
struct BodyRedaction {
  private let disclosure: RecordDisclosure
  private var names: NameSet

  init(_ context: ConsoleRequest) {
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
    _ = json.mapped { value in
      for field in value["fields"]?.members ?? [] where Self.isEncrypted(field.value) {
        names.insert(field.name)
      }
      return value
    }
  }

  /// Returns the body as it is shown.
  func shown(_ json: JSONValue) -> JSONValue {
    Self.withoutTokens(disclosure.showEncrypted ? json : disclosure.shown(redacted(json)))
  }

  // MARK: Encrypted values

  private func redacted(_ json: JSONValue) -> JSONValue {
    json.mapped { value in
      // A filter of a query names its field.
      let isSecret = value["fieldName"]?.string.map(names.contains) ?? false
      return value.mappingMembers { member in
        switch member.name {
        case "fieldValue" where isSecret: Self.hidden
        // It contains the query with its values.
        case "continuationMarker" where member.value.string != nil: Self.hidden
        case "fields":
          member.value.mappingMembers { field in
            names.contains(field.name) || Self.isEncrypted(field.value) ? Self.hidden : field.value
          }
        default: member.value
        }
      }
    }
  }

  /// Whether a value is marked as encrypted, even in a way that is rejected, such as `"true"`.
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
    json.mapped { value in
      if let text = value.string {
        let shown = RequestLog.withoutToken(text)
        return shown == text ? value : .string(shown)
      }
      return value.mappingMembers { member in
        // A field may have such a name; its value is an object.
        tokenNames.contains(member.name) && member.value.string != nil ? hidden : member.value
      }
    }
  }
}

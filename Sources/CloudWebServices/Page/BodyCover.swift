import Foundation
import RecordCoding
import RecordModel
import RecordPages
import RecordSchema
import RecordText

/// Shows the bodies of requests and responses without encrypted values.
///
/// A value is encrypted if the body says so, or if a type of the schema has an encrypted field with
/// its name: a client may have left the mark out.
struct BodyCover {
  private let disclosure: RecordDisclosure
  private let names: NameSet

  init(_ context: PageContext) {
    disclosure = context.disclosure
    let schema = try? context.store.info().schema.map { SchemaDocument(parsing: $0).schema }
    let fields = (schema ?? nil)?.recordTypes.flatMap(\.fields).filter(\.type.isEncrypted) ?? []
    names = NameSet(fields.map(\.name))
  }

  func html(_ body: Data) -> HTML {
    guard !body.isEmpty else { return "<span class=\"quiet\">empty</span>" }
    guard let json = try? WebServicesHandler.parse(body) else {
      return "<span class=\"quiet\">\(Numbers.size(body.count)), not JSON</span>"
    }
    return HTML(json: disclosure.showEncrypted ? json : disclosure.shown(covered(json)))
  }

  private func covered(_ json: JSONValue) -> JSONValue {
    if let elements = json.elements { return .array(elements.map(covered)) }
    guard let members = json.members else { return json }
    // A filter of a query names its field.
    let filtered = json["fieldName"]?.string.map(names.contains) ?? false
    return .object(
      members.map { member in
        if filtered, member.name == "fieldValue" { return .init(member.name, Self.hidden) }
        guard member.name == "fields", let fields = member.value.members else {
          return .init(member.name, covered(member.value))
        }
        let shown = fields.map { field in
          JSONValue.Member(
            field.name, names.contains(field.name) ? Self.hidden : covered(field.value))
        }
        return .init(member.name, .object(shown))
      })
  }

  private static let hidden = JSONValue.string(RecordDisclosure.hidden)
}

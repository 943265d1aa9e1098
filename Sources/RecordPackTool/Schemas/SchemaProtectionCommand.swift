import ArgumentParser
import RecordCoding
import RecordModel
import RecordSchema
import RecordText

struct SchemaProtectionCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "protection",
    abstract: "Tell which fields could be end-to-end encrypted.",
    discussion: """
      Under Advanced Data Protection, encrypted values and assets are end-to-end
      encrypted in the private and the shared database. Plain values, references,
      system fields and the names of records and zones never are, and nothing in the
      public database is. Records below a share with a public permission are not
      any more.

      It only applies if all participants have it turned on, which no app can know:
      could be means no more than that.

      EXAMPLES
        recordpack schema protection production.ckdb
        recordpack schema protection Tact.sqlite --json
      """)

  @Argument(help: "A schema.", completion: .file())
  var schema: String

  @Flag(help: "Write the output as JSON.")
  var json = false

  func run() throws {
    let report = ProtectionReport(try SchemaInput.whole(schema))
    try StandardOutput.write(
      json
        ? [ReportOptions.document("schema.protection", report.json).visibleText] : report.text)
  }
}

/// The fields of a schema that could be end-to-end encrypted.
private struct ProtectionReport {
  private let schema: SchemaDocument
  private let types: [(name: String, fields: [(field: CloudSchema.Field, reason: FieldProtection)])]

  private static let limits = [
    "No app can know who has Advanced Data Protection turned on.",
    "It only applies if all participants of a share have it turned on.",
    "Nothing in the public database is end-to-end encrypted.",
  ]

  init(_ schema: SchemaDocument) {
    self.schema = schema
    types = schema.schema.recordTypes.map { type in
      let fields = type.fields.filter { SystemField(rawValue: $0.name) == nil }
      return (type.name, fields.map { ($0, FieldProtection($0.type)) })
    }
  }

  /// `could be: an asset`, or `never: a plain value`.
  private static func verdict(_ protection: FieldProtection) -> String {
    (protection.isPossible ? "could be: " : "never: ") + protection.reason
  }

  private var notes: [String] {
    ["Never, in any record: " + FieldProtection.neverProtected.joined(separator: "; ") + "."]
      + Self.limits
  }

  var text: [String] {
    var lines = ["\(schema.name): what could be end-to-end encrypted?".visible]
    for type in types {
      var table = Table([.left, .left, .left])
      for (field, protection) in type.fields {
        table.add(field.name, field.type.description, Self.verdict(protection))
      }
      lines += ["", type.name.visible] + table.lines(TerminalStyle(.never), indent: "  ")
    }
    return lines + [""] + notes.map(\.visible)
  }

  var json: JSONValue {
    let types = types.map { type -> JSONValue in
      let fields = type.fields.map { field, protection -> JSONValue in
        [
          "name": field.name, "type": field.type.description, "possible": protection.isPossible,
          "reason": protection.rawValue,
        ]
      }
      return ["name": type.name, "fields": fields]
    }
    return [
      "schema": schema.name, "recordTypes": types, "never": FieldProtection.neverProtected,
      "limits": Self.limits,
    ]
  }
}

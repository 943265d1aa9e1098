import RecordCoding
import RecordSchema
import RecordText

/// Lists the fields of a schema that could be end-to-end encrypted.
struct ProtectionReport {
  struct Field {
    var name: String
    var type: CloudSchema.FieldType

    var protection: FieldProtection { FieldProtection(type) }

    /// `could be: an asset`, or `never: a plain value`.
    var verdict: String {
      (protection.isPossible ? "could be: " : "never: ") + protection.reason
    }
  }

  let schema: String
  private(set) var types: [(name: String, fields: [Field])] = []

  static let limits = [
    "No app can know who has Advanced Data Protection turned on.",
    "It only applies if all participants of a share have it turned on.",
    "Nothing in the public database is end-to-end encrypted.",
  ]

  init(_ document: SchemaDocument) {
    schema = document.name
    types = document.schema.recordTypes.map { type in
      let fields = type.fields.filter { CloudSchema.SystemField(rawValue: $0.name) == nil }
      return (type.name, fields.map { Field(name: $0.name, type: $0.type) })
    }
  }

  /// The sentences below the table.
  private var notes: [String] {
    ["Never, in any record: " + FieldProtection.neverProtected.joined(separator: "; ") + "."]
      + Self.limits
  }

  private static let question = ": what could be end-to-end encrypted?"

  // MARK: - Formats

  var text: [String] {
    var lines = [(schema + Self.question).visible]
    for type in types {
      lines += ["", type.name.visible]
      var table = Table([.left, .left, .left])
      for field in type.fields {
        table.add([field.name, field.type.description, field.verdict].map { Table.Cell($0) })
      }
      lines += table.lines(Style(.never), indent: "  ")
    }
    return lines + [""] + notes.map(\.visible)
  }

  var markdown: [String] {
    var lines = ["### RecordPack: " + Self.code(schema) + Self.question]
    for type in types {
      lines += ["", "#### " + Self.code(type.name), ""]
      lines.append(Self.row(["Field", "Type", "End-to-end encrypted"]))
      lines.append(Self.row(["---", "---", "---"]))
      for field in type.fields {
        let type = Self.code(field.type.description)
        lines.append(Self.row([Self.code(field.name), type, field.verdict]))
      }
    }
    return lines + [""] + notes.map { "- " + $0.visible }
  }

  private static func row(_ cells: [String]) -> String {
    "| " + cells.joined(separator: " | ") + " |"
  }

  /// Text in code style. Backticks and vertical bars would end it.
  private static func code(_ text: String) -> String {
    "`" + String(text.visible.map { $0 == "`" || $0 == "|" ? " " : $0 }) + "`"
  }

  var json: JSONValue {
    let types = types.map { type in
      JSONValue.object([
        .init("name", .string(type.name)), .init("fields", .array(type.fields.map(json(of:)))),
      ])
    }
    return ReportOptions.document(
      "schema.protection",
      [
        .init("schema", .string(schema)), .init("recordTypes", .array(types)),
        .init("never", .array(FieldProtection.neverProtected.map(JSONValue.string))),
        .init("limits", .array(Self.limits.map(JSONValue.string))),
      ])
  }

  private func json(of field: Field) -> JSONValue {
    .object([
      .init("name", .string(field.name)), .init("type", .string(field.type.description)),
      .init("possible", .bool(field.protection.isPossible)),
      .init("reason", .string(field.protection.rawValue)),
    ])
  }
}

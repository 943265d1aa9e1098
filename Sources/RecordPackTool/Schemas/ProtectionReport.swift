import RecordModel
import RecordCoding
import RecordSchema
import RecordText

/// The fields of a schema that could be end-to-end encrypted.
struct ProtectionReport {
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

  private static let question = ": what could be end-to-end encrypted?"

  /// `could be: an asset`, or `never: a plain value`.
  private static func verdict(_ protection: FieldProtection) -> String {
    (protection.isPossible ? "could be: " : "never: ") + protection.reason
  }

  private var notes: [String] {
    ["Never, in any record: " + FieldProtection.neverProtected.joined(separator: "; ") + "."]
      + Self.limits
  }

  var text: [String] {
    var lines = [(schema.name + Self.question).visible]
    for type in types {
      var table = Table([.left, .left, .left])
      for (field, protection) in type.fields {
        table.add(field.name, field.type.description, Self.verdict(protection))
      }
      lines += ["", type.name.visible] + table.lines(TerminalStyle(.never), indent: "  ")
    }
    return lines + [""] + notes.map(\.visible)
  }

  var markdown: [String] {
    var lines = ["### RecordPack: " + Self.code(schema.name) + Self.question]
    for type in types {
      lines += ["", "#### " + Self.code(type.name), ""]
      lines += ["| Field | Type | End-to-end encrypted |", "| --- | --- | --- |"]
      lines += type.fields.map { field, protection in
        let cells = [Self.code(field.name), Self.code(field.type.description)]
        return "| " + (cells + [Self.verdict(protection)]).joined(separator: " | ") + " |"
      }
    }
    return lines + [""] + notes.map { "- " + $0.visible }
  }

  /// Text in code style. Backticks and vertical bars would end it.
  private static func code(_ text: String) -> String {
    "`" + String(text.visible.map { $0 == "`" || $0 == "|" ? " " : $0 }) + "`"
  }

  var json: JSONValue {
    let types = types.map { type in
      let fields = type.fields.map { field, protection in
        JSONValue.object([
          .init("name", .string(field.name)), .init("type", .string(field.type.description)),
          .init("possible", .bool(protection.isPossible)),
          .init("reason", .string(protection.rawValue)),
        ])
      }
      return JSONValue.object([.init("name", .string(type.name)), .init("fields", .array(fields))])
    }
    return ReportOptions.document(
      "schema.protection",
      [
        .init("schema", .string(schema.name)), .init("recordTypes", .array(types)),
        .init("never", .array(FieldProtection.neverProtected.map(JSONValue.string))),
        .init("limits", .array(Self.limits.map(JSONValue.string))),
      ])
  }
}

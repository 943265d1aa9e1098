/// Prints a schema as text in Apple's export form.
///
/// With ``Order/canonical`` the text is byte for byte what CloudKit's exporter writes for the
/// schema, except for comments, which exports do not contain. This was verified against a corpus of
/// real exports.
///
/// ```swift
/// let text = try SchemaPrinter().print(document.validSchema())
/// ```
public struct SchemaPrinter: Sendable {
  /// The order of the elements.
  public enum Order: Sendable, Hashable {
    /// Roles, types, fields and grants sorted by ASCII, with grants to the same role merged.
    case canonical
    /// The order of the schema.
    case asWritten
  }

  /// The order of the elements.
  public var order: Order

  /// Creates a printer.
  public init(order: Order = .canonical) {
    self.order = order
  }

  /// Returns the schema as text, with a trailing newline.
  ///
  /// Quotation marks and line breaks inside a name, which the language cannot express, are removed;
  /// the rule `NAME_ILLEGAL` reports such names.
  public func print(_ schema: CloudSchema) -> String {
    let schema = order == .canonical ? schema.canonicalized() : schema
    var writer = SchemaWriter()
    writer.write(schema)
    return writer.text
  }

  /// Returns whether the source of a document equals the output of ``print(_:)``.
  package func isPrinted(_ document: SchemaDocument) -> Bool {
    print(document.schema).utf8.elementsEqual(document.source)
  }
}

private struct SchemaWriter {
  private(set) var text = ""

  mutating func write(_ schema: CloudSchema) {
    write(schema.comments.leading, indent: "")
    text += "DEFINE SCHEMA"
    endLine(schema.comments.trailing)
    for role in schema.roles {
      text += "\n"
      write("CREATE ROLE " + Self.quoted(role.name) + ";", role.comments, indent: "    ")
    }
    for type in schema.recordTypes {
      text += "\n"
      write(type)
    }
    if !schema.comments.closing.isEmpty {
      text += "\n"
      write(schema.comments.closing, indent: "")
    }
    if schema.endsInBlankLine { text += "\n" }
  }

  private mutating func write(_ type: CloudSchema.RecordType) {
    write("RECORD TYPE " + Self.quoted(type.name) + " (", type.comments, indent: "    ")
    let names = type.fields.map { Self.quoted($0.name) }
    let width = names.reduce(0) { max($0, $1.unicodeScalars.count) }
    // A grant without permissions, which only code can create, has no text.
    let grants = type.grants.filter { !$0.permissions.isEmpty }
    var remaining = type.fields.count + grants.count
    for (field, name) in zip(type.fields, names) {
      remaining -= 1
      let padding = String(repeating: " ", count: width - name.unicodeScalars.count)
      let words = [name + padding, field.type.description] + field.options.keywords
      let line = words.joined(separator: " ") + (remaining > 0 ? "," : "")
      write(line, field.comments, indent: "        ")
    }
    for grant in grants {
      remaining -= 1
      let line = "GRANT " + grant.permissions.description + " TO " + Self.quoted(grant.role)
      write(line + (remaining > 0 ? "," : ""), grant.comments, indent: "        ")
    }
    write(type.comments.closing, indent: "        ")
    writeMultiline(type.comments.ending, indent: "        ")
    text += "    );"
    endLine(type.comments.ending)
  }

  private mutating func write(_ line: String, _ comments: CloudSchema.Comments, indent: String) {
    write(comments.leading, indent: indent)
    writeMultiline(comments.trailing, indent: indent)
    text += indent + line
    endLine(comments.trailing)
  }

  private mutating func endLine(_ comment: CloudSchema.Comment?) {
    if let comment, !comment.isMultiline { text += " " + comment.source }
    text += "\n"
  }

  /// Writes a multiline comment above the element, because it cannot stand at the end of a line.
  private mutating func writeMultiline(_ comment: CloudSchema.Comment?, indent: String) {
    if let comment, comment.isMultiline { write([comment], indent: indent) }
  }

  private mutating func write(_ comments: [CloudSchema.Comment], indent: String) {
    for comment in comments {
      text += indent + comment.source + "\n"
      if comment.isFollowedByBlankLine { text += "\n" }
    }
  }

  private static func quoted(_ name: String) -> String {
    guard SchemaNames.needsQuotes(name) else { return name }
    let safe = name.unicodeScalars.filter { $0 != "\"" && $0 != "\n" && $0 != "\r" }
    return "\"" + String(String.UnicodeScalarView(safe)) + "\""
  }
}

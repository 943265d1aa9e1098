import RecordModel
import RecordPages
import RecordSchema

/// The schema of a container: a diagram, and the text.
struct SchemaView {
  let context: ConsoleRequest

  /// Above so many records, what refers to what is guessed by names instead of counted.
  private static let maxRecords = 20_000

  func html() throws -> HTML {
    guard let text = try context.store.info().schema else {
      return context.page(
        "Schema",
        live: """
          <p>The container has no schema: every field is allowed. \
          <code>recordpack schema infer</code> makes one from the records.</p>
          """)
    }
    return context.page(
      "Schema", live: nil,
      foot: """
        \(try diagram(of: SchemaDocument(parsing: text).schema))
        <h2>Text</h2>
        <pre>\(HTML(text: text, keepsLines: true))</pre>
        """)
  }

  /// The diagram; the box of a type leads to its records.
  private func diagram(of schema: CloudSchema) throws -> HTML {
    let sections = try context.source.sections()
    let count = sections.reduce(0) { $0 + $1.records }
    let records =
      count <= Self.maxRecords ? try SchemaReferences(scanning: context.source) : nil
    let references = SchemaReferences(of: schema, records: records)
    return SchemaDiagram(schema, references: references) { type in
      sections.first { $0.recordType.sameScalars(as: type) }.map { section in
        let zone = ZoneLocation(section.database, section.zoneID)
        return context.link(.records, context.items(zone, type: type))
      }
    }.figure
  }
}

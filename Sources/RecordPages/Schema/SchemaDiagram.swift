import RecordModel
import RecordSchema

/// A diagram of a schema: a box for each record type, and lines for references.
///
/// Types that the server makes itself are left out unless something refers to them or the app has
/// added fields to them.
package struct SchemaDiagram {
  /// The title, which is read aloud in place of the picture.
  package var title: String

  let content: DiagramContent
  let geometry: DiagramGeometry
  private let link: ((String) -> String?)?

  /// Creates a diagram, and lays it out.
  ///
  /// - Parameters:
  ///   - schema: The schema.
  ///   - references: What refers to what; nil to guess by names.
  ///   - chosen: The types to show; nil for all.
  ///   - changes: The changes to mark. Shows what either schema has in place of `schema`.
  ///   - title: The title.
  ///   - link: Returns the address that the box of a type leads to, if any.
  package init(
    _ schema: CloudSchema, references: SchemaReferences? = nil,
    only chosen: Set<ExactString>? = nil,
    changes: DiagramChanges? = nil, title: String = "Schema", link: ((String) -> String?)? = nil
  ) {
    let schema = changes?.schema ?? schema
    self.title = title
    self.link = link
    content = DiagramContent(
      schema, references ?? SchemaReferences(of: schema), changes: changes, only: chosen)
    geometry = DiagramLayout.geometry(
      of: DiagramGraph(
        boxes: content.boxes.map {
          .init(
            width: DiagramMetrics.width(of: $0), height: DiagramMetrics.height(of: $0),
            entry: DiagramMetrics.header / 2)
        },
        edges: content.edges.map {
          .init(
            source: $0.source, exit: DiagramMetrics.middle(ofRow: $0.row), target: $0.target)
        }))
  }

  /// Whether there is nothing to show.
  package var isEmpty: Bool { content.boxes.isEmpty }

  /// The diagram as part of a page, in the page's colours.
  package var svg: HTML { DiagramDrawing(self, link: link).svg(style: nil) }

  /// The diagram as a figure that scrolls on its own where it is too wide; nothing if it is empty.
  package var figure: HTML {
    guard !isEmpty else { return .empty }
    return """
      <figure class="drawing" tabindex="0" aria-label="Diagram of the record types">
      \(svg)
      </figure>
      """
  }

  /// The diagram as a file, in colours of its own for light and dark.
  package var standaloneSVG: String {
    let style = String(decoding: PackageResources.diagram_css, as: UTF8.self)
    let light = PageColors.applied(PageColors.light, to: style)
    let dark = PageColors.applied(PageColors.dark, to: style)
    return DiagramDrawing(self, link: link).svg(
      style: HTML(markup: light + "@media (prefers-color-scheme: dark) {\n" + dark + "}\n")
    ).text + "\n"
  }

  /// The diagram in Mermaid's language, which GitHub draws in Markdown.
  package var mermaid: String { MermaidText(content, title: title).text }

  /// The types that are shown, with the number of their records, if records were counted.
  package var recordTypes: [(name: String, records: Int?)] {
    content.boxes.map { ($0.name, $0.count) }
  }

  /// The references that are shown.
  package var references: [SchemaReference] { content.edges.map(\.reference) }
}

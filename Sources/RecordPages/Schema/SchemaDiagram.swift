import RecordModel
import RecordSchema
import RecordText

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
  ///   - references: The references between types; nil to guess by names.
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
            source: $0.source, exit: DiagramMetrics.middle(ofRow: $0.row), target: $0.target,
            entry: $0.targetRow.map(DiagramMetrics.middle))
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
    let (light, dark) = (PageColor.applied(dark: false), PageColor.applied(dark: true))
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

/// A diagram as an entity relationship diagram of Mermaid.
///
/// Its names of attributes and types are words of letters, digits, `_` and `-`; what a name has
/// beyond them is replaced, and the name follows as a comment. In texts, everything but letters,
/// digits and harmless marks is written by its number (`#34;`).
struct MermaidText {
  private let content: DiagramContent
  private let title: String

  init(_ content: DiagramContent, title: String) {
    self.content = content
    self.title = title
  }

  var text: String {
    var lines = ["---", "title: \(Self.quoted(title))", "---", "erDiagram"]
    for (index, box) in content.boxes.enumerated() {
      var name = box.name
      if let count = box.countText { name += " (\(count))" }
      var rows = box.rows.map(Self.attribute)
      if let text = box.hiddenText { rows.append("MORE fields \(Self.quoted(text))") }
      lines.append("  t\(index)[\(Self.quoted(name))]" + (rows.isEmpty ? "" : " {"))
      lines += rows.map { "    " + $0 }
      if !rows.isEmpty { lines.append("  }") }
    }
    lines += edges.map { edges in
      let edge = edges[0]
      let isList = edges.contains(where: \.isList)
      let start = edges.allSatisfy { $0.isMutual && !$0.isList } ? "|o" : "}o"
      let line = edges.allSatisfy(\.isGuess) ? ".." : "--"
      let label = Self.quoted(edges.map(\.label).joined(separator: ", "))
      return "  t\(edge.source) \(start)\(line)\(isList ? "o{" : "o|") t\(edge.target) : \(label)"
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// The edges by their lines. Mermaid draws only one line from a type to itself.
  private var edges: [[DiagramContent.Edge]] {
    Dictionary(grouping: content.edges.enumerated()) {
      $0.element.source == $0.element.target ? -1 - $0.element.source : $0.offset
    }.values.sorted { $0[0].offset < $1[0].offset }.map { $0.map(\.element) }
  }

  /// The words that mark keys.
  private static let keys: Set<String> = ["PK", "FK", "UK"]

  private static func attribute(_ row: DiagramContent.Row) -> String {
    let isPlain = SchemaNames.isPlain(row.name) && !keys.contains(row.name.uppercased())
    var notes = isPlain ? [] : [row.name]
    if row.isEncrypted { notes.append("ENCRYPTED") }
    notes += row.options.keywords
    if let change = row.change { notes.append(change.rawValue) }
    let isList = row.type.hasPrefix("LIST<")
    let type = isList ? row.type.dropFirst(5).dropLast() + "[]" : row.type[...]
    let comment = notes.isEmpty ? "" : " " + quoted(notes.joined(separator: " "))
    let name = isPlain ? row.name : word(row.name)
    return "\(type.isEmpty ? "REFERENCE" : type) \(name)\(comment)"
  }

  /// The name as a word.
  private static func word(_ name: String) -> String {
    let letters = name.unicodeScalars.prefix(80).map { scalar -> Character in
      scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar))
        ? Character(scalar) : "_"
    }
    return "f_" + String(letters)
  }

  /// A text in quotation marks, in which nothing ends it or is markup.
  private static func quoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.visible.unicodeScalars {
      let isHarmless =
        scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
        || " ._,()-:/→".unicodeScalars.contains(scalar)
      quoted += isHarmless ? String(scalar) : "#\(scalar.value);"
    }
    return quoted + "\""
  }
}

import RecordText

/// Draws a diagram that is laid out.
struct DiagramDrawing {
  private let title: String
  private let content: DiagramContent
  private let geometry: DiagramGeometry
  private let link: ((String) -> String?)?
  private let legend: DiagramLegend
  private typealias Metrics = DiagramMetrics

  init(_ diagram: SchemaDiagram, link: ((String) -> String?)?) {
    title = diagram.title
    content = diagram.content
    self.link = link
    var geometry = diagram.geometry
    geometry.move(by: Metrics.margin, Metrics.margin)
    self.geometry = geometry
    legend = DiagramLegend(content, width: geometry.width)
  }

  /// - Parameter style: The style of a file of its own; nil for a part of a page.
  func svg(style: HTML?) -> HTML {
    let width = max(geometry.width, legend.width) + 2 * Metrics.margin
    let height = geometry.height + 2 * Metrics.margin + legend.height
    // An image has no links in it for those who cannot see it.
    let role: HTML = link == nil ? "img" : "group"
    let top = geometry.height + 2 * Metrics.margin
    let canvas: HTML = "<rect class=\"canvas\" width=\"\(width.svg)\" height=\"\(height.svg)\"/>"
    return """
      <svg xmlns="http://www.w3.org/2000/svg" class="diagram" role="\(role)" \
      width="\(width.svg)" height="\(height.svg)" viewBox="0 0 \(width.svg) \(height.svg)">
      <title>\(text: title)</title>
      <desc>\(text: description)</desc>
      \(style.map { "<style>\n\($0)</style>" as HTML })\(style == nil ? nil : canvas)
      \(edges())
      \(content.boxes.indices.map(box))
      \(legend.markup(x: Metrics.margin, y: top))
      </svg>
      """
  }

  private var description: String {
    let shown =
      "\(Numbers.count(content.boxes.count, "record type")), "
      + Numbers.count(content.edges.count, "reference")
    let lines = content.edges.prefix(100).map(\.title)
    return ([shown] + lines).joined(separator: ". ") + "."
  }

  // MARK: Edges

  private func edges() -> [HTML] {
    zip(content.edges, geometry.routes).map { edge, route in
      let classes =
        "edge" + (edge.isGuess ? " guess" : "") + (edge.change.map { " " + $0.rawValue } ?? "")
      let path = DiagramPath(route, isList: edge.isList)
      return """
        <g class="\(classes)"><title>\(text: edge.title)</title>\
        <path class="line" d="\(path.line)"/><path class="tip" d="\(path.tip)"/></g>
        """
    }
  }

  // MARK: Boxes

  private func box(_ index: Int) -> HTML {
    let (box, frame) = (content.boxes[index], geometry.frames[index])
    let classes = "type" + (box.change.map { " " + $0.rawValue } ?? "")
    let count: HTML? = box.countText.map {
      let x = (frame.width - Metrics.padding).svg
      return "<text class=\"count\" x=\"\(x)\" y=\"20.5\">\($0)</text>"
    }
    let name = Metrics.fitted(box.name, columns: Metrics.maxName)
    let body: HTML = """
      <g class="\(classes)" transform="translate(\(frame.x.svg) \(frame.y.svg))">\
      <title>\(text: box.title)</title>
      <rect class="frame" width="\(frame.width.svg)" height="\(frame.height.svg)" rx="7"/>
      <path class="head" d="\(head(frame, isWhole: box.rows.isEmpty))"/>
      <text class="name" x="\(Metrics.padding.svg)" y="21">\(text: name)</text>\(count)
      \(rows(box, width: frame.width))
      </g>
      """
    guard let address = link?(box.name) else { return body }
    return "<a href=\"\(text: address)\">\(body)</a>"
  }

  private func head(_ frame: DiagramFrame, isWhole: Bool) -> String {
    let bottom = (Metrics.header - 0.5).svg
    let top = "V7a6.5 6.5 0 0 1 6.5 -6.5H\((frame.width - 7).svg)a6.5 6.5 0 0 1 6.5 6.5"
    guard isWhole else { return "M0.5 \(bottom)\(top)V\(bottom)Z" }
    let corner = (Metrics.header - 7).svg
    return "M0.5 \(corner)\(top)V\(corner)a6.5 6.5 0 0 1 -6.5 6.5H7a6.5 6.5 0 0 1 -6.5 -6.5Z"
  }

  private func rows(_ box: DiagramContent.Box, width: Double) -> [HTML] {
    guard !box.rows.isEmpty else { return [] }
    let y = Metrics.header.svg
    let rule: HTML = "<path class=\"rule\" d=\"M0.5 \(y)H\((width - 0.5).svg)\"/>"
    let marks = box.marks
    let hidden = box.hiddenText.map { text -> HTML in
      let y = (Metrics.middle(ofRow: box.rows.count) + 4).svg
      return """
        <g class="row system"><text class="field" x="\(Metrics.padding.svg)" y="\(y)">\(text)</text></g>
        """
    }
    let rows = box.rows.indices.map { row(box, $0, marks, width: width) }
    return [rule] + rows + [hidden].compactMap(\.self)
  }

  private func row(
    _ box: DiagramContent.Box, _ index: Int, _ marks: [DiagramMark], width: Double
  ) -> HTML {
    let row = box.rows[index]
    let middle = Metrics.middle(ofRow: index)
    let start = Metrics.padding + (box.hasSigns ? 12 : 0)
    let marksWidth = Double(marks.count) * Metrics.mark
    let end = width - Metrics.padding - marksWidth - (marks.isEmpty ? 0 : 6)
    let baseline = (middle + 4).svg
    var parts: HTML = "<title>\(text: row.title)</title>"
    if let change = row.change {
      parts += """
        <rect class="mark" x="1" y="\((middle - Metrics.row / 2).svg)" \
        width="\((width - 2).svg)" height="\(Metrics.row.svg)"/>\
        <text class="sign" x="\(Metrics.padding.svg)" y="\(baseline)">\(change.sign)</text>
        """
    }
    let name = Metrics.fitted(row.name, columns: Metrics.maxField)
    parts += "<text class=\"field\" x=\"\(start.svg)\" y=\"\(baseline)\">\(text: name)</text>"
    if !row.type.isEmpty {
      parts += "<text class=\"kind\" x=\"\(end.svg)\" y=\"\(baseline)\">\(row.type)</text>"
    }
    if row.isEncrypted {
      let x = end - Metrics.textWidth(columns: row.type.utf8.count, size: Metrics.typeSize)
      parts += DiagramLegend.lock(x: x - Metrics.lock, y: middle)
    }
    let found = marks.enumerated().filter { row.options.contains($0.element.option) }
    if !found.isEmpty {
      let places = found.map {
        (width - Metrics.padding - marksWidth + (Double($0.offset) + 0.5) * Metrics.mark).svg
      }
      let letters = found.map(\.element.letter).joined()
      parts += """
        <text class="marks" x="\(places.joined(separator: " "))" y="\((middle + 3.5).svg)">\
        \(letters)</text>
        """
    }
    let classes =
      "row" + (row.change.map { " " + $0.rawValue } ?? "")
      + (row.isSystem ? " system" : "") + (row.refers ? " refers" : "")
    return "<g class=\"\(classes)\">\(parts)</g>"
  }
}

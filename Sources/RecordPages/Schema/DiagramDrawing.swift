import RecordModel
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
      let path = DiagramPath(route, isList: edge.isList, isMutual: edge.isMutual)
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
    let countWidth = box.countText.map {
      Metrics.gap + Metrics.textWidth(columns: $0.columns, size: Metrics.typeSize)
    }
    let room = frame.width - 2 * Metrics.padding - (countWidth ?? 0)
    let name = Metrics.fitted(
      box.name, columns: Metrics.columns(in: room, size: Metrics.nameSize))
    let body: HTML = """
      <g class="\(classes)" transform="translate(\(frame.x.svg) \(frame.y.svg))">\
      <title>\(text: box.title)</title>
      <rect class="frame" width="\(frame.width.svg)" height="\(frame.height.svg)" rx="7"/>
      <path class="head" d="\(head(frame, isWhole: box.hasHeadOnly))"/>
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
    if box.hasHeadOnly { return [] }
    let y = Metrics.header.svg
    let rule: HTML = "<path class=\"rule\" d=\"M0.5 \(y)H\((width - 0.5).svg)\"/>"
    let marks = box.marks
    let hidden = box.hiddenText.map { text -> HTML in
      let y = (Metrics.middle(ofRow: box.rows.count) + 4).svg
      let title: HTML? =
        box.companions > 0
        ? """
        <title>The companions are \(CoreDataNames.moveReceiptField), and fields that end in \
        \(CoreDataNames.assetSuffix)</title>
        """ : nil
      return """
        <g class="row system">\(title)<text class="field" x="\(Metrics.padding.svg)" y="\(y)">… \(text)</text></g>
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
    var typeStart = end - Metrics.textWidth(columns: row.type.utf8.count, size: Metrics.typeSize)
    if row.isEncrypted {
      typeStart -= Metrics.lock
      parts += DiagramLegend.lock(x: typeStart, y: middle)
    }
    let room = typeStart - start - (row.type.isEmpty ? 0 : Metrics.gap)
    let name = Metrics.fitted(
      row.name, columns: Metrics.columns(in: room, size: Metrics.fieldSize))
    parts += "<text class=\"field\" x=\"\(start.svg)\" y=\"\(baseline)\">\(text: name)</text>"
    if !row.type.isEmpty {
      parts += "<text class=\"kind\" x=\"\(end.svg)\" y=\"\(baseline)\">\(row.type)</text>"
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

/// The meaning of the signs that a diagram has.
struct DiagramLegend {
  private enum Sign {
    case letter(String)
    case lock
    case edge(String)
  }

  private struct Item {
    var sign: Sign
    var text: String
    var x = 0.0
    var line = 0

    var signWidth: Double {
      switch sign {
      case .letter: 13
      case .lock: 14
      case .edge: 42
      }
    }

    var width: Double { signWidth + DiagramMetrics.textWidth(columns: text.count, size: 10) }
  }

  private var items: [Item] = []
  /// The size with the space around it; no height if there is nothing to explain.
  private(set) var width = 0.0
  private(set) var height = 0.0

  /// - Parameter limit: The width after which a line ends.
  init(_ content: DiagramContent, width limit: Double) {
    for mark in DiagramMark.all
    where content.boxes.contains(where: { $0.rows.contains { $0.options.contains(mark.option) } }) {
      items.append(Item(sign: .letter(mark.letter), text: mark.meaning))
    }
    if content.boxes.contains(where: { $0.rows.contains(where: \.isEncrypted) }) {
      items.append(Item(sign: .lock, text: "encrypted"))
    }
    var known: [String] = []
    if content.edges.contains(where: \.isCounted) { known.append("reference in records") }
    if content.edges.contains(where: { $0.reference.basis == .model }) {
      known.append("relationship of the model")
    }
    if !known.isEmpty {
      items.append(Item(sign: .edge("edge"), text: known.joined(separator: " or ")))
    }
    if content.edges.contains(where: \.isGuess) {
      items.append(Item(sign: .edge("edge guess"), text: "reference guessed by its name"))
    }
    var (x, line) = (0.0, 0)
    for index in items.indices {
      if x > 0, x + items[index].width > max(limit, 300) { (x, line) = (0, line + 1) }
      (items[index].x, items[index].line) = (x, line)
      width = max(width, x + items[index].width)
      x += items[index].width + 22
    }
    if !items.isEmpty { height = Double(line + 1) * DiagramMetrics.legend + 8 }
  }

  func markup(x: Double, y: Double) -> HTML {
    guard !items.isEmpty else { return .empty }
    let markup = items.map { item -> HTML in
      let (left, middle) = (x + item.x, y + Double(item.line) * DiagramMetrics.legend + 6)
      let sign: HTML =
        switch item.sign {
        case .letter(let letter):
          "<text class=\"marks\" x=\"\((left + 4).svg)\" y=\"\((middle + 3.5).svg)\">\(letter)</text>"
        case .lock: Self.lock(x: left, y: middle)
        case .edge(let classes): Self.edge(classes, x: left, y: middle)
        }
      let textX = (left + item.signWidth).svg
      return """
        \(sign)<text class="legend" x="\(textX)" y="\((middle + 3.5).svg)">\(item.text)</text>
        """
    }
    return "<g>\(markup)</g>"
  }

  private static func edge(_ classes: String, x: Double, y: Double) -> HTML {
    let points = [DiagramPoint(x: x, y: y), DiagramPoint(x: x + 35, y: y)]
    let path = DiagramPath(DiagramRoute(points: points, arrivesLeftward: false), isList: false)
    return """
      <g class="\(classes)"><path class="line" d="\(path.line)"/>\
      <path class="tip" d="\(path.tip)"/></g>
      """
  }

  /// A closed lock, 8 pixels wide.
  static func lock(x: Double, y: Double) -> HTML {
    """
    <path class="lock" fill-rule="evenodd" transform="translate(\(x.svg) \((y - 5).svg))" \
    d="M0 4.5h1v-1.5a3 3 0 0 1 6 0v1.5h1v5h-8ZM2.3 4.5h3.4v-1.5a1.7 1.7 0 0 0 -3.4 0Z"/>
    """
  }
}

/// The path of an edge in SVG.
///
/// Drawn from its end, so that the dashes of edges that share a lane cover each other.
struct DiagramPath {
  /// The line, from a dot at the field to the tip.
  let line: String
  /// The dot, and one arrowhead, or two for a list. With an inverse, arrowheads in place of the dot.
  let tip: String

  private static let radius = 2.5
  private static let length = 9.0

  init(_ route: DiagramRoute, isList: Bool, isMutual: Bool = false) {
    guard var start = route.points.first, var end = route.points.last, route.points.count > 1 else {
      (line, tip) = ("", "")
      return
    }
    let leaves = route.isLoop || !route.arrivesLeftward ? 1.0 : -1
    let arrives = route.arrivesLeftward ? 1.0 : -1
    let heads = isList ? [0.0, 7] : [0]
    func arrow(_ point: DiagramPoint, _ direction: Double) -> String {
      heads.map { Self.head(.init(x: point.x + direction * $0, y: point.y), toward: direction) }
        .joined()
    }
    let headLength = Self.length + (heads.last ?? 0)
    tip = (isMutual ? arrow(start, leaves) : Self.dot(start, leaves)) + arrow(end, arrives)
    start.x += leaves * (isMutual ? headLength : Self.radius + 0.5)
    end.x += arrives * headLength
    var points = route.points
    points[0] = start
    points[points.count - 1] = end
    line = route.isLoop ? Self.loop(end, start, reach: route.reach) : Self.curves(points.reversed())
  }

  private static func dot(_ start: DiagramPoint, _ direction: Double) -> String {
    let (center, r) = (
      DiagramPoint(x: start.x + direction * (radius + 0.5), y: start.y), radius.svg
    )
    return "M\((center.x - radius).svg) \(center.y.svg)a\(r) \(r) 0 1 0 \((2 * radius).svg) 0"
      + "a\(r) \(r) 0 1 0 -\((2 * radius).svg) 0Z"
  }

  /// - Parameter direction: 1 if it comes from the right, -1 from the left.
  private static func head(_ end: DiagramPoint, toward direction: Double) -> String {
    let x = (direction * (length - 1)).svg
    return "M\((end.x + direction).svg) \(end.y.svg)l\(x) -4.5v9Z"
  }

  private static func loop(
    _ start: DiagramPoint, _ end: DiagramPoint, reach: Double
  ) -> String {
    let x = (max(start.x, end.x) + reach * 1.2).svg
    return "M\(start.x.svg) \(start.y.svg)C\(x) \(start.y.svg) \(x) \(end.y.svg) "
      + "\(end.x.svg) \(end.y.svg)"
  }

  private static func curves(_ points: [DiagramPoint]) -> String {
    var text = "M\(points[0].x.svg) \(points[0].y.svg)"
    for index in points.indices.dropFirst() {
      let (a, b) = (points[index - 1], points[index])
      if index % 2 == 0 || a.y == b.y {
        text += "L\(b.x.svg) \(b.y.svg)"
      } else {
        let middle = ((a.x + b.x) / 2).svg
        text += "C\(middle) \(a.y.svg) \(middle) \(b.y.svg) \(b.x.svg) \(b.y.svg)"
      }
    }
    return text
  }
}

extension Double {
  /// The number with at most one decimal.
  var svg: String {
    guard isFinite, magnitude < 1e9 else { return "0" }
    let tenths = Int((self * 10).rounded())
    let whole = "\(tenths < 0 ? "-" : "")\(tenths.magnitude / 10)"
    return tenths % 10 == 0 ? whole : "\(whole).\(tenths.magnitude % 10)"
  }
}

extension HTML.Interpolation {
  /// Appends text that is also text in XML, which lacks two characters that HTML has.
  mutating func appendInterpolation(text: String) {
    let allowed =
      text.unicodeScalars.contains { $0.value & 0xFFFF >= 0xFFFE }
      ? String(
        String.UnicodeScalarView(
          text.unicodeScalars.map { $0.value & 0xFFFF >= 0xFFFE ? "\u{FFFD}" : $0 }))
      : text
    appendInterpolation(allowed)
  }
}

/// What the signs of a diagram mean; only of those that it has.
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
    let isGuessing = content.edges.contains(where: \.isGuess)
    if content.edges.contains(where: { !$0.isGuess }) {
      items.append(Item(sign: .edge("edge"), text: "reference in records"))
    }
    if isGuessing {
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

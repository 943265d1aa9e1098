import RecordText

/// A table that scrolls on its own where it is wider than the page.
package struct HTMLTable {
  package struct Column: ExpressibleByStringLiteral {
    fileprivate let head: HTML
    /// The attribute of the cells with their class.
    fileprivate let style: HTML

    /// - Parameter style: The class of the cells; empty for none.
    package init(_ title: HTML, style: HTML = .empty) {
      self.style = style.isEmpty ? .empty : " class=\"\(style)\""
      head = "<th scope=\"col\"\(self.style)>\(title)</th>"
    }

    package init(stringLiteral title: String) { self.init("\(title)") }

    /// Creates a column with a head of its own, for rows that are added as markup.
    package init(head: HTML) { (self.head, style) = (head, .empty) }

    /// A column of numbers, which are aligned at their ends.
    package static func number(_ title: String) -> Column { Column("\(title)", style: "number") }

    /// A column whose title only a reader hears.
    package static func hidden(_ title: String, style: HTML = .empty) -> Column {
      Column("<span class=\"hidden\">\(title)</span>", style: style)
    }
  }

  private let columns: [Column]
  private let style: HTML
  private let label: String?
  private var rows: [HTML] = []
  private var rest = 0

  /// - Parameters:
  ///   - style: The class of the table; empty for none.
  ///   - label: The name of a table that a reader can scroll by keys; nil for others.
  package init(_ columns: [Column], style: HTML = .empty, label: String? = nil) {
    (self.columns, self.style, self.label) = (columns, style, label)
  }

  package var isEmpty: Bool { rows.isEmpty }
  package var count: Int { rows.count }

  /// Adds a row with a cell for each column.
  ///
  /// - Parameters:
  ///   - isTitled: Whether the first cell is the title of the row.
  ///   - isQuiet: Whether the row is less important.
  package mutating func add(_ cells: HTML..., isTitled: Bool = false, isQuiet: Bool = false) {
    let cells: [HTML] = zip(columns, cells).enumerated().map { index, cell in
      if index == 0, isTitled { return "<th scope=\"row\">\(cell.1)</th>" }
      return "<td\(cell.0.style)>\(cell.1)</td>"
    }
    let style: HTML = isQuiet ? " class=\"quiet\"" : .empty
    rows.append("<tr\(style)>\(HTML.joined(cells))</tr>")
  }

  /// Adds a row as markup.
  package mutating func add(row: HTML) { rows.append(row) }

  /// Says below the table how many rows it leaves out.
  package mutating func leaveOut(_ count: Int) { rest = count }

  /// The markup; nothing for a table without rows.
  package var html: HTML {
    guard !rows.isEmpty else { return .empty }
    let region: HTML? = label.map { " tabindex=\"0\" role=\"region\" aria-label=\"\($0)\"" }
    let style: HTML = style.isEmpty ? .empty : " class=\"\(style)\""
    return """
      <div class="scroll"\(region)><table\(style)><thead><tr>\(HTML.joined(columns.map(\.head)))</tr></thead>
      <tbody>
      \(rows)
      </tbody></table></div>
      \(when: rest > 0, "<p class=\"quiet\">and \(Numbers.grouped(rest)) more</p>")
      """
  }
}

/// A list of facts, each with its name.
package struct HTMLFacts {
  private var facts: [HTML] = []

  package init() {}

  /// Adds a fact; nothing if it is unknown.
  package mutating func add(_ name: HTML, _ fact: HTML?) {
    if let fact { facts.append("<dt>\(name)</dt><dd>\(fact)</dd>") }
  }

  package mutating func add(_ name: HTML, _ fact: String?) {
    add(name, fact.map { HTML(text: $0) })
  }

  /// The markup; nothing without facts.
  package var html: HTML { facts.isEmpty ? .empty : "<dl>\(facts)</dl>" }
}

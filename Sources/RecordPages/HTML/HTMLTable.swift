import RecordText

/// A table that scrolls on its own where it is wider than the page.
package struct HTMLTable {
  package struct Column: ExpressibleByStringLiteral {
    package var title: HTML
    /// Whether the cells are numbers, which are aligned at their ends.
    package var isNumber = false

    package init(_ title: HTML, isNumber: Bool = false) {
      (self.title, self.isNumber) = (title, isNumber)
    }

    package init(stringLiteral title: String) { self.init("\(title)") }

    package static func number(_ title: String) -> Column { Column("\(title)", isNumber: true) }
  }

  private let columns: [Column]
  private let style: StaticString
  private var rows: [HTML] = []
  private var rest = 0

  /// - Parameter style: The class of the table; empty for none.
  package init(_ columns: [Column], style: StaticString = "") {
    self.columns = columns
    self.style = style
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
      return cell.0.isNumber ? "<td class=\"number\">\(cell.1)</td>" : "<td>\(cell.1)</td>"
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
    let titles: [HTML] = columns.map { column in
      let style: HTML = column.isNumber ? " class=\"number\"" : .empty
      return "<th scope=\"col\"\(style)>\(column.title)</th>"
    }
    let name = HTML(markup: "\(style)")
    let style: HTML = name.isEmpty ? .empty : " class=\"\(name)\""
    let more: HTML? =
      rest > 0 ? "<p class=\"quiet\">and \(Numbers.grouped(rest)) more</p>" : nil
    return """
      <div class="scroll"><table\(style)><thead><tr>\(HTML.joined(titles))</tr></thead>
      <tbody>
      \(rows)
      </tbody></table></div>
      \(more)
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

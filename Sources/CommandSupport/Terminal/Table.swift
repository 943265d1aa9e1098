import RecordText

/// Text in aligned columns.
package struct Table {
  package struct Cell {
    package var text: String
    package var color: Style.Color?

    package init(_ text: String, _ color: Style.Color? = nil) {
      self.text = text.visible
      self.color = color
    }
  }

  package enum Alignment { case left, right }

  private let alignments: [Alignment]
  private var rows: [[Cell]] = []

  package init(_ alignments: [Alignment]) {
    self.alignments = alignments
  }

  package mutating func add(_ cells: [Cell]) { rows.append(cells) }

  package mutating func add(_ texts: String..., color: Style.Color? = nil) {
    rows.append(texts.map { Cell($0, color) })
  }

  /// The lines, without trailing spaces.
  package func lines(_ style: Style, indent: String = "") -> [String] {
    let widths = alignments.indices.map { column in
      rows.map { $0.count > column ? $0[column].text.columns : 0 }.max() ?? 0
    }
    return rows.map { row in
      var line = indent
      for (column, cell) in row.enumerated() {
        if column > 0 { line += "  " }
        let padding = String(repeating: " ", count: widths[column] - cell.text.columns)
        let text = style.paint(cell.text, cell.color)
        let isLast = row[(column + 1)...].allSatisfy { $0.text.isEmpty }
        switch alignments[column] {
        case .right: line += padding + text
        case .left: line += isLast ? text : text + padding
        }
        if isLast { break }
      }
      return line
    }
  }
}

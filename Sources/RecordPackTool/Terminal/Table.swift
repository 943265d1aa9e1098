import RecordText

/// Text in aligned columns.
struct Table {
  struct Cell {
    var text: String
    var color: TerminalStyle.Color?

    init(_ text: String, _ color: TerminalStyle.Color? = nil) {
      self.text = text.visible
      self.color = color
    }
  }

  enum Alignment { case left, right }

  private let alignments: [Alignment]
  private var rows: [[Cell]] = []

  init(_ alignments: [Alignment]) {
    self.alignments = alignments
  }

  mutating func add(_ cells: [Cell]) { rows.append(cells) }

  mutating func add(_ texts: String..., color: TerminalStyle.Color? = nil) {
    rows.append(texts.map { Cell($0, color) })
  }

  /// The least width of the first column, unless its texts are narrower.
  private static let minWidth = 16

  /// The lines, without trailing spaces.
  ///
  /// - Parameter width: The width of the terminal, if the table is to fit: long texts of the first
  ///   column are cut in the middle and, if that is not enough, the last columns are left out.
  func lines(
    _ style: TerminalStyle, indent: String = "", fitting width: Int? = nil
  ) -> [String] {
    var widths = alignments.indices.map { column in
      rows.map { $0.count > column ? $0[column].text.columns : 0 }.max() ?? 0
    }
    if let width, !widths.isEmpty {
      func others() -> Int { indent.columns + widths.dropFirst().reduce(0) { $0 + 2 + $1 } }
      while widths.count > 2, others() + min(widths[0], Self.minWidth) > width {
        widths.removeLast()
      }
      widths[0] = min(widths[0], max(Self.minWidth, width - others()))
    }
    let fitted = rows.map { row in
      var row = row.prefix(widths.count)
      if !row.isEmpty { row[0].text = row[0].text.cutInMiddle(to: widths[0]) }
      return Array(row)
    }
    return fitted.map { row in
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

extension String {
  /// The text in at most so many columns; the middle of a longer text is `…`.
  fileprivate func cutInMiddle(to columns: Int) -> String {
    guard self.columns > columns else { return self }
    let tail = columns / 3
    return prefix(columns: columns - tail - 1) + "…" + suffix(columns: tail)
  }
}

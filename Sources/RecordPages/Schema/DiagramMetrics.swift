import RecordText

/// The sizes of what a diagram draws, in pixels, without a font: in a monospaced one, a column is
/// about 0.6 of the size of the letters, wherever it comes from.
enum DiagramMetrics {
  static let nameSize = 13.0
  static let fieldSize = 12.0
  static let typeSize = 10.0
  static let markSize = 9.0
  static let header = 32.0
  static let row = 20.0
  static let bottom = 7.0
  static let padding = 12.0
  static let gap = 16.0
  static let lock = 12.0
  static let mark = 11.0
  static let margin = 20.0
  static let legend = 18.0
  /// The most columns of a name.
  static let maxName = 34
  static let maxField = 30

  static func textWidth(columns: Int, size: Double) -> Double { Double(columns) * size * 0.605 }

  /// The text in at most a number of columns, with an ellipsis where it is cut.
  static func fitted(_ text: String, columns: Int) -> String {
    let text = text.visible
    return text.columns <= columns ? text : text.prefix(columns: columns - 1) + "…"
  }

  static func width(of box: DiagramContent.Box) -> Double {
    let sign = box.hasSigns ? 12.0 : 0
    var width = 170.0
    var name = textWidth(columns: fitted(box.name, columns: maxName).columns, size: nameSize)
    if let count = box.countText {
      name += gap + textWidth(columns: count.columns, size: typeSize)
    }
    width = max(width, name + 2 * padding)
    for row in box.rows {
      let field = textWidth(columns: fitted(row.name, columns: maxField).columns, size: fieldSize)
      let type = textWidth(columns: row.type.columns, size: typeSize) + (row.isEncrypted ? lock : 0)
      let marks = Double(box.marks.count) * mark
      width = max(width, field + gap + type + marks + (marks > 0 ? 6 : 0) + 2 * padding + sign)
    }
    return width.rounded(.up)
  }

  static func height(of box: DiagramContent.Box) -> Double {
    let rows = box.rows.count + (box.hidden > 0 ? 1 : 0)
    return header + (rows == 0 ? 0 : Double(rows) * row + bottom)
  }

  /// The middle of a row, below the top of its box.
  static func middle(ofRow index: Int) -> Double { header + 3 + (Double(index) + 0.5) * row }
}

extension DiagramContent.Box {
  /// The marks of indexes that any field has, each with its letter.
  var marks: [DiagramMark] {
    DiagramMark.all.filter { mark in rows.contains { $0.options.contains(mark.option) } }
  }

  /// Whether fields have the signs of changes.
  var hasSigns: Bool { rows.contains { $0.change != nil } }

  /// What stands in place of the fields without a row.
  var hiddenText: String? { hidden > 0 ? "… " + Numbers.count(hidden, "more field") : nil }

  var countText: String? { count.map(Numbers.grouped) }
}

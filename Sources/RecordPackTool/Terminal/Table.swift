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

  /// The lines, without trailing spaces.
  ///
  /// - Parameter width: The width of the terminal, if the table is to fit.
  func lines(
    _ style: TerminalStyle, indent: String = "", fitting width: Int? = nil
  ) -> [String] {
    var widths = alignments.indices.map { column in
      rows.map { $0.count > column ? $0[column].text.columns : 0 }.max() ?? 0
    }
    if let width { widths = Self.fitted(widths, into: width - indent.columns) }
    return rows.map { row in
      indent + Self.line(row, widths, alignments, style, isCut: width != nil)
    }
  }

  /// A line, without trailing spaces. Cells behind the last width are left out, and `…` takes their
  /// place.
  ///
  /// - Parameter isCut: Whether cells are cut to the widths.
  fileprivate static func line(
    _ cells: [Cell], _ widths: [Int], _ alignments: [Alignment], _ style: TerminalStyle,
    isCut: Bool
  ) -> String {
    var line = ""
    let last = cells.prefix(widths.count).lastIndex { !$0.text.isEmpty } ?? -1
    for (column, cell) in cells.prefix(last + 1).enumerated() {
      let text = isCut ? cell.text.cut(to: widths[column]) : cell.text
      let padding = String(repeating: " ", count: max(0, widths[column] - text.columns))
      if column > 0 { line += "  " }
      if alignments[column] == .right { line += padding }
      line += style.paint(text, cell.color)
      if alignments[column] == .left, column < last { line += padding }
    }
    return widths.count < cells.count ? line + "  …" : line
  }

  /// Shrinks the widest columns until all fit. Columns at the end that do not fit even then are left
  /// out, and `…` takes their place; the first always stays.
  static func fitted(_ widths: [Int], into total: Int) -> [Int] {
    var widths = widths
    func least(_ widths: [Int]) -> Int {
      widths.reduce(2 * (widths.count - 1)) { $0 + min($1, minWidth) }
    }
    var total = total
    if widths.count > 1, least(widths) > total { total -= 3 }
    while widths.count > 1, least(widths) > total { widths.removeLast() }
    var excess = widths.reduce(2 * (widths.count - 1) - total, +)
    while excess > 0, let widest = widths.max(), widest > 1 {
      let second = widths.filter { $0 < widest }.max() ?? 1
      let columns = widths.indices.filter { widths[$0] == widest }
      let step = max(1, min(widest - second, excess / columns.count))
      for column in columns where excess > 0 {
        widths[column] -= step
        excess -= step
      }
    }
    return widths
  }

  /// The width to which columns shrink, unless they are narrower.
  private static let minWidth = 6
}

/// A table of any number of rows. The widths of the columns come from the first rows, so that memory
/// does not grow with the table.
///
/// On a terminal, it fits the width: long cells are cut. In a file or pipe, nothing is cut, and a
/// longer cell shifts the rest of its line. Columns of numbers are aligned right.
struct StreamedTable {
  /// The number of rows that decide the widths, and their size in bytes; whichever is less.
  static let sampleSize = 1000
  private static let sampleBytes = 1 << 20

  private let titles: [String]
  private let style: TerminalStyle
  private let terminalWidth: Int?
  private let write: (String) throws -> Void
  private var sample: [[String]] = []
  private var bytes = 0
  private var widths: [Int]?
  private var alignments: [Table.Alignment] = []

  /// - Parameters:
  ///   - terminalWidth: The width of the terminal; nil for a file or pipe.
  ///   - write: Receives each line.
  init(
    _ titles: [String], _ style: TerminalStyle, terminalWidth: Int?,
    write: @escaping (String) throws -> Void
  ) {
    self.titles = titles.map(\.visible)
    self.style = style
    self.terminalWidth = terminalWidth
    self.write = write
  }

  mutating func add(_ cells: [String]) throws {
    let cells = cells.map { cell in
      // No column is wider than the terminal.
      terminalWidth.map { String(cell.prefix(columns: $0 + 1)).visible } ?? cell.visible
    }
    guard widths == nil else { return try write(line(cells)) }
    sample.append(cells)
    bytes += cells.reduce(0) { $0 + $1.utf8.count }
    if sample.count == Self.sampleSize || bytes > Self.sampleBytes { try begin() }
  }

  /// Writes what is left. Must be called at the end.
  mutating func finish() throws {
    if widths == nil { try begin() }
  }

  private mutating func begin() throws {
    let widths = titles.indices.map { column in
      sample.reduce(titles[column].columns) { max($0, $1[column].columns) }
    }
    self.widths = terminalWidth.map { fitted(widths, into: $0) } ?? widths
    alignments = titles.indices.map { column in
      let cells = sample.map { $0[column] }.filter { !$0.isEmpty }
      return !cells.isEmpty && cells.allSatisfy { Double($0) != nil } ? .right : .left
    }
    try write(style.paint(line(titles), .dim))
    for row in sample { try write(line(row)) }
    sample = []
  }

  /// Drops columns at the end until the titles, the values of the first column and a part of the
  /// other values fit, and then shrinks the other columns. The first is cut only if it alone is wider
  /// than the terminal.
  private func fitted(_ widths: [Int], into total: Int) -> [Int] {
    let least = widths.indices.map { column in
      column == 0 ? widths[0] : min(widths[column], max(titles[column].columns, Self.minWidth))
    }
    var count = widths.count
    func needed(_ count: Int) -> Int {
      // A mark stands in place of dropped columns.
      least.prefix(count).reduce(2 * (count - 1) + (count < least.count ? 3 : 0), +)
    }
    while count > 1, needed(count) > total { count -= 1 }
    let room = total - needed(count)
    guard room >= 0 else { return [max(1, total - (widths.count > 1 ? 3 : 0))] }
    return Self.widened(Array(least.prefix(count)), to: widths, by: room)
  }

  /// Gives columns that are cut the room that is left, the narrowest first.
  private static func widened(_ least: [Int], to widths: [Int], by room: Int) -> [Int] {
    var (result, room) = (least, room)
    while room > 0 {
      let cut = result.indices.filter { result[$0] < widths[$0] }
      guard let column = cut.min(by: { result[$0] < result[$1] }) else { break }
      result[column] += 1
      room -= 1
    }
    return result
  }

  /// The width to which values are cut before their column is dropped.
  private static let minWidth = 12

  private func line(_ cells: [String]) -> String {
    Table.line(
      cells.map { Table.Cell($0) }, widths ?? [], alignments, TerminalStyle(isColored: false),
      isCut: terminalWidth != nil)
  }
}

extension String {
  /// The text in at most so many columns; longer text ends in `…`.
  func cut(to columns: Int) -> String {
    prefix(columns: columns).endIndex == endIndex ? self : prefix(columns: columns - 1) + "…"
  }
}

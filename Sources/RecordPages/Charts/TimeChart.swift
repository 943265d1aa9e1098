import RecordArchive
import RecordText

/// A chart of counts over time: columns, an axis, and a table of the same numbers.
package struct TimeChart {
  /// What happened at the counted times, such as `created`.
  package var title: String
  /// What is counted: `record`.
  package var noun: String
  package var columns: TimeColumns
  package var series: DayCounts

  package init(_ title: String, of noun: String, _ series: DayCounts, _ columns: TimeColumns) {
    (self.title, self.noun, self.series, self.columns) = (title, noun, series, columns)
  }

  private var values: [Int] { columns.values(of: series) }

  package var html: HTML {
    let values = values
    let top = Self.roundedUp(values.max() ?? 0)
    let lines: [HTML] = Self.lines(upTo: top).map { value in
      let place = Self.percent(value, of: top)
      return "<span class=\"line\" style=\"bottom:\(place)\"><b>\(Self.short(value))</b></span>"
    }
    let ticks: [HTML] = columns.ticks.enumerated().map { number, tick in
      let place = Self.percent(2 * tick.column + 1, of: 2 * columns.count)
      let minor: HTML = number % 2 == 1 ? " class=\"minor\"" : .empty
      return "<span\(minor) style=\"left:\(place)\">\(tick.text)</span>"
    }
    return """
      <figure class="chart">
      <figcaption>\(title) <span class="quiet">\(summary)</span></figcaption>
      <div class="plot" role="img" aria-label="\(title) \(summary)">
      <div class="area">
      \(lines)
      <div class="columns">\(values.indices.map { column($0, values[$0], top) })</div>
      </div>
      <div class="ticks">\(ticks)</div>
      </div>
      \(table(values))
      </figure>
      """
  }

  /// `per month; most in 2025-03: 1,234`.
  private var summary: String {
    let values = values
    let most = values.max() ?? 0
    guard let place = values.firstIndex(of: most), most > 0 else { return "without dates" }
    return "per \(columns.unit); most in \(columns.name(of: place)): \(Numbers.grouped(most))"
  }

  private func column(_ place: Int, _ value: Int, _ top: Int) -> HTML {
    let hint = "\(columns.name(of: place)): \(Numbers.count(value, noun))"
    let bar: HTML? =
      value > 0 ? "<i style=\"height:\(Self.percent(value, of: top))\"></i>" : nil
    return "<span title=\"\(hint)\">\(bar)</span>"
  }

  private func table(_ values: [Int]) -> HTML {
    let rows: [HTML] = values.indices.filter { values[$0] > 0 }.map { column in
      """
      <tr><td>\(columns.name(of: column))</td>\
      <td class="number">\(Numbers.grouped(values[column]))</td></tr>
      """
    }
    let undated: HTML? =
      series.undated > 0
      ? "<tr><td>without a date</td><td class=\"number\">\(Numbers.grouped(series.undated))</td></tr>"
      : nil
    return """
      <details><summary>The numbers</summary>
      <table><thead><tr><th scope="col">\(columns.unit)</th>\
      <th scope="col" class="number">\(noun)s</th></tr></thead>
      <tbody>
      \(rows)\(undated)
      </tbody></table>
      </details>
      """
  }

  // MARK: The axis of counts

  /// The end of the axis: 1, 2 or 5 times a power of ten that is not below the value.
  static func roundedUp(_ value: Int) -> Int {
    var power = 1
    while power <= Int.max / 10 {
      for factor in [1, 2, 5] where factor * power >= value { return factor * power }
      power *= 10
    }
    return max(1, value)
  }

  /// The values with a line.
  static func lines(upTo top: Int) -> [Int] {
    top % 2 == 0
      ? [top / 2, top] : top % 5 == 0 && top > 5 ? [top / 5 * 2, top / 5 * 4, top] : [top]
  }

  /// `500`, `20k`, `5M`.
  static func short(_ value: Int) -> String {
    for (size, letter) in [(1_000_000_000, "G"), (1_000_000, "M"), (1000, "k")]
    where value >= size {
      let tenths = value / (size / 10)
      return tenths % 10 == 0 ? "\(tenths / 10)\(letter)" : "\(tenths / 10).\(tenths % 10)\(letter)"
    }
    return "\(value)"
  }

  private static func percent(_ part: Int, of whole: Int) -> HTML {
    HTML(markup: Numbers.fixed(Double(part) / Double(max(1, whole)) * 100, 2) + "%")
  }
}

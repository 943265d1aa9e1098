import Foundation
import RecordArchive
import RecordCoding
import RecordText

/// A chart of counts over time: columns, an axis, and a table of the same numbers.
package struct TimeChart {
  /// The title, such as `Records created`.
  package var title: String
  /// The noun of the counts: `record`.
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
    var table = HTMLTable([.init("\(columns.unit)"), .number("\(noun)s")])
    for column in values.indices where values[column] > 0 {
      table.add("\(columns.name(of: column))", "\(Numbers.grouped(values[column]))")
    }
    if series.undated > 0 { table.add("without a date", "\(Numbers.grouped(series.undated))") }
    return "<details><summary>The numbers</summary>\n\(table.html)</details>"
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

/// The columns of a chart over time: at most 60 months, or else at most 60 spans of years, from the
/// first to the last day of all series.
package struct TimeColumns: Sendable, Hashable {
  package static let maxColumns = 60

  /// The number of months of a column: 1, or 12 times a number of years.
  private let months: Int
  private let first: Int
  package let count: Int

  /// Chooses the shortest columns of which there are few enough.
  ///
  /// - Parameter series: Counts by day, which share the axis; nil if none has a day.
  package init?(_ series: [DayCounts]) {
    let days = series.flatMap(\.days.keys)
    guard let low = days.min(), let high = days.max() else { return nil }
    let years = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000]
    let spans = [1] + years.map { 12 * $0 }
    months =
      spans.first { Self.index(of: high, $0) - Self.index(of: low, $0) < Self.maxColumns } ?? 12_000
    first = Self.index(of: low, months)
    count = min(Self.maxColumns, Self.index(of: high, months) - first + 1)
  }

  private static func index(of day: Int, _ months: Int) -> Int {
    // The years 1 to 9999 are supported.
    let date = CivilDate(Date(timeIntervalSince1970: Double(day) * 86_400)) ?? CivilDate()
    return (date.year * 12 + date.month - 1) / months
  }

  /// `month`, `year`, `10 years`.
  package var unit: String { months == 1 ? "month" : years == 1 ? "year" : "\(years) years" }

  private var years: Int { months / 12 }

  /// The year and month in which a column starts.
  private func start(of column: Int) -> (year: Int, month: Int) {
    let month = (first + column) * months
    return (month / 12, month % 12 + 1)
  }

  /// `2025-03`, `2025`, `2020–2029`.
  package func name(of column: Int) -> String {
    let (year, month) = start(of: column)
    if months == 1 { return "\(year)-\(month < 10 ? "0" : "")\(month)" }
    return years == 1 ? "\(year)" : "\(year)–\(year + years - 1)"
  }

  /// The counts of a series by column.
  package func values(of series: DayCounts) -> [Int] {
    var values = [Int](repeating: 0, count: count)
    for (day, number) in series.days {
      let column = Self.index(of: day, months) - first
      if values.indices.contains(column) { values[column] += number }
    }
    return values
  }

  private static let monthNames = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// The columns with a text at the axis, at most seven, at round numbers.
  package var ticks: [(column: Int, text: String)] {
    let steps = months == 1 ? [1, 2, 3, 6, 12] : [1, 2, 5, 10]
    let step = steps.first { count <= 7 * $0 } ?? (count + 6) / 7
    return (0..<count).filter { (first + $0) % step == 0 }.map { column in
      let (year, month) = start(of: column)
      let isYear = months > 1 || month == 1
      return (column, isYear ? "\(year)" : "\(Self.monthNames[month - 1]) \(year)")
    }
  }
}

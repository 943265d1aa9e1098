import Foundation
import RecordArchive
import RecordCoding

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

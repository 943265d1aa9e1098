import RecordArchive

/// The columns of a chart over time: 1 to 60 units of the same length, from the first to the last
/// day of all series.
package struct TimeColumns: Sendable, Hashable {
  package static let maxColumns = 60

  package let unit: TimeUnit
  private let first: Int
  package let count: Int

  /// Chooses the shortest unit with which there are few enough columns.
  ///
  /// - Parameter series: Counts by day, which share the axis; nil if none has a day.
  package init?(_ series: [DayCounts]) {
    let days = series.flatMap(\.days.keys)
    guard let low = days.min(), let high = days.max() else { return nil }
    let isByMonth = series.contains(where: \.isByMonth)
    let units = isByMonth ? TimeUnit.all.filter { $0 != .day && $0 != .week } : TimeUnit.all
    let fitting = units.first { $0.index(of: high) - $0.index(of: low) < Self.maxColumns }
    unit = fitting ?? .years(1000)
    first = unit.index(of: low)
    count = min(Self.maxColumns, unit.index(of: high) - first + 1)
  }

  /// The first day of a column.
  package func start(of column: Int) -> Int { unit.start(of: first + column) }

  package func name(of column: Int) -> String { unit.name(from: start(of: column)) }

  /// The counts of a series by column.
  package func values(of series: DayCounts) -> [Int] {
    var values = [Int](repeating: 0, count: count)
    for (day, number) in series.days {
      let column = unit.index(of: day) - first
      if values.indices.contains(column) { values[column] += number }
    }
    return values
  }

  /// The columns with a text at the axis, at most seven.
  package var ticks: [(column: Int, text: String)] {
    let step = unit.steps.first { count <= 7 * $0 } ?? max(1, (count + 6) / 7)
    return (0..<count).filter { column in
      // At the beginning of a year or another round number, where the unit has such.
      let place = unit == .day || unit == .week ? column : first + column
      return place % step == 0
    }.map { ($0, unit.tick(from: start(of: $0))) }
  }
}

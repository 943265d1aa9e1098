/// What a column of a chart over time stands for.
package enum TimeUnit: Sendable, Hashable {
  case day
  /// From Monday to Sunday.
  case week
  case month
  case quarter
  /// Years, from a multiple of their number.
  case years(Int)

  /// All units, the shortest first.
  static let all: [TimeUnit] =
    [.day, .week, .month, .quarter]
    + [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000].map(TimeUnit.years)

  /// `day`, `week`, …
  package var name: String {
    switch self {
    case .day: "day"
    case .week: "week"
    case .month: "month"
    case .quarter: "quarter"
    case .years(1): "year"
    case .years(let count): "\(count) years"
    }
  }

  /// The number of the unit that a day is in, from an arbitrary one on.
  func index(of day: Int) -> Int {
    let date = CalendarDay(day)
    return switch self {
    case .day: day
    // 1970-01-01 was a Thursday.
    case .week: (day + 3 - ((day + 3) % 7 + 7) % 7) / 7
    case .month: date.year * 12 + date.month - 1
    case .quarter: date.year * 4 + (date.month - 1) / 3
    case .years(let count): date.year / count
    }
  }

  /// The first day of the unit with a number.
  func start(of index: Int) -> Int {
    switch self {
    case .day: index
    case .week: index * 7 - 3
    case .month: CalendarDay.number(year: index / 12, month: index % 12 + 1) ?? 0
    case .quarter: CalendarDay.number(year: index / 4, month: index % 4 * 3 + 1) ?? 0
    case .years(let count): CalendarDay.number(year: max(1, index * count)) ?? 0
    }
  }

  /// The name of the unit that starts with a day: `2025-03-09`, `week of 2025-03-03`, `2025-03`,
  /// `2025 Q1`, `2025`, `2020–2029`.
  func name(from start: Int) -> String {
    let date = CalendarDay(start)
    switch self {
    case .day: return date.isoText
    case .week: return "week of \(date.isoText)"
    case .month: return String(date.isoText.prefix(7))
    case .quarter: return "\(date.isoText.prefix(4)) Q\((date.month - 1) / 3 + 1)"
    case .years(1): return String(date.isoText.prefix(4))
    case .years(let count):
      let first = index(of: start) * count
      return "\(first)–\(first + count - 1)"
    }
  }

  /// The text at the axis, shorter than the name.
  func tick(from start: Int) -> String {
    let date = CalendarDay(start)
    return switch self {
    case .day, .week: "\(date.day) \(date.monthName)"
    case .month: date.month == 1 ? "\(date.year)" : "\(date.monthName) \(date.year)"
    case .quarter: date.month == 1 ? "\(date.year)" : name(from: start)
    case .years: "\(date.year)"
    }
  }

  /// The numbers of units between two ticks, the fewest first.
  var steps: [Int] {
    switch self {
    case .day: [1, 2, 5, 7, 10, 14]
    case .week: [1, 2, 4, 8, 13]
    case .month: [1, 2, 3, 6, 12, 24]
    case .quarter: [1, 2, 4, 8, 12, 20]
    case .years: [1, 2, 5, 10, 20]
    }
  }
}

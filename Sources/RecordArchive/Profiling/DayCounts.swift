import Foundation
import RecordCoding

/// Counts by day in UTC, in bounded memory: after 4,096 different days, by month.
package struct DayCounts: Sendable, Hashable {
  /// The number of different days that are kept.
  static let maxDays = 4096
  /// The days of the years 1 to 9999.
  private static let calendar = -719_162..<2_932_897

  /// The counts, by the number of days since 1970-01-01.
  package private(set) var days: [Int: Int] = [:]
  /// The number of items without a date, or with one outside of the years 1 to 9999.
  package private(set) var undated = 0
  /// Whether the counts are those of months; their days are the first ones of each.
  package private(set) var isByMonth = false
  private var latest: Date?

  package init() {}

  package var total: Int { days.values.reduce(0, +) }
  /// The day of the last change; only its month is known if ``isByMonth``.
  package var lastDay: Int? { days.keys.max() }
  /// The latest date.
  package var last: Date? { latest }

  package mutating func add(_ date: Date?) {
    guard let date, let day = Self.day(of: date) else {
      undated += 1
      return
    }
    if latest.map({ $0 < date }) ?? true { latest = date }
    add(1, on: day)
  }

  private mutating func add(_ count: Int, on day: Int) {
    days[isByMonth ? Self.monthStart(day) : day, default: 0] += count
    if !isByMonth, days.count > Self.maxDays { groupByMonth() }
  }

  private mutating func groupByMonth() {
    isByMonth = true
    var months: [Int: Int] = [:]
    for (day, count) in days { months[Self.monthStart(day), default: 0] += count }
    days = months
  }

  package mutating func add(_ other: DayCounts) {
    undated += other.undated
    if let date = other.latest, latest.map({ $0 < date }) ?? true { latest = date }
    if other.isByMonth, !isByMonth { groupByMonth() }
    for (day, count) in other.days { add(count, on: day) }
  }

  /// The number of days since 1970-01-01 in UTC; nil outside of the years 1 to 9999.
  static func day(of date: Date) -> Int? {
    let day = (date.timeIntervalSince1970 / 86_400).rounded(.down)
    guard day >= Double(calendar.lowerBound), day < Double(calendar.upperBound) else { return nil }
    return Int(day)
  }

  private static func monthStart(_ day: Int) -> Int {
    guard let date = CivilDate(Date(timeIntervalSince1970: Double(day) * 86_400)) else {
      return day
    }
    return day - date.day + 1
  }
}

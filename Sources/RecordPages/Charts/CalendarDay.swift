import Foundation
import RecordCoding

/// A day in UTC in the Gregorian calendar.
package struct CalendarDay: Sendable, Hashable {
  package let year: Int
  /// From 1 to 12.
  package let month: Int
  /// From 1 to 31.
  package let day: Int

  private static let secondsOfDay = 86_400.0
  private static let monthNames = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// - Parameter number: The number of days since 1970-01-01; the years 1 to 9999 are supported.
  package init(_ number: Int) {
    let date = Date(timeIntervalSince1970: Double(number) * Self.secondsOfDay)
    let civil = CivilDate(date) ?? CivilDate()
    (year, month, day) = (civil.year, civil.month, civil.day)
  }

  /// The number of days from 1970-01-01 to a day; nil if there is no such day.
  package static func number(year: Int, month: Int = 1, day: Int = 1) -> Int? {
    var civil = CivilDate()
    (civil.year, civil.month, civil.day) = (year, month, day)
    return civil.date().map { Int($0.timeIntervalSince1970 / secondsOfDay) }
  }

  /// `2025-03-09`.
  package var isoText: String {
    "\(Self.digits(year, 4))-\(Self.digits(month, 2))-\(Self.digits(day, 2))"
  }

  /// `Mar`.
  package var monthName: String { Self.monthNames[month - 1] }

  private static func digits(_ number: Int, _ count: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, count - text.count)) + text
  }
}

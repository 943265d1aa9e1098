import ArgumentParser
import Foundation

/// An ISO 8601 date: a day, which means midnight UTC, or a time with its UTC offset.
struct DateArgument: ExpressibleByArgument {
  let date: Date

  init?(argument: String) {
    // Foundation's parsers read November 31 as December 1.
    guard let fields = argument.wholeMatch(of: Self.pattern)?.output,
      let year = Int(fields.1), let month = Int(fields.2), let day = Int(fields.3),
      (1...12).contains(month), (1...Self.days(in: month, of: year)).contains(day)
    else { return nil }
    let time = [fields.4, fields.5, fields.6, fields.8, fields.9].map {
      $0.flatMap { Int($0) } ?? 0
    }
    guard time[0] < 24, time[1] < 60, time[2] < 60, time[3] < 24, time[4] < 60 else { return nil }
    let isDay = fields.4 == nil
    let style =
      isDay
      ? Date.ISO8601FormatStyle().year().month().day()
      : Date.ISO8601FormatStyle(includingFractionalSeconds: fields.7 != nil)
    guard let date = try? style.parse(argument) else { return nil }
    self.date = date
  }

  /// Year, month, day, hour, minute, second, fraction, offset hours and minutes.
  private static var pattern: Regex<Matched> {
    /([0-9]{4})-([0-9]{2})-([0-9]{2})(?:T([0-9]{2}):([0-9]{2}):([0-9]{2})(\.[0-9]+)?(?:Z|[+-]([0-9]{2}):?([0-9]{2})))?/
  }

  private typealias Matched = (
    Substring, Substring, Substring, Substring, Substring?, Substring?, Substring?, Substring?,
    Substring?, Substring?
  )

  private static func days(in month: Int, of year: Int) -> Int {
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    return [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
  }
}

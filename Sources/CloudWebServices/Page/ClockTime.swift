import Foundation

/// A time to which somebody advances the clock: seconds from now, or a later time of UTC.
struct ClockTime {
  /// The seconds from now.
  let seconds: Double

  private static let maxSeconds = 1e10

  /// Reads `90`, `17:30`, `tomorrow`, `tomorrow 9:00` or `2027-01-31 18:00`; nil for other texts, and
  /// for a time that is not later.
  ///
  /// A time of day is that of today, or of tomorrow if it has passed.
  init?(_ text: String, after now: Date) {
    if let number = Double(text.trimmingCharacters(in: .whitespaces)) {
      seconds = number
    } else {
      guard let date = Self.date(text, after: now), date > now else { return nil }
      seconds = date.timeIntervalSince(now)
    }
    guard (0...Self.maxSeconds).contains(seconds) else { return nil }
  }

  private static func date(_ text: String, after now: Date) -> Date? {
    let words = text.lowercased().split(separator: " ").map(String.init)
    let (times, days) = (words.filter { $0.contains(":") }, words.filter { !$0.contains(":") })
    guard !words.isEmpty, times.count <= 1, days.count <= 1 else { return nil }
    let oneDay = 86_400.0
    let relative = ["today": now, "tomorrow": now + oneDay]
    let day = relative[days.first ?? "today"].map(DateInput.text) ?? days.first ?? ""
    let time = times.first ?? "00:00"
    let hour = time.prefix { $0 != ":" }.count == 1 ? "0" : ""
    // A date has no more than its day.
    guard days.first?.count ?? 10 <= 10,
      let date = try? DateInput.date("\(day.prefix(10)) \(hour)\(time)", in: "UTC")
    else { return nil }
    return days.isEmpty && date <= now ? date + oneDay : date
  }
}

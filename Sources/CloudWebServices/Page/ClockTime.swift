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
    let words = text.lowercased().split(separator: " ")
    if words.count == 1, let seconds = Double(words[0]) {
      guard (0...Self.maxSeconds).contains(seconds) else { return nil }
      self.seconds = seconds
      return
    }
    let today = (now.timeIntervalSince1970 / 86_400).rounded(.down) * 86_400
    var day: Double?
    var time: Double?
    for word in words {
      if ["today", "tomorrow"].contains(word), day == nil {
        day = today + (word == "tomorrow" ? 86_400 : 0)
      } else if let seconds = Self.timeOfDay(word), time == nil {
        time = seconds
      } else if let date = Self.date(word), day == nil {
        day = date
      } else {
        return nil
      }
    }
    guard day != nil || time != nil else { return nil }
    var end = (day ?? today) + (time ?? 0)
    if day == nil, end <= now.timeIntervalSince1970 { end += 86_400 }
    let seconds = end - now.timeIntervalSince1970
    guard seconds > 0, seconds <= Self.maxSeconds else { return nil }
    self.seconds = seconds
  }

  /// Reads `9:00` or `17:30:15`.
  private static func timeOfDay(_ word: Substring) -> Double? {
    let parts = word.split(separator: ":", omittingEmptySubsequences: false).map { Int($0) }
    guard 2...3 ~= parts.count, let hour = parts[0], let minute = parts[1],
      let second = parts.count == 3 ? parts[2] : 0, 0..<24 ~= hour, 0..<60 ~= minute,
      0..<60 ~= second
    else { return nil }
    return Double(hour * 3600 + minute * 60 + second)
  }

  /// Reads `2027-01-31`.
  private static func date(_ word: Substring) -> Double? {
    guard word.count == 10 else { return nil }
    return (try? Date(String(word) + "T00:00:00Z", strategy: .iso8601))?.timeIntervalSince1970
  }
}

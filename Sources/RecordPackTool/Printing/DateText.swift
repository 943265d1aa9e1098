import Foundation

/// Dates as `2025-01-31 18:00:00.123 UTC`.
enum DateText {
  /// Seconds since 1970 that calendars are asked for: the years 1 to 9999. A date in a file may be
  /// any double.
  private static let years = -62_135_596_800.0..<253_402_300_800.0

  static func text(_ date: Date) -> String {
    let seconds = date.timeIntervalSince1970
    guard years.contains(seconds) else { return "\(seconds) s since 1970" }
    let hasFraction = seconds != seconds.rounded()
    let style = Date.ISO8601FormatStyle(
      dateTimeSeparator: .space, includingFractionalSeconds: hasFraction)
    return date.formatted(style).replacingOccurrences(of: "Z", with: " UTC")
  }
}

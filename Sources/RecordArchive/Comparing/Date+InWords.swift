import Foundation

extension Date {
  /// The range that calendars accept, in seconds since 1970: the years 1 to 9999. A date in a file
  /// may be any finite double.
  private static let years = -62_135_596_800.0..<253_402_300_800.0

  /// The date as text, to the microsecond: `2025-01-31 18:00:00.123 UTC`.
  package var inWords: String { text(.space, " UTC") }

  /// The date in ISO 8601, to the microsecond: `2025-01-31T18:00:00.123Z`. Outside of the years 1 to
  /// 9999, its seconds since 1970.
  package var isoText: String { text(.standard, "Z") }

  private func text(
    _ separator: ISO8601FormatStyle.DateTimeSeparator, _ zone: String
  ) -> String {
    let seconds = timeIntervalSince1970
    guard Self.years.contains(seconds) else { return "\(seconds) s since 1970" }
    // Formatters truncate fractions, which turns 5 ms into 4.999… ms.
    let microseconds = Int((seconds * 1_000_000).rounded())
    let fraction = (microseconds % 1_000_000 + 1_000_000) % 1_000_000
    let whole = Date(timeIntervalSince1970: Double((microseconds - fraction) / 1_000_000))
    let text = whole.formatted(ISO8601FormatStyle(dateTimeSeparator: separator))
    return text.dropLast() + Self.fractionInWords(fraction) + zone
  }

  private static func fractionInWords(_ microseconds: Int) -> String {
    guard microseconds > 0 else { return "" }
    let isWhole = microseconds % 1000 == 0
    let digits = String(isWhole ? microseconds / 1000 : microseconds)
    return "." + String(repeating: "0", count: (isWhole ? 3 : 6) - digits.count) + digits
  }
}

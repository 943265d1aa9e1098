import Foundation
import RecordCoding

extension Date {
  /// The date as text, to the microsecond: `2025-01-31 18:00:00.123 UTC`.
  package var inWords: String { text(" ", " UTC") }

  /// The date in ISO 8601, to the microsecond: `2025-01-31T18:00:00.123Z`. Outside of the years 1 to
  /// 9999, its seconds since 1970.
  package var isoText: String { text("T", "Z") }

  /// Foundation's formatters write days before 1582 in the Julian calendar; ISO 8601 does not.
  private func text(_ separator: String, _ zone: String) -> String {
    guard let milliseconds = ISODate.text(of: self) else {
      return "\(timeIntervalSince1970) s since 1970"
    }
    var (text, fraction) = (milliseconds.text.dropLast(), "")
    if !milliseconds.isExact {
      let microseconds = Int((timeIntervalSinceReferenceDate * 1_000_000).rounded())
      let rest = (microseconds % 1_000_000 + 1_000_000) % 1_000_000
      let whole = Date(timeIntervalSinceReferenceDate: Double((microseconds - rest) / 1_000_000))
      guard let second = ISODate.text(of: whole)?.text else {
        return "\(timeIntervalSince1970) s since 1970"
      }
      (text, fraction) = (second.dropLast(), Self.fractionInWords(rest))
    }
    return text.prefix(10) + separator + text.dropFirst(11) + fraction + zone
  }

  private static func fractionInWords(_ microseconds: Int) -> String {
    guard microseconds > 0 else { return "" }
    let isWhole = microseconds % 1000 == 0
    let digits = String(isWhole ? microseconds / 1000 : microseconds)
    return "." + String(repeating: "0", count: (isWhole ? 3 : 6) - digits.count) + digits
  }
}

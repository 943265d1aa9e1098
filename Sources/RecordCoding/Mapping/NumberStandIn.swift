import Foundation

/// Stands in for the canonical numbers until they are merged.
enum NumberStandIn {
  static func text(of double: Double) -> String? {
    guard double.isFinite else { return nil }
    if double == 0 { return double.sign == .minus ? "-0" : "0" }
    var text = "\(double)"
    if text.hasSuffix(".0") { text.removeLast(2) }
    return text
  }

  static func double(from text: String) -> Double? {
    guard let double = Double(text), double.isFinite else { return nil }
    return double
  }

  static func millisecondsText(of date: Date) -> String? {
    guard let seconds = text(of: date.timeIntervalSinceReferenceDate),
      let decimal = Decimal(string: seconds)
    else { return nil }
    return ((decimal + 978_307_200) * 1000).description
  }

  static func date(milliseconds text: String) -> Date? {
    guard let decimal = Decimal(string: text),
      let seconds = Double((decimal / 1000 - 978_307_200).description)
    else { return nil }
    return Date(timeIntervalSinceReferenceDate: seconds)
  }
}

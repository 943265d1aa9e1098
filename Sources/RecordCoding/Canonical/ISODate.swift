import struct Foundation.Date

/// Dates in ISO 8601: `1875-09-12T21:12:42Z`.
package enum ISODate {
  /// Returns the text of a date, in UTC, rounded to milliseconds; nil outside of the years 1 to 9999.
  package static func text(of date: Date) -> (text: String, isExact: Bool)? {
    guard let civil = CivilDate(date) else { return nil }
    func digits(_ number: Int, _ width: Int = 2) -> String {
      let text = String(number)
      return String(repeating: "0", count: max(0, width - text.utf8.count)) + text
    }
    let day = "\(digits(civil.year, 4))-\(digits(civil.month))-\(digits(civil.day))"
    let time = "\(digits(civil.hour)):\(digits(civil.minute)):\(digits(civil.second))"
    let fraction = civil.millisecond == 0 ? "" : ".\(digits(civil.millisecond, 3))"
    return ("\(day)T\(time)\(fraction)Z", civil.date() == date)
  }

  /// Returns the date of a text: a day, `yyyy-MM-dd HH:mm`, or a time with seconds, their fraction
  /// and an offset from UTC. Without an offset, it is UTC. Nil for other text, and for days and
  /// times that do not exist.
  package static func date(from text: String) -> Date? {
    guard text.utf8.count <= 64 else { return nil }
    var scan = Scan(rest: Array(text.utf8)[...])
    var civil = CivilDate()
    guard let year = scan.number(4), scan.take("-"), let month = scan.number(2), scan.take("-"),
      let day = scan.number(2)
    else { return nil }
    (civil.year, civil.month, civil.day) = (year, month, day)
    guard !scan.rest.isEmpty else { return civil.date() }
    guard scan.take("T") || scan.take(" "), let hour = scan.number(2), scan.take(":"),
      let minute = scan.number(2)
    else { return nil }
    (civil.hour, civil.minute) = (hour, minute)
    var beyond = 0.0
    if scan.take(":") {
      guard let second = scan.number(2), let fraction = scan.fraction() else { return nil }
      (civil.second, civil.millisecond, beyond) = (second, fraction.milliseconds, fraction.beyond)
    }
    guard let offset = scan.offset(), scan.rest.isEmpty, let date = civil.date(offset: offset)
    else { return nil }
    return beyond == 0 ? date : date.addingTimeInterval(beyond)
  }

  private struct Scan {
    var rest: ArraySlice<UInt8>

    mutating func take(_ character: Character) -> Bool {
      guard rest.first == character.asciiValue else { return false }
      rest = rest.dropFirst()
      return true
    }

    mutating func number(_ width: Int) -> Int? {
      let digits = rest.prefix(width)
      guard digits.count == width, digits.allSatisfy(Self.isDigit) else { return nil }
      rest = rest.dropFirst(width)
      return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }

    /// The fraction of a second: whole milliseconds, and what is beyond them in seconds.
    mutating func fraction() -> (milliseconds: Int, beyond: Double)? {
      guard take(".") else { return (0, 0) }
      let digits = rest.prefix(while: Self.isDigit)
      guard !digits.isEmpty else { return nil }
      rest = rest.dropFirst(digits.count)
      let milliseconds = (digits.prefix(3) + [0x30, 0x30, 0x30]).prefix(3)
        .reduce(0) { $0 * 10 + Int($1 - 0x30) }
      let more = String(decoding: digits.dropFirst(3), as: UTF8.self)
      return (milliseconds, Double("0.000\(more)") ?? 0)
    }

    /// The offset from UTC in minutes: `Z`, `+02:00`, `+0200`, or nothing.
    mutating func offset() -> Int? {
      if rest.isEmpty || take("Z") { return 0 }
      let isNegative = take("-")
      guard isNegative || take("+"), let hours = number(2) else { return nil }
      _ = take(":")
      guard let minutes = number(2), hours < 24, minutes < 60 else { return nil }
      return (hours * 60 + minutes) * (isNegative ? -1 : 1)
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
  }
}

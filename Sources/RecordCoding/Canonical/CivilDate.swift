import struct Foundation.Date

/// A date and time in UTC in the proleptic Gregorian calendar. Implemented here so that parsing and
/// formatting are fast and independent of platform and locale.
package struct CivilDate: Equatable {
  package var year = 1970
  package var month = 1
  package var day = 1
  package var hour = 0
  package var minute = 0
  package var second = 0
  package var millisecond = 0

  private static let daysTo2001 = 11_323

  package init() {}

  /// - Returns: `nil` if the date is outside the years 1 to 9999.
  package init?(_ date: Date) {
    let total = (date.timeIntervalSinceReferenceDate * 1000).rounded()
    guard total.magnitude < 1e15 else { return nil }
    let milliseconds = Int(total)
    let dayLength = 86_400_000
    var days = milliseconds / dayLength
    var rest = milliseconds % dayLength
    if rest < 0 {
      rest += dayLength
      days -= 1
    }
    days += Self.daysTo2001
    // Days are counted in eras of 400 years, starting on 1 March of year 0.
    days += 719_468
    let era = (days >= 0 ? days : days - 146_096) / 146_097
    let dayOfEra = days - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shifted = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * shifted + 2) / 5 + 1
    month = shifted < 10 ? shifted + 3 : shifted - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    hour = rest / 3_600_000
    minute = rest / 60_000 % 60
    second = rest / 1000 % 60
    millisecond = rest % 1000
    guard (1...9999).contains(year) else { return nil }
  }

  /// Returns the date, or `nil` if no such day or time exists.
  ///
  /// - Parameter offset: The offset from UTC in minutes, positive east of Greenwich.
  package func date(offset: Int = 0) -> Date? {
    guard (1...9999).contains(year), (1...12).contains(month), (1...daysInMonth).contains(day),
      (0...23).contains(hour), (0...59).contains(minute), (0...59).contains(second),
      (0...999).contains(millisecond)
    else { return nil }
    let shiftedYear = month <= 2 ? year - 1 : year
    let era = shiftedYear / 400
    let yearOfEra = shiftedYear - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    let days = era * 146_097 + dayOfEra - 719_468 - Self.daysTo2001
    let seconds = ((days * 24 + hour) * 60 + minute - offset) * 60 + second
    return Date(timeIntervalSinceReferenceDate: Double(seconds * 1000 + millisecond) / 1000)
  }

  private var daysInMonth: Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }
}

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

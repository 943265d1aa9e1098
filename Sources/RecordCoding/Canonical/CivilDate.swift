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

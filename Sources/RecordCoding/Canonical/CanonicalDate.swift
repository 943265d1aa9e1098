import struct Foundation.Date

/// Dates in canonical JSON: milliseconds since 1970, without loss of precision.
///
/// `Date` stores seconds since 2001 as a double. The text is the shortest decimal of that double,
/// plus 978,307,200, times 1000. Reading reverses this in decimal arithmetic and rounds once, which
/// restores the same double. Whole milliseconds, the precision of servers, are written as integers.
package enum CanonicalDate {
  private static let secondsTo2001 = 978_307_200
  private static let millisecondsTo2001: Int64 = 978_307_200_000

  /// Appends the milliseconds of a date, or returns false if it is not finite.
  ///
  /// The date -0.0 is written as `978307200000.0`, to distinguish it from 0.0.
  package static func append(_ date: Date, to buffer: ByteBuffer) -> Bool {
    let seconds = date.timeIntervalSinceReferenceDate
    guard seconds.isFinite else { return false }
    if seconds == 0 && seconds.sign == .minus {
      buffer.append("978307200000.0")
      return true
    }
    if let (units, places) = shortDecimal(seconds) {
      if units < 0 { buffer.append(UInt8(ascii: "-")) }
      if places == 0 {
        buffer.appendInteger(units < 0 ? -units : units)
      } else {
        CanonicalNumber.appendFixed(units < 0 ? -units : units, scale: places, to: buffer)
      }
      return true
    }
    var sum = DecimalText(shortest: seconds) + DecimalText(number: "\(secondsTo2001)")!
    if !sum.digits.isEmpty { sum.scale -= 3 }
    sum.appendPlain(to: buffer)
    return true
  }

  /// Returns the milliseconds since 1970 as `units / 10^places`, for at most four places and less
  /// than 2^53 units since 2001.
  ///
  /// This covers whole milliseconds and sums of doubles that are close to them. It returns the
  /// fewest places, as ``CanonicalNumber/shortDecimal(_:)`` does. The products are below 2^53, so
  /// rounding finds the nearest decimal with that many places.
  static func shortDecimal(_ seconds: Double) -> (units: Int64, places: Int)? {
    var power = 1000.0
    var offset = millisecondsTo2001
    var places = 0
    while places <= 4 {
      let scaled = (seconds * power).rounded()
      guard scaled.magnitude < 9_007_199_254_740_992 else { return nil }
      if scaled / power == seconds { return (Int64(scaled) &+ offset, places) }
      power *= 10
      offset &*= 10
      places &+= 1
    }
    return nil
  }

  /// Returns the canonical text of a date; nil if it is not finite.
  package static func text(of date: Date) -> String? {
    let buffer = ByteBuffer(capacity: 32)
    guard append(date, to: buffer) else { return nil }
    return String(decoding: buffer.bytes, as: UTF8.self)
  }

  /// Returns the date of a JSON number of milliseconds, rounded once; nil if the text is not a JSON
  /// number or is out of range.
  package static func date(from text: UnsafeRawBufferPointer) -> Date? {
    var scanner = CanonicalReader(text)
    if let milliseconds = scanner.plainInteger(), scanner.position == scanner.end {
      return date(wholeMilliseconds: Int64(milliseconds))
    }
    guard let parts = NumberParts(text) else { return nil }
    return date(parts: parts, text: text)
  }

  /// Returns the date of a JSON number of milliseconds; nil if the text is not a JSON number or is
  /// out of range.
  package static func date(from text: String) -> Date? {
    var text = text
    return text.withUTF8 { date(from: UnsafeRawBufferPointer($0)) }
  }

  static func date(parts: NumberParts, text: @autoclosure () -> UnsafeRawBufferPointer) -> Date? {
    if let seconds = exactSeconds(parts) {
      return Date(timeIntervalSinceReferenceDate: seconds)
    }
    guard var sum = DecimalText(number: String(decoding: text(), as: UTF8.self)) else { return nil }
    if !sum.digits.isEmpty { sum.scale += 3 }
    sum = sum + DecimalText(number: "-\(secondsTo2001)")!
    return sum.double.map(Date.init(timeIntervalSinceReferenceDate:))
  }

  /// Returns the date of whole milliseconds since 1970, with at most 15 digits.
  @inline(__always)
  package static func date(wholeMilliseconds: Int64) -> Date {
    Date(timeIntervalSinceReferenceDate: Double(wholeMilliseconds &- millisecondsTo2001) / 1000)
  }

  /// Whether the milliseconds of a date are those of the shortest decimal of its seconds, and
  /// written as they are canonically. False is inconclusive.
  static func isShortest(_ parts: NumberParts, of date: Date) -> Bool {
    guard parts.isFraction, parts.digitCount <= 18, let units = unitsTo2001(parts) else {
      return false
    }
    var description = date.timeIntervalSinceReferenceDate.description
    let shortest = description.withUTF8 { NumberParts(UnsafeRawBufferPointer($0)) }
    guard let shortest, shortest.isFraction, shortest.digitCount <= 19 else { return false }
    return shortest.scale == parts.scale + 3 && shortest.mantissa == units.magnitude
      && shortest.isNegative == (units < 0)
  }

  /// Returns the time since 2001 in units of `10^-scale` milliseconds.
  private static func unitsTo2001(_ parts: NumberParts) -> Int64? {
    guard !parts.hasExponent, parts.digitCount <= 18, parts.scale <= 6 else { return nil }
    var power: Int64 = 1
    for _ in 0..<parts.scale { power *= 10 }
    let magnitude = Int64(parts.mantissa)
    let (offset, overflow) = millisecondsTo2001.multipliedReportingOverflow(by: power)
    guard !overflow else { return nil }
    return (parts.isNegative ? -magnitude : magnitude) &- offset
  }

  /// Returns the seconds since 2001, rounded once.
  private static func exactSeconds(_ parts: NumberParts) -> Double? {
    guard let units = unitsTo2001(parts) else { return nil }
    if units == 0 && parts.scale == 1 { return -0.0 }
    guard units.magnitude < 1 << 53 else {
      let seconds = NumberParts.quotient(units.magnitude, scale: parts.scale + 3)
      return units < 0 ? seconds.map(-) : seconds
    }
    return Double(units) / CanonicalNumber.powersOfTen[parts.scale + 3]
  }
}

import Foundation
import RecordModel
import Testing

@testable import RecordMigration

/// Dates that are whole milliseconds are what servers send: they must not become their neighbours.
@Suite("Dates made of numbers")
struct ExactDateTests {
  private static let start: Int64 = 978_307_200_000

  /// The date that canonical JSON has for whole milliseconds since 1970.
  private func date(_ milliseconds: Int64) -> Date {
    Date(timeIntervalSinceReferenceDate: Double(milliseconds - Self.start) / 1000)
  }

  private func milliseconds(_ seed: UInt64) -> [Int64] {
    var random = SeededGenerator(seed)
    return [1_533_040_623_320, 0, -1, 1, Self.start, Self.start - 1, 253_402_300_799_999]
      + (0..<200).map { _ in Int64(random.below(4_000_000_000_000)) - 500_000_000_000 }
  }

  private func expectExact(
    _ value: RecordValue, _ conversion: Conversion, _ expected: RecordValue
  ) throws {
    let result = try conversion.convert(value)
    #expect(result.value == expected && result.isExact, "\(value) by \(conversion)")
    let back = try #require(conversion.inverse).convert(result.value)
    #expect(back.value == value && back.isExact, "back to \(value)")
  }

  @Test("whole milliseconds stay whole, in every form, and come back")
  func wholeMilliseconds() throws {
    for number in milliseconds(1) {
      let date = RecordValue.timestamp(date(number))
      try expectExact(
        .int64(number), Conversion(to: .timestamp, from: .int64, dateFormat: .milliseconds), date)
      try expectExact(
        .double(Double(number)),
        Conversion(to: .timestamp, from: .double, dateFormat: .milliseconds),
        date)
      try expectExact(
        .double(Double(number) / 1000), Conversion(to: .timestamp, from: .double), date)
      try expectExact(
        .double(Double(number - Self.start) / 1000),
        Conversion(to: .timestamp, from: .double, dateFormat: .referenceSeconds), date)
    }
  }

  @Test("a date between two milliseconds becomes no integer, and seconds no rounded ones")
  func betweenMilliseconds() throws {
    let odd = RecordValue.timestamp(Date(timeIntervalSinceReferenceDate: 0.000_25))
    #expect(throws: Conversion.Failure.self) {
      try Conversion(to: .int64, dateFormat: .milliseconds).convert(odd)
    }
    #expect(throws: Conversion.Failure.self) {
      try Conversion(to: .int64).convert(.timestamp(date(1500)))
    }
    let seconds = try Conversion(to: .double).convert(odd)
    #expect(seconds.value == .double(978_307_200.000_25) && seconds.isExact)
  }

  @Test("numbers too large for a date, or for a decimal, end with a value or a reason")
  func extremes() throws {
    let forms: [DateFormat?] = [nil, .milliseconds, .referenceSeconds, .iso8601]
    let numbers: [RecordValue] = [
      .int64(.max), .int64(.min), .double(.greatestFiniteMagnitude), .double(-1e300),
      .double(.leastNonzeroMagnitude), .double(0.1), .double(-0.0), .double(1e-7),
      .timestamp(Date(timeIntervalSinceReferenceDate: 1e300)),
      .timestamp(Date(timeIntervalSinceReferenceDate: -.leastNonzeroMagnitude)),
      .timestamp(Date(timeIntervalSinceReferenceDate: 1 / 3)),
    ]
    for number in numbers {
      for form in forms {
        for type in [ValueType.timestamp, .int64, .double] {
          let conversion = Conversion(to: type, dateFormat: form)
          guard let result = try? conversion.convert(number) else { continue }
          #expect(result.value.type == type)
        }
      }
    }
  }

  @Test("expressions compute dates in whole milliseconds too")
  func expressions() throws {
    for number in milliseconds(2).prefix(60) {
      let record = Sample.record([
        "d": .int64(number), "t": .timestamp(date(number)), "z": .timestamp(date(0)),
      ])
      func value(_ source: String) throws -> ExpressionValue {
        try RecordExpression(source).value(for: record)
      }
      #expect(try value("date(d / 1000.0)") == .value(.timestamp(date(number))), "\(number)")
      #expect(try value("z + d / 1000.0") == .value(.timestamp(date(number))))
      #expect(try value("t - d / 1000.0") == .value(.timestamp(date(0))))
      #expect(try value("number(t)") == .value(.double(Double(number) / 1000)))
      #expect(try value("t - z") == .value(.double(Double(number) / 1000)))
      #expect(try value("date(number(t)) == t") == .bool(true))
    }
  }
}

import Foundation
import RecordModel
import Testing

@testable import RecordCoding

@Suite struct DialectDateTests {
  @Test(
    "a date is read with and without time, seconds, fraction and offset",
    arguments: [
      ("1875-09-12T21:12:42Z", -2975885238.0), ("2021-04-28", 1_619_568_000),
      ("2021-04-28 17:05", 1_619_629_500), ("2021-04-28T17:05:06.25+0200", 1_619_622_306.25),
      ("2021-04-28T17:05:06.250-02:30", 1_619_638_506.25), ("1970-01-01T00:00:00", 0),
      ("2001-01-01T00:00:00.0005Z", 978_307_200.0005),
    ])
  func read(_ text: String, _ seconds: Double) throws {
    let date = try #require(ISODate.date(from: text))
    #expect(abs(date.timeIntervalSince1970 - seconds) < 1e-6)
  }

  @Test(
    "what is no date is refused",
    arguments: [
      "", "2021", "2021-02-29", "2021-13-01", "04-28-2021", "2021-04-28T", "2021-04-28T25:00:00Z",
      "2021-04-28T17:05:06.Z", "2021-04-28T17:05:06Zulu", "2021-04-28T17:05:06+2",
      "2021-04-28T17:05:06+25:00", "２021-04-28", String(repeating: "2", count: 100),
    ])
  func refused(_ text: String) {
    #expect(ISODate.date(from: text) == nil)
  }

  @Test func `a date of whole milliseconds comes back, and others are said to be rounded`() throws {
    var random = SeededGenerator(7)
    for _ in 0..<500 {
      let milliseconds = Int64.random(in: -60_000_000_000_000...200_000_000_000_000, using: &random)
      let date = CanonicalDate.date(wholeMilliseconds: milliseconds)
      let written = try #require(ISODate.text(of: date))
      #expect(written.isExact)
      #expect(ISODate.date(from: written.text) == date, "\(written.text)")
    }
    let fine = try #require(ISODate.text(of: Date(timeIntervalSinceReferenceDate: 0.0004)))
    #expect(fine.text == "2001-01-01T00:00:00Z" && !fine.isExact)
    #expect(ISODate.text(of: Date(timeIntervalSinceReferenceDate: 1e12)) == nil)
    #expect(ISODate.text(of: .distantPast) == nil)
  }
}

import Foundation
import Testing

@testable import RecordArchive
import RecordCoding
@testable import RecordPages

@Suite("Columns over time")
struct TimeColumnsTests {
  private func columns(_ days: [Int: Int]) -> (TimeColumns?, DayCounts) {
    var counts = DayCounts()
    for (day, count) in days {
      for _ in 0..<count { counts.add(Date(timeIntervalSince1970: Double(day) * 86_400 + 43_200)) }
    }
    return (TimeColumns([counts]), counts)
  }

  private func day(_ year: Int, _ month: Int, _ day: Int) throws -> Int {
    var date = CivilDate()
    (date.year, date.month, date.day) = (year, month, day)
    return Int(try #require(date.date()).timeIntervalSince1970 / 86_400)
  }

  private static func text(_ day: Int) -> String {
    Date(timeIntervalSince1970: Double(day) * 86_400).isoText
  }

  @Test("there are none without a date")
  func none() { #expect(columns([:]).0 == nil) }

  @Test("a span of 60 months has months, a longer one years or spans of years")
  func monthsAndYears() throws {
    let start = try day(2019, 2, 28)
    let (months, counts) = columns([start: 1, try day(2024, 1, 31): 7, try day(2024, 1, 1): 1])
    #expect(months?.unit == "month")
    #expect(months?.count == 60)
    #expect(months?.values(of: counts).last == 8)
    #expect(months?.name(of: 59) == "2024-01")
    let years = columns([start: 1, try day(2024, 2, 1): 1]).0
    #expect(years?.unit == "year")
    #expect(years?.name(of: 0) == "2019")
    #expect(columns([start: 1, try day(2078, 12, 31): 1]).0?.unit == "year")
    let decades = columns([start: 1, try day(2519, 1, 1): 1]).0
    #expect(decades?.unit == "10 years")
    #expect(decades?.name(of: 0) == "2010–2019")
  }

  @Test("there are at most 60, from the first year to the last")
  func bounds() throws {
    let (columns, counts) = columns([try day(1, 1, 1): 2, try day(9999, 12, 31): 3])
    let all = try #require(columns)
    #expect(all.count <= 60)
    let values = all.values(of: counts)
    #expect(values.first == 2)
    #expect(values.last == 3)
    #expect(all.ticks.count <= 8)
  }

  @Test("every day is in the column that has its month")
  func days() throws {
    let (first, last) = (try day(2020, 3, 1), try day(2024, 12, 31))
    for number in (first + 1)..<last {
      let (columns, counts) = columns([first: 1, number: 1, last: 1])
      let all = try #require(columns)
      let column = try #require(
        (0..<all.count).first { all.name(of: $0) == Self.text(number).prefix(7) })
      #expect(all.values(of: counts)[column] > 0, "\(number)")
    }
  }

  @Test("the axis ends at a round number, with lines at round numbers")
  func axis() {
    #expect([0, 1, 3, 6, 317, 500, 501].map(TimeChart.roundedUp) == [1, 1, 5, 10, 500, 500, 1000])
    #expect(TimeChart.lines(upTo: 500) == [250, 500])
    #expect(TimeChart.lines(upTo: 1) == [1])
    #expect([7, 1000, 2500, 5_000_000].map(TimeChart.short) == ["7", "1k", "2.5k", "5M"])
  }
}

import Foundation
import Testing

@testable import RecordArchive
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
    try #require(CalendarDay.number(year: year, month: month, day: day))
  }

  @Test("there are none without a date")
  func none() { #expect(columns([:]).0 == nil) }

  @Test("a span of 60 days has days, one of 61 weeks that begin on Monday")
  func daysAndWeeks() throws {
    let start = try day(2024, 12, 30)  // a Monday
    #expect(columns([start: 1, start + 59: 1]).0?.unit == .day)
    let (weeks, counts) = columns([start + 2: 1, start + 6: 2, start + 7: 4, start + 62: 1])
    #expect(weeks?.unit == .week)
    #expect(weeks?.name(of: 0) == "week of 2024-12-30")
    #expect(weeks?.values(of: counts).prefix(3) == [3, 4, 0])
    #expect(weeks?.count == 9)
  }

  @Test("a longer span has months, quarters, years")
  func longer() throws {
    let start = try day(2019, 2, 28)
    let (months, counts) = columns([start: 1, try day(2024, 1, 31): 7, try day(2024, 1, 1): 1])
    #expect(months?.unit == .month)
    #expect(months?.count == 60)
    #expect(months?.values(of: counts).last == 8)
    #expect(months?.name(of: 59) == "2024-01")
    let quarters = columns([start: 1, try day(2024, 4, 1): 1]).0
    #expect(quarters?.unit == .quarter)
    #expect(quarters?.name(of: 0) == "2019 Q1")
    #expect(columns([start: 1, try day(2060, 1, 1): 1]).0?.unit == .years(1))
    let decades = columns([start: 1, try day(2519, 1, 1): 1]).0
    #expect(decades?.unit == .years(10))
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

  @Test("every day of 400 years is in the unit that starts before and ends after it")
  func units() throws {
    for unit in TimeUnit.all {
      for number in stride(from: try day(1900, 1, 1), to: try day(2300, 1, 1), by: 11) {
        let index = unit.index(of: number)
        #expect(unit.start(of: index) <= number && number < unit.start(of: index + 1), "\(unit)")
      }
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

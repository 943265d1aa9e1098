import RecordText
import Testing

@testable import RecordPages

@Suite("A chart of bars")
struct BarChartTests {
  private func chart(_ values: [Int]) -> BarChart {
    BarChart(
      "Sizes", values.map { BarChart.Bar("n\($0)", $0) }, text: { Numbers.grouped($0) })
  }

  @Test("the longest bar fills the row, and shares are of the sum")
  func widths() {
    let html = chart([60, 30, 10]).html.text
    #expect(html.contains("width:100.00%"))
    #expect(html.contains("width:50.00%"))
    #expect(html.contains("60 %"))
    #expect(html.contains("10 %"))
  }

  @Test("small parts and all but small parts are not rounded to none and all")
  func shares() {
    #expect(BarChart.percent(1, of: 1000) == "< 1 %")
    #expect(BarChart.percent(999, of: 1000) == "> 99 %")
    #expect(BarChart.percent(0, of: 1000) == "0 %")
    #expect(BarChart.percent(1000, of: 1000) == "100 %")
    #expect(BarChart.percent(0, of: 0) == "0 %")
  }

  @Test("too many bars become one, and the sum stays")
  func limit() {
    var limited = chart(Array(1...30))
    limited.limit("types")
    #expect(limited.bars.count == 16)
    #expect(limited.bars.last?.value == (16...30).reduce(0, +))
    #expect(limited.html.text.contains("15 other types"))
    var few = chart(Array(1...16))
    few.limit("types")
    #expect(few.bars.count == 16)
  }

  @Test("sums do not overflow")
  func overflow() {
    let html = chart([.max, .max, 1]).html.text
    #expect(html.contains("width:100.00%"))
  }
}

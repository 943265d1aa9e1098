import Foundation
import RecordArchive
import Testing

@Suite("Dates in words")
struct DateInWordsTests {
  @Test("Dates are told to the microsecond, rounded")
  func fractions() {
    let expected: [(Double, String)] = [
      (0, "1970-01-01 00:00:00 UTC"), (0.005, "1970-01-01 00:00:00.005 UTC"),
      (1_760_000_000.5, "2025-10-09 08:53:20.500 UTC"),
      (1_760_000_000.000_123, "2025-10-09 08:53:20.000123 UTC"),
      (-0.25, "1969-12-31 23:59:59.750 UTC"), (-11_676_096_000, "1600-01-01 00:00:00 UTC"),
      (-12_219_292_801, "1582-10-14 23:59:59 UTC"), (-62_135_596_800, "0001-01-01 00:00:00 UTC"),
    ]
    for (seconds, words) in expected {
      let date = Date(timeIntervalSince1970: seconds)
      #expect(date.inWords == words)
      let iso = words.replacing(" UTC", with: "Z").replacing(" ", with: "T")
      #expect(date.isoText == iso)
    }
  }

  @Test("A whole millisecond has no more digits in the year 9999 than today")
  func lastMillisecond() {
    let date = Date(timeIntervalSinceReferenceDate: 252_423_993_599.999)
    #expect(date.isoText == "9999-12-31T23:59:59.999Z")
  }

  @Test(
    "Any double can be told", arguments: [1e18, -1e18, .greatestFiniteMagnitude, 253_402_300_800])
  func absurd(_ seconds: Double) {
    #expect(Date(timeIntervalSince1970: seconds).inWords.hasSuffix(" s since 1970"))
  }
}

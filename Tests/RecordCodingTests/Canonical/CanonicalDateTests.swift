import Foundation
import Testing

@testable import RecordCoding

@Suite struct CanonicalDateTests {
  @Test(
    "a date is written as exact milliseconds since 1970",
    arguments: [
      (0, "978307200000"), (-0.0, "978307200000.0"), (0.5, "978307200500"),
      (554_733_423.32, "1533040623320"), (-978_307_200, "0"), (-978_307_200.001, "-1"),
      (785_000_000.1234567, "1763307200123.4567"), (553_835_308.3010001, "1532142508301.0001"),
      (1e-7, "978307200000.0001"), (-63_114_076_800, "-62135769600000"),
      (64_092_211_200, "65070518400000"),
    ] as [(Double, String)])
  func milliseconds(seconds: Double, text: String) {
    let date = Date(timeIntervalSinceReferenceDate: seconds)
    #expect(CanonicalDate.text(of: date) == text)
    let read = CanonicalDate.date(from: text)?.timeIntervalSinceReferenceDate
    #expect(read?.bitPattern == seconds.bitPattern)
  }

  @Test("every finite date comes back to the last bit of its double")
  func roundTrip() throws {
    var random = SeededGenerator(2)
    for round in 0..<20_000 {
      let seconds: Double
      switch round % 5 {
      case 0: seconds = Double(bitPattern: random.next())
      case 1: seconds = Double.random(in: 0...9e8, using: &random)
      case 2:
        seconds =
          Double(Int64.random(in: -2_000_000_000_000...2_000_000_000_000, using: &random)) / 1000
      case 3:
        let milliseconds = Double(Int64.random(in: 0...2_000_000_000_000, using: &random))
        seconds = Date(timeIntervalSince1970: milliseconds / 1000).timeIntervalSinceReferenceDate
      default: seconds = Double.random(in: -1e13...1e13, using: &random)
      }
      guard seconds.isFinite, round % 5 != 0 || round % 50 == 0 else { continue }
      let date = Date(timeIntervalSinceReferenceDate: seconds)
      let text = try #require(CanonicalDate.text(of: date))
      let read = CanonicalDate.date(from: text)?.timeIntervalSinceReferenceDate
      #expect(read?.bitPattern == seconds.bitPattern, "\(seconds) as \(text)")
      let accepted = Array(text.utf8).withUnsafeBytes { bytes in
        var scanner = CanonicalReader(bytes)
        return scanner.milliseconds() && scanner.position == bytes.count
      }
      #expect(accepted, "\(text)")
    }
  }

  @Test("the smallest and largest dates come back too")
  func extremes() throws {
    for seconds in [
      Double.greatestFiniteMagnitude, -.greatestFiniteMagnitude, .leastNonzeroMagnitude, 1e22,
      -1e22,
      .pi * 1e-20,
    ] {
      let text = try #require(CanonicalDate.text(of: Date(timeIntervalSinceReferenceDate: seconds)))
      #expect(!text.contains("e"))
      let read = CanonicalDate.date(from: text)?.timeIntervalSinceReferenceDate
      #expect(read?.bitPattern == seconds.bitPattern, "\(seconds)")
    }
  }

  @Test("a date that is not finite has no text")
  func notFinite() {
    #expect(CanonicalDate.text(of: Date(timeIntervalSinceReferenceDate: .infinity)) == nil)
    #expect(CanonicalDate.text(of: Date(timeIntervalSinceReferenceDate: .nan)) == nil)
  }

  @Test(
    "other spellings of a time are not canonical",
    arguments: ["1533040623320.0", "1.53304062332e12", "1533040623320.50", "-0"])
  func otherSpelling(text: String) {
    let accepted = Array(text.utf8).withUnsafeBytes { bytes in
      var scanner = CanonicalReader(bytes)
      return scanner.milliseconds() && scanner.position == bytes.count
    }
    #expect(!accepted)
  }
}

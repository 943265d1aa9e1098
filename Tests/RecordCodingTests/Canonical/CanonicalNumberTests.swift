import Foundation
import Testing

@testable import RecordCoding

/// The expected texts are those of ECMAScript's `String(number)`, but for negative zero.
@Suite struct CanonicalNumberTests {
  @Test(
    "a double is written as ECMAScript writes it",
    arguments: [
      (0, "0"), (-0.0, "-0"), (1, "1"), (-1, "-1"), (0.1, "0.1"), (-1.5, "-1.5"), (100, "100"),
      (123_456_789.123, "123456789.123"), (1e20, "100000000000000000000"), (1e21, "1e+21"),
      (1.5e300, "1.5e+300"), (0.000001, "0.000001"), (0.0000001, "1e-7"), (1.25e-9, "1.25e-9"),
      (.leastNonzeroMagnitude, "5e-324"), (1.7976931348623157e308, "1.7976931348623157e+308"),
      (9_007_199_254_740_992, "9007199254740992"), (48.856613, "48.856613"),
      (0.30000000000000004, "0.30000000000000004"), (2.5e-6, "0.0000025"),
      (123_456_789_012_345_683_968, "123456789012345680000"), (4.35, "4.35"), (1e-6, "0.000001"),
      (99_999_999_999_999.98, "99999999999999.98"), (1234567890123456.7, "1234567890123456.8"),
    ] as [(Double, String)])
  func ecmaScript(double: Double, text: String) {
    #expect(CanonicalNumber.text(of: double) == text)
    #expect(CanonicalNumber.double(from: text)?.bitPattern == double.bitPattern)
  }

  @Test("every finite double comes back bit for bit, in as few digits as the standard library's")
  func roundTrip() throws {
    var random = SeededGenerator(1)
    for round in 0..<20_000 {
      let double: Double
      switch round % 4 {
      case 0: double = Double(bitPattern: random.next())
      case 1: double = Double(Int64(truncatingIfNeeded: random.next()) >> (round % 60)) / 1000
      case 2: double = Double.random(in: -180...180, using: &random)
      default: double = (Double.random(in: -1e6...1e6, using: &random) * 1e4).rounded() / 1e4
      }
      guard double.isFinite else { continue }
      let text = try #require(CanonicalNumber.text(of: double))
      #expect(CanonicalNumber.double(from: text)?.bitPattern == double.bitPattern, "\(double)")
      let digits = { (text: String) in
        text.prefix { $0 != "e" }.filter(\.isNumber).drop { $0 == "0" }.reversed().drop {
          $0 == "0"
        }.count
      }
      #expect(digits(text) == digits(double.description), "\(text) for \(double)")
      var scanner = CanonicalReader(UnsafeRawBufferPointer(start: nil, count: 0))
      let accepted = Array(text.utf8).withUnsafeBytes { bytes in
        scanner = CanonicalReader(bytes)
        return scanner.double() && scanner.position == bytes.count
      }
      #expect(accepted, "\(text)")
    }
  }

  @Test(
    "what is no finite number has no text", arguments: [.infinity, -.infinity, .nan] as [Double])
  func notFinite(double: Double) {
    #expect(CanonicalNumber.text(of: double) == nil)
  }

  @Test(
    "another spelling of a number is read, but is not canonical",
    arguments: [
      "1.0", "1.50", "1e2", "0.10", "1E5", "-0.0", "100000000000000000000000", "0.0000001",
      "1e21", "0.1000000000000000055511151231257827",
    ])
  func otherSpelling(text: String) {
    #expect(CanonicalNumber.double(from: text) != nil)
    let accepted = Array(text.utf8).withUnsafeBytes { bytes in
      var scanner = CanonicalReader(bytes)
      return scanner.double() && scanner.position == bytes.count
    }
    #expect(!accepted)
  }

  @Test(
    "what is no JSON number, or too large, is refused",
    arguments: ["", "-", "01", "+1", "1.", ".5", "1e", "1e+", "NaN", "1e999", "0x1", "1 ", " 1"])
  func refused(text: String) {
    #expect(CanonicalNumber.double(from: text) == nil)
  }

  @Test("integers take all of 64 bits and nothing more")
  func integers() {
    func accepts(_ text: String) -> Bool {
      Array(text.utf8).withUnsafeBytes { bytes in
        var scanner = CanonicalReader(bytes)
        return scanner.integer() && scanner.position == bytes.count
      }
    }
    for good in ["0", "1", "-1", "9223372036854775807", "-9223372036854775808"] {
      #expect(accepts(good), "\(good)")
    }
    for bad in [
      "-0", "00", "01", "9223372036854775808", "-9223372036854775809", "10000000000000000000",
      "1.0",
      "1e3", "", "-",
    ] {
      #expect(!accepts(bad), "\(bad)")
    }
  }
}

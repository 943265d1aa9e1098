import Foundation
import RecordModel
import Testing

@testable import RecordCoding

/// Numbers that were made to do harm: absurd exponents and endless digits.
@Suite struct HostileNumberTests {
  private static let texts: [NamedText] = [
    "1e9223372036854775807", "1e-9223372036854775808", "1e-9223372036854775809",
    "-1e99999999999999999999", "0e99999999999999999999", "0.0e-99999999999999999999",
    NamedText("1 and 20,000 zeros", "1" + String(repeating: "0", count: 20_000)),
    NamedText("0. and 20,000 zeros", "0." + String(repeating: "0", count: 20_000) + "1"),
    "1e5001", "1e-5001", "1e308", "1e309", "1.7976931348623159e308", "5e-324", "2e-324",
    "-978307200000", "978307200000", "978307200000.0", "-0", "-0.0e0",
    "9007199254740993", "0.1234567890123456789", "0.00012345678901234567",
  ]

  @Test(arguments: texts)
  func `they are read or refused as doubles and dates, and written back the same`(
    _ number: NamedText
  ) throws {
    let text = number.text
    let json = try JSONParser.parse(text)
    if let double = CanonicalNumber.double(from: text) {
      #expect(double.bitPattern == Double(text)?.bitPattern)
      let canonical = try #require(CanonicalNumber.text(of: double))
      #expect(CanonicalNumber.double(from: canonical)?.bitPattern == double.bitPattern)
    } else {
      #expect(Double(text) == nil || Double(text)?.isInfinite == true)
    }
    if let date = CanonicalDate.date(from: text) {
      let canonical = try #require(CanonicalDate.text(of: date))
      #expect(CanonicalDate.date(from: canonical)?.bits == date.bits)
    }
    #expect(try JSONParser.parse(json.compactText) == json)
  }

  @Test func `random doubles and dates survive their text bit for bit`() throws {
    var model = RandomModel(seed: 41)
    for _ in 0..<5000 {
      let double = model.double()
      let text = try #require(CanonicalNumber.text(of: double))
      #expect(CanonicalNumber.double(from: text)?.bitPattern == double.bitPattern)
      #expect(Double(text)?.bitPattern == double.bitPattern)
      let date = model.date()
      let milliseconds = try #require(CanonicalDate.text(of: date))
      #expect(CanonicalDate.date(from: milliseconds)?.bits == date.bits)
    }
  }
}

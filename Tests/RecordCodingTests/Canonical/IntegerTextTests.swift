import Foundation
import Testing

@testable import RecordCoding

struct IntegerTextTests {
  private static let values: [Int64] = {
    var values: [Int64] = [.min, .min + 1, .max, .max - 1, 0]
    var power: Int64 = 1
    for _ in 0..<19 {
      values += [power - 1, power, power + 1, power / 2, power / 3 * 2]
      power = power.multipliedReportingOverflow(by: 10).partialValue
    }
    return values.flatMap { [$0, 0 &- $0] }
  }()

  @Test("Integers are written as Swift writes them", arguments: values)
  func write(value: Int64) {
    let buffer = ByteBuffer()
    buffer.append("x")
    buffer.appendInteger(value)
    #expect(String(decoding: buffer.bytes, as: UTF8.self) == "x\(value)")
  }

  @Test("Every number of five digits is written as it is, alone and behind others")
  func allDigits() {
    let buffer = ByteBuffer()
    for value in stride(from: Int64(0), to: 100_000, by: 1) {
      buffer.reset()
      buffer.appendInteger(value)
      buffer.append(",")
      buffer.appendInteger(value &* 1_000_000_007)
      #expect(String(decoding: buffer.bytes, as: UTF8.self) == "\(value),\(value * 1_000_000_007)")
    }
  }

  @Test("Plain integers are read wherever the text ends")
  func read() {
    for value in Self.values where value >= 0 && value < 1_000_000_000_000_000 {
      for end in ["", ",", "}", "]", " ", "/", ":", "-", "\u{0}"] {
        let bytes = Array("\(value)\(end)".utf8)
        bytes.withUnsafeBytes {
          var scanner = CanonicalReader($0)
          #expect(scanner.plainInteger() == UInt64(value))
          #expect(scanner.position == bytes.count - end.utf8.count)
        }
      }
    }
  }

  @Test(
    "What is no plain integer is left to the careful reader",
    arguments: [
      "", "-1", "01", "00", "1.5", "1e5", "1E5", "123456789.0", "1234567890123456", "x", "0x1",
      "12345678901234567890", "0000000000000000", "-", ".5",
    ])
  func refused(text: String) {
    let bytes = Array(text.utf8)
    bytes.withUnsafeBytes {
      var scanner = CanonicalReader($0)
      #expect(scanner.plainInteger() == (text == "0x1" ? 0 : nil))
      #expect(scanner.position == (text == "0x1" ? 1 : 0))
    }
  }
}

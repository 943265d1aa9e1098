import Foundation
import RecordSchema
import RecordText
import Testing

@testable import RecordPackTool

@Suite("Small parts")
struct PartsTests {
  @Test("Numbers read the same everywhere")
  func numbers() {
    #expect(Numbers.grouped(0) == "0")
    #expect(Numbers.grouped(1_234_567) == "1,234,567")
    #expect(Numbers.grouped(-123_456) == "-123,456")
    #expect(Numbers.grouped(Int.min) == "-9,223,372,036,854,775,808")
    #expect(
      [0, 1, 999, 1000, 1234, 999_499, 999_500].map(Numbers.size) == [
        "0 bytes", "1 byte", "999 bytes", "1.00 kB", "1.23 kB", "999 kB", "1.00 MB",
      ])
    #expect(Numbers.size(Int.max) == "9,223 PB")
    #expect(Numbers.duration(seconds: 3723) == "1:02:03")
    #expect(Numbers.duration(seconds: .infinity) == "–")
  }

  @Test("A bundle that is larger than its lines is called so")
  func compressed() {
    #expect(
      Numbers.compressed(2000, from: 41_000)
        == "2.00 kB, 20.5 times smaller than the 41.0 kB of its lines")
    #expect(
      Numbers.compressed(814, from: 594)
        == "814 bytes, 1.37 times larger than the 594 bytes of its lines")
    #expect(
      Numbers.compressed(0, from: 0) == "0 bytes, 0.00 times smaller than the 0 bytes of its lines")
  }

  @Test("Sizes are taken with units")
  func byteSizes() {
    let sizes = ["1500", "100MB", "2GiB", "64k", "1 MB", "0", "-1", "9999999999TB", "MB", "1x"]
    #expect(
      sizes.map { ByteSize(argument: $0)?.bytes }
        == [1500, 100_000_000, 2 << 30, 64 << 10, nil, nil, nil, nil, nil, nil])
  }

  @Test("Dates are taken by ISO 8601")
  func dates() {
    let seconds: [(String, Double?)] = [
      ("2025-01-31", 1_738_281_600), ("2025-01-31T18:00:00Z", 1_738_346_400),
      ("2025-01-31T19:00:00+01:00", 1_738_346_400), ("2025-01-31T18:00:00.500Z", 1_738_346_400.5),
      ("2024-02-29", 1_709_164_800), ("2025-01-31T18:00:00+0530", 1_738_326_600),
      ("yesterday", nil), ("", nil), ("2025-13-01", nil), ("2023-11-31", nil),
      ("2023-02-29", nil), ("1900-02-29", nil), ("2023-02-29T25:61:61Z", nil),
      ("2023-02-28T24:00:00Z", nil), ("2023-02-28T23:60:00Z", nil), ("2023-02-28T23:59:60Z", nil),
      ("2025-01-31T18:00:00+25:00", nil), ("2025-01-31T18:00:00", nil), ("2025-01-31 ", nil),
      ("2025-1-31", nil), ("2025-01-31x", nil), ("0000-00-00", nil),
    ]
    for (text, expected) in seconds {
      #expect(DateArgument(argument: text)?.date.timeIntervalSince1970 == expected, "\(text)")
    }
  }

  @Test("Near names are typos and beginnings, the nearest first")
  func nearNames() {
    var near = NearNames("mesage-1")
    for name in ["chat-1", "message-2", "message-1", "Message-1", "message-11"] { near.add(name) }
    #expect(near.best.first == "message-1")
    #expect(!near.best.contains("chat-1"))
    var beginning = NearNames("AQ303")
    beginning.add("AQ303GmJYOOSR7NG45o3Hli6u7zr")
    #expect(beginning.best == ["AQ303GmJYOOSR7NG45o3Hli6u7zr"])
    var swapped = NearNames("exprot")
    for name in ["import", "export", "recover"] { swapped.add(name) }
    #expect(swapped.best == ["export"])
    #expect(swapped.hint == "; did you mean 'export'?")
  }

  @Test("Columns stand under each other")
  func table() {
    var table = Table([.left, .right, .left])
    table.add("a", "1", "")
    table.add("bbb", "1,000", "x")
    #expect(table.lines(TerminalStyle(.never)) == ["a        1", "bbb  1,000  x"])
    #expect(Table([.left]).lines(TerminalStyle(.never)).isEmpty)
  }
}

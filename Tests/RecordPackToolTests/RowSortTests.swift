import Foundation
import RecordModel
import RecordText
import Testing

@testable import RecordPackTool

@Suite("Sorting rows")
struct RowSortTests {
  private func sorted(
    _ values: [RecordValue?], descending: Bool = false, limit: Int? = nil, maxRows: Int = 1000,
    maxBytes: Int = 1 << 20
  ) throws -> [String] {
    var sort = RowSort<String>(
      isDescending: descending, limit: limit, maxRows: maxRows, maxBytes: maxBytes)
    for (place, value) in values.enumerated() {
      let row = "\(place)"
      try sort.add(row, size: row.utf8.count, value.flatMap { IndexKey($0, in: .default) })
    }
    return try sort.rows()
  }

  @Test("Values have one order, missing ones come last in both directions, ties stay")
  func order() throws {
    let values: [RecordValue?] = [
      .string("b"), nil, .int64(2), .double(1.5), .string("a"), .int64(2), .timestamp(.distantPast),
      .double(2),
    ]
    #expect(try sorted(values) == ["3", "2", "5", "7", "6", "4", "0", "1"])
    #expect(try sorted(values, descending: true) == ["0", "4", "6", "2", "5", "7", "3", "1"])
    let large: [RecordValue?] = [.int64(9_007_199_254_740_993), .double(9_007_199_254_740_992)]
    #expect(try sorted(large) == ["1", "0"])
    #expect(try sorted([.string("é"), .string("z"), .string("Z")]) == ["2", "1", "0"])
  }

  @Test("A limit keeps the first rows, whatever came before, and no more than that in memory")
  func limit() throws {
    let values = (0..<500).map { RecordValue.int64(Int64(($0 * 7919) % 500)) }
    let all = try sorted(values)
    for limit in [1, 2, 7, 499, 500, 501] {
      #expect(try sorted(values, limit: limit, maxRows: 501) == Array(all.prefix(limit)))
    }
    #expect(try sorted(values, limit: 5, maxRows: 10) == Array(all.prefix(5)))
  }

  @Test("Too many rows, or too large ones, are refused")
  func bounds() throws {
    let values = (0..<50).map { RecordValue.int64(Int64($0)) }
    #expect(try sorted(values, maxRows: 50).count == 50)
    #expect(throws: CommandError.self) { try sorted(values, maxRows: 49) }
    #expect(throws: CommandError.self) { try sorted(values, limit: 50, maxRows: 49) }
    #expect(throws: CommandError.self) { try sorted(values, maxBytes: 1000) }
    #expect(try sorted(values, limit: 3, maxBytes: 1000).count == 3)
  }
}

@Suite("Tables of any number of rows")
struct StreamedTableTests {
  private func lines(_ rows: [[String]], width: Int?) throws -> [String] {
    var lines: [String] = []
    var table = StreamedTable(["name", "text"], TerminalStyle(.never), terminalWidth: width) {
      lines.append($0)
    }
    for row in rows { try table.add(row) }
    try table.finish()
    return lines
  }

  @Test("On a terminal long cells are cut by columns; elsewhere nothing is")
  func cuts() throws {
    let rows = [["東京 2024", "a\u{1B}b"], ["x", String(repeating: "長い", count: 20)]]
    for width in [8, 20, 21, 40, 80] {
      let lines = try lines(rows, width: width)
      #expect(lines.allSatisfy { $0.columns <= width }, "\(width): \(lines)")
      #expect(lines.count == 3 && !lines.joined().contains("\u{1B}"))
    }
    #expect(try lines(rows, width: 20)[2].hasSuffix("…"))
    let all = try lines(rows, width: nil)
    #expect(all[2] == "x          " + rows[1][1])
    #expect(all[0] == "name       text")
  }

  @Test("Few rows with long values are kept, and on a terminal none of their length")
  func longValues() throws {
    let long = String(repeating: "x", count: 600_000)
    var written = 0
    for width in [nil, 80] {
      var table = StreamedTable(["name", "text"], TerminalStyle(.never), terminalWidth: width) {
        _ in
        written += 1
      }
      for _ in 0..<4 { try table.add(["a", long]) }
      // Without a terminal, 1 MiB decides the widths.
      #expect(written == (width == nil ? 5 : 0))
      written = 0
      try table.finish()
      #expect(written == (width == nil ? 0 : 5))
      written = 0
    }
  }

  @Test("Columns of numbers are aligned right")
  func numbers() throws {
    let all = try lines([["a", "5"], ["b", "-1.5"], ["c", ""]], width: nil)
    #expect(all == ["name  text", "a        5", "b     -1.5", "c"])
    #expect(try lines([["1", "x"], ["22", "y"]], width: nil)[1] == "   1  x")
  }

  @Test("Rows after the first thousand shift their line, and are not kept")
  func sample() throws {
    var rows = [[String]](repeating: ["a", "b"], count: StreamedTable.sampleSize)
    rows.append(["longer name", "c"])
    let lines = try lines(rows, width: nil)
    #expect(lines.count == rows.count + 1)
    #expect(lines[1] == "a     b" && lines.last == "longer name  c")
  }

  @Test("Columns shrink from the widest, and the last are left out if they cannot")
  func widths() {
    #expect(Table.fitted([10, 20, 30], into: 80) == [10, 20, 30])
    #expect(Table.fitted([10, 20, 30], into: 54) == [10, 20, 20])
    #expect(Table.fitted([10, 20, 30], into: 34) == [10, 10, 10])
    #expect(Table.fitted([10, 20, 30], into: 20) == [7, 8])
    #expect(Table.fitted([10], into: 5) == [5])
  }
}

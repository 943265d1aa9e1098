import Foundation
import RecordCoding
import RecordText
import Testing

@testable import RecordPackTool

@Suite("Text on a terminal")
struct TerminalTests {
  @Test("Text takes the columns that terminals give it")
  func columns() {
    let widths: [(String, Int)] = [
      ("", 0), ("abc", 3), ("é", 1), ("e\u{301}", 1), ("東京", 4), ("ｱ", 1), ("Ａ", 2), ("한국", 4),
      ("\u{1112}\u{1161}\u{11AB}", 2), ("🥾", 2), ("👍🏽", 2), ("👨‍👩‍👧", 2), ("🇩🇪", 2), ("❤️", 2), ("❤", 1),
      ("1️⃣", 2), ("a\u{200B}b", 2), ("a\u{FEFF}", 1), ("สวัสดี", 4), ("⌚", 2), ("—", 1), ("█", 1),
      ("\u{200D}", 0), ("𠀀", 2), ("a\u{AD}b", 3),
      // Facts of Python's wcwidth 0.7.
      ("น้ำ", 2), ("नमस्ते", 4), ("कि", 2), ("क्षि", 2), ("தமிழ்", 4), ("မြန်မာ", 5), ("ഓണം", 3),
      ("ｶﾞ", 2), ("ﾞ", 1), ("a\u{FE0F}", 1), ("⌚\u{FE0E}", 2), ("1\u{20E3}", 1), ("🌡", 1),
      ("🌡\u{FE0F}", 2), ("©", 1), ("©\u{FE0F}", 2), ("🏴‍☠️", 2), ("👩‍❤️‍👨", 2), ("⛹🏽‍♂️", 2),
      ("🏴󠁧󠁢󠁥󠁮󠁧󠁿", 2), ("\u{3248}", 1), ("\u{303F}", 1), ("\u{2630}", 2), ("\u{4DC0}", 2),
      ("\u{D7B0}", 0), ("\u{302A}", 0), ("ﷺ", 1), ("①", 1), ("…", 1), ("\u{301}", 0), ("🇩", 2),
    ]
    for (text, width) in widths { #expect(text.columns == width, "\(text.debugDescription)") }
  }

  @Test("Texts are cut by columns, never in the midst of a character")
  func cuts() {
    #expect("東京 2024".prefix(columns: 5) == "東京 ")
    #expect("東京 2024".prefix(columns: 3) == "東")
    #expect("e\u{301}東".prefix(columns: 1) == "e\u{301}")
    #expect("ab東京".suffix(columns: 3) == "京")
    #expect("ab東京".suffix(columns: 5) == "b東京")
  }

  @Test("Columns of a table stand under each other, whatever is in them")
  func table() {
    var table = Table([.left, .right])
    for name in ["Hiking club", "東京 2024", "👨‍👩‍👧 family", "caf\u{65}\u{301}", "zero\u{200B}width"] {
      table.add(name, "1")
    }
    let widths = Set(table.lines(TerminalStyle(.never)).map(\.columns))
    #expect(widths == [14])
  }

  @Test("A table that is to fit cuts its widest column, then leaves columns out")
  func fittingTable() {
    var table = Table([.left, .right, .right])
    table.add("NAME", "RECORDS", "SHARE")
    table.add("a name of 東京 that is long", "12,345", "100 %")
    func lines(_ width: Int?) -> [String] {
      table.lines(TerminalStyle(.never), indent: "  ", fitting: width)
    }
    #expect(lines(nil) == lines(80) && lines(45) == lines(80))
    #expect(
      lines(44) == [
        "  NAME                        RECORDS  SHARE",
        "  a name of 東京 that is lo…   12,345  100 %",
      ])
    #expect(
      lines(34) == ["  NAME              RECORDS  SHARE", "  a name of 東京 …   12,345  100 %"])
    #expect(lines(20) == ["  NAME    RECORDS  …", "  a nam…   12,345  …"])
  }

  @Test("Progress tells the percentage in any width, and never more than a line")
  func progress() {
    let line = ProgressLine(
      verb: "importing", fraction: 0.5, records: 123_456, bytes: 98_765_432, seconds: 10)
    #expect(
      line.text(columns: 120)
        == "50 %  importing  ████████████░░░░░░░░░░░░  ETA 0:10  123,456 records  98.8 MB  9.88 MB/s"
    )
    #expect(line.text(columns: 42) == "50 %  importing  ████████████░░░░░░░░░░░░")
    for columns in 0...120 {
      let text = line.text(columns: columns)
      #expect(text.columns <= columns)
      #expect(columns < 6 || text.contains("50 %"), "\(columns): \(text)")
    }
    let unknown = ProgressLine(verb: "reading", records: 7, bytes: 1000, seconds: 0)
    #expect(unknown.text(columns: 20) == "reading  7 records")
  }

  @Test("Controls and marks of direction are spelled out in text and in JSON")
  func controls() {
    let hostile = "a\u{1B}[31m\u{9B}31m\u{202E}b\u{2066}c\u{200F}\u{61C}\u{2028}\u{7F}é東\u{200D}"
    let spelled = #"a\u001b[31m\u009b31m\u202eb\u2066c\u200f\u061c\u2028\u007fé東"# + "\u{200D}"
    #expect(hostile.visible == spelled)
    let json = JSONValue.object([.init(hostile, .string(hostile))]).visibleText
    #expect(json == "{\"\(spelled)\":\"\(spelled)\"}")
    #expect("{\"a\":\"é\",\n\"b\":1}".visibleJSON == "{\"a\":\"é\",\n\"b\":1}")
    #expect("a\nb\u{1B}".visibleLines == "a\nb\\u001b")
  }

  @Test("Names that look the same are told apart")
  func unmistakable() {
    #expect("e\u{301}".unmistakable == "e\\u0301" && "\u{E9}".unmistakable == "\u{E9}")
    #expect("a\u{200B}b".unmistakable == "a\\u200bb" && "ab".unmistakable == "ab")
    #expect("\u{212B}".unmistakable == "\\u212b" && "\u{202E}".unmistakable == "\u{202E}".visible)
    #expect("日本 Grüße".unmistakable == "日本 Grüße")
  }

  /// Runs the tool in a pseudo-terminal.
  private func onTerminal(_ line: String, in folder: String) async throws -> String {
    let result = try await ToolProcess.shell(
      "script -qec 'recordpack \(line)' /dev/null < /dev/null", in: folder)
    return result.output
  }

  @Test(
    "Names, comments and values from files do not drive the terminal",
    .enabled(if: FileManager.default.fileExists(atPath: "/usr/bin/script") && isLinux))
  func terminal() async throws {
    try await withFolder { folder in
      let bad = "\u{1B}]0;pwned\u{07} \u{202E}"
      let schema = { (name: String) in
        "DEFINE SCHEMA\n // \(bad)\n RECORD TYPE T (\"\(name)\" STRING, GRANT READ TO \"_world\");\n"
      }
      try Samples.write(Data(schema("a\u{202E}b").utf8), "a.ckdb", in: folder)
      try Samples.write(Data(schema("a\u{202E}B\u{202D}").utf8), "b.ckdb", in: folder)
      let response =
        #"{"records":[{"recordName":"a\u202eb","recordType":"T","fields":"#
        + #"{"s\u202e":{"value":"\u009b31m","type":"STRING"}}}]}"#
      try Samples.write(Data(response.utf8), "r.json", in: folder)
      let imported = try await ToolProcess.run(
        "import", "--from", "web-services", "r.json", "t.sqlite", in: folder)
      #expect(imported.code == 0, "\(imported.errors)")
      for line in [
        "schema print a.ckdb", "migrate plan a.ckdb b.ckdb", "schema infer t.sqlite",
        "export t.sqlite -o - --to web-services", "show t.sqlite zz",
        "query t.sqlite", "query t.sqlite --format csv", "query t.sqlite --json",
      ] {
        let text = try await onTerminal(line, in: folder)
        #expect(!text.isEmpty, "\(line)")
        let scalars = Set(text.unicodeScalars.map(\.value))
        #expect(
          scalars.isDisjoint(with: [0x07, 0x202E, 0x202D, 0x9B]),
          "\(line): \(text.debugDescription)")
        #expect(!text.contains("\u{1B}]"), "\(line)")
      }
    }
  }

  @Test(
    "A table ends with its number of rows and that of all, with conditions, names and dates too",
    .enabled(if: FileManager.default.fileExists(atPath: "/usr/bin/script") && isLinux))
  func totals() async throws {
    try await withFolder { folder in
      try Samples.makeContainer(in: folder, messages: 6)
      for options in [
        "--type Message", "--where \"number > 0\"", "--name \"message-*\"",
        "--type Message --since 2000-01-01", "--where \"has secret\" --sort number",
      ] {
        let text = try await onTerminal("query Tact.sqlite \(options) --limit 2", in: folder)
        #expect(
          text.contains("2 of 5\u{1B}[0m") || text.contains("2 of 5\r\n"), "\(options): \(text)")
      }
      let judged = try await ToolProcess.shell(
        "script -qec \"recordpack query Tact.sqlite --where 'number(text) = 1 OR has photo' --limit 1\""
          + " /dev/null < /dev/null", in: folder)
      // What is beyond the limit is not reported, as in a pipe.
      #expect(judged.code == 0 && judged.output.contains("chat-1"), "\(judged.output)")
      let all = try await onTerminal(
        "query Tact.sqlite --where \"number > 4\" --limit 2", in: folder)
      #expect(!all.contains(" of "), "\(all)")
    }
  }

  #if os(Linux)
    private static let isLinux = true
  #else
    private static let isLinux = false
  #endif

  @Test("A name of a file is no command to the runner of GitHub Actions")
  func gitHub() async throws {
    try await withFolder { folder in
      let result = try await ToolProcess.run(
        "schema", "validate", "##[error]nope", "--format", "github", in: folder)
      #expect(result.code == 2)
      #expect(result.errors.contains("nope") && !result.errors.contains("##["))
    }
  }
}

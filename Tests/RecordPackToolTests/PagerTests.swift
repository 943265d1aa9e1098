import Foundation
import RecordText
import Testing

@testable import RecordPackTool

@Suite("The pager")
struct PagerTests {
  private static var hasScript: Bool {
    #if os(Linux)
      FileManager.default.fileExists(atPath: "/usr/bin/script")
    #else
      false
    #endif
  }

  /// Runs a line of shell in a pseudo-terminal, and returns its lines.
  private func onTerminal(_ line: String, in folder: String) throws -> [String] {
    try Samples.write(Data(line.utf8), "line.sh", in: folder)
    let result = try ToolProcess.shell(
      "TERM=xterm script -qec 'sh line.sh' /dev/null < /dev/null", in: folder)
    return result.output.components(separatedBy: "\r\n")
  }

  @Test(
    "Output on a terminal goes through the pager, unless it is turned off", .enabled(if: hasScript))
  func pages() throws {
    try withFolder { folder in
      try Samples.makeBundle(in: folder)
      let chat = "private\tChats\tChat\tchat-1"
      for (line, expected) in [
        ("PAGER='sed s/^/P:/' recordpack list Tact.sqlite --limit 1", "P:\(chat)"),
        ("PAGER='X=1 sed s/^/P:/' recordpack list Tact.sqlite --limit 1", "P:\(chat)"),
        ("PAGER='exec sed s/^/P:/' recordpack list Tact.sqlite --limit 1", "P:\(chat)"),
        ("PAGER='cat | sed s/^/P:/' recordpack list Tact.sqlite --limit 1", "P:\(chat)"),
        ("PAGER='sed s/^/P:/' recordpack list Tact.sqlite --limit 1 --no-pager", chat),
        ("NO_PAGER=1 PAGER='sed s/^/P:/' recordpack list Tact.sqlite --limit 1", chat),
        ("TERM=dumb PAGER='sed s/^/P:/' recordpack list Tact.sqlite --limit 1", chat),
        ("PAGER= recordpack list Tact.sqlite --limit 1", chat),
        ("PAGER='sed s/^/P:/' recordpack list Tact.sqlite --limit 1 | cat", chat),
        ("PAGER='sed s/^/P:/' recordpack query Tact.sqlite --count", "P:3"),
        ("PAGER='sed s/^/P:/' recordpack inspect Tact.sqlite --schema | head -1", "DEFINE SCHEMA"),
        ("PAGER='sed s/^/P:/' recordpack inspect Tact.sqlite --schema", "P:DEFINE SCHEMA"),
        (
          "PAGER='sed -n 1p' recordpack show Tact.sqlite chat-1",
          "\u{1B}[36mChat\u{1B}[0m \u{1B}[1mchat-1\u{1B}[0m"
        ),
      ] {
        #expect(try onTerminal(line, in: folder).first == expected, "\(line)")
      }
    }
  }

  @Test(
    "A command behind a pager has its exit code and width; quitting early is no error",
    .enabled(if: hasScript))
  func ends() throws {
    try withFolder { folder in
      try Samples.makeContainer(in: folder, messages: 3000)
      try Samples.makeContainer(in: folder, name: "Less.sqlite", messages: 4)
      for (line, last) in [
        ("PAGER='sed -n $=' recordpack list Tact.sqlite --json", "0"),
        ("PAGER='head -1' recordpack query Tact.sqlite --json --type Message", "0"),
        ("PAGER='sed -n 1p' recordpack diff Tact.sqlite Less.sqlite", "1"),
        ("PAGER='head -1' recordpack diff Tact.sqlite Less.sqlite", "1"),
        ("PAGER='head -1' recordpack diff Tact.sqlite Less.sqlite --json", "1"),
        ("PAGER=no-such-program recordpack list Tact.sqlite", "2"),
        ("PAGER='sed -n 1p' recordpack show Tact.sqlite nope", "1"),
        ("PAGER='sed -n 1p' recordpack query Tact.sqlite --where 'text > 1'", "1"),
        (
          "PAGER='sleep 600' recordpack list Less.sqlite & p=$!; sleep 0.5; kill $p; wait $p",
          "143"
        ),
      ] {
        let lines = try onTerminal("(\(line)); echo $?", in: folder)
        #expect(lines.dropLast().last == last, "\(line): \(lines.suffix(4))")
        #expect(!lines.joined().contains("Broken pipe"))
      }
      for width in [30, 50] {
        let lines = try onTerminal(
          "stty cols \(width); NO_COLOR=1 PAGER='sed -n p' recordpack query Tact.sqlite "
            + "--type Message --limit 5", in: folder)
        let isNarrow = lines.allSatisfy { $0.columns <= width }
        #expect(isNarrow && lines.count == 7, "\(lines)")
      }
    }
  }

  @Test("The pager is chosen by the environment")
  func choice() {
    // The tests do not run on a terminal.
    #expect(Pager.command(["PAGER": "less"], isTerminal: false) == nil)
    let facts: [([String: String], String?)] = [
      (["PAGER": "more"], "more"), (["PAGER": "cat"], nil), (["PAGER": " "], nil),
      (["PAGER": "more", "NO_PAGER": "1"], nil), (["PAGER": "more", "NO_PAGER": ""], "more"),
      (["PAGER": "more", "TERM": "dumb"], nil), (["PATH": "/nowhere"], nil), ([:], nil),
    ]
    for (environment, command) in facts {
      #expect(Pager.command(environment, isTerminal: true) == command, "\(environment)")
    }
  }
}

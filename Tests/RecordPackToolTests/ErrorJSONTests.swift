import Foundation
import Testing

@testable import RecordPackTool

@Suite("Errors as JSON")
struct ErrorJSONTests {
  @Test("Arguments ask for JSON only before --")
  func wanted() {
    for (line, isWanted) in [
      ("query a --json", true), ("query a", false), ("delete a -- --json", false), ("", false),
    ] {
      #expect(ErrorReport.isJSONWanted(by: line.split(separator: " ").map(String.init)) == isWanted)
    }
  }

  /// Lines of the shell, their exit codes, and a member of the error.
  static let lines: [(line: String, code: Int32, member: String, value: String)] = [
    ("nope", 2, "message", "there is no command 'nope'"),
    ("query", 2, "message", "Missing expected argument '<source>'"),
    ("query nowhere", 2, "message", "nowhere: cannot open it"),
    ("show Tact.sqlite nope", 1, "message", "there is no record 'nope' in 'Tact.sqlite'"),
    ("show Tact.sqlite --asset 000000", 2, "message", ""),
    ("import Bad a.sqlite", 2, "file", "Bad"), ("diff Tact.sqlite Bad", 2, "file", "Bad"),
    ("verify Bad", 2, "file", "Bad"), ("schema validate nowhere.ckdb", 2, "message", ""),
    ("schema diff Wrong.ckdb Wrong.ckdb", 2, "file", "Wrong.ckdb"),
    (
      "export Tact.sqlite -o x.recordpack --validate --schema Empty.ckdb", 1, "message",
      "the records"
    ),
    ("put Tact.sqlite bad.jsonl", 2, "record", "b"), ("put Tact.sqlite bad.jsonl", 2, "line", "2"),
    ("delete Tact.sqlite nope", 2, "message", "there is no record 'nope'"),
    (
      "query Tact.sqlite --since 2025-02-30", 2, "message",
      "The value '2025-02-30' is invalid for '--since <date>'; --since <date> Only records modified at"
    ),
    ("serve --port 0 --ready-file .", 2, "message", "cannot write '.': Is a directory"),
  ]

  @Test("An error of any command is one line of JSON with its exit code and place")
  func everyCommand() async throws {
    try await withFolder { folder in
      try await Samples.makeBundle(in: folder)
      try Samples.write(Data("no bundle".utf8), "Bad", in: folder)
      try Samples.write(Data("DEFINE SCHEMA RECORD".utf8), "Wrong.ckdb", in: folder)
      try Samples.write(
        Data("DEFINE SCHEMA RECORD TYPE Nothing (a STRING, GRANT READ TO \"_world\");".utf8),
        "Empty.ckdb", in: folder)
      try Samples.write(
        Data("{\"recordType\":\"T\",\"fields\":{}}\n{\"recordName\":\"b\"}".utf8), "bad.jsonl",
        in: folder)
      for (line, code, member, value) in Self.lines {
        let result = try await ToolProcess.shell("recordpack \(line) --json", in: folder)
        #expect(result.code == code, "\(line): \(result.errors)")
        #expect(result.errors.hasSuffix("\n") && result.errors.filter(\.isNewline).count == 1)
        let json = try? Samples.json(result.errors)
        #expect(json?["format"] as? String == "recordpack.error", "\(line): \(result.errors)")
        #expect(json?["version"] as? Int == 1)
        #expect((json?["exitCode"] as? Int).map(Int32.init) == code, "\(line)")
        let found = json?[member].map { "\($0)" } ?? "none"
        #expect(found.hasPrefix(value), "\(line): \(result.errors)")
      }
    }
  }
}

import Foundation
import Testing

@Suite("Names of commands, and their exit codes")
struct CommandNameTests {
  @Test("An unknown command is an error that names it")
  func unknown() async throws {
    try await withFolder { folder in
      for (line, expected) in [
        ("exprot a b", "'exprot'; did you mean 'export'? 'recordpack --help' lists all"),
        ("schema dif a b", "'dif' of 'recordpack schema'; did you mean 'diff'?"),
        ("help fixture generat", "did you mean 'generate'? 'recordpack fixture --help'"),
        ("nonsense", "there is no command 'nonsense'; 'recordpack --help' lists all"),
        ("schema help diff", "schema --help"),
        ("Export a b", "Export"),
      ] {
        let arguments = line.split(separator: " ").map(String.init)
        let result = try await ToolProcess.run(arguments, in: folder)
        #expect(result.code == 2, "\(line)")
        #expect(result.output.isEmpty)
        #expect(result.errors.contains(expected), "\(line): \(result.errors)")
      }
      for line in [
        "help", "help export", "help schema diff", "help migrate run",
        "--version",
      ] {
        let arguments = line.split(separator: " ").map(String.init)
        #expect(try await ToolProcess.run(arguments, in: folder).code == 0, "\(line)")
      }
    }
  }

  /// Lines of the shell, and how they end. `Bad` is no bundle, `Less` lacks a chat of `Tact`.
  static let lines: [(line: String, code: Int32)] = [
    ("export Tact.sqlite -o a.recordpack", 0), ("export Tact.sqlite -o Tact.recordpack", 2),
    ("export nowhere.sqlite -o a.recordpack", 2), ("export Bad -o a.recordpack", 2),
    ("export Tact.sqlite -o a.recordpack --validate --schema Empty.ckdb", 1),
    ("export Tact.sqlite -o a.json --to web-services", 0),
    ("import Tact.recordpack a.sqlite", 0), ("import Bad a.sqlite", 2),
    ("import Tact.recordpack a.sqlite --validate --schema Empty.ckdb", 1),
    ("import --from web-services 1.json a.sqlite", 0),
    ("import --from web-services 1.json Refused.json a.sqlite", 1),
    ("import --from web-services Refused.json a.sqlite", 2),
    ("import --from web-services Bad a.sqlite", 2),
    ("inspect Tact.sqlite", 0), ("inspect Bad", 2), ("inspect nowhere", 2),
    ("query Tact.recordpack --assets", 0), ("query Tact.recordpack --type Nope", 2),
    ("query Tact.recordpack", 0), ("query Bad", 2), ("query Tact.recordpack --name nope", 1),
    ("query Tact.recordpack --where 'number(text) > 1'", 1),

    ("show Tact.recordpack chat-1", 0), ("show Tact.recordpack nope", 1), ("show Bad x", 2),
    ("show Tact.recordpack --asset 9f86d081", 0), ("show Tact.recordpack --asset 000000", 1),
    ("show Tact.recordpack --asset nope", 2), ("show Tact.recordpack", 2),
    ("calls calls.recording", 0), ("calls short.recording", 1), ("calls Bad", 2),
    ("calls nowhere", 2),
    ("put Tact.sqlite --name n --type Note a=b --dry-run", 0), ("put Tact.sqlite Bad", 2),
    ("put Tact.recordpack --type Note", 2), ("put nowhere.sqlite --type Note", 2),
    ("put Tact.sqlite --type Nope a=b --validate --dry-run", 1),
    ("delete Tact.sqlite chat-1 --dry-run", 0), ("delete Tact.sqlite nope", 2),
    ("delete Tact.recordpack chat-1", 2), ("delete Tact.sqlite --zone Chats", 2),
    ("diff Tact.sqlite Tact.recordpack", 0), ("diff Tact.sqlite Less.recordpack", 1),
    ("diff Tact.sqlite Bad", 2), ("diff Tact.sqlite Less.recordpack --stat", 1),
    ("verify Tact.recordpack", 0), ("verify Bad", 2),
    ("validate Tact.recordpack", 0), ("validate Tact.recordpack --schema Empty.ckdb", 1),
    ("validate Bad", 2), ("validate Tact.recordpack --schema nowhere.ckdb", 2),
    ("schema validate Empty.ckdb", 0), ("schema diff Empty.ckdb Empty.ckdb", 0),
    ("schema deploy Empty.ckdb a.sqlite --create", 0), ("schema deploy Empty.ckdb a.sqlite", 2),
    ("schema deploy Bad a.sqlite --create", 2), ("schema deploy Empty.ckdb Tact.sqlite", 2),
    ("schema deploy Tact.sqlite a.sqlite --create --fail-on info", 1),
    ("schema validate nowhere.ckdb", 2), ("nope", 2), ("", 0),
  ]

  @Test("Exit codes: 0 done, 1 found or lost, 2 wrong or unreadable")
  func exitCodes() async throws {
    try await withFolder { folder in
      try await Samples.makeBundle(in: folder)
      try Samples.write(Data("no bundle".utf8), "Bad", in: folder)
      try Samples.write(
        Data("DEFINE SCHEMA RECORD TYPE Nothing (a STRING, GRANT READ TO \"_world\");".utf8),
        "Empty.ckdb", in: folder)
      try Samples.write(Samples.response(records: 1), "1.json", in: folder)
      try Samples.write(Samples.recording, "calls.recording", in: folder)
      try Samples.write(Samples.recording.dropLast(9), "short.recording", in: folder)
      try Samples.write(
        Data(#"{"serverErrorCode":"AUTHENTICATION_FAILED","reason":"sign in"}"#.utf8),
        "Refused.json", in: folder)
      _ = try await ToolProcess.run(
        "export", "Tact.sqlite", "-o", "Less.recordpack", "--type", "Message", in: folder)
      for (line, code) in Self.lines {
        let result = try await ToolProcess.shell("recordpack \(line)", in: folder)
        #expect(result.code == code, "\(line): \(result.errors)")
        let isSilent =
          code == 0 || ["diff", "validate", "schema deploy"].contains { line.hasPrefix($0) }
        #expect(isSilent || !result.errors.isEmpty, "\(line)")
        if code == 2 || line.hasSuffix("Empty.ckdb") {
          #expect(!Samples.exists("a.recordpack", in: folder), "\(line)")
          #expect(!Samples.exists("a.sqlite", in: folder), "\(line)")
        }
        for name in ["a.recordpack", "a.sqlite", "a.json"] {
          try? FileManager.default.removeItem(atPath: folder + "/" + name)
        }
      }
    }
  }
}

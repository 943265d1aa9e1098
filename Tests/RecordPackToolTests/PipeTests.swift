import Foundation
import Testing

@Suite("Input that can be read only once")
struct PipeTests {
  /// How a file gets to a command.
  enum Way: String, CaseIterable {
    case pipe, deviceFile, standardInput

    /// Runs the command with the file's bytes in the place of `IN`.
    func line(_ command: String, _ file: String) -> String {
      switch self {
      case .pipe:
        // Who refuses a pipe does not open it, and leaves its writer waiting.
        "mkfifo p 2>/dev/null; cat \(file) 2>/dev/null > p & writer=$!; "
          + "recordpack \(command.replacing("IN", with: "p")); code=$?; "
          + "kill $writer 2>/dev/null; exit $code"
      case .deviceFile:
        "cat \(file) | recordpack \(command.replacing("IN", with: "/dev/stdin"))"
      case .standardInput: "cat \(file) | recordpack \(command.replacing("IN", with: "-"))"
      }
    }
  }

  @Test("A bundle in a pipe is read like a file", arguments: Way.allCases)
  func bundles(_ way: Way) async throws {
    try await withFolder { folder in
      try await Samples.makeBundle(in: folder)
      for command in [
        "inspect IN", "query IN", "query IN --assets", "show IN chat-1", "verify IN",
        "diff IN Tact.sqlite", "diff Tact.sqlite IN", "validate IN",
        "import IN New.sqlite --on-conflict keep",
        "export IN -o New.json --to web-services --force",
        "recover IN -o New.recordpack --force", "show IN --asset 9f86d081",
        "import IN New.sqlite --on-conflict keep --type Chat",
      ] {
        let result = try await ToolProcess.shell(way.line(command, "Tact.recordpack"), in: folder)
        #expect(result.code == 0, "\(command): \(result.errors)")
      }
    }
  }

  @Test("What is wrong with a bundle in a pipe is told as of a file", arguments: Way.allCases)
  func verify(_ way: Way) async throws {
    try await withFolder { folder in
      try await Samples.makeBundle(in: folder)
      let data = try Samples.read("Tact.recordpack", in: folder)
      try Samples.write(data.dropLast(20), "cut.recordpack", in: folder)
      let cut = try await ToolProcess.shell(
        "timeout 1200 sh -c '\(way.line("verify IN", "cut.recordpack"))'", in: folder)
      #expect(cut.code == 2)
      #expect(
        cut.errors.contains("the seek table at the end of the bundle is missing"), "\(cut.errors)")
      #expect(cut.errors.split(separator: "\n").count == 1, "\(cut.errors)")
      // The pipe is read once, also where another file cannot be.
      let beside = try await ToolProcess.shell(
        "timeout 1200 sh -c '\(way.line("verify IN missing", "Tact.recordpack"))'", in: folder)
      #expect(beside.code == 2)
      #expect(beside.output.contains("intact"), "\(beside.errors)")
      #expect(beside.errors.contains("missing"), "\(beside.errors)")
    }
  }

  @Test("A container in a pipe is refused, and says why", arguments: Way.allCases)
  func containers(_ way: Way) async throws {
    try await withFolder { folder in
      try await Samples.makeBundle(in: folder)
      for command in ["inspect IN", "export IN -o New.recordpack", "import IN New.sqlite"] {
        let result = try await ToolProcess.shell(way.line(command, "Tact.sqlite"), in: folder)
        #expect(result.code == 2, "\(command)")
        let words = [
          "SQLite database", "is not a regular file", "cannot be read from standard input",
        ]
        #expect(words.contains { result.errors.contains($0) }, "\(command): \(result.errors)")
      }
    }
  }

  @Test("Responses are read from pipes, too", arguments: Way.allCases)
  func responses(_ way: Way) async throws {
    try await withFolder { folder in
      try Samples.write(Samples.response(records: 3), "1.json", in: folder)
      for (number, options) in ["", "--type Note", "--zone _defaultZone"]
        .enumerated()
      {
        let line = way.line(
          "import --from web-services IN New\(number).sqlite \(options)", "1.json")
        let result = try await ToolProcess.shell("timeout 1200 sh -c '\(line)'", in: folder)
        #expect(result.code == 0, "\(options): \(result.errors)")
        #expect(result.output.hasPrefix("Imported 3 records"), "\(options)")
      }
    }
  }
}

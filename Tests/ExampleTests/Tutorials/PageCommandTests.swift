import Foundation
import Testing

/// The commands that pages show have the names and options of the tool.
@Suite(.enabled("needs the recordpack tool built") { Place.program("recordpack") != nil })
struct PageCommandTests {
  /// A command of the tool, as it describes itself.
  private struct ToolCommand: Decodable {
    struct Argument: Decodable {
      struct Name: Decodable { let name: String }
      let names: [Name]?
    }
    let commandName: String
    let subcommands: [ToolCommand]?
    let defaultSubcommand: String?
    let arguments: [Argument]?

    /// The problem of a line of words after the command's name.
    func problem(_ words: [String]) -> String? {
      guard let first = words.first else { return nil }
      if let command = subcommands?.first(where: { $0.commandName == first }) {
        return command.problem(Array(words.dropFirst()))
      }
      if let name = defaultSubcommand,
        let command = subcommands?.first(where: { $0.commandName == name })
      {
        return command.problem(words)
      }
      if subcommands != nil, first.wholeMatch(of: /[a-z]+/) != nil {
        return "no command '\(first)'"
      }
      let known =
        (arguments ?? []).flatMap { ($0.names ?? []).map(\.name) } + [
          "help", "version", "generate-completion-script",
        ]
      for word in words where word.hasPrefix("--") && word.count > 2 {
        let option = word.dropFirst(2).prefix { $0 != "=" }
        if !known.contains(String(option)) { return "\(commandName) has no option '--\(option)'" }
      }
      return nil
    }
  }

  private struct Description: Decodable { let command: ToolCommand }

  @Test("a page or doc comment shows only commands and options that the tool has")
  func commands() async throws {
    let tool = try #require(Place.program("recordpack"))
    let dump = try await Command(tool, "--experimental-dump-help", mergesErrors: false)
    let command = try JSONDecoder().decode(Description.self, from: dump.bytes).command
    var checked = 0
    for path in try Self.pages() {
      var text = try String(contentsOfFile: Place.inPackage(path), encoding: .utf8)
      // Most pages have no command, and the regular expressions are slow.
      guard text.contains("recordpack ") else { continue }
      if path.hasSuffix(".swift") { text = Self.comments(of: text) }
      for line in Self.lines(of: text) {
        checked += 1
        let problem = command.problem(line.split(separator: " ").map(String.init))
        #expect(problem == nil, "\(path): recordpack \(line)")
      }
    }
    #expect(checked > 100)
  }

  private static func pages() throws -> [String] {
    let sources = try FileManager.default.subpathsOfDirectory(atPath: Place.inPackage("Sources"))
    return ["README.md", "CONTRIBUTING.md"]
      + sources.filter {
        $0.contains(".docc/")
          ? $0.hasSuffix(".md")
          : $0.hasSuffix(".swift")
      }.map { "Sources/" + $0 }.sorted()
  }

  /// The doc comments of a source file.
  private static func comments(of source: String) -> String {
    source.split(separator: "\n").map { line in
      let text = line.drop { $0 == " " }
      return text.hasPrefix("/// ") ? String(text.dropFirst(4)) : ""
    }.joined(separator: "\n")
  }

  /// The words after `recordpack` in each command of a page: in code, up to a pipe or another command.
  private static func lines(of page: String) -> [String] {
    let text = page.replacing("\\\n", with: "")
    let blocks = text.matches(of: /(?m)^ *```(?:sh|console|yaml)\n((?:.*\n)*?) *```/).map(\.1)
    let spans = text.matches(of: /`([^`\n]+(?:\n[^`\n]+)?)`/).map(\.1)
    let commands = page.hasPrefix("$ ") ? [text[...]] : blocks + spans
    return commands.flatMap { code in
      code.matches(
        of: /(?m)(?:^ *(?:\$ |- run: )?|[|&;(] *)(?:\.build\/release\/)?recordpack ([^|&;)\n]+)/
      )
      .map { String($0.1).components(separatedBy: " -- ")[0] }
    }
  }
}

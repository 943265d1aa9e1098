import Foundation
import Testing

/// Asks real shells what the printed scripts complete. A shell that is not there is skipped.
@Suite("Completion")
struct CompletionTests {
  private func has(_ shell: String) -> Bool {
    let isThere = Command.exists(shell)
    if !isThere { print("skipped: \(shell) is not installed") }
    return isThere
  }

  /// Writes the script of a shell to a file, and runs a script of this shell.
  private func words(
    _ shell: String, file: String, _ script: String, in folder: String
  ) async throws -> [String]? {
    guard has(shell) else { return nil }
    let printed = try await ToolProcess.shell(
      "recordpack --generate-completion-script \(shell) > \(file)", in: folder)
    #expect(printed.code == 0, "\(printed.errors)")
    try Samples.write(Data(script.utf8), "ask", in: folder)
    let asked = try await ToolProcess.shell("\(shell) ./ask", in: folder)
    return asked.output.split(whereSeparator: \.isWhitespace).map(String.init)
  }

  @Test("bash completes commands, options and values")
  func bash() async throws {
    try await withFolder { folder in
      func ask(_ line: String) async throws -> [String]? {
        let words = line.split(separator: " ", omittingEmptySubsequences: false)
        let list = words.map { "'\($0)'" }.joined(separator: " ")
        return try await self.words(
          "bash", file: "c.bash",
          """
          source ./c.bash
          complete -p recordpack >/dev/null || exit 3
          COMP_LINE='\(line)'; COMP_POINT=${#COMP_LINE}; COMP_TYPE=9; COMP_KEY=9
          COMP_WORDS=(\(list)); COMP_CWORD=\(words.count - 1)
          function=$(complete -p recordpack | sed 's/.*-F \\([^ ]*\\).*/\\1/')
          $function recordpack '\(words[words.count - 1])' '\(words[words.count - 2])'
          printf '%s\\n' "${COMPREPLY[@]}"
          """, in: folder)
      }
      guard let commands = try await ask("recordpack in") else { return }
      #expect(commands.contains("inspect"), "\(commands)")
      #expect(try await ask("recordpack put a.sqlite --cr")?.contains("--create-zone") == true)
      #expect(try await ask("recordpack export a -o b --to can") == ["canopy"])
      #expect(try await ask("recordpack diff a b --ignore ch") == ["changeTag"])
    }
  }

  @Test("fish completes commands, options and values")
  func fish() async throws {
    try await withFolder { folder in
      func ask(_ line: String) async throws -> [String]? {
        try await words(
          "fish", file: "c.fish", "source c.fish\ncomplete -C '\(line)'\n", in: folder)
      }
      guard let commands = try await ask("recordpack in") else { return }
      #expect(commands.contains("inspect"), "\(commands)")
      #expect(try await ask("recordpack put a.sqlite --cr")?.contains("--create-zone") == true)
      #expect(try await ask("recordpack export a -o b --to can")?.contains("canopy") == true)
    }
  }

  @Test("zsh completes commands, options and values at a terminal")
  func zsh() async throws {
    try await withFolder { folder in
      func ask(_ line: String) async throws -> [String]? {
        try await words(
          "zsh", file: "_recordpack",
          """
          zmodload zsh/zpty
          zpty z zsh -f
          zpty -w z 'PS1=; fpath=($PWD $fpath); autoload -U compinit; compinit -u -D; unsetopt zle_bracketed_paste; LISTMAX=1000; echo rea''dy'
          zpty -r -m z text '*ready*'
          zpty -n -w z $'\(line)\\t'
          sleep 2
          zpty -w z $'\\C-u'
          zpty -w z 'echo e''nd'
          zpty -r -m z text '*end*'
          print -r -- $text
          """, in: folder)
      }
      guard let commands = try await ask("recordpack insp") else { return }
      #expect(commands.contains { $0.contains("inspect") }, "\(commands)")
      let options = try await ask("recordpack put a.sqlite --create-z") ?? []
      #expect(options.contains { $0.contains("--create-zone") }, "\(options)")
    }
  }
}

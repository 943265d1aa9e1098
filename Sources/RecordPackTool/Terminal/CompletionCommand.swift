import ArgumentParser

struct CompletionCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "completion",
    abstract: "Print the completion script of a shell.",
    discussion: """
      The script completes commands, options, their values and file names. Write it
      to a file that the shell reads:

        bash   ~/.local/share/bash-completion/completions/recordpack
        zsh    _recordpack in a folder of $fpath, before compinit runs
        fish   ~/.config/fish/completions/recordpack.fish

      It has no --format json: the output is a script.

      EXAMPLES
        recordpack completion bash > recordpack.bash
        recordpack completion zsh > _recordpack
        recordpack completion fish > recordpack.fish
      """)

  enum Shell: String, CaseIterable, ExpressibleByArgument {
    case bash, zsh, fish

    var completion: CompletionShell {
      switch self {
      case .bash: .bash
      case .zsh: .zsh
      case .fish: .fish
      }
    }
  }

  @Argument(help: "The shell: bash, zsh or fish.")
  var shell: Shell

  func run() throws {
    try ReportOptions.write([RecordPackCommand.completionScript(for: shell.completion)])
  }
}
